"""The name that a title above an output gives it: `=== mlx5_0 FEC counters ===`, `--- eth0 ---`, `eth0:`."""

import re

from advisor.capture.lines import Lines
from advisor.capture.prompt import is_host, title

_ABOVE = 3  # inked lines
_ALONE = re.compile(r"\s*(?P<name>[A-Za-z][\w.@/-]{1,40})\s*:\s*\Z")


def titled_name(text: str) -> str | None:
    """The first word of a title, or the one word before a colon that a line consists of; a file's path is its last part.

    A machine's name is none: it names the host of a run, not a thing in it.
    """
    found = title(text)
    if found is None:
        alone = _ALONE.match(text)
        found = alone["name"] if alone else None
    if found is None:
        return None
    word = found.split()[0].strip(":,\"'").rstrip("/").rsplit("/", 1)[-1]
    return word if word and not is_host(word) else None


def title_above(lines: Lines, n: int) -> str | None:
    """The name in the title that stands closest above a line of the file."""
    seen = 0
    for k in range(n - 1, max(n - 12, 0), -1):
        text = lines.raw[k - 1]
        if not text.strip():
            continue
        name = titled_name(text)
        if name:
            return name
        seen += 1
        if seen >= _ABOVE:
            break
    return None
