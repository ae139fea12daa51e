"""Arista EOS: `show interfaces` with its counters, queues, PFC, flow control and FEC, and `show lldp neighbors`.

PAUSE is 802.3x, of the whole port; PFC frames stand in a table of their own. Forms: Arista EOS user manual.
"""

import re
from collections.abc import Callable, Iterator

from advisor.evidence.reading import Part
from advisor.readers._arista_json import is_json, read_json
from advisor.readers._arista_tables import table_of
from advisor.readers._ends import is_whole
from advisor.readers._figures import count, percent, rate_gbps, real, speed_gbps
from advisor.readers._switch import Cursor, Port, Run, Section, counted, ends_whole, read_sections
from advisor.readers.contract import Block, Notes, Reader, command

_HEADER = re.compile(r"(\S+) is (up|down|administratively down), line protocol is (\w+)(?: \(([\w -]+)\))?")
_ERROR = re.compile(r"\s*% ?\S")
_NAMES = {
    "packets input": "rx_packets",
    "packets output": "tx_packets",
    "input errors": "rx_errors",
    "CRC": "crc_errors",
    "symbol": "symbol_errors",
    "input discards": "rx_discards",
    "PAUSE input": "rx_pause",
    "output errors": "tx_errors",
    "output discards": "tx_discards",
    "PAUSE output": "tx_pause",
}
_OTHERS = {
    "runts",
    "giants",
    "collisions",
    "late collision",
    "deferred",
    "alignment",
    "multicast",
    "broadcasts",
    "link status changes since last clear",
}
# The second word of lines that hold no counter of ours, and of the lines of rates.
_UNCOUNTED = {"runts,", "link"}
_SPANS = {"second", "seconds", "minute", "minutes", "hour", "hours"}
_WHOLE = {*_NAMES, *_OTHERS, "bytes"}
# The first word of a port's lines that hold nothing of ours.
_WITHOUT = {
    *(
        "Hardware",
        "Description:",
        "Internet",
        "Broadcast",
        "Address",
        "Member",
        "Loopback",
        "Up",
        "Down",
        "Received",
        "Sent",
        "Active",
        "...",
    ),
    *("Fallback", "Interface", "Secondary", "IPv6", "Bandwidth", "Link", "Not", "Vxlan", "Source", "Replication", "BFD", "Multicast", "No"),
    *("Tunnel", "Host", "Proxy-ARP", "Gratuitous", "VLAN", "MPLS", "Minimum", "Uni-link", "Encapsulation", "Flood", "Static", "Dynamic"),
    *("Local", "Remote"),
}
_AGE = re.compile(r"counters (?:(\d+) days?, )?(\d+):(\d\d):(\d\d) ago")
_PHY = re.compile(r"(?:Et|Ethernet)\d[\d/]*\s*$")
_FEC = {
    "FEC corrected codewords": ("fec_corrected", count),
    "FEC uncorrected codewords": ("fec_uncorrected", count),
    "Pre-FEC bit error rate": ("raw_ber", real),
}


def read(block: Block) -> Iterator[Part]:
    first = next(iter(block.lines.inked()), (0, ""))[1].lstrip()
    if first.startswith("{"):
        yield from read_json(block)
    else:
        yield from read_sections("arista-eos", block, _find, _ERROR, _is_whole)


def _is_whole(text: str, before: list[str]) -> bool:
    return is_whole(text, before) or (text.strip()[0].isdecimal() and ends_whole(text, _WHOLE))


def _find(text: str) -> Section | None:
    words = text.split(None, 3)
    if len(words) > 2 and words[1] == "is" and _HEADER.match(text):
        return _ports
    if (table := table_of(text)) is not None:
        return table
    return _phy if _PHY.match(text) else None


# --- show interfaces --------------------------------------------------------------------------------------------


def _ports(cursor: Cursor, notes: Notes, run: Run) -> None:
    """Port after port. The first word of a line tells what it holds, so a line costs one look, not one for each pattern."""
    port: Port | None = None
    numbers, texts, last = cursor.numbers, cursor.texts, cursor.last
    known = notes._accounted.add
    while cursor.more:
        for i in range(cursor.i, len(texts)):
            n, text = numbers[i], texts[i]
            if text[0] > " ":
                header = _HEADER.match(text)
                if not header or header[1] in notes.facts.get("interfaces", ()):
                    cursor.i = i
                    return
                port = Port(notes, n, header[1])
                port.put(n, "state", "active" if header[3] == "up" else "down")
                port.put(n, "admin_state", "down" if header[2].startswith("admin") else None)
            elif port is not None:
                bare = text.strip()
                if _line(port, notes, n, bare):
                    known(n)
                    if n == last and not ends_whole(bare, _WHOLE):
                        notes.problem(n, "cut")
                elif n == last:
                    notes.problem(n, "cut")
        cursor.i = len(texts)


def _line(port: Port, notes: Notes, n: int, bare: str) -> bool:
    """Whether a line of a port is understood."""
    if bare[0] in "0123456789":
        second = bare.split(" ", 2)[1:2]
        if second and second[0] in _UNCOUNTED:
            return True
        if second and second[0] in _SPANS and " rate " in bare:
            _rate(port, n, bare)
            return True
        return counted(port, n, bare, _NAMES) or bare.endswith(("giants", "clear", "deferred", "collisions"))
    word = bare.partition(" ")[0]
    handler = _HANDLERS.get(word)
    if handler:
        handler(port, notes, n, bare)
        return True
    return word in _WITHOUT


def _rate(port: Port, n: int, bare: str) -> None:
    """`5 minutes input rate 7.39 kbps (0.0% with framing overhead), 6 packets/sec`."""
    words = bare.split()
    if len(words) < 6 or words[3] != "rate":
        return
    side = "rx" if words[2] == "input" else "tx"
    port.put(n, f"{side}_gbps", rate_gbps(f"{words[4]} {words[5].rstrip(',')}"))
    if len(words) > 6 and words[6][0] == "(":
        port.put(n, f"{side}_util_percent", percent(words[6][1:]))


def _duplex(port: Port, notes: Notes, n: int, bare: str) -> None:
    parts = bare.split(",")
    port.put(n, "duplex", "full" if parts[0] == "Full-duplex" else "half" if parts[0] == "Half-duplex" else None)
    port.put(n, "rate_gbps", speed_gbps(parts[1]) if len(parts) > 1 else None)
    negotiation = bare.partition("auto negotiation: ")[2].partition(",")[0]
    port.put(n, "auto_negotiation", {"on": True, "off": False, "success": True}.get(negotiation))


def _mtu(port: Port, notes: Notes, n: int, bare: str) -> None:
    words = bare.partition("MTU ")[2].split(None, 1)
    port.put(n, "mtu_bytes", count(words[0]) if words else None)


def _cleared(port: Port, notes: Notes, n: int, bare: str) -> None:
    age = _AGE.search(bare) if bare.endswith("ago") else None
    if age:
        days, hours, minutes, seconds = (int(part or 0) for part in age.groups())
        port.put(n, "counters_age_s", ((days * 24 + hours) * 60 + minutes) * 60 + seconds)
        notes.put(n, True, "counters_cleared")


_HANDLERS: dict[str, Callable[[Port, Notes, int, str], None]] = {
    **dict.fromkeys(("Full-duplex,", "Half-duplex,", "Auto-duplex,"), _duplex),
    "Ethernet": _mtu,
    "IP": _mtu,
    "Last": _cleared,
}


# --- show interfaces phy ----------------------------------------------------------------------------------------


def _phy(cursor: Cursor, notes: Notes, run: Run) -> None:
    """`show interfaces phy detail`: a port's name alone, then what its PHY counts."""
    if "Current State" not in cursor.peek(1) + cursor.peek(2):
        return
    name = cursor.peek().strip()
    notes.thing(cursor.numbers[cursor.i], "interfaces", name)
    cursor.i += 1
    while cursor.more and cursor.peek()[:1].isspace():
        n, bare = cursor.numbers[cursor.i], cursor.peek().strip()
        key = next((key for key in _FEC if bare.startswith(key)), None)
        if key:
            fact, reading = _FEC[key]
            notes.put(n, reading(bare[len(key) :].split()[0]) if bare[len(key) :].split() else None, "interfaces", name, fact)
        elif bare.startswith("Forward Error Correction"):
            notes.put(n, "rs" if "Reed-Solomon" in bare else "firecode" if "ire-code" in bare else None, "interfaces", name, "fec")
        else:
            notes.ignore(n, "no fact of ours")
        cursor.i += 1


READER = Reader(
    "arista-eos",
    read,
    commands=command(
        "show",
        options=r"(?:(?<=show )priority-flow-control|interfaces\s+(?:\S+\s+){0,2}priority-flow-control|"
        r"interfaces\s+(?:\S+\s+){0,2}(?:counters\s+(?:queue|discards|rates)|phy\b)|"
        r"interfaces(?:\s+(?:et|ethernet|ma|management|po|port-channel)\S*)?\s*(?:$|\|))",
    ),
    starts=re.compile(
        r"(?:(?:Ethernet|Management|Port-Channel|Vlan|Loopback|Vxlan|Tunnel|Recirc-Channel)\S* is (?:up|down|administratively down), "
        r"line protocol is \w+ \(|"
        r"Port\s+Neighbor Device ID\s+Neighbor Port ID|Last table change time\s+:|Port\s+RxPfc\s+TxPfc|Port\s+TxQ\s+Counter/pkts|"
        r"Port\s+Send\s+FlowControl\s|Port\s+Name\s+Status\s+Vlan\s+Duplex\s+Speed\s+Type|Port\s+Status\s+Priorities\s+Action|"
        r"Interface\s+Status\s+Protocol\s+Description\s*$|Port\s+Enabled\s+Priorities\s+Active\b|"
        r"Port\s+(?:Name\s+)?Intvl\s+In Mbps|Port\s+InDiscards\s+OutDiscards|Port\s+FCS\s+Align\s+Symbol|Port\s+(?:In|Out)Octets\s|"
        r"Egress Queue Counters\s*$|Interface \S+ detected \d+ LLDP neighbors:)"
    ),
    recognises=is_json,
    stops=True,
)
