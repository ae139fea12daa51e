"""`nvidia-smi dmon`: samples of each GPU in columns that depend on `-s`; also with date and time (`-o DT`) and as CSV."""

import re
from collections.abc import Iterator

from advisor.evidence.reading import Part
from advisor.readers._again import Runs
from advisor.readers._nvidia import TOOL_ERROR
from advisor.readers._samples import Column, named, put_sample
from advisor.readers.contract import Block, Reader, command
from advisor.readers.shapes import is_left_out, open_end

_HEADER = re.compile(r"\s*#\s*(?:Date,?\s+)?(?:Time,?\s+)?gpu,?\s+(?=.*\b(?:pwr|sm|rxpci|fb|mclk|sbecc|pviol)\b)[\w\s,.-]+\Z")
_UNITS = re.compile(r"\s*#\s*(?:YYYYMMDD,?\s+)?(?:HH:MM:SS,?\s+)?Idx\b")
_ROW = re.compile(r"\s*#?\s*(?:\d{8},?\s+)?(?:\d\d:\d\d:\d\d,?\s+)?(\d+)(?:,?\s+|\Z)(.*)\Z")
_SPLIT = re.compile(r"[,\s]+")
# `sm` and `mem` are the utilisation of GPU and memory controller, `pci` counts replays (`-s e`), `fb` is in units of 2^20 byte.
# `--gpm-metrics` adds shares in per cent and NVLink in MiB/s; its `pcirx` and `pcitx` are left to `rxpci` and `txpci`.
_COLUMNS = {
    "pwr": Column("power_w"),
    "gtemp": Column("gpu_temp_c"),
    "temp": Column("gpu_temp_c"),
    "sm": Column("gpu_util_percent"),
    "mem": Column("mem_copy_util_percent"),
    "rxpci": Column("pcie_rx_gBps", "MB/s"),
    "txpci": Column("pcie_tx_gBps", "MB/s"),
    "fb": Column("memory_used_bytes"),
    "pci": Column("pcie_replays"),
    "gract": Column("gr_engine_active", "%"),
    "smutil": Column("sm_active", "%"),
    "smocc": Column("sm_occupancy", "%"),
    "mmaact": Column("tensor_active", "%"),
    "dram": Column("dram_active", "%"),
    "nvlrx": Column("nvlink_rx_gBps", "MiB/s"),
    "nvltx": Column("nvlink_tx_gBps", "MiB/s"),
}


def read(block: Block) -> Iterator[Part]:
    runs = Runs("nvidia-smi-dmon", block, (("gpus", "gpu_count"),))
    names: list[str] = []
    units: list[str] = []
    last = open_end(block.lines)
    for i, (n, text) in enumerate(block.lines):
        if not text.strip():
            continue
        notes = runs.notes
        row = _ROW.match(text)
        if _HEADER.match(text):
            found = _words(text)
            found = found[found.index("gpu") + 1 :]
            if names and found != names:
                runs.begin(i)  # other columns: another run
            names, units = found, []
            runs.notes.use(n)
        elif names and (index := _UNITS.match(text)):
            units = _words(text[index.end() :])
            notes.use(n)
        elif row and names:
            cells = [cell for cell in _SPLIT.split(row[2].strip()) if cell]
            if n == last and not text.endswith(" "):
                cells = cells[:-1]  # the last figure may go on
            if len(cells) != len(names):
                notes.problem(n, "cut" if len(cells) < len(names) else "damaged")
            if 0 < len(cells) <= len(names):
                put_sample(notes, n, f"GPU{row[1]}", named(names, _COLUMNS), units, cells)
        elif is_left_out(text):
            notes.problem(n, "left-out")
        elif TOOL_ERROR.search(text):
            notes.problem(n, "tool-error")
        elif names and n == last:
            notes.problem(n, "cut")
        else:
            break
    yield from runs.parts()


def _words(text: str) -> list[str]:
    return [word for word in _SPLIT.split(text.replace("#", " ").strip()) if word]


READER = Reader("nvidia-smi-dmon", read, commands=command("nvidia-smi", options=r"\bdmon\b"), starts=_HEADER)
