"""`dcgmi dmon`: samples of each GPU by DCGM field, named by its short name in the header."""

import re
from collections.abc import Iterator

from advisor.evidence.reading import Part
from advisor.readers._again import Runs
from advisor.readers._nvidia import TOOL_ERROR
from advisor.readers._samples import Column, named, put_sample
from advisor.readers.contract import Block, Reader, command
from advisor.readers.shapes import is_left_out, open_end

_HEADER = re.compile(r"\s*#\s*Entity(?:Id)?\s+((?:[A-Z0-9_]{3,6}\s+)*[A-Z0-9_]{3,6})\s*\Z")
_UNITS = re.compile(r"\s*I[dD]\b(.*)\Z")
_ROW = re.compile(r"\s*(GPU(?:-[IC]+)?|Switch|CPU|vGPU|Link)\s+(\d+)(?:\s+(\S.*?))?\s*\Z")
# DCGM's short names (`dcgmi dmon -l`) and units: profiling rates are byte/s, the old NVML throughput KB/s, frame buffer MiB, energy mJ.
_COLUMNS = {
    "GPUTL": Column("gpu_util_percent"),
    "MCUTL": Column("mem_copy_util_percent"),
    "GRACT": Column("gr_engine_active"),
    "SMACT": Column("sm_active"),
    "SMOCC": Column("sm_occupancy"),
    "TENSO": Column("tensor_active"),
    "DRAMA": Column("dram_active"),
    "PCITX": Column("pcie_tx_gBps", "B/s"),
    "PCIRX": Column("pcie_rx_gBps", "B/s"),
    "NVLTX": Column("nvlink_tx_gBps", "B/s"),
    "NVLRX": Column("nvlink_rx_gBps", "B/s"),
    "TXTPT": Column("pcie_tx_gBps", "KB/s"),
    "RXTPT": Column("pcie_rx_gBps", "KB/s"),
    "RPCTR": Column("pcie_replays"),
    "XIDER": Column("xid"),
    "POWER": Column("power_w"),
    "TOTEC": Column("energy_j", "mJ"),
    "TMPTR": Column("gpu_temp_c"),
    "FBUSD": Column("memory_used_bytes"),
    "FBTTL": Column("memory_total_bytes"),
    "PCILG": Column("pcie_gen"),
    "PCILW": Column("pcie_width"),
    "PCIMG": Column("pcie_gen_max"),
    "PCIMW": Column("pcie_width_max"),
}


def read(block: Block) -> Iterator[Part]:
    runs = Runs("dcgmi-dmon", block, (("gpus", "gpu_count"),))
    names: list[str] = []
    last = open_end(block.lines)
    for i, (n, text) in enumerate(block.lines):
        if not text.strip():
            continue
        notes = runs.notes
        header, row = _HEADER.match(text), _ROW.match(text)
        if header:
            if names and header[1].split() != names:
                runs.begin(i)  # other fields: another run
            names = header[1].split()
            runs.notes.use(n)
        elif names and _UNITS.match(text):
            notes.use(n)  # DCGM's fields have one unit each, told or not
        elif row and names:
            cells = (row[3] or "").split()
            if n == last and not text.endswith(" "):
                cells = cells[:-1]  # the last figure may go on
            if len(cells) < len(names):
                notes.problem(n, "cut")
                if cells and row[1] == "GPU":
                    put_sample(notes, n, f"GPU{row[2]}", named(names, _COLUMNS), [], cells)
            elif len(cells) > len(names):
                notes.problem(n, "damaged")
            elif row[1] == "GPU":
                put_sample(notes, n, f"GPU{row[2]}", named(names, _COLUMNS), [], cells)
            else:
                notes.ignore(n, "no GPU")
        elif is_left_out(text):
            notes.problem(n, "left-out")
        elif TOOL_ERROR.search(text):
            notes.problem(n, "tool-error")
        elif names and n == last and "GPU".startswith(text.split()[0]):
            notes.problem(n, "cut")
        else:
            break
    yield from runs.parts()


READER = Reader("dcgmi-dmon", read, commands=command("dcgmi", options=r"\bdmon\b"), starts=_HEADER)
