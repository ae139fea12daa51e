"""Everything can be reached: each action by keyboard alone, each public use-case by a command and from the palette."""

import ast
from pathlib import Path

import advisor.tui
import advisor.usecases
from advisor.__main__ import COMMANDS
from advisor.cli.parser import parser
from advisor.tui import keys, themes
from advisor.tui.commands import Actions
from advisor.tui.screens.commanding import _HERE, SITELESS, commands, prefilled
from tui.driving import opened, stage

# Modules of use-cases that are steps of others and nothing that a person asks for by itself.
STEPS = {
    "dask_cluster": "where an import reads",
    "taking": "how an import takes files",
    "look": "how a folder or archive is opened",
    "originals": "the bytes behind an assessment",
    "pool": "processes that read",
    "progress": "how work tells of itself",
    "reading": "how bytes become a reading",
}
REACHED = {
    "assess": {"diagnose", "plan", "decide", "overrule", "open", "demo"},
    "baseline": {"baseline"},
    "budget": {"cost"},
    "calculators": {"calc"},
    "collect": {"collect"},
    "compare": {"compare"},
    "export": {"report"},
    "import_": {"import"},
    "inspect": {"inspect"},
    "masking": {"mask"},
    "measures": {"measures"},
    "model": {"model"},
    "money": {"prices", "cost"},
    "prices": {"prices"},
    "recent": {"open"},
    "reprice": {"prices", "cost"},
    "size": {"size"},
    "sums": {"calc"},
    "template": {"template"},
    "undo": {"decide", "overrule"},
    "whatif": {"whatif"},
}


def public_modules() -> set[str]:
    """Modules of use-cases with a public function."""
    found = set()
    for path in Path(advisor.usecases.__file__).parent.glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if any(isinstance(node, ast.FunctionDef) and not node.name.startswith("_") for node in tree.body):
            found.add(path.stem)
    return found


def test_every_public_use_case_has_a_command() -> None:
    for module in public_modules() - set(STEPS):
        named = REACHED.get(module, {module})  # a new one: a command of its own name
        assert named <= set(COMMANDS), module


async def test_every_command_action_and_theme_is_in_the_palette(tmp_path: Path) -> None:
    assert set(commands("en")) == set(COMMANDS) - _HERE
    async with opened(tmp_path) as (app, pilot):
        await stage(pilot, "remedies")
        names = [name for name, _ in Actions(app.screen).entries()]
        assert {name.split()[1].rstrip(":") for name in names if name.startswith("advisor ")} == set(COMMANDS) - _HERE
        assert len([name for name in names if name.startswith("Theme: ")]) == len(themes.ORDER)
        for wanted in ("Take  (t)", "Import  (i)", "Help  (?)", "Undo", "Quit  (q)"):
            assert any(name.startswith(wanted) for name in names) or wanted == "Undo", wanted


def test_commands_that_take_a_site_get_the_one_that_is_open() -> None:
    chosen = next(action for action in parser("en")._actions if action.dest == "command").choices
    assert chosen is not None
    takes = {
        name
        for name, one in chosen.items()
        if any(action.dest in ("target", "site") for action in one._actions if not action.option_strings)
    }
    assert not takes & SITELESS - {"open", "baseline", "cost"}
    assert prefilled("report", "/a b/x.advisor") == "report '/a b/x.advisor' "
    assert prefilled("calc", "/x.advisor") == "calc "


def test_every_action_has_a_key() -> None:
    """Each `action_...` of a screen or of the program is bound to a key somewhere, or is the palette's."""
    keys.bound()  # every screen is imported
    bound = {
        binding.action.removeprefix("app.").partition("(")[0]
        for kind in keys._below(keys.Keyed)
        for binding in kind.__dict__.get("BINDINGS", ())
    }
    for path in Path(advisor.tui.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("action_"):
                assert node.name.removeprefix("action_") in bound, (path.name, node.name)
