"""What the terminal can do, asked of terminfo, and how it is left behind whatever ends the program."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Literal

Colours = Literal["none", "ansi", "full"]
# Mouse, focus and paste reporting off, wrapping on, kitty's keys off, colours off, alternate screen left, cursor shown.
RESET = "\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1015l\x1b[?1004l\x1b[?2004l\x1b[?2048l\x1b[?7h\x1b[<u\x1b[0m\x1b[?1049l\x1b[?25h"
_PLAIN_FONT = ("linux", "vt", "cons")  # their fonts lack round corners


@dataclass(frozen=True, slots=True)
class Terminal:
    """colours: none, the sixteen of the terminal, or all.

    draws: whether the cursor can be moved. round: whether its font has round corners. scrolls: whether it moves lines in a region.
    erases: whether cells that it erases get the background that is set.
    """

    colours: Colours = "full"
    draws: bool = True
    round: bool = True
    scrolls: bool = True
    erases: bool = True


def terminal(env: Mapping[str, str] = os.environ, known: tuple[int, bool] | None = None, can: tuple[bool, bool] = (True, True)) -> Terminal:
    """What the environment says, and `known` of terminfo. no-color.org: NO_COLOR counts where it is set and not empty."""
    name = env.get("TERM", "")
    count, draws = known or _by_name(name)
    colours: Colours = "full"
    if env.get("NO_COLOR") or count == 0:
        colours = "none"
    elif count <= 16 and env.get("COLORTERM", "").lower() not in ("truecolor", "24bit"):
        colours = "ansi"
    return Terminal(colours, draws, not name.startswith(_PLAIN_FONT), *can)


def terminfo() -> tuple[int, bool] | None:
    """Number of colours of this terminal, and whether its cursor can be moved; None where terminfo does not know it or is not here."""
    with suppress(Exception):
        import curses

        curses.setupterm(None, sys.__stderr__.fileno() if sys.__stderr__ else 2)
        return max(curses.tigetnum("colors"), 0), curses.tigetstr("cup") is not None
    return None


def saves() -> tuple[bool, bool]:
    """Whether terminfo says that lines can be moved in a region (DECSTBM and RI, as the VT100 has them), and that cells can be erased to
    the background that is set (ECH, bce). Where it does not know this terminal, it can move lines and cannot erase."""
    with suppress(Exception):
        import curses

        curses.setupterm(None, sys.__stderr__.fileno() if sys.__stderr__ else 2)
        region, back, erase = (curses.tigetstr(name) or b"" for name in ("csr", "ri", "ech"))
        moves = region.startswith(b"\x1b[%i%p1%d;%p2%dr") and back.startswith(b"\x1bM")
        return moves, erase.startswith(b"\x1b[%p1%dX") and curses.tigetflag("bce") == 1
    return True, False


def _by_name(name: str) -> tuple[int, bool]:
    if name in ("dumb", "unknown"):
        return 0, False
    if "256color" in name or "direct" in name or not name:
        return 256, True
    return (0 if name.startswith("vt") else 8), True


def is_one() -> bool:
    """Whether the screens can be drawn and keys be read: standard error and input are a terminal."""
    return bool(sys.__stderr__ and sys.__stderr__.isatty() and sys.__stdin__ and sys.__stdin__.isatty())


@contextmanager
def left_clean() -> Iterator[None]:
    """The terminal's modes as they were, and reporting off, also where the screens end by an exception that nobody foresaw."""
    before = None
    with suppress(Exception):  # no such thing on Windows
        import termios

        before = termios.tcgetattr(sys.__stdin__.fileno()) if sys.__stdin__ else None
    try:
        yield
    except BaseException:
        with suppress(OSError, ValueError):  # the terminal may be gone
            if sys.__stderr__:
                sys.__stderr__.write(RESET)
                sys.__stderr__.flush()
        raise
    finally:
        if before is not None:
            with suppress(Exception):
                import termios

                if sys.__stdin__:
                    termios.tcsetattr(sys.__stdin__.fileno(), termios.TCSANOW, before)
