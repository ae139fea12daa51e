"""Answers as `promtool query` prints them: `name{labels} => value @[time]`, or the name of a series and then a line for each sample."""

import re
from array import array
from collections.abc import Iterator

from advisor.readers._series import Series, figure, labelled, put_series
from advisor.readers.contract import Block, Notes

_VALUE = r"([-+]?(?:\d[\d.]*(?:[eE][-+]?\d+)?|Inf|NaN))"
INSTANT = re.compile(rf"\s*+(\S.*?) => {_VALUE} @\[(\d[\d.]*)\]\s*+\Z")
RANGE = re.compile(r"\s*+(\S.*) =>\s*+\Z")
_SAMPLE = re.compile(rf"\s*+{_VALUE} @\[(\d[\d.]*)\]\s*+\Z")
_ANY = re.compile(r".* => [-+\d]|\s*+[-+]?\d[\d.e+]* @")


def promtool(block: Block) -> Iterator[Notes]:
    """The notes of an answer, if the lines hold one."""
    notes = Notes("prometheus", block)
    found: list[tuple[int, str, array[float], array[float]]] = []
    is_range = False
    for n, text in block.lines.inked():
        instant, sample = INSTANT.match(text), _SAMPLE.match(text)
        named = RANGE.match(text) if not instant else None
        if instant:
            found.append((n, instant[1], array("d", [figure(instant[3])]), array("d", [figure(instant[2])])))
            notes.use(n)
        elif named:
            is_range = True
            found.append((n, named[1], array("d"), array("d")))
            notes.use(n)
        elif sample and is_range:
            found[-1][2].append(figure(sample[2]))
            found[-1][3].append(figure(sample[1]))
            notes.use(n)
        elif text.strip() in ("...", "…"):
            notes.problem(n, "left-out")
        elif _ANY.match(text):
            notes.problem(n, "cut" if n == len(block.lines.raw) else "damaged")
    series = [Series(*labelled(name), times, values, n) for n, name, times, values in found]
    if series:
        notes.put(series[0].line, "matrix" if is_range else "vector", "result_type")
        put_series(notes, series)
        yield notes
