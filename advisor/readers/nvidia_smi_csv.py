"""`nvidia-smi --query-gpu=... --format=csv`: one row for each GPU. Loops (`-l`) repeat the rows: samples of each GPU, in order."""

import re
from collections.abc import Callable, Iterator

from advisor.evidence.reading import Part
from advisor.readers._again import Runs
from advisor.readers._nvidia import REASONS, TOOL_ERROR, active, below_max, bytes_of, held_by, is_unknown, lanes
from advisor.readers.contract import Block, Reader, command
from advisor.readers.shapes import is_left_out, leading_number, number, open_end, pci_address

_QUERY = re.compile(r"--query-gpu[= ]\"?'?([\w.,]+)")
_NO_HEADER = re.compile(r"\bnoheader\b")
_UNIT = re.compile(r"\s*\[([^\]]*)\]\s*\Z")
_SEPARATOR = re.compile(r"\s*[,;\t]\s*")


def _integer(text: str, unit: str) -> object:
    figure = leading_number(text)
    return int(figure) if figure is not None else None


def _figure(text: str, unit: str) -> object:
    return leading_number(text)


def _text(text: str, unit: str) -> object:
    return text


# Column -> fact and how its value is read. Where several columns give one fact, the first that is known counts.
_COLUMNS: dict[str, tuple[str, Callable[[str, str], object]]] = {
    "name": ("model", _text),
    "gpu_name": ("model", _text),
    "pci.bus_id": ("pci_address", lambda text, unit: pci_address(text)),
    "gpu_bus_id": ("pci_address", lambda text, unit: pci_address(text)),
    "pstate": ("perf_state", _text),
    "pcie.link.gen.current": ("pcie_gen", _integer),
    "pcie.link.gen.gpucurrent": ("pcie_gen", _integer),
    "pcie.link.gen.max": ("pcie_gen_max", _integer),
    "pcie.link.gen.gpumax": ("pcie_gen_max", _integer),
    "pcie.link.gen.hostmax": ("pcie_gen_host_max", _integer),
    "pcie.link.width.current": ("pcie_width", lambda text, unit: lanes(text)),
    "pcie.link.width.max": ("pcie_width_max", lambda text, unit: lanes(text)),
    "utilization.gpu": ("gpu_util_percent", _figure),
    "utilization.memory": ("mem_copy_util_percent", _figure),
    "power.draw": ("power_w", _figure),
    "power.draw.average": ("power_w", _figure),
    "power.draw.instant": ("power_w", _figure),
    "power.limit": ("power_limit_w", _figure),
    "temperature.gpu": ("gpu_temp_c", _figure),
    "memory.used": ("memory_used_bytes", lambda text, unit: bytes_of(text, unit or "MiB")),
    "memory.total": ("memory_total_bytes", lambda text, unit: bytes_of(text, unit or "MiB")),
    "driver_version": ("driver", _text),
    "uuid": ("uuid", _text),
    "gpu_uuid": ("uuid", _text),
    "timestamp": ("timestamp", _text),
    "clocks_throttle_reasons.active": ("throttle_reasons", lambda text, unit: held_by(text)),
    "clocks_event_reasons.active": ("throttle_reasons", lambda text, unit: held_by(text)),
}
_REASON = re.compile(r"clocks_(?:throttle|event)_reasons\.(?P<name>\w+)")
_CELL = (
    r"\"?(?:index|count|name|gpu_name|timestamp|uuid|gpu_uuid|serial|gpu_serial|driver_version|vbios_version|pstate|gpu_bus_id"
    r"|(?:pcie?|utilization|power|temperature|memory|clocks|fan|ecc|enforced|compute|display|persistence|mig|encoder|retired)[\w.]*)\"?"
    r"(?: ?\[[^\],]*\])?"
)
_HEADER = re.compile(rf"\s*{_CELL}(?:\s*[,;\t]\s*{_CELL})*\s*\Z")
_START = re.compile(rf"(?=.*(?:pcie?\.|pstate|utilization\.|memory\.|power\.|temperature\.|clocks\w*\.)){_HEADER.pattern}")


def read(block: Block) -> Iterator[Part]:
    runs = Runs("nvidia-smi-csv", block, (("gpus", "gpu_count"),))
    asked = _QUERY.search(block.command or "")
    columns = _columns(asked[1]) if asked else []
    rows = _Rows(runs, columns if asked and _NO_HEADER.search(block.command or "") else [])
    last = open_end(block.lines)
    for i, (n, text) in enumerate(block.lines):
        if not text.strip():
            continue
        if _is_header(text):
            rows.close()
            if rows.seen:
                runs.begin(i)
            runs.notes.use(n)
            rows = _Rows(runs, _columns(text))
        elif TOOL_ERROR.search(text):
            runs.notes.problem(n, "tool-error")
        elif is_left_out(text):
            runs.notes.problem(n, "left-out")
        elif not rows.row(n, text, n == last):
            break
    rows.close()
    yield from runs.parts()


def _columns(text: str) -> list[tuple[str, str]]:
    """Names and units of the columns."""
    found = []
    for word in _SEPARATOR.split(text.strip()):
        unit = _UNIT.search(word)
        found.append((_UNIT.sub("", word).strip(' "').lower(), unit[1] if unit else ""))
    return found


def _is_header(text: str) -> bool:
    return _START.match(text) is not None or (_HEADER.match(text) is not None and _SEPARATOR.search(text.strip()) is not None)


def _may_go_on(cell: str, column: str) -> bool:
    """Whether a value at the end of a text may be cut: a figure without its unit, or text."""
    return not (cell.endswith((" %", "iB", " W", "]")) or (column.startswith("pcie.link.gen") and cell.isdecimal()))


class _Rows:
    """Rows under one header. A GPU that comes again is sampled again."""

    def __init__(self, runs: Runs, columns: list[tuple[str, str]]) -> None:
        self.runs, self.columns = runs, columns
        self.seen: dict[str, list[tuple[int, dict[str, object]]]] = {}
        self.addresses: dict[str, str] = {}
        self.count = 0

    def row(self, n: int, text: str, at_open_end: bool) -> bool:
        if not self.columns:
            return False
        cells = [cell.strip(' "') for cell in _SEPARATOR.split(text.strip())]
        notes, width = self.runs.notes, len(self.columns)
        if len(cells) > width or (len(cells) < width and not at_open_end) or (len(cells) == 1 and width > 1):
            if at_open_end or (len(cells) > width - 2 and cells[0].isdecimal()):
                notes.problem(n, "cut" if at_open_end else "damaged")
                return True
            return False
        if len(cells) < width or (at_open_end and _may_go_on(cells[-1], self.columns[width - 1][0])):
            notes.problem(n, "cut")
            cells = cells[:-1]
        values = self._values(n, cells)
        name = self._name(cells, values)
        if name:
            notes.use(n)
            self.seen.setdefault(name, []).append((n, values))
        return True

    def _values(self, n: int, cells: list[str]) -> dict[str, object]:
        values: dict[str, object] = {}
        reasons: dict[str, bool] = {}
        for (column, unit), cell in zip(self.columns, cells, strict=False):
            reason = _REASON.fullmatch(column)
            if reason and reason["name"] in REASONS:
                if (is_active := active(cell)) is not None:
                    reasons[reason["name"]] = is_active
            elif column in _COLUMNS and not is_unknown(cell):
                fact, as_value = _COLUMNS[column]
                value = as_value(cell, unit)
                if value is None:
                    self.runs.notes.problem(n, "damaged", column)
                else:
                    values.setdefault(fact, value)
        if reasons:
            values.setdefault("throttle_reasons", reasons)
        return {**values, **below_max(values)}

    def _name(self, cells: list[str], values: dict[str, object]) -> str:
        """The GPU of a row: by its index, else by its order; an address or UUID that comes again is the same GPU."""
        index = next((cell for (column, _), cell in zip(self.columns, cells, strict=False) if column == "index"), None)
        if index is not None:
            return f"GPU{index}" if isinstance(number(index), int) else ""
        identity = str(values.get("pci_address") or values.get("uuid") or f"row {self.count}")
        if identity not in self.addresses:
            self.addresses[identity] = f"GPU{len(self.addresses)}"
        self.count += 1
        return self.addresses[identity]

    def close(self) -> None:
        """Facts of each GPU: the row, or of several rows what they agree in, and the samples."""
        notes = self.runs.notes
        for name, rows in self.seen.items():
            first = rows[0][0]
            notes.thing(first, "gpus", name)
            same = {key: value for key, value in rows[0][1].items() if all(values.get(key) == value for _, values in rows)}
            notes.put_all(first, same, "gpus", name)
            if len(rows) > 1:
                notes.put(first, len(rows), "gpus", name, "sample_count")
                notes.put(first, [{k: v for k, v in values.items() if k not in same} for _, values in rows], "gpus", name, "samples")


READER = Reader("nvidia-smi-csv", read, commands=command("nvidia-smi", options=r"--query-gpu"), starts=_START)
