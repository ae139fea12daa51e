"""Rows of a topology matrix: words under their columns, as far as the row can be trusted, and cells restored from their mirror cells."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

from advisor.readers._topo_words import CELL, EMPTY, FIXED, LABEL, LIST, SELF, TAIL_AT, Layout, Matrix, Row, is_device, is_relation

_FUSED = re.compile(r"[A-Z]{1,4}\d+(?:[-,]\d+)+\Z")
_GLUED_PART = re.compile(r"SYS|NODE|PHB|PXB|PIX|SOC|NV\d{1,2}")
_GLUED = re.compile(rf"(?:{_GLUED_PART.pattern}){{2,3}}\Z")
_TAB = re.compile(r" *\t")


def joined(texts: Sequence[str], fits: Callable[[str], bool]) -> str:
    """Wrapped pieces as one line: broken inside a word or between two, whichever fits the header; between two if both or none do."""
    if len(texts) == 1:
        return texts[0]
    if len(texts) <= 5:
        for marks in product((" ", ""), repeat=len(texts) - 1):
            joined = texts[0] + "".join(mark + text for mark, text in zip(marks, texts[1:], strict=True))
            if fits(joined):
                return joined
    return " ".join(texts)


@dataclass(frozen=True, slots=True)
class _Split:
    """A row's words: cells in order, what stands behind them by tab or word, and whether the two ran into one another (`PH0-115`).

    glued  cells that stood without a blank between them were parted
    """

    cells: list[str]
    tail: list[str]
    fused: bool
    text: str
    glued: bool = False


def read_row(matrix: Matrix, layout: Layout, label: str, texts: list[str], line: int, at_open_end: bool) -> None:
    row = matrix.rows[label] = Row(label, line)
    split = _split(layout, joined(texts, layout.fits))
    own = layout.columns.index(label) if label in layout.columns else None
    cells, damaged = _aligned(split, own, len(layout.columns))
    short = len(cells) < len(layout.columns)
    ends_early = short or (is_device(label) and len([word for word in split.tail if word]) < len(layout.tails))
    may_go_on = bool(split.tail) and split.tail[-1] not in EMPTY
    unfinished = at_open_end and (ends_early or may_go_on or _rows_are_missing(matrix, layout))
    if unfinished and not split.tail and cells and cells[-1] not in FIXED:
        cells[-1] = ""
    for column, word in zip(layout.columns, cells, strict=False):
        if is_relation(word, layout.relations) or (word in SELF and column == label):
            row.cells[column] = word
        elif CELL.match(word) and len(word) > 1 and not (unfinished and word == cells[-1]):
            row.odd[column] = word
        elif word not in EMPTY:
            damaged = True
    row.tail = _tail(layout, split)
    if unfinished and row.tail and may_go_on:
        del row.tail[max(row.tail, key=layout.tails.index)]
    for key in [key for key, value in row.tail.items() if not LIST.match(value)]:
        del row.tail[key]
        damaged = True
    if unfinished or (short and not damaged):
        matrix.problems.append((line, "cut", ""))
    elif damaged:
        matrix.problems.append((line, "damaged", ""))
    elif split.glued:
        matrix.problems.append((line, "repaired", "words without a blank between them"))


def _rows_are_missing(matrix: Matrix, layout: Layout) -> bool:
    """Whether the text ends before the last row: of the devices, or of the NICs if it has begun with them."""
    devices = {label for label in layout.columns if is_device(label)}
    nics = set(layout.columns) - devices
    return bool(devices - matrix.rows.keys()) or bool(nics & matrix.rows.keys() and nics - matrix.rows.keys())


def _split(layout: Layout, text: str) -> _Split:
    start = LABEL.match(text)
    rest = text[start.end() :] if start else text
    width = len(layout.columns)
    words = [word.strip() for word in rest.split("\t")[1:]] if _TAB.match(rest) else []
    if len(words) < width or any(" " in word for word in words):
        words = rest.split()
    parted = [piece for word in words for piece in _parted(word, layout)]
    if len(parted) > len(words) and next((i for i, word in enumerate(parted) if LIST.match(word)), len(parted)) == width:
        return _Split(parted[:width], parted[width:], False, text, glued=True)
    for i, word in enumerate(words[:width]):
        if LIST.match(word):
            return _Split(words[:i], words[i:], False, text)
        if _FUSED.match(word) and not is_relation(word, layout.relations):
            return _Split(words[: i + 1], words[i + 1 :], True, text)
    return _Split(words[:width], words[width:], False, text)


def _parted(word: str, layout: Layout) -> list[str]:
    """`NODENODE` as two relations; a word that is one, or is not made of some, stays."""
    if is_relation(word, layout.relations) or not _GLUED.match(word):
        return [word]
    return _GLUED_PART.findall(word)


def _aligned(split: _Split, own: int | None, width: int) -> tuple[list[str], bool]:
    """Cells under their columns, and whether some could not be placed.

    The diagonal must hold `X`, and a row that goes on behind its cells must have all of them.
    """
    cells = list(split.cells)
    at = next((i for i, word in enumerate(cells) if word in SELF), None)
    if own is None:
        return cells, False
    if at is None:
        return (cells, False) if len(cells) <= own else ([""] * width, True)
    if at > own:
        return [""] * width, True
    missing = width - (own - at) - len(cells)
    if any(split.tail) and not split.fused and missing:
        cells = cells[: at + 1]
    return [*(cells[:at] if at == own else [""] * own), *cells[at:]], at != own or (bool(missing) and any(split.tail))


def _tail(layout: Layout, split: _Split) -> dict[str, str]:
    """Values of the columns behind the cells; where some are empty, by their place."""
    keys = [key for key in layout.tails if not (split.fused and key == "cpus")]
    known = [word for word in split.tail if word]
    if len(known) == len(keys):
        values = dict(zip(keys, known, strict=True))
    elif "\t" in split.text and len(split.tail) >= len(keys) > 0:
        last = next((word for word in reversed(split.tail[len(keys) - 1 :]) if word), "")
        values = {**dict(zip(keys, split.tail, strict=False)), keys[-1]: last}
    else:
        values = _by_place(layout, split.text, known)
    return {key: value for key, value in values.items() if value not in EMPTY}


def _by_place(layout: Layout, text: str, words: list[str]) -> dict[str, str]:
    """Fewer values than columns: a value belongs to the column that starts where it starts, give or take one."""
    starts = [match.start() for match in TAIL_AT.finditer(layout.header)]
    values: dict[str, str] = {}
    place = len(text)
    for word in reversed(words):
        place = text.rindex(word, 0, place)
        for key, start in zip(layout.tails, starts, strict=False):
            if abs(start - place) <= 1:
                values[key] = word
    return values


# --- the whole matrix -----------------------------------------------------------------------------------------


def settle(matrix: Matrix) -> None:
    """What only the whole matrix tells: words of other makers, rows that are missing, cells and their mirrors."""
    _settle_odd(matrix)
    _missing(matrix)
    _mirror(matrix)


def _settle_odd(matrix: Matrix) -> None:
    """A word that no legend knows is a relation of another maker if both cells of the pair hold it; else it is damaged."""
    said = {(label, other): word for label, row in matrix.rows.items() for other, word in row.odd.items()}
    damaged: set[str] = set()
    for (label, other), word in said.items():
        if said.get((other, label)) == word and not any(known.startswith(word) for known in FIXED):
            matrix.rows[label].cells[other] = word
        else:
            damaged.add(label)
    flagged = {line for line, _, _ in matrix.problems}
    for label in sorted(damaged):
        if matrix.rows[label].line not in flagged:
            matrix.problems.append((matrix.rows[label].line, "damaged", ""))


def _missing(matrix: Matrix) -> None:
    """Rows that the header promises and the text does not hold. No NIC row at all is a section that was left out, not damage."""
    for labels in (matrix.devices, matrix.nics):
        missing = [label for label in labels if label not in matrix.rows]
        if missing and (len(missing) < len(labels) or labels == matrix.devices):
            matrix.problems.append((matrix.line, "missing-part", ", ".join(missing)))


def _mirror(matrix: Matrix) -> None:
    """Unknown cells from their mirror cells, flagged; cells that contradict their mirror are doubtful and stay as printed."""
    repaired: dict[str, list[str]] = {}
    with_nics = any(label in matrix.rows for label in matrix.nics)
    printed = {label: dict(row.cells) for label, row in matrix.rows.items()}
    for label in matrix.devices + (matrix.nics if with_nics else []):
        cells = printed.get(label, {})
        for other in matrix.labels:
            twin = printed.get(other, {}).get(label)
            if other == label or twin is None:
                continue
            if other not in cells:
                matrix.rows.setdefault(label, Row(label, matrix.line)).cells[other] = twin
                repaired.setdefault(label, []).append(other)
            elif cells[other] != twin and matrix.labels.index(label) < matrix.labels.index(other):
                matrix.problems.append((matrix.rows[other].line, "doubtful", f"{label} {other}: {cells[other]} / {twin}"))
    for label, others in repaired.items():
        matrix.problems.append((matrix.rows[label].line, "repaired", f"{label}: {', '.join(others)}"))
