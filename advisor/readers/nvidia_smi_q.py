"""`nvidia-smi -q` (text, and XML of `-q -x`): each GPU by its PCI address, with its PCIe link."""

import re
from collections.abc import Callable, Iterator

from advisor.capture.lines import Lines
from advisor.evidence.reading import Part
from advisor.readers._again import Runs
from advisor.readers._nvidia import REASONS, TOOL_ERROR, active, below_max, bytes_of, is_unknown, lanes, rate_gBps
from advisor.readers._xml import Element, parse
from advisor.readers.contract import Block, Notes, Reader, command
from advisor.readers.shapes import KeyValue, integer, is_left_out, key_value, leading_number, open_end, pci_address

_GPU = re.compile(r"\s*GPU ([0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-7])\s*\Z")
_LOG = re.compile(r"=+\s*NVSMI LOG\s*=+\s*\Z")
_START = re.compile(rf"{_LOG.pattern}|{_GPU.pattern}")
_PAIR = re.compile(r"[A-Z][\w ()/.-]* : \S")
_HEAD = {"Timestamp", "Driver Version", "CUDA Version", "Attached GPUs"}
As = Callable[[str], object]


def _figure(text: str) -> object:
    return leading_number(text)


def _text(text: str) -> object:
    return text


# Keys of the sections of what holds the clocks down.
_REASONS = {
    "Idle": "gpu_idle",
    "Applications Clocks Setting": "applications_clocks_setting",
    "SW Power Cap": "sw_power_cap",
    "HW Slowdown": "hw_slowdown",
    "HW Thermal Slowdown": "hw_thermal_slowdown",
    "HW Power Brake Slowdown": "hw_power_brake_slowdown",
    "Sync Boost": "sync_boost",
    "SW Thermal Slowdown": "sw_thermal_slowdown",
    "Display Clock Setting": "display_clock_setting",
}
_REASON_SECTIONS = ("Clocks Throttle Reasons", "Clocks Event Reasons")
# Section and key -> fact (a dot goes a step down); a key alone where no other section has it. Where a driver has both spellings, the first
# that is known counts.
_FACTS: dict[tuple[str, str], tuple[str, As]] = {
    ("", "Product Name"): ("model", _text),
    ("", "GPU UUID"): ("uuid", _text),
    ("", "Performance State"): ("perf_state", _text),
    ("PCIe Generation", "Max"): ("pcie_gen_max", integer),
    ("PCIe Generation", "Current"): ("pcie_gen", integer),
    ("PCIe Generation", "Device Current"): ("pcie_gen", integer),
    ("PCIe Generation", "Device Max"): ("pcie_gen_max", integer),
    ("PCIe Generation", "Host Max"): ("pcie_gen_host_max", integer),
    ("Link Width", "Max"): ("pcie_width_max", lanes),
    ("Link Width", "Current"): ("pcie_width", lanes),
    ("", "Replays Since Reset"): ("pcie_replays", integer),
    ("", "Replays since reset"): ("pcie_replays", integer),
    ("", "Replay Number Rollovers"): ("pcie_replay_rollovers", integer),
    ("", "Tx Throughput"): ("pcie_tx_gBps", rate_gBps),
    ("", "Rx Throughput"): ("pcie_rx_gBps", rate_gBps),
    ("FB Memory Usage", "Total"): ("memory_total_bytes", bytes_of),
    ("FB Memory Usage", "Used"): ("memory_used_bytes", bytes_of),
    ("Utilization", "Gpu"): ("gpu_util_percent", _figure),
    ("Utilization", "GPU"): ("gpu_util_percent", _figure),
    ("Utilization", "Memory"): ("mem_copy_util_percent", _figure),
    ("Temperature", "GPU Current Temp"): ("gpu_temp_c", _figure),
    ("Power Readings", "Power Draw"): ("power_w", _figure),
    ("GPU Power Readings", "Power Draw"): ("power_w", _figure),
    ("GPU Power Readings", "Average Power Draw"): ("power_w", _figure),
    ("GPU Power Readings", "Instantaneous Power Draw"): ("power_w", _figure),
    **{(section, key): (f"throttle_reasons.{name}", active) for section in _REASON_SECTIONS for key, name in _REASONS.items()},
}
_SECTIONS = {section for section, _ in _FACTS if section} | {"PCI", "GPU Link Info", "Bridge Chip"}
_XML_FACTS: dict[tuple[str, ...], tuple[str, As]] = {
    ("product_name",): ("model", _text),
    ("uuid",): ("uuid", _text),
    ("performance_state",): ("perf_state", _text),
    ("pci", "pci_gpu_link_info", "pcie_gen", "max_link_gen"): ("pcie_gen_max", integer),
    ("pci", "pci_gpu_link_info", "pcie_gen", "current_link_gen"): ("pcie_gen", integer),
    ("pci", "pci_gpu_link_info", "pcie_gen", "max_host_link_gen"): ("pcie_gen_host_max", integer),
    ("pci", "pci_gpu_link_info", "link_widths", "max_link_width"): ("pcie_width_max", lanes),
    ("pci", "pci_gpu_link_info", "link_widths", "current_link_width"): ("pcie_width", lanes),
    ("pci", "replay_counter"): ("pcie_replays", integer),
    ("pci", "replay_rollover_counter"): ("pcie_replay_rollovers", integer),
    ("pci", "tx_util"): ("pcie_tx_gBps", rate_gBps),
    ("pci", "rx_util"): ("pcie_rx_gBps", rate_gBps),
    ("fb_memory_usage", "total"): ("memory_total_bytes", bytes_of),
    ("fb_memory_usage", "used"): ("memory_used_bytes", bytes_of),
    ("utilization", "gpu_util"): ("gpu_util_percent", _figure),
    ("utilization", "memory_util"): ("mem_copy_util_percent", _figure),
    ("temperature", "gpu_temp"): ("gpu_temp_c", _figure),
    ("power_readings", "power_draw"): ("power_w", _figure),
    ("gpu_power_readings", "power_draw"): ("power_w", _figure),
    ("gpu_power_readings", "instant_power_draw"): ("power_w", _figure),
    **{
        (f"clocks_{word}_reasons", f"clocks_{word}_reason_{name}"): (f"throttle_reasons.{name}", active)
        for word in ("throttle", "event")
        for name in REASONS
    },
}


def read(block: Block) -> Iterator[Part]:
    head = next((text for _, text in block.lines.inked()), "")
    if head.lstrip().startswith("<"):
        yield from _read_xml(block)
        return
    report = _Report(Runs("nvidia-smi-q", block, (("gpus", "gpu_count"),), _derive), open_end(block.lines))
    for i, (n, text) in enumerate(block.lines):
        if text.strip() and not report.line(i, n, text):
            break
    yield from report.runs.parts()


class _Report:
    """State between lines: the GPU, and the sections above a line by their indentation (a paste may have lost it)."""

    def __init__(self, runs: Runs, last: int | None) -> None:
        self.runs, self.last = runs, last
        self.gpu = ""
        self.stack: list[tuple[int, str]] = []
        self.seen: set[tuple[str, str]] = set()

    def line(self, i: int, n: int, text: str) -> bool:
        """Read one line; False where the report has ended."""
        address, entry = _GPU.match(text), key_value(text)
        notes = self.runs.notes
        if _LOG.match(text.strip()):
            if notes.get("gpus"):
                self.runs.begin(i)
            self.gpu, self.stack = "", []
            self.runs.notes.ignore(n, "banner")
        elif address:
            self.gpu, self.stack = pci_address(address[1]) or "", []
            if notes.get("gpus", self.gpu) is not None:
                self.runs.begin(i)
            self.runs.notes.thing(n, "gpus", self.gpu)
        elif TOOL_ERROR.search(text):
            notes.problem(n, "tool-error")
        elif is_left_out(text):
            notes.problem(n, "left-out")
        elif text.strip() == "--":
            notes.ignore(n, "rule")
        elif entry and not self.gpu and entry.key in _HEAD:
            _head(notes, n, entry.key, entry.value)
        elif not self._belongs(text, entry):
            return False
        elif n == self.last and not (entry and _is_whole(entry.value)):
            notes.problem(n, "cut")
        else:
            self._below(n, text, entry)
        return True

    def _belongs(self, text: str, entry: KeyValue | None) -> bool:
        if text[0].isspace():
            return bool(self.gpu or self.runs.block.command)
        key = entry.key if entry else text.strip()
        section = self.stack[-1][1] if self.stack else ""
        if self.gpu and self.stack and self.stack[0][0] == 0 and _PAIR.match(text):
            return True
        return bool(self.gpu) and (key in _SECTIONS or key == "Bus Id" or ("", key) in _FACTS or (section, key) in _FACTS)

    def _below(self, n: int, text: str, entry: KeyValue | None) -> None:
        """A line below a GPU: its section is the nearest line above it with less indentation."""
        notes = self.runs.notes
        indent = entry.indent if entry else len(text) - len(text.lstrip())
        if entry is None or not entry.value:
            while self.stack and self.stack[-1][0] >= indent:
                self.stack.pop()
            self.stack.append((indent, entry.key if entry else text.strip()))
            notes.use(n)
            return
        while len(self.stack) > (indent == 0) and self.stack[-1][0] >= indent > 0:
            self.stack.pop()
        section = self.stack[-1][1] if self.stack else ""
        found = _FACTS.get((section, entry.key)) or _FACTS.get(("", entry.key))
        address = pci_address(entry.value) if entry.key == "Bus Id" else None
        if address and not self.gpu:
            self.gpu = address
            notes.thing(n, "gpus", address)
        elif found is None:
            notes.ignore(n, "no fact of ours")
        elif is_unknown(entry.value):
            notes.use(n)
        else:
            _put(notes, n, self._named(n, section, entry.key), found, entry.value)

    def _named(self, n: int, section: str, key: str) -> str:
        """The GPU of a line; where a filter left its own line out, a key that comes again is the next one's."""
        if self.gpu and not self.gpu.startswith("#"):
            return self.gpu
        notes = self.runs.notes
        if not self.gpu or (section, key) in self.seen:
            self.gpu, self.seen = f"#{len(notes.get('gpus') or ()) + 1}", set()
            notes.thing(n, "gpus", self.gpu)
        self.seen.add((section, key))
        return self.gpu


def _is_whole(value: str) -> bool:
    """Whether a value at the end of a text is whole: its unit ends it."""
    return value.endswith(("/s", "MiB", " W", " C", " %", "N/A")) or re.match(r"\d+x\Z", value) is not None


def _head(notes: Notes, n: int, key: str, value: str) -> None:
    if key == "Attached GPUs":
        notes.put(n, integer(value), "gpu_count")
    elif key == "Driver Version" and not is_unknown(value):
        notes.put(n, value, "driver")
    else:
        notes.ignore(n, "no fact of ours")


def _put(notes: Notes, n: int, gpu: str, found: tuple[str, As], text: str) -> None:
    fact, as_value = found
    value = as_value(text)
    if value is None:
        notes.problem(n, "damaged", fact)
    elif notes.get("gpus", gpu, *fact.split(".")) is None:
        notes.put(n, value, "gpus", gpu, *fact.split("."))
    else:
        notes.use(n)


def _derive(notes: Notes) -> None:
    for gpu, facts in (notes.get("gpus") or {}).items():
        for key, value in below_max(facts).items():
            notes.put(notes.at.get(("gpus", gpu, key.replace("_below_max", "")), notes.block.first), value, "gpus", gpu, key)


# --- XML ------------------------------------------------------------------------------------------------------


def _recognises(head: str) -> bool:
    return re.search(r"<nvidia_smi_log\b", head) is not None


def _read_xml(block: Block) -> Iterator[Part]:
    notes = Notes("nvidia-smi-q", block)
    lines = _from_markup(block.lines)
    document = parse(lines.text)
    first = lines.numbers[0] if len(lines) else block.first
    if document.root is None or document.root.name != "nvidia_smi_log":
        return
    root = document.root
    end = document.error_line or root.end
    notes.use_range(first, lines.numbers[min(end, len(lines)) - 1])
    count, driver = root.value("attached_gpus"), root.value("driver_version")
    if integer(count) is not None:
        notes.put(first, integer(count), "gpu_count")
    if not is_unknown(driver):
        notes.put(first, driver, "driver")
    for element in root.children:
        address = pci_address(element.attributes.get("id", ""))
        if element.name == "gpu" and address:
            notes.thing(_number(lines, element), "gpus", address)
            for path, found in _XML_FACTS.items():
                here = element.find(*path)
                if here is not None and here.end and not is_unknown(here.text):
                    _put(notes, _number(lines, here), address, found, here.text.strip())
    _derive(notes)
    if notes.get("gpu_count") is None:
        notes.count("gpus", "gpu_count")
    if document.error_line is not None:
        notes.problem(lines.numbers[min(document.error_line, len(lines)) - 1], "cut" if document.error_line >= len(lines) else "damaged")
    yield notes.part()


def _number(lines: Lines, element: Element) -> int:
    return lines.numbers[min(element.line, len(lines)) - 1]


def _from_markup(lines: Lines) -> Lines:
    start = next((i for i, text in enumerate(lines.texts) if text.lstrip().startswith("<")), 0)
    return lines[start:]


READER = Reader(
    "nvidia-smi-q",
    read,
    commands=command("nvidia-smi", options=r"(?:-q|--query)(?=\s|\Z)"),
    starts=_START,
    recognises=_recognises,
)
