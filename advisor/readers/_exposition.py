"""The exposition text of node_exporter (InfiniBand, networks) and snmp_exporter (IF-MIB): samples by port and interface.

A metric's samples stand together, mostly for the same ports in the same order as the metric before: they are read a metric at a time, and
who the labels name is worked out once. What does not stand so plainly is read line by line.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import repeat
from typing import Any

from advisor.capture.lines import Lines
from advisor.evidence.reading import Part
from advisor.readers._exporters import CEILINGS, Metric, metric, named_by
from advisor.readers._ib_counters import port_counters
from advisor.readers._series import counter, label_pairs
from advisor.readers.contract import Block, Notes

_SAMPLE = re.compile(r"\s*([A-Za-z_:][\w:]*)(?:\{(.*)\})?\s+([-+]?(?:\d[\d.]*(?:[eE][-+]?\d+)?|Inf|NaN))(?:\s+-?\d+)?\s*\Z")
_OPEN_SAMPLE = re.compile(r"\s*(?:node_|if[A-Z])[\w:]*(?:\{[^}]*\}?\s*[\d.e+-]*|\s*[\d.]*)\Z")
_COMMENT = re.compile(r"\s*#(?: (?:HELP|TYPE|UNIT|EOF)\b.*)?\s*\Z")
_NAME = re.compile(r"[A-Za-z_:][\w:]*\{")
_INSTANCE = re.compile(r'[{,]instance="([^"\\]{1,200})"')
_PAIR = re.compile(r'([^\s,="]+)="([^"]*)"')
_OTHER_READER = "DCGM_FI_"
_NO_FACT = "no fact of ours"
_WIDEST = 2.0**63


# --- a scrape -------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Named:
    """The things that the label texts of one metric name: reused while the next metric has the same."""

    labels: list[str]
    things: str
    names: list[str]
    aliases: list[str | None]
    entries: list[dict[str, Any]] | None = None


@dataclass(slots=True)
class _Scrape:
    """The samples of one scrape that this program has a use for."""

    notes: Notes
    devices: dict[str, tuple[int, dict[str, str]]] = field(default_factory=dict)
    seen: dict[str, set[str] | list[str]] = field(default_factory=dict)  # metric of ours -> its label texts
    last: list[_Named] = field(default_factory=list)
    targets: set[str] = field(default_factory=set)  # that Prometheus adds to what it passes on
    first: dict[str, int] = field(default_factory=dict)  # the line where the first of the things is named


def exposition(block: Block) -> Iterator[Part]:
    """A part for each scrape; where samples of several targets stand together (`instance`), for each scrape of each."""
    for stream, host in _streams(block.lines):
        first = block.first if stream is block.lines or not len(stream) else stream.numbers[0]
        yield from _scrapes(Block(stream, block.command, host or block.host, first))


def _scrapes(block: Block) -> Iterator[Part]:
    """A part for each scrape of one target."""
    texts, numbers = block.lines.texts, block.lines.numbers
    scrape, start, i = _Scrape(Notes("prometheus", block)), 0, 0
    while i < len(texts):
        text = texts[i]
        if not text or text.isspace():
            i += 1
            continue
        if _OTHER_READER in text:
            break
        if _COMMENT.match(text):
            scrape.notes.ignore(numbers[i], "comment")
            i += 1
            continue
        name = _NAME.match(text)
        if name:
            end = _likely_end(texts, i, name.group())
            if i + 1 < end < len(texts) and numbers[end - 1] - numbers[i] == end - 1 - i:
                read = _at_once(scrape, "\n".join(texts[i:end]), numbers[i], name.group())
                if read:
                    i += read
                    continue
            end = _end(texts, i, name.group())
        else:
            end = i + 1
        for k in range(i, end):
            if _is_again(scrape, texts[k]):  # another scrape
                yield from _closed(scrape, block, start, k)
                scrape, start = _Scrape(Notes("prometheus", block)), k
            _line(scrape, numbers[k], texts[k], is_last=numbers[k] == len(block.lines.raw))
        i = end
    yield from _closed(scrape, block, start, len(texts))


def whole_scrape(text: str) -> Part | None:
    """The part of a text that is one scrape of one target, with a comment before each metric; None for any other."""
    scrape, n, at = _Scrape(Notes("prometheus", Block(Lines((), (), ())))), 1, 0
    while at < len(text):
        until = text.find("\n" if text[at] == "#" else "\n#", at)
        chunk = text[at : until if until >= 0 else len(text) - 1]
        read = _comment(scrape, n, chunk) if text[at] == "#" else _metric(scrape, n, chunk)
        if not read:
            return None
        n, at = n + read, at + len(chunk) + 1
    is_read = len(scrape.notes._accounted) == n - 1 and not scrape.targets
    parts = list(_closed(scrape, Block(Lines((), range(1, n), ())), 0, n - 1)) if is_read else []
    return parts[0] if parts else None


def _comment(scrape: _Scrape, n: int, text: str) -> int:
    """How many lines are read."""
    if not _COMMENT.match(text):
        return 0
    scrape.notes.ignore(n, "comment")
    return 1


def _metric(scrape: _Scrape, n: int, text: str) -> int:
    """Lines without a comment between them; how many are read: all, or none if they tell of something twice."""
    name = _NAME.match(text)
    read = _at_once(scrape, text, n, name.group()) if name else 0
    if read:
        return read
    lines = text.split("\n")
    for i, line in enumerate(lines):
        if _OTHER_READER in line or _is_again(scrape, line):
            return 0
        _line(scrape, n + i, line)
    return len(lines)


def _streams(lines: Lines) -> list[tuple[Lines, str | None]]:
    """The lines of each target. A line without one belongs to the target before it; with less than two targets, all are one text."""
    if 'instance="' not in lines.text:
        return [(lines, None)]
    found = [match[1] if (match := _INSTANCE.search(text)) else None for text in lines.texts]
    instance = next((name for name in found if name), None)
    mine: dict[str, list[int]] = {}
    for i, name in enumerate(found):
        instance = name or instance
        mine.setdefault(instance or "", []).append(i)
    if len(mine) < 2:
        return [(lines, None)]
    return [(_pick(lines, at), name.rpartition(":")[0] or name) for name, at in mine.items()]


def _pick(lines: Lines, at: list[int]) -> Lines:
    return Lines([lines.texts[i] for i in at], [lines.numbers[i] for i in at], lines.raw, lines.encoding, lines.hosts)


def _likely_end(texts: Sequence[str], i: int, prefix: str) -> int:
    """Where the samples of a metric end if they stand together, with a look at a few of them."""
    step = 1
    while i + step < len(texts) and texts[i + step].startswith(prefix):
        step *= 2
    return bisect_left(texts, True, i + step // 2, min(i + step, len(texts)), key=lambda text: not text.startswith(prefix))


def _end(texts: Sequence[str], i: int, prefix: str) -> int:
    """Where the samples of a metric end that begin at a line."""
    for j in range(i + 1, len(texts)):
        if not texts[j].startswith(prefix):
            return j
    return len(texts)


# --- a metric at a time ---------------------------------------------------------------------------------------


def _at_once(scrape: _Scrape, text: str, since: int, prefix: str) -> int:
    """Reads the lines of a metric if all of them are plain: `name{labels} value`.

    since  number of the first line
    Returns how many lines were read; 0 if not all are plain: then nothing is changed.
    """
    kind, notes = metric(prefix[:-1]), scrape.notes
    columns = None if kind.info or prefix in scrape.seen else _columns(text, prefix)
    if columns is None:
        return 0
    labels, values = columns
    numbers = range(since, since + len(labels))
    if kind.things is None:
        notes.leave(numbers, _NO_FACT)
        return len(labels)
    named = _who(scrape, kind.things, prefix[:-1], labels)
    facts = _facts(kind, values) if named else None
    told = sum(kind.key in entry for entry in named.entries or ()) if named and kind.narrow else 0
    if named is None or facts is None or 0 < told < len(labels) or (kind.narrow and not named.entries and "interfaces" in notes.facts):
        return 0
    if kind.key is None:
        notes.leave(numbers, _NO_FACT)
    elif told:
        notes.leave(numbers, "told wider")
    else:
        scrape.first.setdefault(named.things, since)
        _put(notes, named, kind, facts, numbers)
    scrape.seen[prefix] = labels
    return len(labels)


def _columns(text: str, prefix: str) -> tuple[list[str], list[int | float]] | None:
    """Label texts and values of a metric's lines; None where a line is not plain or a value no number."""
    text = text[len(prefix) :].replace("\n" + prefix, "} ")
    pieces = text.split("} ")
    if "\n" in text or len(pieces) % 2:
        return None
    values = _figures(pieces[1::2])
    return (pieces[::2], values) if values is not None else None


def _facts(kind: Metric, values: list[int | float]) -> list[Any] | None:
    """The values as facts; None where one of them is none."""
    if kind.raw and set(map(type, values)) != {int}:
        return None
    facts: list[Any] = values if kind.convert is None else list(map(kind.convert, values))
    return None if None in facts else facts


def _figures(texts: list[str]) -> list[int | float] | None:
    """The values, with a time in milliseconds behind each or behind none; None where one of them is no finite number."""
    if " " in texts[0].strip():
        pairs = [text.split() for text in texts]
        if not all(len(pair) == 2 and pair[1].removeprefix("-").isdigit() for pair in pairs):
            return None
        texts = [pair[0] for pair in pairs]
    try:
        figures = _decoder()(f"[{','.join(texts)}]")
    except ValueError:  # NaN, +Inf and -Inf are no numbers to JSON
        return None
    if len(figures) != len(texts):
        return None
    return [int(figure) if type(figure) is float and figure.is_integer() and abs(figure) < _WIDEST else figure for figure in figures]


@cache
def _decoder() -> Callable[[str], list[Any]]:
    """A decoder of lists of numbers. Its errors are ValueErrors."""
    import msgspec

    decode: Callable[[str], list[Any]] = msgspec.json.Decoder(list[int | float]).decode
    return decode


def _who(scrape: _Scrape, things: str, name: str, labels: list[str]) -> _Named | None:
    """Whom the label texts name; None if two of them name the same, or one names nothing."""
    for known in scrape.last:
        if known.things == things and known.labels == labels:
            return known
    pairs = [dict(label_pairs(text) if "\\" in text else _PAIR.findall(text)) for text in labels]
    names = [named_by(name, pair) for pair in pairs]
    scrape.targets.update([pair["instance"] for pair in pairs if "instance" in pair])
    whole = [name for name in names if name]
    if len(set(whole)) != len(names):
        return None
    known = _Named(labels, things, whole, [pair.get("ifAlias") for pair in pairs])
    scrape.last = [known, *scrape.last[:3]]
    return known


def _put(notes: Notes, named: _Named, kind: Metric, facts: list[Any], numbers: Sequence[int]) -> None:
    things, key = named.things, str(kind.key)
    if named.entries is None:
        tree = notes.facts.setdefault(things, {})
        named.entries = [tree.setdefault(name, {}) for name in named.names]
        for name, alias, entry, n in zip(named.names, named.aliases, named.entries, numbers, strict=True):
            if things == "ports":
                notes.at.setdefault((things, name), n)
            if alias:
                entry["description"] = alias
                notes.at.setdefault((things, name, "description"), n)
    if kind.counter:
        for entry, fact in zip(named.entries, facts, strict=True):
            counters = entry.get("counters")
            if counters is None:
                counters = entry["counters"] = {}
            counters[key] = fact
        places = zip(repeat(things), named.names, repeat("counters"), repeat(key))
        notes.locate(places, numbers)
        return
    for entry, fact in zip(named.entries, facts, strict=True):
        entry[key] = fact
    notes.locate(zip(repeat(things), named.names, repeat(key)), numbers)
    if kind.raw and not CEILINGS.isdisjoint(facts):
        for name, fact, n in zip(named.names, facts, numbers, strict=True):
            _saturated(notes, n, kind, name, fact)


# --- line by line ---------------------------------------------------------------------------------------------


def _is_again(scrape: _Scrape, text: str) -> bool:
    """Whether a sample of ours came already."""
    sample = _SAMPLE.match(text)
    if sample is None or metric(sample[1]).things is None:
        return False
    return (sample[2] or "") in _seen(scrape, sample[1])


def _seen(scrape: _Scrape, name: str) -> set[str]:
    """The label texts of a metric that came already."""
    seen = scrape.seen.get(name + "{", ())
    if not isinstance(seen, set):
        seen = scrape.seen[name + "{"] = set(seen)
    return seen


def _line(scrape: _Scrape, n: int, text: str, *, is_last: bool = False) -> None:
    """`is_last`: no line end stands behind it."""
    notes = scrape.notes
    sample = _SAMPLE.match(text)
    if sample is None:
        if text.strip() in ("...", "…"):
            notes.problem(n, "left-out")
        elif _OPEN_SAMPLE.match(text):
            notes.problem(n, "cut" if is_last else "damaged")
        return
    name, labels = sample[1], sample[2] or ""
    kind, value = metric(name), counter(sample[3])
    if kind.things:
        _seen(scrape, name).add(labels)
        if is_last:
            notes.problem(n, "cut")  # more digits may have followed
            return
    if value is None:
        notes.ignore(n, "no number")
        return
    pairs = dict(label_pairs(labels)) if kind.things else {}
    scrape.targets.update([pairs["instance"]] if "instance" in pairs else ())
    who = named_by(name, pairs)
    if kind.things is None or who is None:
        notes.ignore(n, _NO_FACT)
    elif kind.info:
        scrape.devices[pairs["device"]] = (n, pairs)
        notes.use(n)
    else:
        scrape.first.setdefault(kind.things, n)
        _sample(notes, n, kind, who, pairs, value)


def _sample(notes: Notes, n: int, kind: Metric, who: str, labels: dict[str, str], value: int | float) -> None:
    path = (str(kind.things), who)
    if kind.things == "ports":
        notes.thing(n, *path)
    if kind.key is None:
        notes.ignore(n, _NO_FACT)
    elif kind.narrow and notes.get(*path, kind.key) is not None:
        notes.ignore(n, "told wider")
    elif kind.counter:
        notes.put(n, value, *path, "counters", kind.key)
    elif kind.raw:
        if isinstance(value, int):
            notes.put(n, value, *path, kind.key)
            _saturated(notes, n, kind, who, value)
        notes.use(n)
    else:
        notes.put(n, kind.convert(value) if kind.convert else value, *path, kind.key)
    if labels.get("ifAlias") and notes.get(*path) is not None:
        notes.put(n, labels["ifAlias"], *path, "description")


def _saturated(notes: Notes, n: int, kind: Metric, port: str, value: int) -> None:
    """Notes an InfiniBand counter that stands at its ceiling."""
    if kind.raw and value in CEILINGS and "saturated" in port_counters({kind.raw: value}):
        notes.put(n, [*(notes.get("ports", port, "saturated") or ()), kind.key], "ports", port, "saturated")


def _closed(scrape: _Scrape, block: Block, start: int, end: int) -> Iterator[Part]:
    notes = scrape.notes
    for port in notes.get("ports") or () if scrape.devices else ():
        line, labels = scrape.devices.get(port) or scrape.devices.get(port.rpartition("/")[0]) or (0, {})
        for label, fact in (("firmware_version", "firmware"), ("hca_type", "model"), ("board_id", "board_id")):
            if labels.get(label):
                notes.put(line, labels[label], "ports", port, fact)
    for things, key in (("ports", "port_count"), ("interfaces", "interface_count")):
        if things in notes.facts:
            notes.put(scrape.first.get(things, block.first), len(notes.facts[things]), key)
    if notes.facts:
        lines = block.lines[start:end]
        notes.block = Block(lines, block.command, block.host, block.first if start == 0 else lines.numbers[0])
        yield notes.part()
