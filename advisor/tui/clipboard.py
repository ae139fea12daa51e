"""Copying a text: to the clipboard of the machine at hand, through the terminal (OSC 52), and always into a file.

Which of them arrived cannot be known but for the file: terminals drop OSC 52 without a word, and a tool on the far side of ssh fills
the wrong clipboard. So what is said is what was done.
"""

import base64
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from advisor.base.files import make_folder
from advisor.base.places import user_state

MOST_OSC = 74_000  # bytes of text: 100,000 encoded, what xterm and others take at the most
_MOST_SCREEN = 500  # GNU screen drops longer strings of this kind
_PATIENCE_S = 3.0


@dataclass(frozen=True, slots=True)
class Copied:
    """file: where the text stands, None where it could not be written. tool: what took it. too_long: for the terminal."""

    file: Path | None
    tool: str = ""
    too_long: bool = False


def kept(text: str) -> Path | None:
    """The text in a file that only its owner may read; None where that could not be written."""
    place = user_state() / "copied.txt"
    try:
        make_folder(place.parent)
        with open(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
    except OSError:
        return None
    return place


def tools(env: Mapping[str, str] = os.environ, platform: str = sys.platform) -> list[tuple[str, ...]]:
    """The commands to try, in order. Over ssh only the multiplexer: other tools would fill the clipboard of the far machine."""
    found: list[tuple[str, ...]] = []
    if env.get("TMUX"):
        found.append(("tmux", "load-buffer", "-w", "-"))
    if env.get("SSH_TTY") or env.get("SSH_CONNECTION"):
        return found
    if platform == "darwin":
        return [*found, ("pbcopy",)]
    if platform == "win32" or env.get("WSL_DISTRO_NAME"):
        return [*found, ("clip.exe",)]
    if env.get("WAYLAND_DISPLAY"):
        found.append(("wl-copy",))
    if env.get("DISPLAY"):
        found += [("xclip", "-selection", "clipboard"), ("xsel", "--clipboard", "--input")]
    return found


def handed(text: str, commands: list[tuple[str, ...]]) -> str:
    """The name of the first tool that took the text; empty where none did. A multiplexer's buffer is taken beside a tool's."""
    taken: list[str] = []
    for words in commands:
        if [name for name in taken if name != "tmux"] or not shutil.which(words[0]):
            continue
        data = text.encode("utf-16") if words[0] == "clip.exe" else text.encode("utf-8", "replace")
        with suppress(OSError, subprocess.SubprocessError):
            # xclip and wl-copy stay behind to serve the clipboard: nothing may wait for the ends of their outputs.
            done = subprocess.run(words, input=data, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=_PATIENCE_S, check=False)
            if done.returncode == 0:
                taken.append(words[0])
    return ", ".join(taken)


def osc52(text: str, env: Mapping[str, str] = os.environ) -> str:
    """The control string that asks the terminal to take a text; empty where it is too long to be taken. Wrapped for GNU screen."""
    data = text.encode("utf-8", "replace")
    inside_screen = bool(env.get("STY"))
    if len(data) > (_MOST_SCREEN if inside_screen else MOST_OSC):
        return ""
    code = f"\x1b]52;c;{base64.b64encode(data).decode('ascii')}\x07"
    if inside_screen:
        return f"\x1bP{code}\x1b\\"
    if env.get("TMUX"):  # tmux takes the plain one where set-clipboard is on, and hands on the wrapped one where allow-passthrough is
        return f"{code}\x1bPtmux;{code.replace(chr(27), chr(27) * 2)}\x1b\\"
    return code
