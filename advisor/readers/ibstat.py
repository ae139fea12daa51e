"""`ibstat` (infiniband-diags): channel adapters and their ports."""

import re
from collections.abc import Callable, Iterator

from advisor.evidence.reading import Part
from advisor.readers.contract import Block, Notes, Reader, command
from advisor.readers.shapes import integer, key_value, known, leading_number, link_layer, physical_state, port_state

_CA = re.compile(r"\s*CA '([^']+)'\s*\Z")
_PORT = re.compile(r"\s*Port (\d+):\s*\Z")
_ERROR = re.compile(r"\s*(?:ibpanic|ibwarn|stat):?")
# Key -> fact and how its value is read. Keys of the adapter stand at each of its ports.
_PORT_KEYS: dict[str, tuple[str, Callable[[str], object]]] = {
    "State": ("state", port_state),
    "Physical state": ("physical_state", physical_state),
    "Rate": ("rate_gbps", leading_number),
    "Base lid": ("lid", integer),
    "SM lid": ("sm_lid", integer),
    "Link layer": ("link_layer", link_layer),
}
_ADAPTER_KEYS: dict[str, tuple[str, Callable[[str], object]]] = {
    "CA type": ("model", known),
    "Firmware version": ("firmware", known),
}
_WITHOUT_FACT = {
    "Number of ports",
    "Hardware version",
    "Node GUID",
    "System image GUID",
    "LMC",
    "Capability mask",
    "Port GUID",
}


def read(block: Block) -> Iterator[Part]:
    notes = Notes("ibstat", block)
    device, port = "", ""
    adapter: dict[str, tuple[int, object]] = {}
    for n, text in block.lines.inked():
        ca, named_port, entry = _CA.match(text), _PORT.match(text), key_value(text)
        if ca:
            device, port, adapter = ca[1], "", {}
            notes.use(n)
        elif _ERROR.match(text):
            notes.problem(n, "tool-error")
        elif text.strip() == "...":
            notes.problem(n, "left-out")
        elif named_port and device:
            port = f"{device}/{int(named_port[1])}"
            notes.thing(n, "ports", port)
            for fact, (line, value) in adapter.items():
                notes.put(line, value, "ports", port, fact)
        elif entry and device and entry.key in _ADAPTER_KEYS:
            fact, as_value = _ADAPTER_KEYS[entry.key]
            adapter[fact] = (n, as_value(entry.value))
            notes.use(n)
        elif entry and port and entry.key in _PORT_KEYS:
            fact, as_value = _PORT_KEYS[entry.key]
            value = as_value(entry.value)
            notes.put(n, value, "ports", port, fact)
            if value is None and known(entry.value):
                notes.problem(n, "damaged")
        elif entry and device and entry.key in _WITHOUT_FACT:
            notes.ignore(n, "no fact of ours")
    notes.count("ports", "port_count")
    if not notes.is_empty:
        yield notes.part()


READER = Reader("ibstat", read, commands=command("ibstat"), starts=_CA)
