"""`nvidia-smi nvlink -s`, `-e`, `-gt` (and `ppu-smi icn`): the links of each GPU with rate, errors and traffic."""

import re
from collections.abc import Iterator

from advisor.evidence.reading import Part
from advisor.readers._again import Runs
from advisor.readers._nvidia import TOOL_ERROR
from advisor.readers.contract import Block, Reader, command
from advisor.readers.shapes import is_left_out, known, number, open_end

_GPU = re.compile(r"\s*([GP]PU) (\d+): (\S.*?)\s*(?:\(UUID: (\S+?)\)?)?\s*\Z")
_START = re.compile(r"\s*[GP]PU \d+: \S.*\(UUID: (?:GPU-)?[\w.-]+\)\s*\Z")
_LINK = re.compile(r"\s*Link (\d+)\s*[:,]\s*(\S.*?)\s*\Z")
_RATE = re.compile(r"(\d+(?:\.\d+)?) ?GB/s\Z", re.IGNORECASE)
_COUNTER = re.compile(r"([A-Z][\w ()/-]*?)(?: - (\d+))?\s*:\s*(\S.*?)\Z")
_NONE_ACTIVE = re.compile(r"all links are in-?active", re.IGNORECASE)
_MARKER = re.compile(r"\s*(?:[=#*-]{2,}.*|GPU \d+ NVLink Errors.*)\Z")
_SOURCE = re.compile(r"\s*(?:for .*; *do|done|echo .*|nvidia-smi nvlink .*)\Z")
# Errors that the vocabulary names; other counters are kept under their own names.
_ERRORS = {"replay errors": "replay_errors", "recovery errors": "recovery_errors", "crc errors": "crc_errors"}
_TRAFFIC = {"data tx": "tx_bytes", "data rx": "rx_bytes", "raw tx": "raw_tx_bytes", "raw rx": "raw_rx_bytes"}
_UNIT = {"": 1, "b": 1, "bytes": 1, "kib": 2**10, "kb": 2**10, "mib": 2**20, "gib": 2**30}
_AMOUNT = re.compile(r"(\d+(?:\.\d+)?)\s*([A-Za-z]*)\Z")


def read(block: Block) -> Iterator[Part]:
    reader = _Reader(Runs("nvidia-smi-nvlink", block, (("gpus", "gpu_count"),)))
    for i, (n, text) in enumerate(block.lines):
        if text.strip() and not reader.line(i, n, text):
            break
    reader.close_gpu()
    # The first line of `nvidia-smi -L` is the same: only what tells of links is ours.
    yield from (part for part in reader.runs.parts() if reader.has_links)


class _Reader:
    """State between lines: the GPU that links belong to, and whether its list is whole."""

    def __init__(self, runs: Runs) -> None:
        self.runs = runs
        self.gpu = ""
        self.statuses = self.rates = self.first = 0
        self.whole = True
        self.has_links = False
        self.last = open_end(runs.block.lines)

    def line(self, i: int, n: int, text: str) -> bool:
        """Read one line; False where the output has ended."""
        gpu, link = _GPU.match(text), _LINK.match(text)
        notes = self.runs.notes
        if gpu and n == self.last and not text.rstrip().endswith(")"):
            notes.problem(n, "cut")
        elif gpu:
            self._begin_gpu(i, n, f"{gpu[1]}{gpu[2]}", gpu[3], gpu[4])
        elif link:
            self.has_links = True
            self._link(i, n, link[1], link[2])
        elif _NONE_ACTIVE.search(text):
            self.has_links = True
            self._named(n)
            self.runs.notes.put(n, 0, "gpus", self.gpu, "nvlink_active_count")
        elif is_left_out(text):
            self.whole = False
            notes.problem(n, "left-out")
        elif TOOL_ERROR.search(text):
            self.has_links = True
            notes.problem(n, "tool-error")
        elif n == self.last and self.gpu and "Link".startswith(text.split()[0]):
            self.whole = False
            notes.problem(n, "cut")
        elif _MARKER.match(text) or _SOURCE.match(text):
            notes.ignore(n, "marker")
        else:
            return False
        return True

    def close_gpu(self) -> None:
        links = self.runs.notes.get("gpus", self.gpu, "nvlinks") if self.gpu else None
        if links and self.whole:
            self.runs.notes.put(self.first, len(links), "gpus", self.gpu, "nvlink_count")
            if self.statuses:
                self.runs.notes.put(self.first, self.rates, "gpus", self.gpu, "nvlink_active_count")

    def _begin_gpu(self, i: int, n: int, name: str, model: str, uuid: str | None) -> None:
        self.close_gpu()
        if self.runs.notes.get("gpus", name, "nvlinks"):
            self.runs.begin(i)
        self.gpu, self.first, self.whole, self.statuses, self.rates = name, n, True, 0, 0
        self.runs.notes.thing(n, "gpus", name)
        self.runs.notes.put_all(n, {"model": known(model), "uuid": known(uuid or "")}, "gpus", name)

    def _named(self, n: int) -> None:
        if not self.gpu:
            self.gpu, self.first = "#1", n
            self.runs.notes.thing(n, "gpus", self.gpu)

    def _link(self, i: int, n: int, link: str, rest: str) -> None:
        self._named(n)
        notes = self.runs.notes
        path = ("gpus", self.gpu, "nvlinks", link)
        rate, counter = _RATE.match(rest), _COUNTER.match(rest)
        if n == self.last and not (rate or rest.strip("<>").lower() == "inactive"):  # a count may go on
            self.whole = False
            notes.problem(n, "cut")
            return
        notes.thing(n, *path)
        if rate:
            self.statuses += 1
            self.rates += 1
            notes.put(n, number(rate[1]), *path, "rate_gBps")
        elif rest.strip("<>").lower() == "inactive":
            self.statuses += 1
        elif counter:
            self._counter(n, path, counter[1].strip(), counter[2], counter[3])
        elif known(rest):
            notes.problem(n, "damaged")

    def _counter(self, n: int, path: tuple[str, ...], name: str, index: str | None, text: str) -> None:
        notes, key = self.runs.notes, name.lower()
        amount = _AMOUNT.match(text)
        if key in _TRAFFIC and amount and amount[2].lower() in _UNIT:
            notes.put(n, int(float(amount[1]) * _UNIT[amount[2].lower()]), *path, _TRAFFIC[key])
        elif key in _ERRORS:
            notes.put(n, number(text), *path, _ERRORS[key])
            if number(text) is None and known(text):
                notes.problem(n, "damaged")
        elif number(text) is not None and not name.startswith(("Remote", "P2P")):
            notes.put(n, number(text), *path, "counters", f"{name} - {index}" if index else name)
        else:
            notes.ignore(n, "no fact of ours")


READER = Reader("nvidia-smi-nvlink", read, commands=command("nvidia-smi", "ppu-smi", options=r"\b(?:nvlink|icn)\b"), starts=_START)
