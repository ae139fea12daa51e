"""A whole assessment in a real terminal, under the names of terminals that people come with."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from terminal.panes import Terminal
from terminal.ptys import environment

from advisor.base.places import example_site

pytestmark = [pytest.mark.terminal, pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not here")]

TERMS = ("xterm-256color", "tmux-256color", "screen", "linux", "vt100")


@pytest.fixture
def terminal(term: str, tmp_path: Path) -> Iterator[Terminal]:
    """A terminal that says its name is such a one, in a folder of its own, with the captures in `captures`."""
    if subprocess.run(["infocmp", term], capture_output=True, check=False).returncode != 0:
        pytest.skip(f"terminfo does not know {term} here")
    shutil.copytree(example_site(), tmp_path / "captures")
    it = Terminal(tmp_path / "tmux", environment(tmp_path), (120, 40))
    try:
        it.type(f"cd {tmp_path}; export TERM={term}; stty -g > before; clear; echo re''ady")
        it.go("Enter", "ready")
        yield it
    finally:
        it.close()


@pytest.mark.parametrize("term", TERMS)
def test_from_the_first_run_to_a_lost_line(terminal: Terminal, term: str, tmp_path: Path) -> None:
    first_run(terminal)
    imported(terminal, term)
    drilled_down(terminal)
    taken(terminal)
    in_the_other_language(terminal)
    resized(terminal)
    repriced(terminal)
    exported(terminal, tmp_path)
    hung_up(terminal, tmp_path)


def first_run(it: Terminal) -> None:
    it.type(f"sh -c 'echo $$ > pid; exec {sys.executable} -m advisor'; echo code=$?")
    text = it.go("Enter", "Quit")
    assert "Nothing opened yet" in text
    assert "Two-minute tour" in text
    assert it.modes()["alternate_on"]


def imported(it: Terminal, term: str) -> None:
    text = it.go("n", "Into the file")
    assert ("╭" in text) is not term.startswith(("linux", "vt")), "round corners, where the font has them"
    it.type("captures")
    it.see(lambda text: "captures" in _under(text, "Folders, archives"), "the path in its field")
    it.still()  # what is typed last may be the field's own suggestion
    files = sum(1 for path in example_site().rglob("*") if path.is_file())
    it.go("C-d", f"{files} files: {files} new captures")
    it.go("Escape", "Coverage")


def drilled_down(it: Terminal) -> None:
    """Verdict, cause, evidence, the line of the capture, and back to where it was."""
    it.go("3", "The money question")
    it.until("Enter", "Coverage")
    assert "site.yaml " in it.wait("fabric: {topology: leaf-spine")
    it.go("Escape", "The money question")


def taken(it: Terminal) -> None:
    it.go("4", "1. ")
    text = it.go("t", "✓ 1.")
    assert "cost so far" in text
    it.go("t", "✓ 2.")
    it.go("C-z", "○ 2.")


def in_the_other_language(it: Terminal) -> None:
    text = it.go("C-l", "措施，由便宜到昂贵")
    assert "Remedies, cheapest first" not in text
    assert "✓ 1." in text


def resized(it: Terminal) -> None:
    """Small and back: all fits, and all is as it was. Then back to English."""
    before = it.still()
    it.resize(80, 24)
    it.see(lambda text: "^p" in text.rstrip("\n").rpartition("\n")[2] and text.count("\n") == 24, "a whole screen of 80x24")
    it.wait("✓ 1.")
    it.resize(120, 40)
    it.see(lambda text: text == before, f"the screen of before,\n{before}\n,")
    it.go("C-l", "Remedies, cheapest first")


def repriced(it: Terminal) -> None:
    it.go("5", "Scenarios")
    it.press("Home", "Down", "Down")
    it.go("b", "days")
    it.go("e", "Price or low")
    it.press("C-u")
    it.see(lambda text: not re.search(r"[0-9]", _under(text, "Price or low")), "an empty field")
    it.type("733")
    it.see(lambda text: "733" in _under(text, "Price or low"), "the price in its field")
    it.press("C-s")
    it.gone("Price or low")
    assert "✎" in it.wait("733 ")


def _under(text: str, title: str) -> str:
    """The line under that one which holds a title, in the box at the same place."""
    lines = text.splitlines()
    at = next((i for i, line in enumerate(lines) if title in line), None)
    return "" if at is None else lines[at + 1][lines[at].index(title) - 1 :][:60]


def exported(it: Terminal, folder: Path) -> None:
    it.go("7", "The report as it is handed over")
    it.go("x", "Into the file")
    it.press("C-s")
    it.gone("Into the file")
    report = folder / "site-report.html"
    it.see(lambda _: report.is_file(), "the file of the report")
    assert report.read_text(encoding="utf-8").lower().startswith("<!doctype html>")


def hung_up(it: Terminal, folder: Path) -> None:
    """The line is lost: the screen of before, no mode left on, and the decision is in the file."""
    os.kill(int((folder / "pid").read_text()), signal.SIGHUP)
    text = it.wait(f"code={128 + signal.SIGHUP}")
    assert "ready" in text
    assert "Scenarios" not in text
    assert it.modes() == {"alternate_on": False, "mouse_any_flag": False, "cursor_flag": True, "keypad_cursor_flag": False}
    it.type("stty -g > after; echo sa''id")
    it.go("Enter", "said")
    assert (folder / "after").read_text() == (folder / "before").read_text()
    kept = subprocess.run(
        [sys.executable, "-m", "advisor", "plan", "site.advisor", "--json"],
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        text=True,
        check=True,
    )
    assert '"take"' in kept.stdout
