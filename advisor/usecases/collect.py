"""The collecting script: what to run (knowledge/collect/*.yaml) becomes one POSIX sh script that only reads, for ssh, Slurm or Kubernetes.

The archive that it packs holds HOST/TIME/NN-tool.txt with the command line as a prompt on top, so that an import knows tool, host and time.
A host name from a list enters the script quoted, and the script checks it again before it is used.
"""

import os
import re
import shlex
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from pydantic import RootModel

from advisor.base.content import load
from advisor.base.errors import ContentError, UsageError
from advisor.base.places import knowledge
from advisor.base.text import Lang, Text, say

Way = Literal["ssh", "slurm", "kubernetes"]
WAYS: tuple[Way, ...] = get_args(Way)
GAP_S = 60  # seconds between two takes of counters, if nobody says otherwise
_STAY_S = 900  # seconds on one machine at the most, beside the gap
_FILES = ("node", "fabric", "flow-control", "scheduling", "switch")  # in this order the probes are numbered
_SSH = "ssh -T -o BatchMode=yes -o ConnectTimeout=10 -o ServerAliveInterval=15 -o ServerAliveCountMax=4"
_HOST = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:@-]*\Z")
_PLACE = re.compile(r"\{(\w+)\}")
_WORD = re.compile(r"\{\{([\w-]+)\}\}")
_REMARK = re.compile(r"(?P<code>.*?)# (?P<rule>---- )?\{\{(?P<key>[\w-]+)\}\}\Z")
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9 ._:@-]")
_OPTIONS: Mapping[Way, str] = {
    "ssh": "--hosts",
    "slurm": "--hosts | --job | --partition | --gres",
    "kubernetes": "--daemonset | --container | --chroot",
}


@dataclass(frozen=True, kw_only=True)
class Probe(Text):
    """One command to run; its own text says what it shows. The keys are told in knowledge/collect/node.yaml."""

    layers: tuple[str, ...]
    where: Literal["node", "once", "head", "switch"]
    run: str
    limit_s: int
    on: tuple[str, ...] = ()
    each: Literal["eth", "roce", "rdma", "port", "bond"] | None = None
    needs: str | None = None
    file: str | None = None
    twice: bool = False
    optional: bool = False

    @property
    def tool(self) -> str:
        return self.needs or self.run.split()[0]


class _File(RootModel[dict[str, Probe]]):
    pass


@dataclass(frozen=True, slots=True)
class Step:
    """A probe in its place: the number and the id that its file is named by."""

    number: int
    id: str
    probe: Probe


def steps() -> tuple[Step, ...]:
    """All probes, numbered. Raises ContentError."""
    found: dict[str, Probe] = {}
    for name in _FILES:
        path = knowledge() / "collect" / f"{name}.yaml"
        for key, probe in load(_File, path).root.items():
            if key in found:
                raise ContentError("content", file=str(path), line=1, field=key, why="stands in another file too")
            found[key] = probe
    return tuple(Step(number, key, probe) for number, (key, probe) in enumerate(found.items(), 1))


def layers() -> tuple[str, ...]:
    """The layers that a probe speaks of, in order."""
    return tuple(dict.fromkeys(layer for step in steps() for layer in step.probe.layers))


def chosen(way: Way, what: Iterable[str] = ()) -> tuple[Step, ...]:
    """The probes of a way, of these layers (of all, if none is named). Raises UsageError for a layer that there is not."""
    wanted, known = tuple(what), layers()
    for layer in wanted:
        if layer not in known:
            raise UsageError("no-such-layer", layer=layer, layers=", ".join(known))
    return tuple(step for step in steps() if _belongs(step.probe, way) and (not wanted or set(wanted) & set(step.probe.layers)))


def _belongs(probe: Probe, way: Way) -> bool:
    if probe.where == "switch":
        return way == "ssh"
    return probe.where != "head" or way in probe.on


def read_hosts(path: Path) -> tuple[tuple[str, ...], tuple[tuple[int, str], ...]]:
    """The lines of a host list without remarks, as written, and those (by number) whose name no host can have. Raises UsageError."""
    try:
        text = path.read_bytes().decode("utf-8", errors="replace")
    except OSError as error:
        raise UsageError("cannot-read", path=str(path), why=error.strerror) from None
    lines = [(n, line.split("#")[0].strip()) for n, line in enumerate(text.replace("\x00", "").split("\n"), 1)]
    named = [(n, line) for n, line in lines if line]
    return tuple(line for _, line in named), tuple((n, line) for n, line in named if not _HOST.match(line.split()[0]))


def write(script: str, to: Path) -> None:
    """The script into a file that can be run, whole or not at all. Raises UsageError."""
    part = to.with_name(f".{to.name}.{os.getpid()}.part")
    try:
        part.write_text(script, encoding="utf-8", newline="\n")
        part.chmod(0o755)
        part.replace(to)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise UsageError("cannot-write", path=str(to), why=error.strerror) from None


# --- the plan -----------------------------------------------------------------------------------------------------


def listing(way: Way, taken: Iterable[Step], lang: Lang, gap_s: int = GAP_S) -> str:
    """What the script will run, where and for how long at the most, one command a line."""
    rows = [say(f"collect.plan.{way}", lang), ""]
    for step in taken:
        probe = step.probe
        where = say(f"collect.where.{probe.where}", lang, kind=", ".join(probe.on))
        twice = say("collect.twice", lang) if probe.twice else ""
        rows.append(f"  {step.number:02d}  {_shown(probe.run)}")
        rows.append("      " + say("collect.row", lang, shows=probe.say(lang), where=where, twice=twice, limit=probe.limit_s))
    return "\n".join([*rows, "", say("collect.plan.gap", lang, gap=gap_s), say("collect.plan.secrets", lang)])


def _shown(run: str) -> str:
    """A command as a person reads it: places in capitals, without the path's beginning that only a container needs."""
    return _PLACE.sub(lambda m: {"root": "", "infiniband": "/sys/class/infiniband"}.get(m[1], m[1].upper()), run)


def _usage(way: Way, lang: Lang, gap_s: int, kinds: Iterable[str]) -> str:
    lines = [
        say("collect.usage.head", lang, name=f"collect-{way}.sh"),
        "",
        *(say(f"collect.usage.{key}", lang, gap=gap_s, limit=gap_s + _STAY_S) for key in ("list", "to", "gap")),
        say(f"collect.usage.{way}", lang, kinds=", ".join(kinds)),
        *(say(f"collect.usage.{key}", lang, limit=gap_s + _STAY_S) for key in ("parallel", "host-limit")),
    ]
    return "\n".join(lines)


# --- the script ---------------------------------------------------------------------------------------------------


def script(way: Way, taken: Iterable[Step], lang: Lang, hosts: Iterable[str] = (), gap_s: int = GAP_S) -> str:
    """The script as text. hosts: lines of a host list. Raises UsageError for a gap that is none, or hosts that a way has no use for."""
    hosts = tuple(hosts)
    if hosts and way == "kubernetes":
        raise UsageError("no-hosts-here")
    if not 1 <= gap_s <= 86400:
        raise UsageError("no-such-gap", gap=gap_s)
    run = tuple(taken)
    kinds = tuple(dict.fromkeys(kind for step in run if step.probe.where == "switch" for kind in step.probe.on))
    head = [
        "#!/bin/sh",
        *(line for key in ("c-about", "c-options", "c-import") for line in _remark(key, lang, "# ")),
        "",
        f"mode={way}",
        f"gap={gap_s}",
        "parallel=16",
        f"host_limit={gap_s + _STAY_S}",
        "to=",
        f"once={'yes' if any(step.probe.where == 'once' for step in run) else ''}",
        *([f"switch_kinds={shlex.quote(' '.join(kinds))}"] if way == "ssh" else []),
        *([*_remark("c-hosts", lang, "# "), f"hosts={_quoted(hosts)}"] if way != "kubernetes" else []),
    ]
    fill = {
        "COUNTERS": _function("counters", [step for step in run if step.probe.twice]),
        "STATIC": _function("static", [step for step in run if not step.probe.twice]),
        "PLAN": listing(way, run, lang, gap_s),
        "USAGE": _usage(way, lang, gap_s, kinds),
        "OPTIONS": _OPTIONS[way],
        "SSH": _SSH,
    }
    body = "\n".join(_template(name, lang) for name in ("common", way, "head"))
    for key, text in fill.items():
        body = body.replace(f"@@{key}@@", text)
    return "\n".join(head) + "\n" + body


def _quoted(hosts: Iterable[str]) -> str:
    """The list in single quotes. What no host name can hold is not even written: a ? stands for it, which the script refuses."""
    return shlex.quote("\n".join(_NOT_IN_NAMES.sub("?", line.replace("\t", " ")) for line in hosts))


def _template(name: str, lang: Lang) -> str:
    """A piece of the script with its remarks and words in one language: a word is quoted, a remark is not."""
    lines = []
    for line in (knowledge() / "collect" / "script" / f"{name}.sh").read_text(encoding="utf-8").splitlines():
        found = _REMARK.match(line)
        if not found:
            lines.append(_WORD.sub(lambda m: shlex.quote(say(f"collect.script.{m[1]}", lang)), line))
        elif found["code"].strip() or found["rule"]:
            lines.append(f"{found['code']}# {found['rule'] or ''}{say('collect.script.' + found['key'], lang)}")
        else:
            lines += _remark(found["key"], lang, f"{found['code']}# ")
    return "\n".join(lines) + "\n"


def _remark(key: str, lang: Lang, before: str) -> list[str]:
    return [f"{before}{line}" for line in textwrap.wrap(say(f"collect.script.{key}", lang), 100 if lang == "en" else 50)]


def _function(name: str, taken: list[Step]) -> str:
    """`name GROUP`: runs the probes of a group, which is node, once, head or a kind of switch."""
    groups: dict[str, list[Step]] = {}
    for step in taken:
        for group in step.probe.on if step.probe.where == "switch" else (step.probe.where,):
            groups.setdefault(group, []).append(step)
    arms = [
        line for group, mine in groups.items() for line in (f"    {group})", *(f"      {c}" for s in mine for c in _call(s)), "      ;;")
    ]
    return "\n".join([f"{name}() {{", '  case "$1" in', *arms, "    *) ;;", "  esac", "}"])


def _call(step: Step) -> list[str]:
    """The lines of sh that run one probe. Names of devices stand in quotes and are checked before (safe)."""
    probe = step.probe
    name = f'"{step.id}-$thing"' if probe.each else step.id
    command = _command(probe)
    lines = [f"probe {step.number:02d} {name} {probe.limit_s} {_double(probe.run)} {command}"]
    if probe.each:
        lines = [f"for thing in $({probe.each}s); do", *(f"  {line}" for line in lines), "done"]
    if probe.optional:
        lines = ["optional=yes", *lines, "optional=no"]
    if probe.file:
        lines = [f"if readable {_double('{root}' + probe.file)} {step.id}; then", *(f"  {line}" for line in lines), "fi"]
    if probe.where != "switch":
        lines = [f"if has {shlex.quote(probe.tool)} {step.id}; then", *(f"  {line}" for line in lines), "fi"]
    return lines


def _command(probe: Probe) -> str:
    if probe.where == "switch":
        return f'{_SSH} -- "$target" {shlex.quote(probe.run)}'
    if "|" in shlex.split(probe.run):
        return f"sh -c {shlex.quote(probe.run)}"
    return " ".join(_double(word) if _PLACE.search(word) else shlex.quote(word) for word in shlex.split(probe.run))


_PLACES = {"root": "$root", "infiniband": "$infiniband", "device": "${thing%/*}", "number": "${thing#*/}"}


def _double(text: str) -> str:
    """Text in double quotes, in which only the places act."""
    quoted = re.sub(r'([\\"$`])', r"\\\1", text)
    return '"' + _PLACE.sub(lambda m: _PLACES.get(m[1], "$thing"), quoted) + '"'
