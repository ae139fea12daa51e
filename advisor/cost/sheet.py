"""A table out of a file that a seller sent: CSV or XLSX, as text by row and column. Formulas, macros and bombs are refused, never run.

Raises UsageError with `file`, and `row` and `column` where there is one.
"""

import csv
import io
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

from advisor.base.errors import UsageError

MOST_BYTES = 20_000_000
MOST_UNPACKED = 200_000_000
MOST_ROWS = 20_000
MOST_COLUMNS = 64
_FORMULA = ("=", "+", "@", "\t", "\r")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell as text with its place, as a spreadsheet shows it: row from 1, column by letter."""

    text: str
    row: int
    column: str


Row = tuple[Cell, ...]


def column_letter(index: int) -> str:
    """A, B, ... Z, AA of a column from 0."""
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def read_table(path: Path, sheet: str | None = None) -> tuple[Row, ...]:
    """The rows that hold something. Raises UsageError for a file that is no table of text and numbers."""
    name = path.name
    try:
        size = path.stat().st_size
        data = path.read_bytes() if size <= MOST_BYTES else b""
    except OSError as error:
        raise UsageError("no-such-list", file=str(path), why=error.strerror or str(error)) from None
    if size > MOST_BYTES:
        raise UsageError("list-too-large", file=name, most=f"{MOST_BYTES // 1_000_000} MB")
    if data.startswith(b"PK"):
        rows = _workbook(data, name, sheet)
    elif data.startswith(b"\xd0\xcf\x11\xe0"):  # the old binary form, which also holds encrypted workbooks
        raise UsageError("list-old-form", file=name)
    else:
        rows = _text(data, name)
    return tuple(row for row in _placed(rows, name) if any(cell.text for cell in row))


def _placed(rows: Iterable[Iterable[str]], name: str) -> Iterator[Row]:
    for number, row in enumerate(rows, 1):
        if number > MOST_ROWS:
            raise UsageError("list-too-large", file=name, most=f"{MOST_ROWS}")
        cells = tuple(Cell(text.strip(), number, column_letter(i)) for i, text in enumerate(row))
        if len(cells) > MOST_COLUMNS and any(cell.text for cell in cells[MOST_COLUMNS:]):
            raise UsageError("list-column", file=name, row=number, column=column_letter(MOST_COLUMNS), name=cells[MOST_COLUMNS].text[:40])
        for cell in cells:
            if cell.text.startswith(_FORMULA):
                raise UsageError("list-formula", file=name, row=cell.row, column=cell.column)
        yield cells[:MOST_COLUMNS]


def _text(data: bytes, name: str) -> Iterator[list[str]]:
    if b"\0" in data[:4096] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise UsageError("list-no-table", file=name)
    encodings = ("utf-16",) if data.startswith((b"\xff\xfe", b"\xfe\xff")) else ("utf-8-sig", "gb18030")
    for encoding in encodings:
        try:
            text = data.decode(encoding)
            break
        except UnicodeDecodeError:
            continue
    else:
        raise UsageError("list-no-table", file=name)
    head = text.partition("\n")[0]
    separator = max(",;\t", key=head.count)
    try:
        yield from csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    except csv.Error:
        raise UsageError("list-no-table", file=name) from None


def _workbook(data: bytes, name: str, sheet: str | None) -> Iterator[list[str]]:
    """The cells of the one sheet that holds something, or of the named one."""
    import warnings

    import openpyxl  # through defusedxml: entities and external documents are errors
    from openpyxl.xml import DEFUSEDXML

    if not DEFUSEDXML:
        raise UsageError("list-no-table", file=name)
    _require_harmless(data, name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of styles and extensions that hold no prices
        try:
            book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=False, keep_links=False)
            sheets = {each.title: list(_cells(each, name)) for each in book.worksheets if sheet in (None, each.title)}
        except UsageError:
            raise
        except Exception:  # a damaged or hostile file shows itself in any way that its parser knows
            raise UsageError("list-no-table", file=name) from None
    filled = {title: rows for title, rows in sheets.items() if any(any(row) for row in rows)}
    if len(filled) != 1:
        raise UsageError("list-sheets" if filled else "list-empty", file=name, sheets=", ".join(filled))
    yield from next(iter(filled.values()))


def _require_harmless(data: bytes, name: str) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            members = packed.infolist()
    except zipfile.BadZipFile:
        raise UsageError("list-no-table", file=name) from None
    names = {member.filename.lower() for member in members}
    if "xl/workbook.xml" not in names:
        raise UsageError("list-no-table", file=name)
    if any(each.endswith("vbaproject.bin") or "/macrosheets/" in each or "/activex/" in each for each in names):
        raise UsageError("list-macros", file=name)
    if any("/externallinks/" in each for each in names):
        raise UsageError("list-links", file=name)
    if sum(member.file_size for member in members) > MOST_UNPACKED:
        raise UsageError("list-too-large", file=name, most=f"{MOST_UNPACKED // 1_000_000} MB")


def _cells(sheet: Any, name: str) -> Iterator[list[str]]:
    for number, row in enumerate(sheet.iter_rows(max_col=MOST_COLUMNS + 1), 1):
        if number > MOST_ROWS:
            raise UsageError("list-too-large", file=name, most=f"{MOST_ROWS}")
        for i, cell in enumerate(row):
            if cell.data_type == "f":
                raise UsageError("list-formula", file=name, row=number, column=column_letter(i))
        yield [_as_text(cell.value) for cell in row]


def _as_text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float):
        return repr(int(value)) if value.is_integer() else repr(value)
    return str(value)
