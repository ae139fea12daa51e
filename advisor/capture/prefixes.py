"""What launchers, containers, loggers and mail programs put before each line: told by a family of patterns, taken off layer by layer.

A prefix that nothing else looks like is taken off wherever a few lines have it; one that a table or a counter could look like, only where
most lines of the text have it and its labels recur.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from advisor.capture.prompt import is_host

_ISO = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)"
_UNIT = r"[\w./@:-]+(?:\[\d+\])?: ?"


@dataclass(frozen=True, slots=True)
class Prefix:
    """A family of prefixes.

    pattern   group `host`, if any, names the machine; group `label`, if any, must recur
    is_sure   nothing else looks like it, so a few lines suffice
    among     lines that begin so are this family's alone if most of them match: `TIME GPU 0: ...` is a time and text, no host with a unit
    bare      what is taken off once the text is known to have the prefix, from lines too that could be a table's
    """

    name: str
    pattern: re.Pattern[str]
    is_sure: bool = True
    among: re.Pattern[str] | None = None
    bare: re.Pattern[str] | None = None


# Order matters: the outer wrapping comes first, and each round takes one layer off.
PREFIXES: tuple[Prefix, ...] = (
    Prefix(
        "mpirun --tag-output",
        re.compile(r"(?:[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4})?\[(?:[\w.-]+@)?\d+,\d+\](?:\[[^\]]*\])?<std(?:out|err|diag)>:"),
    ),
    Prefix("kubectl logs --prefix", re.compile(r"\[pod/[\w.-]+/[\w.-]+\] ")),
    Prefix("container log", re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d) std(?:out|err) [FP] ")),
    Prefix("syslog", re.compile(rf"<\d{{1,3}}>1 {_ISO} (?P<host>[\w.-]+) \S+ \S+ \S+ (?:-|\[.*?\]) ?")),
    Prefix("journald, ISO time", re.compile(rf"{_ISO} (?P<host>[\w.-]+) {_UNIT}"), among=re.compile(_ISO)),
    Prefix("journald", re.compile(rf"(?:<\d{{1,3}}>)?[A-Z][a-z]{{2}} [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)? (?P<host>[\w.-]+) {_UNIT}")),
    Prefix("kubectl logs --timestamps", re.compile(rf"{_ISO}(?: |$)")),
    Prefix("kernel log", re.compile(r"\[[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4}\] |\[ *\d+\.\d{6}\] ")),
    Prefix("mail quote", re.compile(r"(?:> ?){1,100}+|>$"), is_sure=False),
    Prefix(
        "srun --label",
        re.compile(r"\s{0,4}(?P<label>\d{1,5}):(?:[ \t]|$)(?!\s*\d+\s+\d+\s*$)"),
        is_sure=False,
        bare=re.compile(r"\s{0,4}\d{1,5}:(?:[ \t]|$)"),
    ),
    Prefix("mpirun -prepend-rank", re.compile(r"\[(?P<label>\d{1,5})\] (?!NCCL |\[|\s*(?:\d+\.\d+-|local ))"), is_sure=False),
    Prefix("compose", re.compile(r"(?P<label>[\w.-]+[-_]\d+)\s+\| ?"), is_sure=False),
    Prefix("stern", re.compile(r"(?P<label>[a-z\d][a-z\d-]*-[a-z\d]{5} [a-z][a-z\d-]*) "), is_sure=False),
)
# A host's name in front ("gpu-07: text", pdsh and clush). NCCL's own host:pid:tid is no prefix.
_NAMED = Prefix("pdsh", re.compile(r"(?P<host>[A-Za-z][\w.-]*\d[\w.-]*): ?(?!\d+:\d+ \[)"), is_sure=False)
_NUMBERED = re.compile(r"\s*(\d+)\t")  # cat -n
_COMPARED = re.compile(r"< |---\Z|@@ |\d+(?:,\d+)?[acd]\d+")  # diff
_QUOTE = "mail quote"
_ANY = re.compile(
    "|".join(rf"(?:{re.sub(r'[?]P<[a-z]+>', '?:', prefix.pattern.pattern)})" for prefix in (*PREFIXES, _NAMED)) + rf"|{_NUMBERED.pattern}"
)
_SHARE = 0.8  # of the inked lines must carry a prefix that is not sure
_FEW = 3
_MANY = 8  # lines in a row, where only a part of the text has a prefix
_MANY_OF_HOSTS = 4  # of a name that can hardly be anything but a machine's
_SAMPLE = 2000
_GLANCE = 64


def without_prefixes(texts: list[str], numbers: Sequence[int]) -> tuple[list[str], dict[int, str]]:
    """The texts without prefixes, and number of a line -> host that its prefix named."""
    hosts: dict[int, str] = {}
    for layer in range(4):  # wrappings of wrappings
        if not _glance(texts):
            break
        sample = _sample(texts)
        prefix = next((prefix for prefix in (*PREFIXES, _NAMED) if _has(prefix, sample)), None)
        if layer == 0:
            texts = list(texts)
        if prefix is not None:
            _strip(prefix.bare or prefix.pattern, texts, numbers, hosts, range(len(texts)))
        elif _is_numbered(sample):
            _strip(_NUMBERED, texts, numbers, hosts, range(len(texts)))
        elif not _strip_stretches(texts, numbers, hosts):
            break
    return texts, hosts


def _glance(texts: list[str]) -> bool:
    """Whether some of a few lines from all over the text have any prefix at all."""
    step = max(len(texts) // _GLANCE, 1)
    few = texts[:_GLANCE] + texts[_GLANCE::step] if len(texts) > _GLANCE else [text for text in texts if text and not text.isspace()]
    return sum(1 for text in few if _ANY.match(text)) >= min(_FEW, len(few))


def _sample(texts: list[str]) -> list[str]:
    step = max(len(texts) // _SAMPLE, 1)
    return [text for text in (texts if step == 1 else texts[: _SAMPLE // 2] + texts[_SAMPLE // 2 :: step]) if text and not text.isspace()]


def _has(prefix: Prefix, sample: list[str]) -> bool:
    found = [match for match in map(prefix.pattern.match, sample) if match]
    if prefix.is_sure:
        rivals = sum(1 for text in sample if prefix.among.match(text)) if prefix.among and found else 0
        return len(found) >= min(_FEW, max(len(sample), 1)) and len(found) >= _SHARE * rivals
    if prefix.name == _QUOTE:
        return len(found) == len(sample) or (len(found) >= _FEW and (len(found) >= _SHARE * len(sample) or _is_block(prefix, sample)))
    if len(found) < _FEW:
        return False
    carried = sum(1 for text in sample if prefix.bare.match(text)) if prefix.bare else len(found)
    return carried >= _SHARE * len(sample) and _recurs(found)


def _recurs(found: list[re.Match[str]]) -> bool:
    """Whether the labels of a prefix come again and again, as those of a table's rows do not."""
    groups = found[0].groupdict()
    labels = Counter(match["host" if "host" in groups else "label"] for match in found)
    if len(labels) > 1 and len(found) < _FEW * len(labels):
        return False
    return "host" not in groups or _are_hosts(labels, [match.string[match.end() :] for match in found])


def _strip_stretches(texts: list[str], numbers: Sequence[int], hosts: dict[int, str]) -> bool:
    """Take a labelled prefix off where many lines in a row have it, in a paste of several outputs. Whether any was there."""
    for prefix in (*PREFIXES, _NAMED):
        if prefix.is_sure or prefix.name == _QUOTE:
            continue
        many = _MANY_OF_HOSTS if prefix is _NAMED else _MANY
        stretches = [stretch for stretch in _stretches(prefix.pattern, texts) if len(stretch) >= many and _recurs([m for _, m in stretch])]
        if stretches:
            _strip(prefix.pattern, texts, numbers, hosts, [i for stretch in stretches for i, _ in stretch])
            return True
    return False


def _stretches(pattern: re.Pattern[str], texts: list[str]) -> Iterator[list[tuple[int, re.Match[str]]]]:
    """Lines in a row that match, with blank lines between them or not."""
    stretch: list[tuple[int, re.Match[str]]] = []
    for i, text in enumerate(texts):
        match = pattern.match(text)
        if match:
            stretch.append((i, match))
        elif text and not text.isspace():
            if stretch:
                yield stretch
            stretch = []
    if stretch:
        yield stretch


def _is_block(prefix: Prefix, sample: list[str]) -> bool:
    """Whether quoted lines stand together, and are not one side of a comparison (`diff`)."""
    if any(_COMPARED.match(text) for text in sample):
        return False
    run = 0
    for text in sample:
        run = run + 1 if prefix.pattern.match(text) else 0
        if run >= _FEW:
            return True
    return False


def _are_hosts(names: Counter[str], rests: list[str]) -> bool:
    """Whether names are machines' and what follows is text; counters look like `name: 5`."""
    figures = sum(1 for rest in rests if rest.strip().replace(".", "", 1).isdecimal())
    return 2 * figures < len(rests) and all(is_host(name) for name in names)


def _is_numbered(sample: list[str]) -> bool:
    found = [int(match[1]) for match in map(_NUMBERED.match, sample) if match]
    return (
        len(found) >= max(_FEW, _SHARE * len(sample))
        and all(a < b for a, b in pairwise(found))
        and found[-1] <= 2 * (found[0] + len(found)) + 100
    )


def _strip(pattern: re.Pattern[str], texts: list[str], numbers: Sequence[int], hosts: dict[int, str], where: Iterable[int]) -> None:
    """Take a prefix off every line that has it. mpirun's may end with a blank or not: it does if every such line goes on with one."""
    has_host = "host" in pattern.groupindex
    stripped: list[int] = []
    for i in where:
        text = texts[i]
        match = pattern.match(text)
        if match and match.end():
            if has_host:
                hosts[numbers[i]] = match["host"]
            texts[i] = text[match.end() :]
            stripped.append(i)
    if pattern.pattern.endswith(">:") and all(texts[i][:1] in ("", " ") for i in stripped):
        for i in stripped:
            texts[i] = texts[i][1:]
