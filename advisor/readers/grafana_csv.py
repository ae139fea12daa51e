"""Grafana's CSV export: series as rows (Series, Time, Value) or as columns beside one time column; comma, semicolon or tab.

A time without a zone is in the zone of the browser that made the export: it is told as printed, not as seconds.
"""

import re
from array import array
from collections.abc import Iterator, Sequence
from datetime import datetime
from math import isfinite, nan
from typing import Any

from advisor.evidence.reading import Part
from advisor.readers._cells import cells, delimiter
from advisor.readers._series import Series, labelled, put_series
from advisor.readers.contract import Block, Notes, Reader
from advisor.readers.shapes import UNKNOWN, number

_SEP = re.compile(r"\s*\"?sep=([,;|\t])\"?\s*\Z", re.IGNORECASE)
_EPOCH = re.compile(r"\d{10}(?:\.\d+)?\Z|\d{13}\Z")
_ZONED = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)\Z")
_LOCAL = re.compile(r"\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?\Z|\d\d/\d\d/\d{4},? \d\d:\d\d(?::\d\d)?(?: [AP]M)?\Z")
_WITH_UNIT = re.compile(r"([-+]?[\d.,]+(?:[eE][-+]?\d+)?)\s*([A-Za-z%°µ][\w/%. ]*)\Z")


class _Column:
    """One series while its rows are read."""

    def __init__(self, name: str, line: int) -> None:
        self.name, self.line = name, line
        self.times, self.values = array("d"), array("d")
        self.stamps: list[str] = []
        self.units: set[str] = set()

    def add(self, time: str, cell: str) -> bool:
        """Takes a sample; False where the value is neither a number nor unknown."""
        seconds = _seconds(time)
        value, unit = _value(cell)
        self.times.append(seconds)
        self.values.append(value)
        if not isfinite(seconds):
            self.stamps.append(time)
        if unit:
            self.units.add(unit)
        return isfinite(value) or cell.strip().lower() in UNKNOWN or cell.strip().lower() == "nan"


def read(block: Block) -> Iterator[Part]:
    notes = Notes("grafana-csv", block)
    rows = _rows(notes, block)
    header = next(rows, None)
    if header is None:
        return
    n, heading = header
    names = [cell.lower() for cell in heading]
    notes.use(n)
    columns = _by_rows(notes, rows, names) if {"series", "time", "value"} <= set(names) else _by_columns(notes, rows, heading, n)
    _put(notes, [column for column in columns if len(column.values)])
    if notes.facts:
        yield notes.part()


def _rows(notes: Notes, block: Block) -> Iterator[tuple[int, list[str]]]:
    """The cells of each line. Grafana may put the separator into a line of its own, for spreadsheets."""
    sign: str | None = None
    for n, text in block.lines.inked():
        sep = _SEP.match(text)
        if sep and sign is None:
            sign = sep[1]
            notes.use(n)
            continue
        if sign is None:
            sign = delimiter(text)
        yield n, cells(text, sign)


def _by_rows(notes: Notes, rows: Iterator[tuple[int, list[str]]], names: list[str]) -> list[_Column]:
    at_series, at_time, at_value = names.index("series"), names.index("time"), names.index("value")
    found: dict[str, _Column] = {}
    for n, row in rows:
        if _is_broken(notes, n, row, len(names)):
            continue
        column = found.get(row[at_series])
        if column is None:
            column = found[row[at_series]] = _Column(row[at_series], n)
        _take(notes, n, column, row[at_time], row[at_value])
    return list(found.values())


def _by_columns(notes: Notes, rows: Iterator[tuple[int, list[str]]], header: Sequence[str], line: int) -> list[_Column]:
    columns = [_Column(name.strip(), line) for name in header[1:]]
    for n, row in rows:
        if _is_broken(notes, n, row, len(header)):
            continue
        for column, cell in zip(columns, row[1:], strict=True):
            _take(notes, n, column, row[0], cell)
    return columns


def _is_broken(notes: Notes, n: int, row: list[str], width: int) -> bool:
    """Whether a row is cut or damaged, or no row at all: then it stays unaccounted."""
    last = n == len(notes.block.lines.raw)  # no line end behind it: more digits may have followed
    if len(row) == width and not (last and notes.block.lines.raw[-1].rstrip()[-1:] in "0123456789."):
        return False
    if len(row) != 1 or last:
        notes.problem(n, "cut" if last else "damaged")
    elif row[0].strip() in ("...", "…"):
        notes.problem(n, "left-out")
    return True


def _take(notes: Notes, n: int, column: _Column, time: str, cell: str) -> None:
    notes.use(n)
    if not column.add(time.strip(), cell.strip()):
        notes.problem(n, "not-a-number", column.name)


def _seconds(text: str) -> float:
    """Seconds since 1970 of an epoch in seconds or milliseconds or of a time with its zone; NaN where that is not known."""
    if _EPOCH.match(text):
        return float(text) / 1000 if len(text) == 13 and "." not in text else float(text)
    if _ZONED.match(text):
        try:
            return datetime.fromisoformat(text.replace(" ", "T", 1)).timestamp()
        except ValueError:
            return nan
    return nan


def _value(cell: str) -> tuple[float, str]:
    """A cell as a number with the unit that stands behind it; NaN where it is none."""
    value = number(cell)
    if value is not None:
        return float(value), ""
    match = _WITH_UNIT.match(cell)
    value = number(match[1]) if match else None
    return (float(value), match[2].strip()) if match and value is not None else (nan, "")


def _put(notes: Notes, columns: list[_Column]) -> None:
    series = []
    for column in columns:
        metric, labels = labelled(column.name)
        values = column.values if len(column.units) < 2 else array("d", [nan] * len(column.values))  # 1 G beside 900 M cannot be compared
        series.append(Series(metric, labels, column.times, values, column.line))
    if not series:
        return
    put_series(notes, series)
    for facts, column in zip(notes.facts["series"], columns, strict=True):
        if len(column.units) == 1:
            facts["unit"] = next(iter(column.units))
        elif column.units:
            notes.problem(column.line, "unknown-unit", column.name)
        if column.stamps and len(column.stamps) == len(column.values):
            facts |= _stamps(column)


def _stamps(column: _Column) -> dict[str, Any]:
    """First and last time as printed, where they have no zone."""
    known = [i for i, value in enumerate(column.values) if isfinite(value)]
    return {"first_time": column.stamps[known[0]], "last_time": column.stamps[known[-1]]} if known else {}


def _recognises(head: str) -> bool:
    """A heading with a time column, and below it a row that begins with a time (or has one as its second cell)."""
    lines = [line for line in head.split("\n", 8) if line.strip()]
    if lines and _SEP.match(lines[0]):
        lines = lines[1:]
    if len(lines) < 2:
        return False
    sign = delimiter(lines[0])
    names, first = cells(lines[0], sign), cells(lines[1], sign)
    lowered = [name.lower() for name in names]
    if {"series", "time", "value"} <= set(lowered):
        return len(first) >= 3
    return lowered[0] == "time" and len(names) >= 2 and len(first) == len(names) and _is_time(first[0])


def _is_time(text: str) -> bool:
    return any(pattern.match(text) for pattern in (_EPOCH, _ZONED, _LOCAL))


READER = Reader("grafana-csv", read, recognises=_recognises)
