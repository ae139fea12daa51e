"""Tables of GPU samples: a name row, a unit row, then one row for each GPU and moment (`dcgmi dmon`, `nvidia-smi dmon`)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from advisor.readers._nvidia import MIB
from advisor.readers.contract import Notes
from advisor.readers.shapes import known, number

Scale = Callable[[float], float]
_BYTE_RATES = {"B/s": 1.0, "KB/s": 1e3, "MB/s": 1e6, "GB/s": 1e9, "MiB/s": float(MIB)}


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its fact and the unit of its figures where the unit row gives none."""

    fact: str
    unit: str = ""


def value(column: Column, unit: str, text: str) -> object:
    """A cell in the unit of its fact; None is unknown (`N/A`, `-`) or no number."""
    figure = number(text)
    if figure is None:
        return None
    unit = (unit or column.unit).removeprefix("GPM:")
    if column.fact.endswith("_gBps"):
        return figure * _BYTE_RATES[unit] / 1e9 if unit in _BYTE_RATES else None
    if column.fact.endswith("_bytes"):
        return int(figure * MIB)
    if unit == "mJ":
        return figure / 1e3
    if unit == "%" and not column.fact.endswith("_percent"):
        return figure / 100  # a share is 0 to 1
    return figure


def put_sample(notes: Notes, n: int, gpu: str, columns: list[Column | None], units: list[str], cells: list[str]) -> None:
    """A row as a sample of its GPU; a cell that is neither a number nor unknown is damaged."""
    sample: dict[str, object] = {}
    for column, unit, cell in zip(columns, [*units, *[""] * len(columns)], cells, strict=False):
        if column is None:
            continue
        found = value(column, unit, cell)
        if found is not None:
            sample[column.fact] = found
        elif known(cell):
            notes.problem(n, "damaged", column.fact)
    notes.thing(n, "gpus", gpu)
    facts = notes.facts["gpus"][gpu]
    facts.setdefault("samples", []).append(sample)
    facts["sample_count"] = len(facts["samples"])


def named(names: list[str], known_columns: Mapping[str, Column]) -> list[Column | None]:
    return [known_columns.get(name) for name in names]
