"""`ibdev2netdev`, also `-v`: the network device of each RDMA port. Its state is not the state of an InfiniBand link."""

import re
from collections.abc import Iterator

from advisor.evidence.reading import Part
from advisor.readers._again import Runs
from advisor.readers._ports import STATES
from advisor.readers.contract import Block, Reader, command
from advisor.readers.shapes import is_left_out, open_end, pci_address, port_state

_LINE = re.compile(
    r"[\s#*]*(?:(?P<pci>[0-9a-fA-F]{4}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-7])\s+)?(?P<device>[A-Za-z][\w.-]*)"
    r"(?:\s+\((?P<model>\w+) - (?P<part>[^()]*)\)\s(?P<about>[^=>]*?))?\s+port\s+(?P<port>\d+)\s*(?:\(\s*(?P<state>\w+)\s*\)\s*)?"
    r"==>\s*(?P<netdev>\S+?)?\s*(?:\((?P<up>Up|Down|UP|DOWN|up|down)\))?\s*\Z"
)
_START = re.compile(r"[\s#*]*(?:[0-9a-fA-F:.]+\s+)?[A-Za-z][\w.-]*\s.*?\bport\s+\d+\s.*?==>")
_FIRMWARE = re.compile(r"\bfw (\S+)")


def read(block: Block) -> Iterator[Part]:
    runs = Runs("ibdev2netdev", block, (("ports", "port_count"),))
    last = open_end(block.lines)
    for i, (n, text) in enumerate(block.lines):
        if not text.strip(" \t#*"):
            continue
        match = _LINE.match(text)
        if match:
            port = f"{match['device']}/{int(match['port'])}"
            first = runs.notes.get("ports", port, "netdev")
            if match["netdev"] and match["netdev"] in (first, *(runs.notes.get("ports", port, "other_netdevs") or ())):
                runs.begin(i)  # told again: another run
                first = None
            if not match["up"]:
                runs.notes.problem(n, "cut" if n == last else "damaged")
            if first is not None and match["up"]:  # a child interface of the same port (IPoIB partitions)
                runs.notes.put(n, match["up"].lower(), "ports", port, "other_netdevs", match["netdev"])
            else:
                _put(runs, n, port, match)
        elif is_left_out(text):
            runs.notes.problem(n, "left-out")
        elif _START.match(text) or (n == last and runs.notes.get("ports")):
            runs.notes.problem(n, "cut" if n == last else "damaged")
        else:
            break
    yield from runs.parts()


def _put(runs: Runs, n: int, port: str, match: re.Match[str]) -> None:
    whole = match["up"] is not None
    state = port_state(match["state"] or "")
    firmware = _FIRMWARE.search(match["about"] or "")
    runs.notes.thing(n, "ports", port)
    runs.notes.put_all(
        n,
        {
            "netdev": match["netdev"] if whole else None,
            "netdev_state": match["up"].lower() if whole else None,
            "state": state if state in STATES else None,
            "pci_address": pci_address(match["pci"] or ""),
            "model": match["model"],
            "part_number": (match["part"] or "").strip() or None,
            "firmware": firmware[1] if firmware else None,
        },
        "ports",
        port,
    )


READER = Reader("ibdev2netdev", read, commands=command("ibdev2netdev"), starts=_START)
