"""Time series of an answer, from its text: the one place that reads samples, so that a faster way can take its place.

An answer of Prometheus may hold millions of samples: they are kept as arrays, and only what is told of a series becomes a fact.
"""

import json
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite, nan
from typing import Any

from advisor.capture.lines import Lines
from advisor.readers._arrays import Samples, samples_apart
from advisor.readers._json import Place, parse
from advisor.readers.contract import Notes
from advisor.readers.shapes import number

_MOST_LOCATED = 20_000  # lines of a text that is read with the line of each of its series
MOST_SAMPLES = 20_000  # of one answer that become facts themselves


@dataclass(frozen=True, slots=True)
class Series:
    """One series: times in seconds since 1970, values as they are; NaN is no value."""

    metric: str | None
    labels: Mapping[str, str]
    times: Sequence[float]
    values: Sequence[float]
    line: int = 0
    all_finite: bool = False  # known beforehand

    def facts(self, with_samples: bool) -> dict[str, Any]:
        """What is told of a series: how many samples, and the first and last one that has a value."""
        count = len(self.values) if self.all_finite else sum(map(isfinite, self.values))
        facts: dict[str, Any] = {"metric": self.metric} if self.metric else {}
        if self.labels:
            facts["labels"] = dict(self.labels)
        facts |= {"sample_count": count, "null_count": len(self.values) - count}
        if count:
            first = next(i for i, value in enumerate(self.values) if isfinite(value))
            last = next(i for i in reversed(range(len(self.values))) if isfinite(self.values[i]))
            facts |= {"first": whole(self.values[first]), "last": whole(self.values[last])}
            if isfinite(self.times[first]):
                facts["first_time_s"] = whole(self.times[first])
            if isfinite(self.times[last]):
                facts["last_time_s"] = whole(self.times[last])
        if with_samples:
            facts["samples"] = [
                [whole(time) if isfinite(time) else None, whole(value) if isfinite(value) else None]
                for time, value in zip(self.times, self.values, strict=True)
            ]
        return facts


@dataclass(slots=True)
class Answer:
    """An answer of Prometheus. `broken`: the line at which it is cut or damaged; its series up to there are whole."""

    result_type: str | None = None
    series: list[Series] = field(default_factory=list)
    error: str | None = None
    last: int = 0
    broken: int | None = None


def whole(value: float) -> int | float:
    """A figure without a fraction as an integer, so that counters stay exact in text."""
    return int(value) if value == int(value) and abs(value) < 2**63 else value


def figure(text: object) -> float:
    """A sample's value (`"1.5"`, `"NaN"`, `"+Inf"`, null) as a float; NaN where it is no number."""
    if isinstance(text, str):
        try:
            return float(text)
        except ValueError:
            return nan
    return float(text) if isinstance(text, int | float) and not isinstance(text, bool) else nan


def answer(lines: Lines) -> Answer | None:
    """The answer that starts in these lines; None if there is none."""
    if len(lines) > _MOST_LOCATED or len(lines) <= 3:
        whole_text = _at_once(lines)
        if whole_text is not None:
            return whole_text
    return _located(lines)


def _at_once(lines: Lines) -> Answer | None:
    """A text without defect, read at once; all its series stand at its first line."""
    text = lines.text
    start = min((at for at in (text.find("{"), text.find("[")) if at >= 0), default=-1)
    if start < 0:
        return None
    end, first = len(text.rstrip()), lines.numbers[text.count("\n", 0, start)]
    apart = samples_apart(text[start:end].encode())
    whole_text = plain_answer(*apart, first=first, last=lines.numbers[text.count("\n", 0, end - 1)]) if apart else None
    if whole_text is not None:
        return whole_text
    try:
        tree, end = json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    return _answer(tree, lambda _place: first, lines.numbers[text.count("\n", 0, end)], None)


def plain_answer(rest: bytes, samples: Sequence[Samples], *, first: int, last: int) -> Answer | None:
    """The answer of a text whose samples stand apart (`samples_apart`); None where it holds none or is damaged."""
    if not samples:
        return None
    try:
        tree = json.loads(rest)
    except (ValueError, RecursionError):
        return None
    return _answer(tree, lambda _place: first, last, None, samples)


def _located(lines: Lines) -> Answer | None:
    """A text with the line of each series; of a damaged one, what is whole."""
    found = parse(lines)
    return _answer(found.tree, lambda place: found.line(*place), found.last, found.broken) if found else None


def _answer(
    tree: Any, line: Callable[[Place], int], last: int, broken: int | None, samples: Sequence[Samples] | None = None
) -> Answer | None:
    """`samples`: those that stand apart; the tree has their numbers."""
    place: Place = ()
    if isinstance(tree, dict) and tree.get("status") == "error":
        return Answer(error=str(tree.get("error") or tree.get("errorType") or "error"), last=last, broken=broken)
    kind: str | None = None
    if isinstance(tree, dict) and isinstance(tree.get("data"), dict):
        tree, place = tree["data"], ("data",)
    if isinstance(tree, dict):
        kind = tree["resultType"] if isinstance(tree.get("resultType"), str) else None
        tree, place = tree.get("result"), (*place, "result")
    if not isinstance(tree, list):
        return None
    if kind in ("scalar", "string"):
        value = [Series(None, {}, [figure(tree[0])], [figure(tree[1])], line(place))] if len(tree) == 2 else []
        return Answer(kind, value, last=last, broken=broken)
    series = [_series(item, line((*place, i)), samples) for i, item in enumerate(tree) if isinstance(item, dict)]
    if kind is None and series:
        kind = "matrix" if any("values" in item for item in tree if isinstance(item, dict)) else "vector"
    return Answer(kind, series, last=last, broken=broken)


def _series(item: Mapping[str, Any], line: int, samples: Sequence[Samples] | None = None) -> Series:
    labels = item.get("metric")
    labels = {str(key): str(value) for key, value in labels.items()} if isinstance(labels, dict) else {}
    metric = labels.pop("__name__", None)
    pairs = item.get("values")
    if samples and isinstance(pairs, int) and 0 <= pairs < len(samples):
        mine = samples[pairs]
        return Series(metric, labels, mine.times, mine.values, line, mine.all_finite)
    if not isinstance(pairs, list):
        pairs = [item["value"]] if isinstance(item.get("value"), list) else []
    times, values = arrays(pairs)
    return Series(metric, labels, times, values, line)


def arrays(pairs: Sequence[Any]) -> tuple[Sequence[float], Sequence[float]]:
    """Times and values of samples, eight bytes each. Pairs that are cut are left out; a value that is no number is NaN."""
    try:
        return array("d", [time for time, _ in pairs]), array("d", [float(value) for _, value in pairs])
    except (TypeError, ValueError):
        whole_pairs = [pair for pair in pairs if isinstance(pair, list) and len(pair) == 2]
        return array("d", [figure(time) for time, _ in whole_pairs]), array("d", [figure(value) for _, value in whole_pairs])


def put_series(notes: Notes, series: Sequence[Series]) -> None:
    """Series as facts, in order. Samples themselves are told where they are few."""
    few = sum(len(one.values) for one in series) <= MOST_SAMPLES
    notes.facts["series"] = [one.facts(few) for one in series]
    notes.at.update({("series", str(i)): one.line for i, one in enumerate(series)})
    if series:
        notes.at.setdefault(("series",), series[0].line)
    notes.facts["series_count"] = len(series)


def labelled(name: str) -> tuple[str | None, dict[str, str]]:
    """Metric and labels of a series' name as Prometheus writes it: `up{job="node"}`; any other name is a metric without labels."""
    open_, close = name.find("{"), name.rfind("}")
    if open_ < 0 or close != len(name.rstrip()) - 1:
        return name.strip() or None, {}
    return name[:open_].strip() or None, dict(label_pairs(name[open_ + 1 : close]))


def label_pairs(text: str) -> Iterator[tuple[str, str]]:
    """Labels of `a="x",b="y"`; a value may hold escaped quotes and line ends."""
    at = 0
    while at < len(text):
        equal = text.find("=", at)
        if equal < 0 or equal + 1 >= len(text) or text[equal + 1] != '"':
            return
        end = equal + 2
        while end < len(text) and text[end] != '"':
            end += 2 if text[end] == "\\" else 1
        value = text[equal + 2 : end]
        if "\\" in value:
            value = value.replace("\\\\", "\0").replace('\\"', '"').replace("\\n", "\n").replace("\0", "\\")
        yield text[at:equal].strip(" ,"), value
        at = end + 1


def counter(text: str) -> int | float | None:
    """A value of the exposition format (`4.294967295e+09`) as a number; an integer where it has no fraction."""
    value = number(text)
    return whole(float(value)) if isinstance(value, float) and isfinite(value) else value
