"""Host, time, role and command of a capture from its path, by rule; a person can correct the first three.

role      a word of the path is quiet, busy, before or after (baseline means quiet)
time      a date in the path: 2026-09-14, 20260914, with 13-05[-20] or T130520 behind it; of several the innermost that has hours
host      by the layout of the tool that packed the files:
          sosreport-HOST[-LABEL][-CASE]-DATE-RANDOM, sosreport-HOST[.CASE]-TIME, insights-HOST-TIME (the top folder or the archive);
          nodes/NAME in a must-gather, where no other folder is a machine's; no folder that is called after a pod;
          else the last folder (or archive), or the first word of the file's name, that looks like a machine's name (letters, then a
          number) and is not the name of a tool, a device, a date, a place or a plain word
command   the file's name with underscores for blanks, as sos and Insights call the output of a command: `ethtool_-S_eth0`
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import PurePosixPath
from typing import NamedTuple

from advisor.capture.prompt import is_host
from advisor.evidence.bundle import ROLES, Role

_WORD = re.compile(r"[A-Za-z]+")
_TIME = re.compile(r"(?<!\d)(20\d\d)-?([01]\d)-?([0-3]\d)(?:[T_-]?([0-2]\d)[:h-]?([0-5]\d)(?:[:m-]?([0-5]\d))?)?(?!\d)")
_HOST = re.compile(r"[A-Za-z][A-Za-z]*(?:[-.]?[A-Za-z]+)*[-.]?\d+(?:[-.]?[A-Za-z0-9]+)*\Z")
_NOT_HOSTS = re.compile(
    r"(?:v|ver|version|run|pair|case|test|day|part|step|mlx|eth|rail|job|ib|nccl|captures?|take|t|tcp|ipv?|sha|rank|round|out|log|"
    r"cluster|site|hall|rack|row|zone|dc|lab|room|cell|su|customer|tenant|team|user|ticket|issue|bug|week|night|batch|set|group|dump|data|"
    r"scenario|example|sample|snapshot|phase|stage|region|plane|level|release|rev|build|copy|backup)[-_.]?\d+\Z|"
    r"(?:sosreport|sos-collector|insights|must-gather|cluster-info)\b.*\Z|iperf3?\Z|h3c.*\Z|.*[vx]?\d+[xg]\d+\Z",
    re.IGNORECASE,
)
_PACKED = re.compile(r"(?:\.(?:tar|tgz|tbz2?|txz|tzst|zip|gz|bz2|xz|zst|7z|rar))+\Z", re.IGNORECASE)
_TEXT = re.compile(r"\.(?:txt|log|out|json|yaml|yml|csv|xml)\Z", re.IGNORECASE)
# sos: policies/__init__.py, get_archive_name: its two patterns; a label cannot be told from the host's own words.
_SOS = re.compile(
    r"sosreport-(?:(?P<host>[A-Za-z\d][\w-]*?)(?:-\d{5,})?-20\d\d-\d\d-\d\d-[a-z]{7}|(?P<old>[A-Za-z\d][\w-]*?)(?:\.[\w-]+)?-20\d{12})(?!\w)"
)
_INSIGHTS = re.compile(r"insights-(?P<host>[A-Za-z\d][\w.-]*?)-20\d{12}(?!\d)")
_MUST_GATHER = re.compile(r"must-gather|cluster-scoped-resources|namespaces\Z|host_service_logs\Z")
# The end that Kubernetes gives a pod's name: five letters and digits without those that could make a word or be mistaken.
_POD = re.compile(r".+-[bcdfghjklmnpqrstvwxz2456789]{5}\Z")
_POD_LOGS = frozenset({"logs.txt", "current.log", "previous.log"})
# Folders in which every file is called after the command that printed it.
_COMMAND_FOLDERS = frozenset({"sos_commands", "insights_commands"})
_OPTION = re.compile(r"[_ ]-{1,2}[A-Za-z]")
# Names of RDMA devices hold an underscore themselves.
_DEVICE = re.compile(r"\b(mlx\d+(?: bond)?|mt\d+ pciconf\d+|bnxt(?= re)|hfi\d|erdma|ionic|irdma|qedr|rocep\d+\w*|rdma|efa) (\d+|re\d+)\b")
_MOST_WORDS = 40
_PROGRAM_WORDS = 4  # ib_write_bw, all_reduce_perf, show_gids: words of a program's name at the most


class Spelt(NamedTuple):
    """Command lines that a file's name may spell. `is_sure`: its folder or an option in it says that it is one."""

    lines: tuple[str, ...]
    is_sure: bool


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
    *folders, file = PurePosixPath(name.replace("!", "/")).parts or ("",)
    folders = [_PACKED.sub("", folder) for folder in folders]
    packed_by = next((found for folder in (*folders, file) if (found := _layout(folder))), None)
    if packed_by:
        return packed_by
    if any(_MUST_GATHER.match(folder) for folder in folders):
        return _node(folders, file)
    if file in _POD_LOGS and folders and _POD.match(folders[-1]):
        return None
    for folder in reversed(folders):
        if _is_machine(folder):
            return folder
    words = re.split(r"[_@+ ]|--", file.split(".", 1)[0])
    return next((word for word in words if _is_machine(word) and is_host(word)), None)


def _is_machine(word: str) -> bool:
    return _HOST.match(word) is not None and not _NOT_HOSTS.match(word) and not _TIME.search(word)


def _layout(folder: str) -> str | None:
    found = _SOS.match(folder) or _INSIGHTS.match(folder)
    if not found:
        return None
    return next((named for named in found.groups() if named), None)


def _node(folders: list[str], file: str) -> str | None:
    """The node that a must-gather keeps this of: `nodes/NAME/...` or `nodes/NAME.yaml`."""
    if folders[-1:] == ["nodes"]:
        return _TEXT.sub("", _PACKED.sub("", file)) or None
    return folders[folders.index("nodes") + 1] if "nodes" in folders else None


def tells(folder: str) -> bool:
    """Whether the name of a folder that was given tells by itself of what role, time or host its files are.

    One word among others tells nothing here: `mtu-after-upgrade` is a subject, `after` a role.
    """
    words = _WORD.findall(folder.lower())
    if _layout(folder) or _MUST_GATHER.match(folder) or time(folder) or (len(words) == 1 and role(folder)):
        return True
    return _is_machine(folder) and is_host(folder) and folder[-1].isdecimal()


def command(name: str) -> Spelt | None:
    """The command lines that a file's name may spell, the program's name in one word, two and so on; None where it can spell none."""
    *folders, file = name.replace("!", "/").split("/")
    return _spelt(file, not _COMMAND_FOLDERS.isdisjoint(folders))


@lru_cache(maxsize=4096)
def _spelt(file: str, is_sure: bool) -> Spelt | None:
    bare = _TEXT.sub("", _PACKED.sub("", re.sub(r"#\d+\Z", "", file)))
    words = [word for word in re.split(r"[_ ]", bare) if word]
    while len(words) > 1 and (words[0].isdigit() or (_is_machine(words[0]) and is_host(words[0]))):
        del words[0]
    if not words or not words[0][0].isalpha() or len(words) > _MOST_WORDS:
        return None
    lines = ("_".join(words[:n]) + "".join(f" {word}" for word in words[n:]) for n in range(1, min(len(words), _PROGRAM_WORDS) + 1))
    return Spelt(tuple(_DEVICE.sub(r"\1_\2", line) for line in lines), is_sure or _OPTION.search(bare) is not None)


def copies(names: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Of several names of the same bytes, each further host with the first name, by spelling, that names it."""
    first, *others = sorted(names)
    found = {host(first): first}
    for name in others:
        found.setdefault(host(name), name)
    return tuple((name, named) for named, name in found.items() if named and name != first)
