"""The square matrix that `nvidia-smi topo` and its kin print: which path joins two devices of a machine.

A header of device names, one row for each device with `X` on the diagonal, columns of CPU and NUMA affinity behind, legends below.
A row is trusted as far as its `X` stands where the header says; a cell that is missing or damaged is restored from its mirror cell only.
"""

import re
from collections.abc import Iterator

from advisor.capture.lines import Lines
from advisor.readers._topo_rows import joined, read_row, settle
from advisor.readers._topo_words import CELL, DEVICE, EMPTY, LABEL, NIC, SELF, TAIL, TAIL_AT, Layout, Matrix
from advisor.readers.shapes import is_left_out, open_end

HEADER = re.compile(
    rf"[\s|]*{DEVICE}(?:[\s|]+(?:{DEVICE}|{NIC}|{TAIL}))+(?:[\s|]+(?:C|CP|N|NI|NIC|NU|G|GP|[A-Z]{{2}}U|CPU\s.*|NU?M?A?\b.*|NUMA\s.*|GPU\s.*))?[\s|]*\Z"
)
_IS_LABEL = re.compile(rf"(?:{DEVICE}|{NIC})\Z")
_COLUMN = re.compile(rf"{TAIL}|{DEVICE}|\S+")
_PART_OF_LABEL = re.compile(r"\s*(?:[A-Z]|[A-Z]{2,3}|[A-Z]{2}U\d*|NIC\d*|[a-z]\w*)\s*\Z")
_TAIL_KEYS = (("cpu", "cpus"), ("gpu", "gpu_numa_id"), ("numa", "numa_node"), ("node", "numa_node"))
_LEGEND = re.compile(r"\s*(?:NIC |图例|Topology )?(?:Legend|图例)\s*:?\s*\Z", re.IGNORECASE)
_DEFINITION = re.compile(r"\s*([A-Z][A-Z0-9_]{0,8}[#*]?)\s+=\s*\S")
_NIC_NAME = re.compile(r"\b(NIC\d+)\s*[:=]\s*(\S+)")
_DIGITS = re.compile(r"\d+")
_WHOLE_NAME = re.compile(r"(?:\w+_\d+|[a-z]+\d+s\d+\w*|irdma\d+|\w+_re\d+)\Z")
_PIECES = 12  # lines that one wrapped line may fill
_PIECE = re.compile(r"[\d,-]+\Z|/?A\Z")
_NAME = re.compile(r"[A-Za-z0-9_.-]+\Z")
_HEADER_WORD = re.compile(r"\d|ffinity|NUMA|ID")
_RULE = re.compile(r"[\s:+-]+\Z")


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
    layout = Layout(header_text, columns, tails, words)
    open_line = open_end(lines)
    for group in groups[1:]:
        first, text = group[0]
        matrix.used += [n for n, _ in group]
        label = LABEL.match(text)
        if is_left_out(text):
            matrix.problems.append((first, "left-out", ""))
        elif label is None or label[1] in matrix.rows:
            matrix.problems.append((first, "cut" if group[-1][0] == open_line else "damaged", ""))
        else:
            read_row(matrix, layout, label[1], [text for _, text in group], first, group[-1][0] == open_line)
    if not any(row.cells.get(label) in SELF for label, row in matrix.rows.items()):
        matrix.rows.clear()
    beyond = [label for label in matrix.rows if label not in columns]
    matrix.labels = [*columns, *beyond]
    if beyond and not cut:
        matrix.problems.append((matrix.line, "cut", "header"))
    # A cut header counts no columns; the rows do, if the text goes on behind them.
    matrix.is_whole = not (cut or beyond) or bool(matrix.names) or (bool(beyond) and end > groups_end)
    settle(matrix)
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
        elif _LEGEND.match(text) or (HEADER.match(text) and LABEL.match(text) and len(groups) > 1):
            break
        elif is_left_out(text) or (LABEL.match(text) and not HEADER.match(text) and _is_row(text)):
            groups.append([(lines.numbers[i], text)])
            blank = False
        elif not blank and len(groups) > 1 and _PART_OF_LABEL.match(text) and lines.numbers[i] == open_end(lines):
            groups.append([(lines.numbers[i], text)])
        elif not blank and len(groups[-1]) < _PIECES and _is_continuation(text, groups):
            groups[-1].append((lines.numbers[i], text))
        else:
            break
        i += 1
    return groups, i


def _is_row(text: str) -> bool:
    label = LABEL.match(text)
    if label is None or TAIL_AT.search(text):
        return False
    rest = text[label.end() :].split()
    return not rest or any(word in EMPTY or (CELL.match(word) and not _IS_LABEL.match(word)) for word in rest[:3])


def _is_continuation(text: str, groups: list[list[tuple[int, str]]]) -> bool:
    """Whether a line could be the rest of a wrapped one: words, or pieces of words, of a header or of a row."""
    words = text.split()
    if len(groups) == 1:
        ends_it = _HEADER_WORD.search(text) or not _columns("".join(piece for _, piece in groups[0]) + text)[2]
        return bool(ends_it) and all(_NAME.match(word) for word in words)
    return all(word in EMPTY or CELL.match(word) or _PIECE.match(word) for word in words)


# --- header and legends ---------------------------------------------------------------------------------------


def _header(texts: list[str]) -> tuple[str, list[str], list[str], bool]:
    """Text, device labels and keys of the columns behind them, and whether the header is cut."""
    text = joined(texts, lambda joined: not _columns(joined)[2])
    return text, *_columns(text)


def _columns(text: str) -> tuple[list[str], list[str], bool]:
    labels: list[str] = []
    tails: list[str] = []
    for match in _COLUMN.finditer(text):
        word = match.group()
        key = next((key for start, key in _TAIL_KEYS if TAIL_AT.match(word) and word.lower().startswith(start)), None)
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
