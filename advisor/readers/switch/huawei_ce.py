"""Huawei CloudEngine (VRP): `display interface`, its brief and counters, PFC, queues, buffers, ECN and LLDP.

Speed without a unit is Mbit/s. A row of several tables is two lines: receive above transmit, packets above bytes. Forms: Huawei CloudEngine
command references.
"""

import re
from collections.abc import Iterator
from typing import Any

from advisor.evidence.reading import Part
from advisor.readers._display import port_in_command, states
from advisor.readers._figures import count, is_nothing, percent, rate_gbps
from advisor.readers._huawei_queues import LEGEND, ROW, queue_table
from advisor.readers._switch import Cursor, Port, Run, Section, read_sections
from advisor.readers._switch_tables import is_rule
from advisor.readers.contract import Block, Notes, Reader, command

_HEADER = re.compile(r"(\S+) current state : (.*?)\s*(?:\(ifindex: ?\d+\))?\s*$")
_ERROR = re.compile(r"\s*(?:Error|Warning): ")
_PAIR = re.compile(r"([A-Z][\w /()-]*?)\s*:\s*(\d[\d,]*|-{1,2})(?=\s*[,.]|\s*$|\s{2})")
_TOTAL = re.compile(r"\s*(?:Input|Output)\s*:?\s*(\d[\d,]*)\s+(packets|bytes)\s*,\s*(\d[\d,]*)\s+(?:packets|bytes)", re.IGNORECASE)
_FEW_ERRORS = re.compile(r"(\d+) errors(?:,|$)")
_RATE = re.compile(r"(?:Last|Recent) \d+ seconds (input|output) rate:?\s+([\d,]+ bits/sec)")
_COUNTERS = {
    "Discard": "discards",
    "Pause": "pause",
    "Total Error": "errors",
    "CRC": "crc_errors",
    "Symbols": "symbol_errors",
}
_UTIL = re.compile(r"\s*(Input|Output) bandwidth utilization\s*:\s*([\d.]+)%")
_SPEED = re.compile(r"Speed\s*:\s*(\d+|[A-Z]+)")
_DUPLEX = re.compile(r"Duplex\s*:\s*(\w+)")
_NEGOTIATION = re.compile(r"Negotiation\s*:\s*(\w+)")
_MTU = re.compile(r"The (?:Maximum Transmit Unit|MTU) is (\d+)")
_DESCRIPTIONS = re.compile(r"Interface\s+PHY\s+Protocol\s+Description\s*$")
_DESCRIPTION_ROW = re.compile(r"(\S+?)(?:\(\w+\))?\s+([*^!#-]?(?:up|down)(?:\(\w+\))?)\s+(?:up|down)(?:\(\w+\))?(?:\s|$)")
_NEIGHBOURS = re.compile(r"((?:\d+GE|[A-Z][A-Za-z-]+)[\d/.:]+) has (\d+) neighbors?(?:\(s\))?:?\s*$")
_FEC_MODE = re.compile(r"\bFEC(?: Mode)?\s*:\s*(\S+)", re.IGNORECASE)
_FLOW = re.compile(r"(Input|Output) Flow-control\s*:\s*(\w+)")
_LAST_UTIL = re.compile(r"Last \d+ seconds (input|output) utility rate:\s*([\d.]+)%")
_FECS = {"rs": "rs", "rs-fec": "rs", "base-r": "firecode", "baser": "firecode", "none": "none", "no": "none"}
_BRIEF = re.compile(r"\s*(\S+?)(?:\((\w+)\))?\s+([*^!#]*\w+(?:\(\w\))?)\s+(\S+)\s+([\d.]+%|--)\s+([\d.]+%|--)\s+(\d+|--)\s+(\d+|--)\s*$")


def read(block: Block) -> Iterator[Part]:
    yield from read_sections("huawei-ce", block, _find, _ERROR)


def _find(text: str) -> Section | None:
    words = text.split(None, 2)
    if len(words) > 2 and words[1] == "current" and _HEADER.match(text):
        return _ports
    first = words[0]
    if first == "Interface" and "InUti" in text and "PHY" in text:
        return _brief
    if first == "Interface" and _DESCRIPTIONS.match(text):
        return _descriptions
    if len(words) > 2 and words[1] == "has" and _NEIGHBOURS.match(text):
        return _lldp_full
    if first in ("Input:", "Output:", "Input", "Output"):
        return _loose
    if first == "Local" and "Exptime" in text:
        return _lldp
    if first == "PFC-profile" and "Priority" in text:
        return _rule
    if (table := queue_table(text)) is not None:
        return table
    return _rule if is_rule(text) or text.split(":")[0].strip() in _REMARKS or text.startswith(_LEGEND) else None


_REMARKS = {
    "PHY",
    "-down",
    "InUti/OutUti",
    *("*down", "^down", "#down"),
    *("(l)", "(s)", "(b)", "(e)", "(E)", "(v)", "(d)", "(dl)", "(c)", "(o)", "(sd)", "(lb)", "(p)", "(pd)"),
}
_LEGEND = (
    "!down",
    *LEGEND,
)


def _rule(cursor: Cursor, notes: Notes, run: Run) -> None:
    notes.ignore(cursor.numbers[cursor.i], "rule or legend")
    cursor.i += 1


# --- display interface ------------------------------------------------------------------------------------------


def _ports(cursor: Cursor, notes: Notes, run: Run) -> None:
    """Port after port; `Input:` and `Output:` say whose the counters below are."""
    port: Port | None = None
    side = ""
    numbers, texts = cursor.numbers, cursor.texts
    while cursor.more:
        n, text = numbers[cursor.i], texts[cursor.i]
        if " current state : " in text and not text.startswith("Line protocol"):
            header = _HEADER.match(text)
            if not header or header[1] in notes.facts.get("interfaces", ()):
                return
            port, side = Port(notes, n, header[1]), ""
            state, admin = states(header[2])
            port.put(n, "state", state)
            port.put(n, "admin_state", admin)
        elif port is not None:
            side, known = _line(port, n, text, side)
            if not known and text[0] != " " and not _PLAIN.match(text):
                return
            if n == cursor.last and re.search(r":\s*$|[A-Za-z]$", text) and side:
                notes.problem(n, "cut")
        else:
            return
        cursor.i += 1


# Lines of a port that hold nothing of ours and start at the margin.
_PLAIN = re.compile(
    r"(?:Line protocol|Description|Switch Port|Route Port|TPID|Last|Current|Port |Hash|IP |Internet|Link layer|Media|Loopback|Mdi|Flow|"
    r"Statistics|Physical|QoS|Encapsulation|Internal|Bound|Packets|LCP|Modem|Model|Transceiver|WaveLength|Rx |Tx |Input|Output|Realtime|"
    r"Interface|Preferred|Max|BW|CRC|Negotiation|Bandwidth|Working|Duplex|Speed|Recent|Local fault|Remote fault|FEC|Training|MTU|PVID|"
    r"Hold|The |---)"
)


def _line(port: Port, n: int, text: str, side: str) -> tuple[str, bool]:
    """The side that lines below are of, and whether the line is understood."""
    bare = text.strip()
    word = bare.split(" ", 1)[0].rstrip(":,")
    port.accounted.add(n)
    if word in ("Input", "Output"):
        direction = "rx" if word == "Input" else "tx"
        total = _TOTAL.match(text)
        used = _UTIL.match(text)
        if total:
            packets, octets = (1, 3) if total[2].lower() == "packets" else (3, 1)
            port.put(n, f"{direction}_packets", count(total[packets]))
            port.put(n, f"{direction}_bytes", count(total[octets]))
            return direction, True
        if used:
            port.put(n, f"{direction}_util_percent", percent(used[2]))
            return side, True
        for which, word in _FLOW.findall(bare):
            port.put(n, "rx_flow_control" if which == "Input" else "tx_flow_control", {"ENABLE": True, "DISABLE": False}.get(word))
        return (direction if bare.rstrip().endswith(":") else side), True
    if word in ("Last", "Recent") and (rate := _RATE.match(bare)):
        port.put(n, "rx_gbps" if rate[1] == "input" else "tx_gbps", rate_gbps(rate[2].replace(",", "")))
        return side, True
    if word == "Last" and (used := _LAST_UTIL.match(bare)):
        port.put(n, "rx_util_percent" if used[1] == "input" else "tx_util_percent", percent(used[2]))
        return side, True
    if side and (errors := _FEW_ERRORS.match(bare)):
        port.put(n, f"{side}_errors", int(errors[1]))
        return side, True
    if side and ":" in bare:
        found = False
        for name, figure in _PAIR.findall(bare):
            fact = _COUNTERS.get(name)
            value = count(figure)
            if fact and value is not None:
                key = f"{side}_{fact}" if fact in ("discards", "pause", "errors") else fact
                if key.startswith(("rx", "tx")) or side == "rx":
                    port.put(n, key, value)
            found = True
        if found:
            return side, True
    return side, _settings(port, n, bare)


def _settings(port: Port, n: int, bare: str) -> bool:
    """Speed, duplex, negotiation, FEC and MTU stand several on a line."""
    known = False
    if "Speed" in bare and (speed := _SPEED.search(bare)):
        megabits = count(speed[1])
        port.put(n, "rate_gbps", None if megabits is None else megabits // 1000 if megabits % 1000 == 0 else megabits / 1000)
        known = True
    if "Duplex" in bare and (duplex := _DUPLEX.search(bare)):
        port.put(n, "duplex", {"full": "full", "half": "half"}.get(duplex[1].lower()))
        known = True
    if "Negotiation" in bare and (negotiation := _NEGOTIATION.search(bare)):
        port.put(n, "auto_negotiation", {"enable": True, "disable": False}.get(negotiation[1].lower()))
        known = True
    if "FEC" in bare.upper() and (fec := _FEC_MODE.search(bare)):
        port.put(n, "fec", _FECS.get(re.sub(r"[,(].*", "", fec[1].lower())))
        known = True
    if "The M" in bare and (mtu := _MTU.search(bare)):
        port.put(n, "mtu_bytes", int(mtu[1]))
        known = True
    return known


def _loose(cursor: Cursor, notes: Notes, run: Run) -> None:
    """Counters whose head is lost: the port is the one of the command line."""
    if not re.match(r"\s*(?:Input|Output):\s*(?:\d[\d,]* packets.*)?$", cursor.peek()):
        return
    name = port_in_command(run.command) or "#1"
    port, side = Port(notes, cursor.numbers[cursor.i], name), ""
    while cursor.more:
        n, text = cursor.numbers[cursor.i], cursor.peek()
        if not re.match(r"\s*(?:Input|Output)\b|\s+[A-Z][\w ]*:\s+\d", text):
            return
        side, _ = _line(port, n, text, side)
        cursor.i += 1


# --- tables -----------------------------------------------------------------------------------------------------


def _brief(cursor: Cursor, notes: Notes, run: Run) -> None:
    notes.use(cursor.numbers[cursor.i])
    cursor.i += 1
    while cursor.more:
        n, text = cursor.numbers[cursor.i], cursor.peek()
        row = _BRIEF.match(text)
        if not row:
            if not ROW.match(text):
                return
            notes.problem(n, "cut" if n == cursor.last else "damaged")
            cursor.i += 1
            continue
        state, admin = states(row[3])
        values: dict[str, Any] = {
            "state": state,
            "admin_state": admin,
            "rx_util_percent": percent(row[5]),
            "tx_util_percent": percent(row[6]),
            "rx_errors": count(row[7]),
            "tx_errors": count(row[8]),
        }
        notes.thing(n, "interfaces", row[1])
        notes.put_all(n, values, "interfaces", row[1])
        cursor.i += 1


def _descriptions(cursor: Cursor, notes: Notes, run: Run) -> None:
    """`display interface description`: the physical state of each port."""
    notes.use(cursor.numbers[cursor.i])
    cursor.i += 1
    while cursor.more:
        n, row = cursor.numbers[cursor.i], _DESCRIPTION_ROW.match(cursor.peek())
        if not row:
            return
        state, admin = states(row[2])
        notes.thing(n, "interfaces", row[1])
        notes.put_all(n, {"state": state, "admin_state": admin}, "interfaces", row[1])
        cursor.i += 1


def _lldp_full(cursor: Cursor, notes: Notes, run: Run) -> None:
    """`display lldp neighbor`: a port, then a key on each line; the first of several neighbours stays."""
    match = _NEIGHBOURS.match(cursor.peek())
    name = match[1] if match else ""
    if match and match[2] != "0":
        notes.thing(cursor.numbers[cursor.i], "interfaces", name)
    else:
        notes.use(cursor.numbers[cursor.i])
    cursor.i += 1
    told = set[str]()
    while cursor.more and not _NEIGHBOURS.match(cursor.peek()) and (told or cursor.peek().startswith("Neighbor index")):
        n, (key, colon, value) = cursor.numbers[cursor.i], cursor.peek().partition(":")
        fact = {"System name": "peer_device", "Port ID": "peer_port"}.get(key.strip())
        if fact and colon and fact not in told:
            notes.put(n, None if is_nothing(value) else value.strip(), "interfaces", name, fact)
            told.add(fact)
        told.add("begun")
        notes.use(n)
        cursor.i += 1


def _lldp(cursor: Cursor, notes: Notes, run: Run) -> None:
    """`display lldp neighbor brief`, in both orders of its columns."""
    header = cursor.peek()
    time_first = header.find("Exptime") < header.find("Neighbor")
    notes.use(cursor.numbers[cursor.i])
    cursor.i += 1
    while cursor.more:
        n, text = cursor.numbers[cursor.i], cursor.peek()
        words = text.split()
        if is_rule(text):
            notes.ignore(n, "rule")
        elif not ROW.match(text):
            return
        elif len(words) < 4 or (n == cursor.last and len(re.split(r"\s{2,}", text.strip())) < 4):
            notes.problem(n, "cut" if n == cursor.last else "damaged")
        else:
            port, device = (words[2], words[3]) if time_first else (words[2], words[1])
            rest = text.split(None, 2)[2].rstrip() if time_first else ""
            if rest and len(apart := re.split(r"\s{2,}", rest)) == 2:  # a port's name may hold a blank
                port, device = apart
            notes.thing(n, "interfaces", words[0])
            notes.put(n, None if is_nothing(device) else device, "interfaces", words[0], "peer_device")
            notes.put(n, None if is_nothing(port) else port, "interfaces", words[0], "peer_port")
        cursor.i += 1


READER = Reader(
    "huawei-ce",
    read,
    commands=command(
        "display", "dis", options=r"(?:dcb\b|qos\s+(?:queue\s+statistics|buffer)|lldp\s+neighbor(?:\s+(?:brief|interface)|\s*$))"
    ),
    starts=re.compile(
        r"(?:\d+GE|[A-Z][A-Za-z-]+)[\d/.:]+ current state : |Interface\s+Queue\s+Received\(Frames\)|"
        r"\s*Queue\s+CIR/PIR\s+Passed|\s*Queue ID\s+: \d|"
        r"(?:\d+GE|[A-Z][A-Za-z-]+)[\d/.:]+ has \d+ neighbors?(?:\(s\))?:?\s*$|"
        r"Interface\s+PHY\s+Protocol\s+(?:InUti|Description)|PHY: Physical\s*$|"
        r"Interface\s+Dropped\s+Drop Rate|(?:Egress|Ingress) [Bb]uffer [Uu]sage|"
        r"Interface\s+Queue\s+(?:Guaranteed|Xon|Type)\b|Xon:\s+PFC backpressure|"
        r"Local (?:Interface|Intf)\s+(?:Exptime\(s\)|Neighbor Dev\S*\s+Neighbor Intf)|PFC-Profile Maximum"
    ),
    stops=True,
)
