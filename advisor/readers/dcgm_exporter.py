"""A scrape of dcgm-exporter: one line for each GPU and metric, with GPU, host and pod as labels."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from advisor.evidence.reading import Part, Why
from advisor.readers.contract import Block, Notes, Reader, command
from advisor.readers.shapes import is_left_out, known, number, open_end, pci_address

_NAME = r"(?:DCGM_FI_[A-Z0-9_]+|dcgm_[a-z0-9_]+)"
_COMMENT = re.compile(rf"\s*# (?:HELP|TYPE) {_NAME}\b")
_SAMPLE = re.compile(rf'\s*({_NAME})\{{((?:[^"{{}}]|"(?:[^"\\]|\\.)*")*)\}}\s+(\S+)(?:\s+(\d+))?\s*\Z')
_BARE = re.compile(rf"\s*{_NAME}\{{")
_LABEL = re.compile(r'([A-Za-z_]\w*)\s*=\s*"((?:[^"\\]|\\.)*)"')
_MIB = 2**20
# Metric -> fact and the factor of its figures. Profiling rates are byte/s, frame buffer is MiB, energy mJ (DCGM field list).
_FACTS: dict[str, tuple[str, float]] = {
    "DCGM_FI_DEV_GPU_UTIL": ("gpu_util_percent", 1),
    "DCGM_FI_DEV_MEM_COPY_UTIL": ("mem_copy_util_percent", 1),
    "DCGM_FI_PROF_GR_ENGINE_ACTIVE": ("gr_engine_active", 1),
    "DCGM_FI_PROF_SM_ACTIVE": ("sm_active", 1),
    "DCGM_FI_PROF_SM_OCCUPANCY": ("sm_occupancy", 1),
    "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE": ("tensor_active", 1),
    "DCGM_FI_PROF_DRAM_ACTIVE": ("dram_active", 1),
    "DCGM_FI_PROF_PCIE_TX_BYTES": ("pcie_tx_gBps", 1e-9),
    "DCGM_FI_PROF_PCIE_RX_BYTES": ("pcie_rx_gBps", 1e-9),
    "DCGM_FI_PROF_NVLINK_TX_BYTES": ("nvlink_tx_gBps", 1e-9),
    "DCGM_FI_PROF_NVLINK_RX_BYTES": ("nvlink_rx_gBps", 1e-9),
    "DCGM_FI_DEV_PCIE_REPLAY_COUNTER": ("pcie_replays", 1),
    "DCGM_FI_DEV_XID_ERRORS": ("xid", 1),
    "DCGM_FI_DEV_POWER_USAGE": ("power_w", 1),
    "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION": ("energy_j", 1e-3),
    "DCGM_FI_DEV_GPU_TEMP": ("gpu_temp_c", 1),
    "DCGM_FI_DEV_FB_USED": ("memory_used_bytes", _MIB),
    "DCGM_FI_DEV_PCIE_LINK_GEN": ("pcie_gen", 1),
    "DCGM_FI_DEV_PCIE_LINK_WIDTH": ("pcie_width", 1),
    "DCGM_FI_DEV_PCIE_MAX_LINK_GEN": ("pcie_gen_max", 1),
    "DCGM_FI_DEV_PCIE_MAX_LINK_WIDTH": ("pcie_width_max", 1),
}
# Names of the exporter before 2.0
_OLD = {
    "dcgm_gpu_utilization": "DCGM_FI_DEV_GPU_UTIL",
    "dcgm_mem_copy_utilization": "DCGM_FI_DEV_MEM_COPY_UTIL",
    "dcgm_gpu_temp": "DCGM_FI_DEV_GPU_TEMP",
    "dcgm_power_usage": "DCGM_FI_DEV_POWER_USAGE",
    "dcgm_total_energy_consumption": "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION",
    "dcgm_pcie_replay_counter": "DCGM_FI_DEV_PCIE_REPLAY_COUNTER",
    "dcgm_xid_errors": "DCGM_FI_DEV_XID_ERRORS",
    "dcgm_fb_used": "DCGM_FI_DEV_FB_USED",
}
# DCGM's "blank" figures (no data, not found, not supported, no permission) start here.
_BLANK_INT32, _BLANK_INT64, _BLANK_FLOAT = 0x7FFFFFF0, 0x7FFFFFFFFFFFFFF0, 140737488355328.0


@dataclass(slots=True)
class _Scrape:
    """What one host told in one scrape. `seen`: series, so that the next scrape is told apart."""

    host: str | None
    notes: Notes
    first: int
    last: int
    seen: set[tuple[str, str]] = field(default_factory=set)


def read(block: Block) -> Iterator[Part]:
    scrapes: list[_Scrape] = []
    newest: dict[str | None, _Scrape] = {}
    samples: list[int] = []
    comments: list[int] = []
    problems: list[tuple[int, Why]] = []
    last = open_end(block.lines)
    for n, text in block.lines:
        sample = _SAMPLE.match(text)
        if sample and n == last and not text.endswith((" ", "\t")):
            problems.append((n, "cut"))  # the figure may go on
        elif sample:
            samples.append(n)
            labels = _labels(sample[2])
            host = known(labels.get("Hostname", "") or labels.get("hostname", ""))
            mine = newest.get(host)
            if mine is None or (sample[1], sample[2]) in mine.seen:
                mine = newest[host] = _Scrape(host, Notes("dcgm-exporter", block, host=host), n, n)
                scrapes.append(mine)
            mine.seen.add((sample[1], sample[2]))
            mine.last = n
            _put(mine.notes, n, sample[1], labels, sample[3])
        elif _COMMENT.match(text):
            comments.append(n)
        elif _BARE.match(text) or (n == last and text.startswith("DCGM")):
            problems.append((n, "cut" if n == last else "damaged"))
        elif is_left_out(text):
            problems.append((n, "left-out"))
        elif text.strip() and not text.startswith("#"):
            break
    yield from _parts(block, scrapes, samples, comments, problems)


@lru_cache(maxsize=1024)
def _labels(text: str) -> Mapping[str, str]:
    """Labels of a series; those of a GPU repeat with every metric."""
    return {key: value.replace('\\"', '"').replace("\\\\", "\\") for key, value in _LABEL.findall(text)}


def _parts(
    block: Block, scrapes: list[_Scrape], samples: list[int], comments: list[int], problems: list[tuple[int, Why]]
) -> Iterator[Part]:
    if not scrapes:
        notes = Notes("dcgm-exporter", block)
        for n, why in problems:
            notes.problem(n, why)
        if problems:
            yield notes.part()
        return
    firsts = [scrape.first for scrape in scrapes]
    for n in comments:  # they stand before the first line of their metric, or between
        scrapes[max(bisect_right(firsts, n) - 1, 0)].notes.use(n)
    for n, why in problems:
        scrapes[max(bisect_right(firsts, n) - 1, 0)].notes.problem(n, why)
    numbers = block.lines.numbers
    for at, scrape in enumerate(scrapes):
        # Lines of other hosts may stand between: they are read, in their own part.
        scrape.notes.use(*samples[bisect_left(samples, scrape.first) : bisect_right(samples, scrape.last)])
        lines = block.lines[bisect_left(numbers, scrape.first) : bisect_right(numbers, scrape.last)]
        scrape.notes.block = Block(lines, block.command, block.host, block.first if at == 0 else scrape.first)
        scrape.notes.count("gpus", "gpu_count")
        yield scrape.notes.part()


def _put(notes: Notes, n: int, metric: str, labels: Mapping[str, str], text: str) -> None:
    index = labels.get("gpu", "")
    if not index.isdecimal():
        notes.ignore(n, "no GPU")
        return
    path: tuple[str, ...] = ("gpus", f"GPU{index}")
    notes.thing(n, *path)
    pod, namespace = (known(labels.get(key, "") or labels.get(f"exported_{key}", "")) for key in ("pod", "namespace"))
    whole = {
        "model": known(labels.get("modelName", "")),
        "pci_address": pci_address(labels.get("pci_bus_id", "")),
        "uuid": known(labels.get("UUID", "") or labels.get("uuid", "")),
        "driver": known(labels.get("DCGM_FI_DRIVER_VERSION", "")),
        "pod": f"{namespace}/{pod}" if pod and namespace else pod,
    }
    instance = known(labels.get("GPU_I_ID", ""))
    if instance:  # a MIG instance is a part of its GPU, not the GPU
        whole["pod"], pods = None, whole["pod"]
        notes.put_all(n, whole, *path)
        path = (*path, "instances", instance)
        notes.put(n, pods, *path, "pod")
    else:
        notes.put_all(n, whole, *path)
    figure = number(text)
    if figure is None:
        if known(text) and text.lower() not in ("nan", "+inf", "-inf", "inf"):
            notes.problem(n, "damaged", metric)
        return
    if _is_blank(figure):
        return
    notes.put(n, figure, *path, "counters", metric)
    fact, factor = _FACTS.get(_OLD.get(metric, metric), ("", 1))
    if fact:
        scaled = figure if factor == 1 else figure * factor
        notes.put(n, int(scaled) if fact.endswith("_bytes") else scaled, *path, fact)


def _is_blank(figure: float) -> bool:
    return _BLANK_INT32 <= figure <= _BLANK_INT32 + 15 or figure >= _BLANK_INT64 or _BLANK_FLOAT <= figure <= _BLANK_FLOAT + 15


READER = Reader(
    "dcgm-exporter",
    read,
    commands=command("curl", "wget", options=r":9400\b"),
    starts=re.compile(rf"{_COMMENT.pattern}|{_SAMPLE.pattern}"),
)
