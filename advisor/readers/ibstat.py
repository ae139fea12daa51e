"""`ibstat` (infiniband-diags): channel adapters and their ports; also one port alone (`ibstat mlx5_0 1`)."""

import re
from collections.abc import Iterator

from advisor.evidence.reading import Part
from advisor.readers._again import Runs
from advisor.readers._ports import Fact, put_key
from advisor.readers.contract import Block, Reader, command
from advisor.readers.shapes import (
    LANE_GBPS,
    integer,
    is_left_out,
    key_value,
    known,
    leading_number,
    link_layer,
    open_end,
    physical_state,
    port_state,
)

_CA = re.compile(r"\s*(?:CA|RNIC|iWARP RNIC|Router)(?:\s*:)? '([^']+)'\s*\Z")
_CUT_CA = re.compile(r"\s*(?:C|CA|CA:? '[^']*)\s*\Z")
_PORT = re.compile(r"\s*Port (\d+):\s*\Z")
_ERROR = re.compile(r"\s*(?:ibpanic|ibwarn|ibstat|stat):?\s.*")
_FDR10 = re.compile(r"\((\w+)\)\s*\Z")
# Key -> fact and how its value is read, in the order of the tool. Keys of the adapter stand at each of its ports.
_PORT_KEYS: dict[str, Fact] = {
    "State": ("state", port_state),
    "Physical state": ("physical_state", physical_state),
    "Rate": ("rate_gbps", leading_number),
    "Base lid": ("lid", integer),
    "SM lid": ("sm_lid", integer),
    "Link layer": ("link_layer", link_layer),
}
_ADAPTER_KEYS: dict[str, Fact] = {
    "CA type": ("model", known),
    "Firmware version": ("firmware", known),
    "System image GUID": ("system_image_guid", lambda text: _guid(text)),
}
_GUID = re.compile(r"0x([0-9a-fA-F]{16})\Z")
_WITHOUT_FACT = {"Number of ports", "Hardware version", "Node GUID", "LMC", "Capability mask", "Port GUID"}
_KEYS = (*_PORT_KEYS, *_ADAPTER_KEYS, *_WITHOUT_FACT)


def read(block: Block) -> Iterator[Part]:
    runs = Runs("ibstat", block, (("ports", "port_count"),))
    device, port, last = "", "", open_end(block.lines)
    adapter: dict[str, tuple[int, object]] = {}
    for i, (n, text) in enumerate(block.lines):
        notes = runs.notes
        ca, named_port, entry = _CA.match(text), _PORT.match(text), key_value(text)
        if not text.strip():
            continue
        if ca:
            device, port, adapter = ca[1], "", {}
            if any(name == device or name.startswith(f"{device}/") for name in notes.get("ports") or ()):
                runs.begin(i)  # told again: another run
            runs.notes.use(n)
        elif _ERROR.match(text):
            notes.problem(n, "tool-error")
        elif is_left_out(text):
            notes.problem(n, "left-out")
        elif named_port and device:
            port = f"{device}/{int(named_port[1])}"
            notes.thing(n, "ports", port)
            for fact, (line, value) in adapter.items():
                notes.put(line, value, "ports", port, fact)
        elif n == last and device and (_CUT_CA.match(text) or _is_cut(text)):
            notes.problem(n, "cut")
        elif entry and device and entry.key in _ADAPTER_KEYS:
            fact, as_value = _ADAPTER_KEYS[entry.key]
            if n == last:
                notes.problem(n, "cut", entry.key)
            else:
                adapter[fact] = (n, as_value(entry.value))
                notes.use(n)
        elif entry and entry.key in _PORT_KEYS and (port or device or block.command):
            if not port or (port.startswith("#") and notes.get("ports", port, _PORT_KEYS[entry.key][0]) is not None):
                # A filter left the line of the port out, or that of the adapter, too.
                port = device or f"#{len(notes.get('ports') or ()) + 1}"
                notes.thing(n, "ports", port)
                for fact, (line, value) in adapter.items():
                    notes.put(line, value, "ports", port, fact)
            put_key(notes, n, port, _PORT_KEYS, entry.key, entry.value, n == last)
            speed = _FDR10.search(entry.value) if entry.key == "Rate" else None
            if speed and speed[1] in LANE_GBPS:
                notes.put(n, speed[1], "ports", port, "ib_speed")
        elif entry and device and entry.key in _WITHOUT_FACT:
            notes.ignore(n, "no fact of ours")
        elif not text[0].isspace():
            break
    yield from runs.parts()


def _guid(text: str) -> str | None:
    match = _GUID.match(text.strip())
    return match[1].lower() if match else None


def _is_cut(text: str) -> bool:
    """Whether the last line of a text stops inside a key, or before its value."""
    bare = text.strip()
    return any(key.startswith(bare.rstrip(":")) for key in _KEYS) or "Port ".startswith(bare[:5])


READER = Reader("ibstat", read, commands=command("ibstat"), starts=_CA)
