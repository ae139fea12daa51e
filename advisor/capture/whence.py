"""Host, time and role of a capture from its path, by rule; a person can correct each.

role   a word of the path is quiet, busy, before or after (baseline means quiet)
time   a date in the path: 2026-09-14, 20260914, with 13-05[-20] or T130520 behind it; of several the innermost that has hours
host   the last folder, or the first word of the file's name, that looks like a machine's name (letters, then a number)
       and is not the name of a tool, a date or a plain word
"""

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from advisor.evidence.bundle import ROLES, Role

_WORD = re.compile(r"[A-Za-z]+")
_TIME = re.compile(r"(?<!\d)(20\d\d)-?([01]\d)-?([0-3]\d)(?:[T_-]?([0-2]\d)[:h-]?([0-5]\d)(?:[:m-]?([0-5]\d))?)?(?!\d)")
_HOST = re.compile(r"[A-Za-z][A-Za-z]*(?:[-.]?[A-Za-z]+)*[-.]?\d+(?:[-.]?[A-Za-z0-9]+)*\Z")
_NOT_HOSTS = re.compile(
    r"(?:v|ver|version|run|pair|case|test|day|part|step|mlx|eth|rail|job|ib|nccl|captures?|take|t|tcp|ipv?|sha|rank|round|out|log)[-_.]?\d+\Z|iperf3?\Z|h3c.*\Z|.*[vx]?\d+[xg]\d+\Z",
    re.IGNORECASE,
)


def role(name: str) -> Role | None:
    """The role that a path names, or None."""
    found = {word.lower() for word in _WORD.findall(name)}
    for word in ROLES:
        if word in found:
            return word  # type: ignore[return-value]
    return "quiet" if "baseline" in found else None


def time(name: str) -> str | None:
    """The time that a path names, as ISO 8601, or None."""
    found = [stamp for match in _TIME.finditer(name) if (stamp := _stamp(match))]
    return next((stamp for stamp in reversed(found) if "T" in stamp), found[-1] if found else None)


def _stamp(match: re.Match[str]) -> str | None:
    year, month, day, hour, minute, second = match.groups()
    if not (1 <= int(month) <= 12 and 1 <= int(day) <= 31):
        return None
    return f"{year}-{month}-{day}" + (f"T{hour}:{minute}:{second or '00'}" if hour else "")


def host(name: str) -> str | None:
    """The host that a path names, or None."""
    path = PurePosixPath(name.replace("!", "/"))
    stem = path.name.split(".", 1)[0]
    for word in (*reversed(path.parts[:-1]), *re.split(r"[_@+ ]|--", stem)):
        if _HOST.match(word) and not _NOT_HOSTS.match(word) and not _TIME.search(word):
            return word
    return None


def copies(names: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Of several names of the same bytes, each further host with the first name, by spelling, that names it."""
    first, *others = sorted(names)
    found = {host(first): first}
    for name in others:
        found.setdefault(host(name), name)
    return tuple((name, named) for named, name in found.items() if named and name != first)
