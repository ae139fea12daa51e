"""A scrape of dcgm-exporter: one line for each GPU and metric, with GPU, host and pod as labels."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

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
    """The lines of one host in one scrape."""

    host: str | None
    samples: list[tuple[int, str, dict[str, str], str]] = field(default_factory=list)
    seen: set[tuple[str, str]] = field(default_factory=set)


def read(block: Block) -> Iterator[Part]:
    scrapes: list[_Scrape] = []
    comments: list[int] = []
    problems: list[tuple[int, Why]] = []
    last, end = open_end(block.lines), 0
    for i, (n, text) in enumerate(block.lines):
        sample = _SAMPLE.match(text)
        if sample and n == last and not text.endswith((" ", "\t")):
            problems.append((n, "cut"))  # the figure may go on
        elif sample:
            labels = {key: value.replace('\\"', '"').replace("\\\\", "\\") for key, value in _LABEL.findall(sample[2])}
            _scrape(scrapes, labels, sample[1], sample[2]).samples.append((n, sample[1], labels, sample[3]))
        elif _COMMENT.match(text):
            comments.append(n)
        elif _BARE.match(text) or (n == last and text.startswith("DCGM")):
            problems.append((n, "cut" if n == last else "damaged"))
        elif is_left_out(text):
            problems.append((n, "left-out"))
        elif text.strip() and not text.startswith("#"):
            break
        end = i + 1 if text.strip() else end
    yield from _parts(block, scrapes, comments, problems, end)


def _scrape(scrapes: list[_Scrape], labels: dict[str, str], metric: str, series: str) -> _Scrape:
    """The scrape that a sample belongs to: its host's newest, or a new one if that has this series already."""
    host = known(labels.get("Hostname", "") or labels.get("hostname", ""))
    mine = next((scrape for scrape in reversed(scrapes) if scrape.host == host), None)
    if mine is None or (metric, series) in mine.seen:
        mine = _Scrape(host)
        scrapes.append(mine)
    mine.seen.add((metric, series))
    return mine


def _parts(block: Block, scrapes: list[_Scrape], comments: list[int], problems: list[tuple[int, Why]], end: int) -> Iterator[Part]:
    if not scrapes:
        notes = Notes("dcgm-exporter", block)
        for n, why in problems:
            notes.problem(n, why)
        if problems:
            yield notes.part()
        return
    firsts = [scrape.samples[0][0] for scrape in scrapes]
    samples = sorted(n for scrape in scrapes for n, *_ in scrape.samples)
    for at, scrape in enumerate(scrapes):
        first, last = firsts[at], scrape.samples[-1][0]
        lines = block.lines[bisect_left(block.lines.numbers, first) : min(bisect_right(block.lines.numbers, last), end)]
        notes = Notes("dcgm-exporter", Block(lines, block.command, block.host, block.first if at == 0 else first), host=scrape.host)
        # Lines of other hosts may stand between: they are read, in their own part.
        notes.use(*samples[bisect_left(samples, first) : bisect_right(samples, last)])
        for n, metric, labels, text in scrape.samples:
            _put(notes, n, metric, labels, text)
        for n in comments:
            if max(bisect_right(firsts, n) - 1, 0) == at:
                notes.use(n)
        for n, why in problems:
            if max(bisect_right(firsts, n) - 1, 0) == at:
                notes.problem(n, why)
        notes.count("gpus", "gpu_count")
        yield notes.part()


def _put(notes: Notes, n: int, metric: str, labels: dict[str, str], text: str) -> None:
    index = labels.get("gpu", "")
    if not index.isdigit():
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
