"""The topology that NCCL or RCCL writes (NCCL_TOPO_DUMP_FILE) or is given (NCCL_TOPO_FILE): GPUs and NICs on a tree of PCIe bridges."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from advisor.evidence.reading import Part
from advisor.readers._xml import Element, parse
from advisor.readers.contract import Block, Notes, Reader
from advisor.readers.shapes import leading_number, number, pci_address

_GENERATIONS = {2.5: 1, 5.0: 2, 8.0: 3, 16.0: 4, 32.0: 5, 64.0: 6}
_SYSTEM = re.compile(r"<system\b[^<>]*>\s*(?:<!--.*?-->\s*)*<cpu\b", re.DOTALL)
_START = re.compile(r"\s*<system version=\"\d+\"[^<>]*>\s*\Z")


@dataclass(slots=True)
class _Leaf:
    """A GPU or NIC: its name, and the elements from the system down to its PCI function."""

    name: str
    element: Element
    pci: Element | None
    above: tuple[Element, ...]
    is_gpu: bool


@dataclass(slots=True)
class _Found:
    gpus: list[_Leaf] = field(default_factory=list)
    nics: list[_Leaf] = field(default_factory=list)


def read(block: Block) -> Iterator[Part]:
    notes = Notes("nccl-topo-xml", block)
    start = next((i for i, text in enumerate(block.lines.texts) if "<system" in text), None)
    if start is None:
        return
    lines = block.lines[start:]
    shift = lines.texts[0].index("<system")
    document = parse(lines.text[shift:])
    root = document.root
    if root is None or root.name != "system":
        return
    end = min(document.error_line or root.end, len(lines))
    notes.use_range(lines.numbers[0], lines.numbers[end - 1])
    in_comment = False
    for n, text in block.lines[:start].inked():
        in_comment |= "<!--" in text
        if in_comment or text.lstrip().startswith("<?xml"):
            notes.ignore(n, "comment")
        in_comment &= "-->" not in text
    found = _Found()
    for cpu in root.children:
        _collect(cpu, (cpu,), None, found)
    _put(notes, found, lines.numbers)
    if document.error_line is not None:
        notes.problem(lines.numbers[end - 1], "cut" if end >= len(lines) else "damaged")
    if notes.facts:
        yield notes.part()


def _collect(here: Element, above: tuple[Element, ...], pci: Element | None, found: _Found) -> None:
    """GPUs and NICs below an element. A PCI function that names neither is told by its class."""
    for child in here.children:
        if child.name == "pci":
            before = len(found.gpus) + len(found.nics)
            _collect(child, (*above, child), child, found)
            if child.end and len(found.gpus) + len(found.nics) == before and not any(inner.name == "pci" for inner in child.children):
                _bare(child, (*above, child), found)
        elif child.name == "gpu":
            index = child.attributes.get("dev", "")
            address = pci_address(pci.attributes.get("busid", "")) if pci else None
            name = f"GPU{index}" if index.isdecimal() else address
            if name:
                found.gpus.append(_Leaf(name, child, pci, above, True))
        elif child.name == "net":
            name = child.attributes.get("name")
            if name:
                found.nics.append(_Leaf(name, child, pci, above, False))
        else:
            _collect(child, above, pci, found)


def _bare(pci: Element, above: tuple[Element, ...], found: _Found) -> None:
    address, kind = pci_address(pci.attributes.get("busid", "")), pci.attributes.get("class", "").lower()
    if address and kind.startswith("0x03"):
        found.gpus.append(_Leaf(address, pci, pci, above, True))
    elif address and kind.startswith("0x02"):
        found.nics.append(_Leaf(address, pci, pci, above, False))


def _put(notes: Notes, found: _Found, numbers: Sequence[int]) -> None:
    at = {leaf.name: pci_address(leaf.pci.attributes.get("busid", "")) if leaf.pci else None for leaf in found.gpus}
    by_address = {address: name for name, address in at.items() if address}
    for things, leaves in (("gpus", found.gpus), ("nics", found.nics)):
        for leaf in leaves:
            line = numbers[min(leaf.element.line, len(numbers)) - 1]
            notes.thing(line, things, leaf.name)
            notes.put_all(line, _place(leaf), things, leaf.name)
            if leaf.is_gpu:
                for other, relation in _peers(leaf, by_address).items():
                    notes.put(line, relation, things, leaf.name, "peers", other)
                best = _nearest(leaf, found.nics)
                notes.put(line, best or None, things, leaf.name, "best_nics")
            else:
                notes.put_all(line, _net(leaf.element), things, leaf.name)
    notes.count("gpus", "gpu_count")
    notes.count("nics", "nic_count")


def _place(leaf: _Leaf) -> dict[str, object]:
    """Address, NUMA node and link of a device; an empty or zero speed is unknown."""
    attributes = leaf.pci.attributes if leaf.pci else {}
    speed, width = leading_number(attributes.get("link_speed", "")), number(attributes.get("link_width", ""))
    node = number(leaf.above[0].attributes.get("numaid", ""))
    return {
        "pci_address": pci_address(attributes.get("busid", "")),
        "numa_node": node if isinstance(node, int) and node >= 0 else None,
        "pcie_gen": _GENERATIONS.get(float(speed)) if speed else None,
        "pcie_width": width if isinstance(width, int) and width > 0 else None,
    }


def _net(element: Element) -> dict[str, object]:
    """Rate (Mbit/s in the file) and GPUDirect of a NIC; a bare function tells neither."""
    speed, gdr = number(element.attributes.get("speed", "")), element.attributes.get("gdr")
    port = number(element.attributes.get("port", ""))
    return {
        "rate_gbps": speed / 1000 if speed and speed > 0 else None,
        "gdr": {"1": True, "0": False}.get(gdr or ""),
        "port": port if element.name == "net" else None,
    }


def _peers(leaf: _Leaf, by_address: Mapping[str, str]) -> dict[str, str]:
    """GPUs that links reach directly; an NVSwitch is no peer. NVLink is printed with the number of its links."""
    peers: dict[str, str] = {}
    for link in leaf.element.children:
        other = by_address.get(pci_address(link.attributes.get("target", "")) or "")
        if other is None or other == leaf.name:
            continue
        if link.name == "xgmi":
            peers[other] = "XGMI"
        elif link.name == "nvlink" and link.attributes.get("count", "").isdecimal():
            peers[other] = f"NV{link.attributes['count']}"
    return peers


def _nearest(gpu: _Leaf, nics: list[_Leaf]) -> list[str]:
    """NICs with the lowest common bridge; if only the CPU is common, all NICs of that CPU. Unknown where that bridge is cut."""
    depths = {nic.name: _common(gpu.above, nic.above) for nic in nics}
    deepest = max(depths.values(), default=0)
    if not deepest or not gpu.above[deepest - 1].end:
        return []
    return [name for name, depth in depths.items() if depth == deepest]


def _common(one: tuple[Element, ...], other: tuple[Element, ...]) -> int:
    depth = 0
    for a, b in zip(one, other, strict=False):
        if a is not b:
            break
        depth += 1
    return depth


def _recognises(head: str) -> bool:
    return _SYSTEM.search(head) is not None


READER = Reader("nccl-topo-xml", read, starts=_START, recognises=_recognises)
