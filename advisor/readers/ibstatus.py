"""`ibstatus`: state and rate of every port, as sysfs gives them."""

import re
from collections.abc import Iterator

from advisor.evidence.reading import Part
from advisor.readers._again import Runs
from advisor.readers._ports import Fact, put_key
from advisor.readers.contract import Block, Reader, command
from advisor.readers.shapes import LANE_GBPS, integer, is_left_out, key_value, link_layer, number, open_end, physical_state, port_state

_PORT = re.compile(r"\s*Infiniband device '([^']+)' port (\d+) status:\s*\Z")
# A line that only this tool prints, where the line with the port is cut off.
_BEHEADED = re.compile(r"\s*(?:default gid:\s+[0-9a-f]{4}:|phys state:\s+\d+: )")
_RATE = re.compile(r"(\d+(?:\.\d+)?)\s*Gb/sec(?:\s*\((\d+)X(?:\s+(\w+))?\))?\s*\Z")
_ERROR = re.compile(r"\s*(?:Fatal error:|.*sys files not found)")
_KEYS: dict[str, Fact] = {
    "base lid": ("lid", integer),
    "sm lid": ("sm_lid", integer),
    "state": ("state", port_state),
    "phys state": ("physical_state", physical_state),
    "link_layer": ("link_layer", link_layer),
}
_ALL = (*_KEYS, "rate", "default gid")


def read(block: Block) -> Iterator[Part]:
    runs = Runs("ibstatus", block, (("ports", "port_count"),))
    port, last = "", open_end(block.lines)
    for i, (n, text) in enumerate(block.lines):
        if not text.strip():
            continue
        named, entry = _PORT.match(text), key_value(text)
        if not port and not named and entry and entry.key in _ALL:
            port = "#1"  # the head of the paste is cut off
            runs.notes.thing(n, "ports", port)
        if named:
            port = f"{named[1]}/{int(named[2])}"
            if runs.notes.get("ports", port) is not None:
                runs.begin(i)  # told again: another run
            runs.notes.thing(n, "ports", port)
        elif _ERROR.match(text):
            runs.notes.problem(n, "tool-error")
        elif is_left_out(text):
            runs.notes.problem(n, "left-out")
        elif port and entry and entry.key == "rate":
            _put_rate(runs, n, port, entry.value, n == last)
        elif port and entry and entry.key in _KEYS:
            put_key(runs.notes, n, port, _KEYS, entry.key, entry.value, n == last)
        elif port and entry and entry.key == "default gid":
            runs.notes.ignore(n, "no fact of ours")
        elif port and n == last and any(key.startswith(text.strip()) for key in (*_ALL, "Infiniband device")):
            runs.notes.problem(n, "cut")
        else:
            break
    yield from runs.parts()


def _put_rate(runs: Runs, n: int, port: str, text: str, at_end: bool) -> None:
    """`400 Gb/sec (4X NDR)`; the speed's name is InfiniBand's, also on Ethernet. Without a name it is SDR or not told: left out."""
    match = _RATE.match(text)
    if match is None or (at_end and not text.endswith(")")):
        runs.notes.problem(n, "cut" if at_end else "damaged", "rate")
        return
    runs.notes.put(n, number(match[1]), "ports", port, "rate_gbps")
    if match[2]:
        runs.notes.put(n, int(match[2]), "ports", port, "width")
    if match[3] in LANE_GBPS:
        runs.notes.put(n, match[3], "ports", port, "ib_speed")


READER = Reader("ibstatus", read, commands=command("ibstatus"), starts=re.compile(rf"{_PORT.pattern}|{_BEHEADED.pattern}"))
