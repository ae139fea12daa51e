"""One story in a real terminal: from the start screen through the example site, and a clean terminal at the end."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from terminal.panes import Terminal
from terminal.ptys import environment

pytestmark = [pytest.mark.terminal, pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not here")]

COMMAND = f"{sys.executable} -c 'from advisor.tui.app import run; raise SystemExit(run(None, \"en\"))'; echo code=$?"


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    it = Terminal(tmp_path / "tmux", environment(tmp_path))
    try:
        yield it
    finally:
        it.close()


def test_from_start_to_a_plan_and_a_clean_terminal(terminal: Terminal) -> None:
    terminal.press(COMMAND, "Enter")
    terminal.wait("Recent assessments")
    terminal.press("e")
    terminal.wait("Coverage: layers")
    for key, words in (
        ("2", "Spines over leaves over hosts"),
        ("3", "The money question"),
        ("5", "Scenarios"),
        ("7", "The report as it is handed over"),
    ):
        terminal.press(key)
        terminal.wait(words)
    terminal.press("4")
    terminal.wait("Remedies, cheapest first")
    terminal.press("t")
    terminal.wait("✓ 1.")
    terminal.press("C-l")
    text = terminal.wait("措施，由便宜到昂贵")
    assert "Remedies, cheapest first" not in text
    terminal.press("q")
    text = terminal.wait("code=0")
    assert "措施" not in text, "the screen of before is back"
    terminal.press("stty -a | grep -o -- '-\\?echo ' | head -1; echo done", "Enter")
    text = terminal.wait("done")
    assert "echo" in text
    assert "-echo" not in text.replace("stty -a | grep -o -- '-\\?echo '", "")


def test_keys_that_come_in_one_piece_work_in_their_order(terminal: Terminal) -> None:
    """What a slow line delivers, or a fast typist: none is lost, and none goes to what had the focus before."""
    terminal.press(COMMAND, "Enter")
    terminal.wait("Recent assessments")
    terminal.press("e")
    terminal.wait("Coverage: layers")
    for number in ("1271.5", "88.25", "640"):
        terminal.press("5", "b", "Home", "Down", "e", "C-u", *number, "Enter", "C-u", *"CHF", "Enter", *"offer 7")
        text = terminal.wait("offer 7")
        assert number in text
        assert "CHF" in text
        terminal.press("Escape")  # with a key right behind it, it would be that key with alt
        terminal.gone("Price or low")
        terminal.press("4", "/", *"rate", "Enter", ":", *"calc x")
        terminal.wait("calc x")
        terminal.press("Escape")
        terminal.gone("calc x")
        assert "rate" in terminal.wait("Remedies, cheapest first").rpartition("╯")[2], "the filter stands in its field"


def test_without_colours_no_colour_reaches_the_terminal(terminal: Terminal, tmp_path: Path) -> None:
    """no-color.org: no ANSI colour at all, grey included."""
    raw = tmp_path / "raw"
    terminal.call("pipe-pane", f"cat > {raw}")
    terminal.press(f"NO_COLOR=1 {COMMAND}", "Enter")
    terminal.wait("Recent assessments")
    terminal.press("e")
    terminal.wait("Coverage: layers")
    terminal.press("3")
    terminal.wait("The money question")
    terminal.press("q")
    terminal.wait("code=0")
    data = raw.read_text(encoding="utf-8", errors="replace")
    codes = {part for params in re.findall(r"\x1b\[([0-9;]*)m", data) for part in params.split(";")}
    assert codes, "there is something to look at"
    assert not codes & {str(n) for n in (*range(30, 39), *range(40, 49), *range(90, 98), *range(100, 108))}


def test_a_redirected_screen_is_said_and_nothing_hangs(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from advisor.tui.app import run; raise SystemExit(run(None, 'en'))"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert "not a terminal" in done.stderr
    assert done.stdout == ""
