"""Cisco NX-OS: `show interface` and its counters, PFC, 802.3x flow control, queuing and the PFC watchdog, LLDP and CDP.

The bitmap of virtual lanes is hexadecimal: (9) is priorities 0 and 3. Columns of one QoS group (unicast, multicast) are added. Stomped CRC
counts frames that another device had already marked as bad. Forms: Cisco Nexus 9000 command references.
"""

import re
from collections.abc import Iterator

from advisor.evidence.reading import Part
from advisor.readers import _nxos_queuing as queuing
from advisor.readers._ends import is_whole
from advisor.readers._figures import count, is_nothing, rate_gbps, speed_gbps
from advisor.readers._switch import Cursor, Port, Run, Section, counted, ends_whole, read_sections
from advisor.readers._switch_tables import fitting, flow_control, rows, status, words_table
from advisor.readers.contract import Block, Notes, Reader, command

_NAME = (
    r"(?:Ethernet|Eth|port-channel|Po|mgmt|Vlan|loopback|Lo|nve|Tunnel|Gi|Te|Fo|Hu|Vethernet|Veth|Br-Ethernet|fc|vfc|sup-eth|Twe)\d+[\d/.]*"
)
_ROW = re.compile(rf"\s*{_NAME}\s")
_HEADER = re.compile(rf"({_NAME}) is (up|down)(?: \(([^)]*)\))?(?:, .*)?\s*$")
_ERROR = re.compile(r"\s*(?:% ?\S|ERROR:)")
_NAMES = {
    "input packets": "rx_packets",
    "output packets": "tx_packets",
    "input error": "rx_errors",
    "CRC": "crc_errors",
    "CRC/FCS": "crc_errors",
    "Stomped CRC": "stomped_crc_errors",
    "input discard": "rx_discards",
    "Rx pause": "rx_pause",
    "output error": "tx_errors",
    "output discard": "tx_discards",
    "Tx pause": "tx_pause",
}
_OTHERS = """bytes|no buffer|ignored|if down drop|late collision|jumbo packets|storm suppression bytes|broadcast packets|interface resets|
underrun|runts|giants|storm suppression packets"""
_WHOLE = {*_NAMES, *_OTHERS.replace("\n", "").split("|")}
_RATE = re.compile(r"\s*\d+ seconds (input|output) rate:?\s+([\d,]+ bits/sec),")
_FEC = {"rs-fec": "rs", "rs-cons16": "rs", "rs-ieee": "rs", "fc-fec": "firecode", "off": "none", "disabled": "none"}
_CLEARED = re.compile(r'Last clearing of "show interface" counters (?!never)\S')
_KNOWN = """admin MTU Auto-Negotiation Input Last RX TX Hardware: Description: Internet Belongs Members Encapsulation Port Beacon Auto-mdix
Rate Switchport EtherType EEE Load-Interval reliability input vPC medium Dedicated Shared Auto Operational Fabric FEC Keepalive Admin None
Bandwidth Transport Tunnel Ethernet"""
_LINES = set(_KNOWN.split())
_BRIEF = re.compile(
    rf"\s*({_NAME})\s+\S+\s+(?:eth\s+)?(?:\S+\s+)?(up|down)\s+(.*?)\s+(auto|(?:a-)?\d+(?:\.\d+)?[KMGT]?)(?:\(([A-Z])\))\s+\S+\s*$"
)
_PFC = re.compile(rf"\s*({_NAME})\s+(Auto|On|Off)\s+(On|Off)\s*(?:\(([0-9a-fA-F]+)\))?\s+(\d+)\s+(\d+)\s*$", re.IGNORECASE)
_PFC_DETAIL = re.compile(rf"({_NAME}):?\s*$")
_LLDP_ROW = re.compile(rf"(?P<device>\S.*?)?\s+(?P<port>{_NAME})\s+\d+\s+(?P<rest>.*\S)\s*$")
_CAPABILITIES = re.compile(r"[BCDHIMOPRSTVWrs](?:[, ]*[BCDHIMOPRSTVWrs]){0,7}")  # alone where a row is cut before the port
_ERRORS = {
    "FCS-Err": "crc_errors",
    "Xmit-Err": "tx_errors",
    "Rcv-Err": "rx_errors",
    "OutDiscards": "tx_discards",
    "InDiscards": "rx_discards",
    "Symbol-Err": "symbol_errors",
    "Stomped-CRC": "stomped_crc_errors",
    "InOctets": "rx_bytes",
    "OutOctets": "tx_bytes",
}
_COUNTED = {*_ERRORS, "Align-Err", "Single-Col", "Giants", "InMcastPkts", "OutMcastPkts"}


def read(block: Block) -> Iterator[Part]:
    yield from read_sections("cisco-nxos", block, _find, _ERROR, _is_whole)


def _is_whole(text: str, before: list[str]) -> bool:
    return is_whole(text, before) or (text.strip()[0].isdecimal() and ends_whole(text, _WHOLE))


def _find(text: str) -> Section | None:
    words = text.split(None, 3)
    if len(words) > 2 and words[1] == "is" and _HEADER.match(text):
        return _ports
    if words[0] == "Port":
        return _table_of(text)
    if words[0] in ("Ethernet", "Port-channel") and "Reason" in text:
        return _brief
    if text.lstrip().startswith(_REMARKS):
        return _rule
    if words[0] == "Device" and "Local Intf" in text:
        return _lldp
    if words[0] == "Device-ID" and "Local Intrfce" in text:
        return _cdp
    if words[0] == "Chassis" and text.startswith("Chassis id:"):
        return _lldp_detail
    if _PFC_DETAIL.match(text):
        return _pfc_detail
    if text[0] in "-=" and set(text.strip()) <= {"-", "="}:
        return _rule
    return queuing.find(text)


_REMARKS = (
    "Capability codes:",
    "(R) Router",
    "(W) WLAN",
    "Total entries displayed",
    "Capability Codes:",
    "S - Switch",
    "V - VoIP",
    "s - Supports",
)


def _rule(cursor: Cursor, notes: Notes, run: Run) -> None:
    notes.ignore(cursor.numbers[cursor.i], "rule or remark")
    cursor.i += 1


# --- show interface ---------------------------------------------------------------------------------------------


def _ports(cursor: Cursor, notes: Notes, run: Run) -> None:
    """Port after port; the first word of a line tells what it holds."""
    port: Port | None = None
    numbers, texts = cursor.numbers, cursor.texts
    while cursor.more:
        n, text = numbers[cursor.i], texts[cursor.i]
        if text[0].isspace() or text.startswith("admin state"):
            if port is not None:
                whole = _line(port, notes, n, text)
                if n == cursor.last and not (whole and ends_whole(text, _WHOLE)):
                    notes.problem(n, "cut")
        else:
            header = _HEADER.match(text)
            if not header or header[1] in notes.facts.get("interfaces", ()):
                return
            port = Port(notes, n, header[1])
            port.put(n, "state", "active" if header[2] == "up" else "down")
            if (header[3] or "").lower() == "administratively down":
                port.put(n, "admin_state", "down")
        cursor.i += 1


def _line(port: Port, notes: Notes, n: int, text: str) -> bool:
    bare = text.strip()
    word = bare.split(" ", 1)[0]
    if word[0].isdecimal():
        rate = _RATE.match(text)
        if rate:
            key = "rx_gbps" if rate[1] == "input" else "tx_gbps"
            if key not in port.entry:  # the first load interval counts
                port.put(n, key, rate_gbps(rate[2].replace(",", "")))
        else:
            counted(port, n, bare, _NAMES, "  ")
    elif word.endswith("-duplex,"):
        port.put(n, "duplex", {"full": "full", "half": "half"}.get(word.partition("-")[0]))
        port.put(n, "rate_gbps", speed_gbps(bare.partition(",")[2].split(",")[0]))
    elif word == "MTU":
        port.put(n, "mtu_bytes", count(bare.removeprefix("MTU").strip().split(" ")[0]))
    elif word == "admin":
        state = bare.split()[3].rstrip(",") if len(bare.split()) > 3 else ""
        port.put(n, "admin_state", state if state in ("up", "down") else None)
    elif word == "Auto-Negotiation":
        port.put(n, "auto_negotiation", {"on": True, "off": False}.get(bare.split()[3].rstrip(",")) if len(bare.split()) > 3 else None)
        if "FEC mode is" in bare:
            port.put(n, "fec", _FEC.get(bare.rsplit("FEC mode is", 1)[1].strip().lower()))
    elif word == "Input" and "flow-control is" in bare:
        for words in filter(None, map(str.split, bare.split(","))):
            side, state = words[0].lower(), words[-1]
            port.put(n, f"{'rx' if side == 'input' else 'tx'}_flow_control", {"on": True, "off": False}.get(state))
    elif word == "Last":
        if _CLEARED.match(bare):
            notes.put(n, True, "counters_cleared")
    elif word not in _LINES:
        return False
    port.accounted.add(n)
    return True


# --- tables -----------------------------------------------------------------------------------------------------


def _table_of(text: str) -> Section | None:
    words = text.split()
    columns = set(words)
    if "RxPPP" in columns:
        return _pfc
    if "FlowControl" in columns:
        return flow_control(_ROW)
    if {"Status", "Vlan", "Duplex", "Speed"} <= columns:
        return status(_ROW)
    if columns & _COUNTED:
        return words_table(_ERRORS, _ROW, raw=[word for word in words if word not in _ERRORS])
    if columns == {"Port", "VRF", "Status", "IP", "Address", "Speed", "MTU"}:
        return _management
    return None


def _management(cursor: Cursor, notes: Notes, run: Run) -> None:
    notes.use(cursor.numbers[cursor.i])
    cursor.i += 1
    for n, text in rows(cursor, notes, _ROW.match):
        cells = text.split()
        if len(cells) < (6 if n == cursor.last else 5):
            notes.problem(n, "cut" if n == cursor.last else "damaged")
            continue
        rate, mtu = count(cells[-2]), count(cells[-1])
        values = {"state": "active" if cells[2] == "up" else "down", "rate_gbps": rate / 1000 if rate else None, "mtu_bytes": mtu}
        notes.thing(n, "interfaces", cells[0])
        notes.put_all(n, values, "interfaces", cells[0])


def _brief(cursor: Cursor, notes: Notes, run: Run) -> None:
    """`show interface brief`: two lines of header; a reason may hold blanks."""
    notes.use(cursor.numbers[cursor.i])
    cursor.i += 1
    if cursor.peek().split()[:1] == ["Interface"]:
        notes.use(cursor.numbers[cursor.i])
        cursor.i += 1
    for n, row in fitting(cursor, notes, _ROW.match, _BRIEF):
        off = row[3].lower().startswith("administratively")
        values = {"state": "active" if row[2] == "up" else "down", "admin_state": "down" if off else None, "rate_gbps": speed_gbps(row[4])}
        notes.thing(n, "interfaces", row[1])
        notes.put_all(n, values, "interfaces", row[1])


def _pfc(cursor: Cursor, notes: Notes, run: Run) -> None:
    notes.use(cursor.numbers[cursor.i])
    cursor.i += 1
    for n, row in fitting(cursor, notes, _ROW.match, _PFC):
        active = row[3].lower() == "on"
        values = {
            "pfc_admin": row[2].lower(),
            "pfc_active": active,
            "pfc_priorities": bits(row[4]) if active and row[4] else None,
            "rx_pfc": int(row[5]),
            "tx_pfc": int(row[6]),
        }
        notes.thing(n, "interfaces", row[1])
        notes.put_all(n, values, "interfaces", row[1])


def bits(text: str) -> list[int]:
    """The priorities of a bitmap in hexadecimal."""
    value = int(text, 16)
    return [bit for bit in range(8) if value >> bit & 1]


def _pfc_detail(cursor: Cursor, notes: Notes, run: Run) -> None:
    """`show interface priority-flow-control detail`: a block for each port, with a table of priorities."""
    if not cursor.peek(1).strip().startswith("Admin Mode"):
        return
    match = _PFC_DETAIL.match(cursor.peek())
    name = match[1] if match else ""
    notes.thing(cursor.numbers[cursor.i], "interfaces", name)
    cursor.i += 1
    priorities: list[str] = []
    while cursor.more and cursor.peek()[:1].isspace():
        n, bare = cursor.numbers[cursor.i], cursor.peek().strip()
        key, _, value = (part.strip() for part in bare.partition(":"))
        cells = [cell.strip() for cell in bare.strip("|").split("|")]
        if key == "Admin Mode":
            notes.put(n, value.lower() if value.lower() in ("on", "off", "auto") else None, "interfaces", name, "pfc_admin")
        elif key == "Oper Mode":
            notes.put(n, {"on": True, "off": False}.get(value.lower()), "interfaces", name, "pfc_active")
        elif key == "VL bitmap" and re.fullmatch(r"\(?[0-9a-fA-F]+\)?", value):
            notes.put(n, bits(value.strip("()")), "interfaces", name, "pfc_priorities")
        elif key in ("Total Rx PFC Frames", "Total Tx PFC Frames"):
            notes.put(n, count(value), "interfaces", name, f"{key.split()[1].lower()}_pfc")
        elif "Priority0" in bare:
            priorities = [cell.removeprefix("Priority") for cell in cells if cell.startswith("Priority")]
            notes.use(n)
        elif cells[0] in ("Rx", "Tx") and len(cells) > len(priorities):
            for priority, cell in zip(priorities, cells[1:], strict=False):
                notes.put(n, count(cell), "interfaces", name, "priorities", priority, f"{cells[0].lower()}_pause")
        else:
            notes.use(n)
        cursor.i += 1


# --- neighbours -------------------------------------------------------------------------------------------------


def _peer(notes: Notes, n: int, port: str, device: str, remote: str) -> None:
    notes.thing(n, "interfaces", port)
    notes.put(n, None if is_nothing(device) else device, "interfaces", port, "peer_device")
    notes.put(n, None if is_nothing(remote) else remote, "interfaces", port, "peer_port")


def _neighbour_rows(cursor: Cursor, notes: Notes, remote: re.Pattern[str]) -> None:
    """Rows of neighbours; a long device name stands on a line of its own above the rest of its row."""
    notes.use(cursor.numbers[cursor.i])
    cursor.i += 1
    device, line = "", 0
    while cursor.more:
        n, text = cursor.numbers[cursor.i], cursor.peek()
        row = _LLDP_ROW.match(text)
        if row:
            found = remote.search(row["rest"])
            peer_port = found[0].strip() if found and not _CAPABILITIES.fullmatch(row["rest"]) else ""
            _peer(notes, n, row["port"], (row["device"] or device).strip(), peer_port)
            if device:
                notes.use(line)
            device = ""
        elif text.startswith("Total entries displayed"):
            notes.ignore(n, "remark")
        elif len(text.split()) == 1 and not device and cursor.peek(1)[:1].isspace():
            device, line = text.strip(), n
        else:
            return
        cursor.i += 1


def _lldp(cursor: Cursor, notes: Notes, run: Run) -> None:
    _neighbour_rows(cursor, notes, re.compile(r"(?<=\s)\S+(?: \S+)*$|^\S+$"))


def _cdp(cursor: Cursor, notes: Notes, run: Run) -> None:
    _neighbour_rows(cursor, notes, re.compile(r"\S+$"))


def _lldp_detail(cursor: Cursor, notes: Notes, run: Run) -> None:
    """`show lldp neighbors detail`: the local port stands below the remote one."""
    first, found = cursor.i, dict[str, tuple[int, str]]()
    cursor.i += 1
    while cursor.more and not cursor.peek().startswith("Chassis id:") and re.match(r"[A-Z][\w ]*:|\s", cursor.peek()):
        key, _, value = cursor.peek().partition(":")
        found.setdefault(key.strip(), (cursor.numbers[cursor.i], value.strip()))
        cursor.i += 1
    if "Local Port id" not in found:
        cursor.i = first
        return
    notes.use(*cursor.numbers[first : cursor.i])
    port = found["Local Port id"][1]
    _peer(notes, found["Local Port id"][0], port, found.get("System Name", (0, ""))[1], found.get("Port id", (0, ""))[1])


READER = Reader(
    "cisco-nxos",
    read,
    commands=command(
        "show",
        "sh",
        options=r"(?:(?:int\w*\s+(?:\S+\s+){0,2}(?:priority-flow-control|flowcontrol))|queuing\b|"
        r"interface(?:\s+(?:eth|ethernet|mgmt|port-channel|e)\s?\d\S*)?(?:\s+brief)?\s*(?:$|\|))",
    ),
    starts=re.compile(
        r"(?:(?:Ethernet\d+/\S+|mgmt\d|port-channel\d+) is (?:up|down)(?: \([^)]*\))?\s*$|Port\s+Mode\s+Oper\s*\(VL bmap\)|"
        r"Port\s+Send\s+FlowControl\s|Port\s+Name\s+Status\s+Vlan\s+Duplex\s+Speed\s+Type|"
        r"Port\s+(?:Align-Err|Single-Col|Giants\s+SQETest|Stomped-CRC)|"
        r"Port\s+(?:In|Out)(?:Octets|McastPkts|Discards)\b|Ethernet\s+VLAN\s+Type\s+Mode\s+Status\s+Reason|"
        r"Capability codes:\s*$|Device ID\s+Local Intf\s+Hold-time|Port\s+VRF\s+Status\s+IP Address|"
        r"Device-ID\s+Local Intrfce\s|Chassis id: |Ethernet\d+/\S+:\s*$|"
        rf"{queuing.STARTS})"
    ),
    stops=True,
)
