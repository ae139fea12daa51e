"""Whatever ends the screens, the terminal is as it was: modes, alternate screen, mouse, focus, paste, cursor, keyboard."""

import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from terminal.ptys import PROGRAM, Pty, environment, left_on, text_of

pytestmark = [pytest.mark.terminal, pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")]
BREAKS = [
    sys.executable,
    "-c",
    "import sys; from advisor.tui import app; app.AdvisorApp.action_start = lambda self: 1 / 0; sys.exit(app.run(None, 'en'))",
]
BREAKS_BADLY = [
    sys.executable,
    "-c",
    """
import os, sys
from advisor.tui import app
def broken(self, **given):
    sys.__stderr__.write("\\x1b[?1049h\\x1b[?1003h\\x1b[?25l\\x1b[?2004h")
    os.system("stty raw -echo <&2")
    raise KeyError("x")
app.AdvisorApp.run = broken
sys.exit(app.run(None, "en"))
""",
]


@contextmanager
def running(words: list[str], folder: Path, term: str = "xterm-256color", until: str = "Recent assessments", **more: str) -> Iterator[Pty]:
    it = Pty(words, environment(folder, term, **more))
    try:
        it.wait(until)
        yield it
    finally:
        it.close()


ENDS: dict[str, tuple[Callable[[Pty], None], int]] = {
    "quit": (lambda it: it.press("q"), 0),
    "SIGTERM": (lambda it: it.kill(signal.SIGTERM), 143),
    "SIGHUP": (lambda it: it.kill(signal.SIGHUP), 129),
}


@pytest.mark.parametrize("end", ENDS)
def test_clean_after(end: str, tmp_path: Path) -> None:
    act, code = ENDS[end]
    with running(PROGRAM, tmp_path) as it:
        assert {"alternate screen", "mouse", "hidden cursor"} <= set(left_on(it.seen)), "it was on before"
        act(it)
        assert it.end() == code
        assert left_on(it.seen) == []
        assert it.after == it.before


def test_clean_after_a_defect_which_is_told_without_captured_values(tmp_path: Path) -> None:
    with running(BREAKS, tmp_path) as it:
        it.press("0")
        assert it.end() == 1
        assert left_on(it.seen) == []
        assert it.after == it.before
        said = text_of(it.seen.rsplit(b"\x1b[?1049l", 1)[1])
        assert "Something inside broke" in said
        assert "Traceback" not in said
        kept = tmp_path / "state" / "advisor" / "crash.txt"
        assert "ZeroDivisionError" in kept.read_text()
        assert kept.stat().st_mode & 0o077 == 0


def test_clean_where_even_the_screens_own_end_fails(tmp_path: Path) -> None:
    it = Pty(BREAKS_BADLY, environment(tmp_path))
    try:
        assert it.end() == 1
        assert left_on(it.seen) == []
        assert it.after == it.before
    finally:
        it.close()


def test_no_mouse_leaves_the_mouse_to_the_terminal(tmp_path: Path) -> None:
    with running([*PROGRAM, "open", "--no-mouse"], tmp_path) as it:
        it.press("q")
        it.end()
        assert not re.search(rb"\x1b\[\?(1000|1002|1003|1006|1015)h", it.seen)


@pytest.mark.parametrize("term", ["dumb", "unknown"])
def test_a_terminal_that_cannot_draw_is_told(term: str, tmp_path: Path) -> None:
    it = Pty(PROGRAM, environment(tmp_path, term))
    try:
        assert it.end() == 2
        assert b"\x1b" not in it.seen
        assert f"TERM={term}" in text_of(it.seen)
    finally:
        it.close()


SGR = re.compile(rb"\x1b\[([0-9;:]*)m")


def colours(data: bytes) -> set[str]:
    """Parameters of SGR that set a colour, default colours (39, 49) included."""
    found: set[str] = set()
    for params in SGR.findall(data):
        words = params.decode().replace(":", ";").split(";")
        while words:
            word = words.pop(0)
            if word in ("38", "48", "58"):
                kind = words.pop(0) if words else ""
                found.add(f"{word};{kind}")
                del words[: 3 if kind == "2" else 1]
            elif word.isdigit() and (30 <= int(word) <= 49 or 90 <= int(word) <= 107):
                found.add(word)
    return found


TOUR = "e", "2", "l", "3", "o", "\x1b", "4", "t", "5", "6", "7", "?", "\x1b", "\x10", "\x1b", "\x14", " ", "\x1b", "1"


def toured(it: Pty) -> None:
    """Every stage, dialogs, the palette, the help, jump keys, another theme."""
    for key in TOUR:
        it.press(key)
        it.quiet({"e": 2, "\x1b": 1}.get(key, 0.25))  # an escape and a key that come as one are another key


@pytest.mark.parametrize(("term", "more"), [("xterm-256color", {"NO_COLOR": "1"}), ("vt100", {})])
def test_no_colour_at_all(term: str, more: dict[str, str], tmp_path: Path) -> None:
    """no-color.org: no ANSI colour, grey included; a VT100 has none."""
    with running(PROGRAM, tmp_path, term, **more) as it:
        toured(it)
        it.press("q")
        assert it.end() == 0
        assert len(SGR.findall(it.seen)) > 20, "there is something to look at"
        assert colours(it.seen) == set()


@pytest.mark.parametrize("term", ["linux", "screen"])
def test_sixteen_colours_and_no_more(term: str, tmp_path: Path) -> None:
    with running(PROGRAM, tmp_path, term) as it:
        for key in ("e", "2", "3", "5"):
            it.press(key)
            it.quiet(0.25 if key != "e" else 2)
        it.press("q")
        assert it.end() == 0
        found = colours(it.seen)
        assert found & {"31", "32", "33", "34", "36"}
        assert not {name for name in found if ";" in name}, "nothing of 256 or more"
