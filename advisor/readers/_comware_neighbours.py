"""Names of H3C's interfaces, and `display lldp neighbor-information` as a list and in full."""

import re

from advisor.readers._figures import is_nothing
from advisor.readers._switch import Cursor, Run
from advisor.readers.contract import Notes

NAME = (
    r"(?:[A-Z][A-Za-z-]*(?:GigE|GigabitEthernet|Ethernet|GE)|GE|XGE|WGE|FGE|HGE|TGE|EGE|BAGG|RAGG|Bridge-Aggregation|Route-Aggregation|"
    r"Vlan-interface|Vlan|LoopBack|InLoopBack|NULL|Register-Tunnel|Tunnel|Vsi-interface|Vsi|M-GE|MGE|Loop|REth|Eth)\d[\d/.:]*"
)
NEIGHBOUR = re.compile(r"LLDP neighbor-information of port \d+ ?\[([^\]\s]+)\]:\s*$")


def in_full(cursor: Cursor, notes: Notes, run: Run) -> None:
    """`display lldp neighbor-information verbose`: a port, then a key on each line; the first of several neighbours stays."""
    match = NEIGHBOUR.match(cursor.peek())
    name = match[1] if match else ""
    notes.thing(cursor.numbers[cursor.i], "interfaces", name)
    cursor.i += 1
    while cursor.more and (cursor.peek()[:1].isspace() or cursor.peek().startswith("LLDP agent ")):
        n, (key, _, value) = cursor.numbers[cursor.i], cursor.peek().partition(" : ")
        fact = {"System name": "peer_device", "Port ID": "peer_port"}.get(key.strip())
        is_new = fact is not None and notes.get("interfaces", name, fact) is None
        notes.put(n, value.strip() if is_new and not is_nothing(value) else None, "interfaces", name, fact or "")
        cursor.i += 1


def in_list(cursor: Cursor, notes: Notes, run: Run) -> None:
    """`display lldp neighbor-information list`: a long name goes on in the same column of the next line."""
    header = cursor.peek()
    at = {key: header.find(key) for key in ("System Name", "Local Interface", "Chassis ID", "Port ID")}
    starts = sorted(at.values())
    notes.use(cursor.numbers[cursor.i])
    cursor.i += 1

    def cell(text: str, key: str) -> str:
        later = [start for start in starts if start > at[key]]
        return text[at[key] : later[0] if later else None].strip()

    last: tuple[str, str] | None = None
    while cursor.more:
        n, text = cursor.numbers[cursor.i], cursor.peek()
        port, device, remote = (cell(text, key) for key in ("Local Interface", "System Name", "Port ID"))
        if re.fullmatch(NAME, port):
            notes.thing(n, "interfaces", port)
            notes.put(n, None if is_nothing(device) else device, "interfaces", port, "peer_device")
            notes.put(n, None if is_nothing(remote) else remote, "interfaces", port, "peer_port")
            last = (port, device)
        elif last and not port and (device or remote):
            if device and not is_nothing(last[1]):
                notes.put(n, last[1] + device, "interfaces", last[0], "peer_device")
                last = (last[0], last[1] + device)
            notes.use(n)
        else:
            return
        cursor.i += 1
