"""Text from a capture is data: no markup acts, no control code reaches the terminal, nothing turns around what is read."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from rich.cells import cell_len

from advisor.base.text import Text
from advisor.evidence.bundle import Bundle
from advisor.fabric.model import End, Host, Job, Leaf, Link
from advisor.plan.plan import Decision
from advisor.tui.app import AdvisorApp
from advisor.tui.views.frame import STAGES
from advisor.tui.views.words import word
from advisor.tui.widgets.paint import harmless, safe, width_of
from tui import site
from tui.driving import opened, screen_text, settled, stage, until

HOSTILE = {
    "closing markup": "a[/nope]b",
    "markup": "[bold red]x[/] [@click=app.quit]go[/]",
    "window title": "a\x1b]0;owned\x07b",
    "clipboard": "a\x1b]52;c;aGk=\x07b",
    "colour": "\x1b[31mred\x1b[0m",
    "cursor": "\x1b[2J\x1b[H\x9b31m",
    "turned around": "abc\u202egpj.exe\u2066x",
    "zero width": "le\u200baf\u2060-1\ufeff",
    "line ends": "a\nb\rc\x0bd\u2028e",
    "null": "a\x00b\x7f",
    "lone surrogate": "a\ud800b",
    "braces": "{name} {0} {{}} %s",
}
ACTING = re.compile("[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")


@pytest.mark.parametrize("name", HOSTILE)
def test_painted_text_cannot_act_and_has_its_width(name: str) -> None:
    text = harmless(HOSTILE[name])
    assert not ACTING.search(text)
    assert width_of(word(HOSTILE[name])) == width_of(word(text))
    assert safe(HOSTILE[name]).plain == text, "markup stays as it was written"


@pytest.mark.parametrize("name", HOSTILE)
async def test_hostile_text_is_shown_harmless_on_every_stage(tmp_path: Path, name: str) -> None:
    bad = HOSTILE[name]
    async with opened(tmp_path, (120, 40), site=_poisoned(tmp_path, bad)) as (app, pilot):
        for each in STAGES:
            await stage(pilot, each)
            text = screen_text(app)
            assert not ACTING.search(text.replace("\n", "")), each
        await stage(pilot, "fabric")
        shown = harmless(bad)[:6]
        assert shown in screen_text(app)
        assert app.is_running


def _poisoned(folder: Path, bad: str) -> object:
    """The site with a hostile string wherever a capture or a person could put one."""
    here = site.assessment(folder)
    captures = [replace(capture, name=f"{bad}/{capture.name}", host=bad) for capture in here.bundle.captures]
    parts = [
        replace(capture, reading=replace(capture.reading, parts=tuple(replace(part, host=bad) for part in capture.reading.parts)))
        for capture in captures
    ]
    here = replace(
        here, name=bad, bundle=Bundle.of(parts), decisions={"pack-jobs": Decision(remedy="pack-jobs", choice="skip", reason=bad)}
    )
    site.made(here)
    fabric = here.fabric
    here.__dict__["fabric"] = fabric.model_copy(
        update={
            "hosts": {bad: Host(name=bad)},
            "leaves": (Leaf(name=bad, hosts=(bad,)),),
            "jobs": (Job(name=bad, kind=bad, hosts=(bad,)),),
            "links": (Link(a=End(device=bad, port=bad), b=End(device="leaf-1"), state=bad),),
            "technology": bad,
            "conflicts": tuple(each.model_copy(update={"thing": bad, "values": (bad, bad)}) for each in fabric.conflicts),
            "runs": tuple(run.model_copy(update={"what": bad, "hosts": (bad,)}) for run in fabric.runs),
            "logs": tuple(log.model_copy(update={"name": bad}) for log in fabric.logs),
        }
    )
    found = here.diagnosis
    causes = tuple(
        cause.model_copy(
            update={"evidence": tuple(item.model_copy(update={"about": bad, "value": bad, "measure": bad}) for item in cause.evidence)}
        )
        for cause in found.causes
    )
    probe = found.next_probe.model_copy(update={"run": Text(en=bad, zh=bad), "where": bad}) if found.next_probe else None
    here.__dict__["diagnosis"] = found.model_copy(update={"causes": causes, "next_probe": probe})
    return here


DIALOGS = {
    "evidence": ("c", "i", "question_mark", "ctrl+p", "colon", "space"),
    "diagnosis": ("o", "w"),
    "remedies": ("s", "question_mark"),
    "report": ("x",),
}


async def test_hostile_text_is_shown_harmless_in_every_dialog(tmp_path: Path) -> None:
    """All of it at once, behind and inside of what opens over the stages."""
    bad = "".join(text for name, text in HOSTILE.items() if name != "closing markup") + "[/nope]"
    async with opened(tmp_path, (120, 40), site=_poisoned(tmp_path, bad)) as (app, pilot):
        for each, keys in DIALOGS.items():
            await stage(pilot, each)
            for key in keys:
                await pilot.press(key)
                await settled(pilot)
                text = screen_text(app)
                assert not ACTING.search(text.replace("\n", "")), (each, key)
                for _ in range(5):
                    if len(app.screen_stack) > 1:
                        await pilot.press("escape")
                        await settled(pilot)
                assert len(app.screen_stack) == 1, (each, key)
        app.tell("tui.report.written", path=bad)
        app.copy(bad)
        await settled(pilot)
        assert not ACTING.search(screen_text(app).replace("\n", ""))
        assert app.is_running


@pytest.mark.parametrize("keys", [("s",), ("question_mark",), ("ctrl+p",), ("space",), ("colon",)])
async def test_wide_characters_keep_their_places_behind_a_dialog(tmp_path: Path, keys: tuple[str, ...]) -> None:
    """Textualize/textual#5243: each line is as wide as the screen, and what the dialog does not cover stands where it stood."""
    async with opened(tmp_path, (110, 34), "zh") as (app, pilot):
        await stage(pilot, "remedies")
        before = _columns(app)
        await pilot.press(*keys)
        await until(pilot, lambda: len(app.screen_stack) > 1, "the dialog")
        await settled(pilot)
        after = _columns(app)
        assert all(len(line) == 110 for line in after)
        same = sum(a == b for line, other in zip(before, after, strict=True) for a, b in zip(line, other, strict=True))
        assert same > 0.3 * 110 * 34
        assert [line[0] for line in after[1:-1]] == [line[0] for line in before[1:-1]] or keys == ("ctrl+p",), "the edge stays"


def _columns(app: AdvisorApp) -> list[list[str]]:
    """The screen cell by cell; the second cell of a wide character is empty."""
    lines = []
    for strip in app.screen._compositor.render_strips():
        cells: list[str] = []
        for segment in strip:
            for char in segment.text:
                cells += [char, *[""] * (cell_len(char) - 1)]
        lines.append(cells)
    return lines
