"""The key map: names, a person's own file, and what is said of a wrong one."""

import os
from pathlib import Path

import pytest

from advisor.base.errors import UsageError
from advisor.tui import keys
from advisor.tui.views.words import text_of
from advisor.tui.widgets.prose import Prose
from tui.driving import opened, screen_text, settled, stage


def written(text: str) -> Path:
    path = keys.file()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_the_usual_keys_do_not_clash_on_any_screen() -> None:
    for place, found in keys.bound().items():
        taken: dict[str, str] = {}
        for name, pressed in found.items():
            for key in pressed.split(","):
                assert taken.setdefault(key, name) == name, (place, key)


def test_no_usual_key_is_one_that_terminals_and_multiplexers_keep() -> None:
    """Prefixes of tmux and screen, and what a terminal sends for enter and tab (darrenburns/posting#95)."""
    used = {key for found in keys.bound().values() for pressed in found.values() for key in pressed.split(",")}
    assert not used & {"ctrl+a", "ctrl+b", "ctrl+q", "ctrl+j", "ctrl+m", "ctrl+i", "ctrl+o", "ctrl+c", "ctrl+h"}


def test_every_binding_of_ours_has_a_name() -> None:
    names = {name for found in keys.bound().values() for name in found}
    assert {"take", "skip", "undo", "redo", "jump", "command", "stage-costs", "copy-row", "palette", "help", "quit"} <= names


@pytest.mark.parametrize(
    ("text", "key", "line"),
    [
        ("take: x\nno-such: y\n", "keys-no-such-name", 2),
        ("\ntake: ctrl+\n", "keys-no-such-key", 2),
        ("take: hyperspace\n", "keys-no-such-key", 1),
        ("undo: u9\n", "keys-no-such-key", 1),
        ("take: {a: b}\n", "keys-form", 1),
        ("- take\n", "keys-form", 1),
        ("later: x\ntake: q\n", "keys-clash", 2),
        ("take: [\n", "yaml", 2),
        ("take: x\ntake: y\n", "yaml", 2),
    ],
)
def test_a_wrong_file_is_told_with_its_line(text: str, key: str, line: int) -> None:
    path = written(text)
    with pytest.raises(UsageError) as told:
        keys.own_keys()
    assert told.value.key == key
    assert told.value.values["line"] == line
    assert str(path) in str(told.value)


def test_keys_may_be_swapped_and_be_several() -> None:
    written("take: s\nskip: [t, delete, '?']\nhelp: f1\n")
    assert keys.own_keys() == {"take": "s", "skip": "t,delete,question_mark", "help": "f1"}


async def test_own_keys_work_and_stand_in_help_and_footer(tmp_path: Path) -> None:
    written("take: s\nskip: t\nhelp: f1\n")
    async with opened(tmp_path) as (app, pilot):
        await stage(pilot, "remedies")
        assert "s Take" in screen_text(app).splitlines()[-1]
        await pilot.press("s")
        await settled(pilot)
        assert app.assessment is not None
        assert app.assessment.decisions["pack-jobs"].choice == "take"
        await pilot.press("f1")
        await settled(pilot)
        words = [text_of(para.phrase) for para in app.screen.query_one("#words", Prose)._paras]
        assert any(line.split() == ["s", "Take", "take"] for line in words)
        assert any("keys.yaml" in line for line in words)


async def test_with_a_wrong_file_the_usual_keys_work_and_it_is_said(tmp_path: Path) -> None:
    path = written("take: x\nfly: z\n")
    async with opened(tmp_path) as (app, pilot):
        text = screen_text(app).replace("│", "").replace("\n", "").replace(" ", "")
        assert "noactionfly" in text
        assert f"{path.name}:2:" in text
        await pilot.press("escape")
        await stage(pilot, "remedies")
        await pilot.press("t")
        await settled(pilot)
        assert app.assessment is not None
        assert app.assessment.decisions["pack-jobs"].choice == "take"


async def test_a_letter_jumps_to_a_pane(tmp_path: Path) -> None:
    async with opened(tmp_path) as (app, pilot):
        first = app.focused
        await pilot.press("space")
        await pilot.pause()
        panes = app.screen._panes  # type: ignore[attr-defined]
        letter, pane = next((letter, pane) for letter, pane in panes.items() if pane is not first)
        await pilot.press(letter)
        await pilot.pause()
        assert app.focused is pane
        await pilot.press("space", "escape")
        await pilot.pause()
        assert app.focused is pane, "another key goes nowhere"


@pytest.mark.parametrize(
    ("pressed", "enter"),
    [
        ("1", "Read it"),
        ("1 home", "Fold"),
        ("1 b", "Copy probe"),
        ("1 c", "Accept"),
        ("3", "Its evidence"),
        ("3 o", "Next field"),
        ("4 s", "Skip"),
        ("5 c", "Change"),
        ("5 g", "Next field"),
        ("6", "Source"),
        ("7 x", "Choose"),
        ("7 x tab", "Write"),
        ("7 colon", "Run"),
    ],
)
async def test_the_last_line_says_what_enter_does_there(tmp_path: Path, pressed: str, enter: str) -> None:
    async with opened(tmp_path) as (app, pilot):
        for key in pressed.split():
            await pilot.press(key)
            await settled(pilot)
        last = screen_text(app).splitlines()[-1]
        assert f"⏎ {enter} " in last


async def test_the_last_line_names_no_key_that_only_types_a_letter(tmp_path: Path) -> None:
    async with opened(tmp_path) as (app, pilot):
        await pilot.press("slash")
        await settled(pilot)
        assert "/ Search" not in screen_text(app).splitlines()[-1]


def test_the_file_is_where_the_guide_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.setenv("HOME", "/home/somebody")
    if os.name != "nt":
        assert keys.file() == Path("/home/somebody/.config/advisor/keys.yaml")
