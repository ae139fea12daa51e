"""Ruijie RGOS: `show interfaces`, their status and counters, and `show lldp neighbors`.

Names keep the blank that the device prints in them. Forms: Ruijie RG-S6500 command references.
"""

import re
from collections.abc import Iterator

from advisor.evidence.reading import Part
from advisor.readers._figures import count, is_nothing, link_state, rate_gbps, speed_gbps
from advisor.readers._switch import Cursor, Port, Run, Section, counted, read_sections
from advisor.readers._switch_tables import is_rule
from advisor.readers.contract import Block, Notes, Reader, command

_NAME = r"(?:(?:Ten|TF|Twenty-?Five|Forty|Fifty|Hundred|TwoHundred|FourHundred)?Gi(?:ga)?bitEthernet|AggregatePort|Mgmt|VLAN) ?[\d/.:]+"
_HEADER = re.compile(rf"({_NAME}) is (UP|DOWN|administratively down)\s*, line protocol is (UP|DOWN)", re.IGNORECASE)
_STATUS = re.compile(rf"\s*({_NAME})\s+(up|down|disabled?)\s+(\S+)\s+(Full|Half|Unknown|Auto)\s+(\S+)(?:\s+\S+)?\s*$", re.IGNORECASE)
_COUNTED = re.compile(rf"Interface\s*: ({_NAME})\s*$")
_KEYED = re.compile(r"\s*([A-Za-z][\w ()/,-]*?)\s*: (\d+)\s*$")
_KEYED_RATE = re.compile(r"\s*\d+ (?:minutes?|seconds?) (input|output) rate\s*:?\s*(\d+ bits/sec)")
_LLDP = re.compile(rf"\s*(\S.*?)\s{{2,}}({_NAME}|(?:Gi|Te|TF|Fo|Hu|Ag|Mg)\s?[\d/.]+)\s{{2,}}(\S.*?)\s{{2,}}(.*)$")
# The lines of a port, which a copy from a page has without their indentation.
_OF_PORT = re.compile(
    r"(?:Hardware is|Interface (?:IPv6 )?address|No IPv6|Description:|MTU \d|Encapsulation protocol|Keepalive interval|Carrier delay|"
    r"Ethernet attributes|Last link state|Time duration since|Priority is|Medium-type|Admin \w+ (?:mode )?is|Flow \w+ |Storm Control|"
    r"Bridge attributes|Port-type|Native vlan|Allowed vlan|Active vlan|Vlan id|Rxload|(?:Input|Output) peak rate|Queueing|Received \d|"
    r"(?:In|Out)put queue|\d+ (?:seconds?|minutes?) (?:in|out)put rate|\d+ ?packets (?:in|out)put|\d+ (?:in|out)put errors)",
    re.IGNORECASE,
)
_FLOW = re.compile(r"flow (receive|send) control oper status is (on|off)\b", re.IGNORECASE)
_ERROR = re.compile(r"\s*% ?\S")
_NAMES = {
    "packets input": "rx_packets",
    "packets output": "tx_packets",
    "input errors": "rx_errors",
    "CRC": "crc_errors",
    "output errors": "tx_errors",
}
_FACTS = {
    "InOctets": "rx_bytes",
    "InPkts": "rx_packets",
    "OutOctets": "tx_bytes",
    "OutPkts": "tx_packets",
    "InDiscards": "rx_discards",
    "OutDiscards": "tx_discards",
    "FCSErrors": "crc_errors",
    "InErrors": "rx_errors",
    "OutErrors": "tx_errors",
    "RxPauseFrames": "rx_pause",
    "TxPauseFrames": "tx_pause",
}


def read(block: Block) -> Iterator[Part]:
    yield from read_sections("ruijie", block, _find, _ERROR)


def _find(text: str) -> Section | None:
    if text.startswith("Index(dec):"):
        return _said
    if _HEADER.match(text):
        return _ports
    if _COUNTED.match(text):
        return _counters
    words = text.split()
    if words[0] == "Interface" and {"Status", "Vlan", "Duplex", "Speed"} <= set(words):
        return _status
    return _lldp if text.startswith("System Name") and "Local Intf" in text and "Aging" in text else None


def _said(cursor: Cursor, notes: Notes, run: Run) -> None:
    notes.ignore(cursor.numbers[cursor.i], "no fact of ours")
    cursor.i += 1


def _ports(cursor: Cursor, notes: Notes, run: Run) -> None:
    port: Port | None = None
    while cursor.more:
        n, text = cursor.numbers[cursor.i], cursor.peek()
        header = _HEADER.match(text)
        if header:
            if header[1] in notes.facts.get("interfaces", ()):
                return
            port = Port(notes, n, header[1])
            off = header[2].lower().startswith("administratively")
            port.put(n, "state", "active" if header[2].upper() == "UP" and header[3].upper() == "UP" else "down")
            port.put(n, "admin_state", "down" if off else None)
        elif text.startswith("Index(dec):"):
            notes.ignore(n, "no fact of ours")
        elif port is None or not (text[0].isspace() or _OF_PORT.match(text)):
            return
        else:
            _line(port, n, text.strip())
        cursor.i += 1


def _line(port: Port, n: int, bare: str) -> None:
    word = bare.split(" ", 1)[0]
    port.accounted.add(n)
    if word.isdecimal():
        rate = _KEYED_RATE.match(bare)
        if rate:
            port.put(n, "rx_gbps" if rate[1] == "input" else "tx_gbps", rate_gbps(rate[2]))
            return
        counted(port, n, bare, _NAMES)
        dropped = re.search(r"(\d+) dropped", bare)
        if dropped and "packets" in bare:
            port.put(n, "rx_discards" if "packets input" in bare else "tx_discards", int(dropped[1]))
    elif word == "MTU":
        port.put(n, "mtu_bytes", count(bare.removeprefix("MTU").strip().split(" ")[0]))
    elif "oper duplex is" in bare:
        port.put(n, "duplex", {"full": "full", "half": "half"}.get(bare.rsplit("oper duplex is", 1)[1].strip().lower()))
    elif "oper speed is" in bare:
        port.put(n, "rate_gbps", speed_gbps(bare.rsplit("oper speed is", 1)[1].strip()))
    elif "flow control oper status is" in bare:
        value = {"on": True, "off": False}.get(bare.rsplit("is", 1)[1].strip().lower())
        port.put(n, "rx_flow_control", value)
        port.put(n, "tx_flow_control", value)
    elif " control oper status is" in bare:
        for way, value in _FLOW.findall(bare):
            port.put(n, "rx_flow_control" if way.lower() == "receive" else "tx_flow_control", value.lower() == "on")


def _status(cursor: Cursor, notes: Notes, run: Run) -> None:
    notes.use(cursor.numbers[cursor.i])
    cursor.i += 1
    while cursor.more:
        n, text = cursor.numbers[cursor.i], cursor.peek()
        row = _STATUS.match(text)
        if row:
            state, admin = link_state(row[2])
            duplex = row[4].lower()
            notes.thing(n, "interfaces", row[1])
            values = {"state": state, "admin_state": admin, "rate_gbps": speed_gbps(row[5])}
            notes.put_all(n, {**values, "duplex": duplex if duplex in ("full", "half") else None}, "interfaces", row[1])
        elif is_rule(text):
            notes.ignore(n, "rule")
        else:
            return
        cursor.i += 1


def _counters(cursor: Cursor, notes: Notes, run: Run) -> None:
    match = _COUNTED.match(cursor.peek())
    name = match[1] if match else ""
    notes.thing(cursor.numbers[cursor.i], "interfaces", name)
    cursor.i += 1
    while cursor.more:
        n, text = cursor.numbers[cursor.i], cursor.peek()
        row, rate = _KEYED.match(text), _KEYED_RATE.match(text)
        if rate:
            notes.put(n, rate_gbps(rate[2]), "interfaces", name, "rx_gbps" if rate[1] == "input" else "tx_gbps")
        elif row and row[1] in _FACTS:
            notes.put(n, int(row[2]), "interfaces", name, _FACTS[row[1]])
        elif row:
            notes.put(n, int(row[2]), "interfaces", name, "counters", row[1])
        else:
            return
        cursor.i += 1


def _lldp(cursor: Cursor, notes: Notes, run: Run) -> None:
    notes.use(cursor.numbers[cursor.i])
    cursor.i += 1
    while cursor.more:
        n, row = cursor.numbers[cursor.i], _LLDP.match(cursor.peek())
        if not row:
            if cursor.peek().startswith("Total entries"):
                notes.ignore(n, "remark")
                cursor.i += 1
            return
        notes.thing(n, "interfaces", row[2])
        notes.put(n, None if is_nothing(row[1]) else row[1], "interfaces", row[2], "peer_device")
        notes.put(n, None if is_nothing(row[3]) else row[3], "interfaces", row[2], "peer_port")
        cursor.i += 1


READER = Reader(
    "ruijie",
    read,
    commands=command("show", options=r"interfaces?\s+(?:\S*gigabitethernet|aggregateport)\b"),
    starts=re.compile(
        rf"Index\(dec\):\d+ \(hex\):|{_NAME} is (?:UP|DOWN|administratively down)\s*, line protocol is (?:UP|DOWN)|"
        rf"Interface\s*: {_NAME}\s*$|"
        r"Interface\s+Status\s+Vlan\s+Duplex\s+Speed\s+Type|System Name\s+Local Intf\s+Port ID\s+Capability\s+Aging"
    ),
    stops=True,
)
