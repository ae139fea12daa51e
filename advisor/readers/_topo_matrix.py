"""The square matrix that `nvidia-smi topo` and its kin print: which path joins two devices of a machine.

A header of device names, one row for each device with `X` on the diagonal, columns of CPU and NUMA affinity behind, legends below.
A row is trusted as far as its `X` stands where the header says; a cell that is missing or damaged is restored from its mirror cell only.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from advisor.capture.lines import Lines
from advisor.evidence.reading import Why
from advisor.readers.shapes import is_left_out, open_end

_DEVICE = r"(?:[A-Z]{2}U ?\d+(?:/\d+)?)"
_NIC = r"(?:NIC\d+|[a-z][\w.-]*\d)"
_TAIL = r"(?:CPU\s?Affinity|(?:NUMA|Node)\s?Affinity|GPU\s?NUMA\s?ID)"
HEADER = re.compile(
    rf"[\s|]*{_DEVICE}(?:[\s|]+(?:{_DEVICE}|{_NIC}|{_TAIL}))+(?:[\s|]+(?:C|CP|N|NI|NIC|NU|G|GP|[A-Z]{{2}}U|CPU\s.*|NU?M?A?\b.*|NUMA\s.*|GPU\s.*))?[\s|]*\Z"
)
_IS_DEVICE = re.compile(rf"{_DEVICE}\Z")
_IS_LABEL = re.compile(rf"(?:{_DEVICE}|{_NIC})\Z")
_TAIL_AT = re.compile(_TAIL)
_COLUMN = re.compile(rf"{_TAIL}|{_DEVICE}|\S+")
_LABEL = re.compile(rf"[\s|]*({_DEVICE}|{_NIC})(?=[\s|]|\Z)")
_PART_OF_LABEL = re.compile(r"\s*(?:[A-Z]|[A-Z]{2,3}|[A-Z]{2}U\d*|NIC\d*|[a-z]\w*)\s*\Z")
_TAIL_KEYS = (("cpu", "cpus"), ("gpu", "gpu_numa_id"), ("numa", "numa_node"), ("node", "numa_node"))
_LEGEND = re.compile(r"\s*(?:NIC |图例|Topology )?(?:Legend|图例)\s*:?\s*\Z", re.IGNORECASE)
_DEFINITION = re.compile(r"\s*([A-Z][A-Z0-9_]{0,8}[#*]?)\s+=\s*\S")
_NIC_NAME = re.compile(r"\b(NIC\d+)\s*[:=]\s*(\S+)")
_DIGITS = re.compile(r"\d+")
_WHOLE_NAME = re.compile(r"(?:\w+_\d+|[a-z]+\d+s\d+\w*|irdma\d+|\w+_re\d+)\Z")
_LIST = re.compile(r"\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*\Z")
_FUSED = re.compile(r"[A-Z]{1,4}\d+(?:[-,]\d+)+\Z")
_EMPTY = frozenset({"", "N/A", "NA", "-", "U", "n/a"})
_SELF = frozenset({"X", "S", "x"})
# Relations of NVIDIA (old drivers: SOC, PSB), Ascend, MetaX, Intel; a legend in the text adds its own.
FIXED = frozenset(
    ("X", "SYS", "NODE", "PHB", "PXB", "PIX", "SOC", "PSB", "HCCS", "HCCS_SW", "SIO", "MX", "XGMI", "PCIE", "ETH", "MDF", "C2C", "XL*")
)
ACCESS = frozenset(("OK", "CNS", "GNS", "TNS", "NS", "DR"))
_CELL = re.compile(r"[A-Z][A-Z0-9_]{0,7}\*?\Z")
_PIECE = re.compile(r"[\d,-]+\Z|/?A\Z")
_NAME = re.compile(r"[A-Za-z0-9_.-]+\Z")
_HEADER_WORD = re.compile(r"\d|ffinity|NUMA|ID")
_TAB = re.compile(r" *\t")
_RULE = re.compile(r"[\s:+-]+\Z")
_NUMBERED = re.compile(r"(?:NV|XL|MX|MT|ICN|BR|ML)\d{1,3}\Z")


@dataclass(slots=True)
class Row:
    """One device's row. `cells` by column label, only known ones; `tail` by key, as printed; `line` of its label."""

    label: str
    line: int
    cells: dict[str, str] = field(default_factory=dict)
    tail: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Matrix:
    """A matrix as read. `labels` are all devices of header and rows, all there are if it `is_whole`; `names` are of the NIC legend."""

    line: int
    labels: list[str]
    is_whole: bool = True
    rows: dict[str, Row] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    problems: list[tuple[int, Why, str]] = field(default_factory=list)
    used: list[int] = field(default_factory=list)

    @property
    def nics(self) -> list[str]:
        return [label for label in self.labels if not is_device(label)]

    @property
    def devices(self) -> list[str]:
        return [label for label in self.labels if is_device(label)]

    @property
    def is_access(self) -> bool:
        """Whether the cells tell of peer access (`topo -p2p`), not of paths."""
        return any(cell in ACCESS for row in self.rows.values() for cell in row.cells.values())


def is_device(label: str) -> bool:
    return _IS_DEVICE.match(label) is not None


def matrices(lines: Lines, preamble: int) -> Iterator[tuple[Matrix, int]]:
    """Every matrix at the start of the lines, with the index behind it. Other text ends the search, but for `preamble` lines in front."""
    i, skipped = 0, 0
    while i < len(lines):
        text = lines.texts[i]
        if HEADER.match(text):
            matrix, end = _matrix(lines, i)
            if matrix.rows:
                yield matrix, end
                i, skipped, preamble = end, 0, 0
                continue
        if text.strip():
            skipped += 1
        if skipped > preamble:
            return
        i += 1


# --- lines of a matrix ----------------------------------------------------------------------------------------


def _matrix(lines: Lines, start: int) -> tuple[Matrix, int]:
    groups, groups_end = _grouped(lines, start)
    header_text, columns, tails, cut = _header([text for _, text in groups[0]])
    matrix = Matrix(groups[0][0][0], columns)
    matrix.used += [n for n, _ in groups[0]]
    if cut:
        matrix.problems.append((matrix.line, "cut", "header"))
    matrix.used += [
        lines.numbers[i] for i in range(start, groups_end) if lines.texts[i].strip() and _RULE.match(lines.texts[i].replace("|", " "))
    ]
    words, end = _legends(lines, groups_end, matrix, wrapped=any(len(group) > 1 for group in groups))
    layout = _Layout(header_text, columns, tails, words)
    open_line = open_end(lines)
    for group in groups[1:]:
        first, text = group[0]
        matrix.used += [n for n, _ in group]
        label = _LABEL.match(text)
        if is_left_out(text):
            matrix.problems.append((first, "left-out", ""))
        elif label is None or label[1] in matrix.rows:
            matrix.problems.append((first, "cut" if group[-1][0] == open_line else "damaged", ""))
        else:
            _read_row(matrix, layout, label[1], [text for _, text in group], first, group[-1][0] == open_line)
    if not any(row.cells.get(label) in _SELF for label, row in matrix.rows.items()):
        matrix.rows.clear()
    beyond = [label for label in matrix.rows if label not in columns]
    matrix.labels = [*columns, *beyond]
    if beyond and not cut:
        matrix.problems.append((matrix.line, "cut", "header"))
    # A cut header counts no columns; the rows do, if the text goes on behind them.
    matrix.is_whole = not (cut or beyond) or bool(matrix.names) or (bool(beyond) and end > groups_end)
    _missing(matrix)
    _mirror(matrix)
    return matrix, end


def _grouped(lines: Lines, start: int) -> tuple[list[list[tuple[int, str]]], int]:
    """Header and rows as groups of lines: a line that starts with no label continues the one before it."""
    groups = [[(lines.numbers[start], lines.texts[start].replace("|", " "))]]
    i, blank = start + 1, False
    while i < len(lines):
        text = lines.texts[i].replace("|", " ")
        if not text.strip():
            blank = True
        elif _RULE.match(text):
            pass
        elif _LEGEND.match(text) or (HEADER.match(text) and _LABEL.match(text) and len(groups) > 1):
            break
        elif is_left_out(text) or (_LABEL.match(text) and not HEADER.match(text) and _is_row(text)):
            groups.append([(lines.numbers[i], text)])
            blank = False
        elif not blank and len(groups) > 1 and _PART_OF_LABEL.match(text) and lines.numbers[i] == open_end(lines):
            groups.append([(lines.numbers[i], text)])
        elif not blank and _is_continuation(text, groups):
            groups[-1].append((lines.numbers[i], text))
        else:
            break
        i += 1
    return groups, i


def _is_row(text: str) -> bool:
    label = _LABEL.match(text)
    if label is None or _TAIL_AT.search(text):
        return False
    rest = text[label.end() :].split()
    return not rest or any(word in _EMPTY or (_CELL.match(word) and not _IS_LABEL.match(word)) for word in rest[:3])


def _is_continuation(text: str, groups: list[list[tuple[int, str]]]) -> bool:
    """Whether a line could be the rest of a wrapped one: words, or pieces of words, of a header or of a row."""
    words = text.split()
    if len(groups) == 1:
        ends_it = _HEADER_WORD.search(text) or not _columns("".join(piece for _, piece in groups[0]) + text)[2]
        return bool(ends_it) and all(_NAME.match(word) for word in words)
    return all(word in _EMPTY or _CELL.match(word) or _PIECE.match(word) for word in words)


def _joined(texts: Sequence[str], fits: Callable[[str], bool]) -> str:
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
class _Layout:
    """What the header promises a row: labels and keys of its columns; and the relations that the legend knows."""

    header: str
    columns: list[str]
    tails: list[str]
    relations: frozenset[str]

    def fits(self, text: str) -> bool:
        """Whether a row is whole: as many words as promised, each of a known form."""
        label = _LABEL.match(text)
        words = text[label.end() :].split() if label else text.split()
        width = len(self.columns)
        return len(words) in (width, width + len(self.tails)) and all(
            _is_relation(word, self.relations) or word in _SELF or word in _EMPTY or _LIST.match(word) for word in words
        )


def _is_relation(word: str, relations: frozenset[str]) -> bool:
    return word in FIXED or word in ACCESS or word in relations or _NUMBERED.match(word) is not None


# --- header and legends ---------------------------------------------------------------------------------------


def _header(texts: list[str]) -> tuple[str, list[str], list[str], bool]:
    """Text, device labels and keys of the columns behind them, and whether the header is cut."""
    text = _joined(texts, lambda joined: not _columns(joined)[2])
    return text, *_columns(text)


def _columns(text: str) -> tuple[list[str], list[str], bool]:
    labels: list[str] = []
    tails: list[str] = []
    for match in _COLUMN.finditer(text):
        word = match.group()
        key = next((key for start, key in _TAIL_KEYS if _TAIL_AT.match(word) and word.lower().startswith(start)), None)
        if key:
            tails.append(key)
        elif tails or not _IS_LABEL.match(word) or word in labels:
            return labels, tails, True
        else:
            labels.append(word)
    return labels, tails, False


def _legends(lines: Lines, start: int, matrix: Matrix, wrapped: bool) -> tuple[frozenset[str], int]:
    """Relations that the legend defines, names of NICs, and the index behind the legends."""
    words: set[str] = set()
    i, end = start, start
    while i < len(lines):
        n, text = lines.numbers[i], lines.texts[i]
        definition, names = _DEFINITION.match(text), _NIC_NAME.findall(text)
        if definition:
            words.add(definition[1])
        elif names:
            matrix.names.update(names)
        elif is_left_out(text):
            matrix.problems.append((n, "left-out", ""))
        elif text.strip() and not _LEGEND.match(text) and not (wrapped and end == i and i > start):
            break
        if text.strip():
            matrix.used.append(n)
            end = i + 1
        i += 1
    last = open_end(lines)
    if last is not None and end > start and lines.numbers[end - 1] == last:
        names = _NIC_NAME.findall(lines.texts[end - 1])
        label, name = names[-1] if names else ("", "")
        others = {_shape(other) for key, other in matrix.names.items() if key != label}
        whole = not set(matrix.nics) - set(matrix.names) and list(matrix.names.values()).count(name) == 1
        if names and not (whole and (_shape(name) in others or (not others and _WHOLE_NAME.match(name)))):
            del matrix.names[label]
            matrix.problems.append((last, "cut", label))
    return frozenset(word for word in words if not word.endswith(("#", "*"))), end


def _shape(name: str) -> str:
    """A name without its numbers: names of one make are alike in it."""
    return _DIGITS.sub("0", name)


# --- rows -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Split:
    """A row's words: cells in order, what stands behind them by tab or word, and whether the two ran into one another (`PH0-115`)."""

    cells: list[str]
    tail: list[str]
    fused: bool
    text: str


def _read_row(matrix: Matrix, layout: "_Layout", label: str, texts: list[str], line: int, at_open_end: bool) -> None:
    row = matrix.rows[label] = Row(label, line)
    split = _split(layout, _joined(texts, layout.fits))
    own = layout.columns.index(label) if label in layout.columns else None
    cells, damaged = _aligned(split, own, len(layout.columns))
    short = len(cells) < len(layout.columns)
    ends_early = short or (is_device(label) and len([word for word in split.tail if word]) < len(layout.tails))
    may_go_on = bool(split.tail) and split.tail[-1] not in _EMPTY
    unfinished = at_open_end and (ends_early or may_go_on or _rows_are_missing(matrix, layout))
    if unfinished and not split.tail and cells and cells[-1] not in FIXED:
        cells[-1] = ""
    for column, word in zip(layout.columns, cells, strict=False):
        if _is_relation(word, layout.relations) or (word in _SELF and column == label):
            row.cells[column] = word
        elif word not in _EMPTY:
            damaged = True
    row.tail = _tail(layout, split)
    if unfinished and row.tail and may_go_on:
        del row.tail[max(row.tail, key=layout.tails.index)]
    for key in [key for key, value in row.tail.items() if not _LIST.match(value)]:
        del row.tail[key]
        damaged = True
    if unfinished or (short and not damaged):
        matrix.problems.append((line, "cut", ""))
    elif damaged:
        matrix.problems.append((line, "damaged", ""))


def _rows_are_missing(matrix: Matrix, layout: "_Layout") -> bool:
    """Whether the text ends before the last row: of the devices, or of the NICs if it has begun with them."""
    devices = {label for label in layout.columns if is_device(label)}
    nics = set(layout.columns) - devices
    return bool(devices - matrix.rows.keys()) or bool(nics & matrix.rows.keys() and nics - matrix.rows.keys())


def _split(layout: "_Layout", text: str) -> _Split:
    start = _LABEL.match(text)
    rest = text[start.end() :] if start else text
    width = len(layout.columns)
    words = [word.strip() for word in rest.split("\t")[1:]] if _TAB.match(rest) else []
    if len(words) < width or any(" " in word for word in words):
        words = rest.split()
    for i, word in enumerate(words[:width]):
        if _LIST.match(word):
            return _Split(words[:i], words[i:], False, text)
        if _FUSED.match(word) and not _is_relation(word, layout.relations):
            return _Split(words[: i + 1], words[i + 1 :], True, text)
    return _Split(words[:width], words[width:], False, text)


def _aligned(split: _Split, own: int | None, width: int) -> tuple[list[str], bool]:
    """Cells under their columns, and whether some could not be placed.

    The diagonal must hold `X`, and a row that goes on behind its cells must have all of them.
    """
    cells = list(split.cells)
    at = next((i for i, word in enumerate(cells) if word in _SELF), None)
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


def _tail(layout: "_Layout", split: _Split) -> dict[str, str]:
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
    return {key: value for key, value in values.items() if value not in _EMPTY}


def _by_place(layout: "_Layout", text: str, words: list[str]) -> dict[str, str]:
    """Fewer values than columns: a value belongs to the column that starts where it starts, give or take one."""
    starts = [match.start() for match in _TAIL_AT.finditer(layout.header)]
    values: dict[str, str] = {}
    place = len(text)
    for word in reversed(words):
        place = text.rindex(word, 0, place)
        for key, start in zip(layout.tails, starts, strict=False):
            if abs(start - place) <= 1:
                values[key] = word
    return values


# --- the whole matrix -----------------------------------------------------------------------------------------


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
