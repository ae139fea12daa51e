"""H3C Comware: `display interface`, its brief and counters, PFC, queue statistics, dropped packets and LLDP.

Rates are bytes per second, bandwidths kbit/s, and `-` means that the hardware does not count. Pauses are 802.3x. A PFC table copied from
the web manual has its header and rows broken into several lines. Forms: H3C command references.
"""

import re
from collections.abc import Iterator
from typing import Any

from advisor.evidence.reading import Part
from advisor.readers._comware_neighbours import NAME, NEIGHBOUR, in_full, in_list
from advisor.readers._display import states
from advisor.readers._ends import is_whole
from advisor.readers._figures import count, percent, rate_gbps, speed_gbps
from advisor.readers._switch import Cursor, Port, Run, Section, read_sections
from advisor.readers._switch_tables import is_rule
from advisor.readers.contract import Block, Notes, Reader, command

_ALONE = re.compile(rf"\s?({NAME})\s*$")
_OLD = re.compile(rf"\s?({NAME}) current state: (.*?)\s*$", re.IGNORECASE)
_ROW = re.compile(rf"\s*{NAME}\s")
_ERROR = re.compile(r"\s*(?:% ?\S|Error: )")
_RATE = re.compile(r"Last \d+ (?:second|minute)s? (input|output):\s+\d+ packets/sec,?\s+(\d+) (bytes|bits)/sec,?\s+([\d.]+|-)%")
_TOTAL = re.compile(r"(Input|Output) \((total|normal)\):\s+(\d+|-) packets,\s+(\d+|-) bytes")
_PAIRS = re.compile(r"(\d+|-) ([A-Za-z][A-Za-z ]*?)(?:,|\s*$)")
_SPEED = re.compile(r"(\S+)-speed mode, (\w+)-duplex mode", re.IGNORECASE)
_NAMES = {"input errors": "rx_errors", "output errors": "tx_errors", "CRC": "crc_errors"}
_PLAIN = re.compile(
    r"\s*(?:Line protocol|IP |IPv6|Description|Bandwidth|Loopback|Media type|Maximum|The |MDI|Last|Peak|Input|Output|Allow|Broadcast|"
    r"Unicast|Unknown|Known|Internet|Port |PVID|Tagged|Untagged|Promiscuous|Output queue|Interface|Derived|VLAN|Link|Flow|Current|Hold|"
    r"Mdi|Port-mode|Trunk|Ethernet|Hardware|Physical|Member|Two-to|Cable|Forbid|Jumbo|Vlan|Protocol|Default|Preferred|Forward|FEC|"
    r"\d+(?:[GM]bps)|\d+ |- |Encapsulation|Service|Bridge|Speed|Ingress|Egress|Time|Statistics|Multicast)"
)
_PFC_MODES = {"enabled": "on", "disabled": "off", "auto": "auto", "on": "on", "off": "off"}
_COUNTERS_ROW = re.compile(rf"\s*({NAME})\s+(\d+|-+|Overflow)\s+(\d+|-+|Overflow)\s+(\d+|-+|Overflow)\s+(\d+|-+|Overflow)\s*$")
_BRIEF_ROW = re.compile(r"\s*([A-Za-z][\w-]*[\d/.:]*)\s+(UP|DOWN|ADM|Stby)(?:\(\w+\))?\s+(\S+)(?:\s+(\S+))?(?:\s|$)")
_QUEUE = re.compile(r"\s*Queue (\d+)\s*$")
_MOVED = re.compile(r"\s*(Forwarded|Dropped|ECN marked|WRED dropped|Passed)\s*:\s*(\d+)\s+packets(?:,\s*(\d+)\s+bytes)?")
_DROPS = re.compile(r"\s*Packets (?:dropped due to|of) (.+?)[:.]\s*(.*)$")
_DROP_FACTS = {"ecn marked": "ecn_marked", "wred droped": "wred_discards", "wred dropped": "wred_discards"}
_STRANGE = 6


def read(block: Block) -> Iterator[Part]:
    yield from read_sections("h3c-comware", block, _find, _ERROR, _is_whole)


def _is_whole(text: str, before: list[str]) -> bool:
    """A counter's name ends a line; a port's rates end with a percent sign."""
    return (
        is_whole(text, before)
        or re.search(r"(?:\d|-) (?:pauses|errors|throttles|aborts|failures|collisions|carrier|bytes)$", text) is not None
    )


def _find(text: str) -> Section | None:
    first = text.split(None, 1)[0]
    if first.endswith(":") and re.match(rf"{NAME}:\s*$", text):
        return _drops
    if _ALONE.match(text) or _OLD.match(text):
        return _ports
    if first == "Interface":
        if "AdminMode" in text or "Dot1pList" in text:
            return _pfc
        if "Link" in text and ("Speed" in text or "Protocol" in text):
            return _brief
        if "(pkts)" in text:
            return _counters
    if first == "Interface:":
        return _queues
    if "Local Interface" in text and "Chassis ID" in text:
        return in_list
    if first == "LLDP" and NEIGHBOUR.match(text):
        return in_full
    return _legend if text.strip().startswith(_LEGENDS) else None


_LEGENDS = (
    "The brief information",
    "Brief information on interface",
    "Duplex: (a)/A",
    *("# -- -- Nearest", "Default -- -- Nearest", "Chassis ID : * -- --"),
    "Link: ADM",
    "Protocol: (s)",
    "Speed or Duplex:",
    "Speed: (a)",
    "Type: A",
    "Conf -- ",
    "Overflow: More",
    "--: Not supported",
)


def _legend(cursor: Cursor, notes: Notes, run: Run) -> None:
    notes.ignore(cursor.numbers[cursor.i], "legend")
    cursor.i += 1


# --- display interface ------------------------------------------------------------------------------------------


def _ports(cursor: Cursor, notes: Notes, run: Run) -> None:
    port: Port | None = None
    side, strange = "", 0
    numbers, texts = cursor.numbers, cursor.texts
    while cursor.more:
        n, text = numbers[cursor.i], texts[cursor.i]
        alone = _ALONE.match(text) if len(text) < 40 else None
        header = alone if alone and cursor.peek(1).lstrip().startswith(("Current state", "Line protocol")) else _OLD.match(text)
        if header:
            if header[1] in notes.facts.get("interfaces", ()):
                return
            port, side, strange = Port(notes, n, header[1]), "", 0
            if header.re is _OLD:
                _state(port, n, header[2])
        elif port is None:
            return
        else:
            side, known = _line(port, notes, n, text.strip(), side)
            strange = 0 if known else strange + 1
            if strange > _STRANGE:
                cursor.i -= _STRANGE
                return
            if n == cursor.last and not known:
                notes.problem(n, "cut")
        cursor.i += 1


def _state(port: Port, n: int, text: str) -> None:
    state, admin = states(text)
    port.put(n, "state", state)
    port.put(n, "admin_state", admin)


def _line(port: Port, notes: Notes, n: int, bare: str, side: str) -> tuple[str, bool]:
    """The side that lines below are of, and whether the line is understood."""
    word = bare.split(" ", 1)[0]
    if word in ("Input", "Output"):
        total = _TOTAL.match(bare)
        side = "rx" if word == "Input" else "tx"
        if total and total[2] == "total":
            port.put(n, f"{side}_packets", count(total[3]))
            port.put(n, f"{side}_bytes", count(total[4]))
    elif word in ("Input:", "Output:"):
        side = "rx" if word == "Input:" else "tx"
        _pairs(port, n, bare.partition(":")[2], side)
    elif word == "Current" and bare.startswith("Current state:"):
        _state(port, n, bare.partition(":")[2])
    elif side and (word.isdecimal() or word == "-"):
        _pairs(port, n, bare, side)
    elif word == "Last":
        rate = _RATE.match(bare)
        if rate:
            way = "rx" if rate[1] == "input" else "tx"
            port.put(n, f"{way}_gbps", rate_gbps(f"{rate[2]} {rate[3]}/sec"))
            port.put(n, f"{way}_util_percent", percent(rate[4]))
        elif bare.startswith("Last clearing of counters:") and bare.partition(":")[2].strip().lower() not in ("never", ""):
            notes.put(n, True, "counters_cleared")
    elif "-speed mode" in bare and (speed := _SPEED.match(bare)):
        port.put(n, "rate_gbps", speed_gbps(speed[1]))
        port.put(n, "duplex", speed[2].lower() if speed[2].lower() in ("full", "half") else None)
    elif word == "Link" and bare.startswith("Link speed type is"):
        way = bare.split(",")[0].removeprefix("Link speed type is").strip()
        port.put(n, "auto_negotiation", {"autonegotiation": True, "force link": False}.get(way))
    elif bare.startswith(("Maximum transmission unit:", "The Maximum Transmit Unit is")):
        port.put(n, "mtu_bytes", count(re.sub(r"\D", "", bare.split(":" if ":" in bare else " is ")[-1].split(",")[0])))
    elif word == "Flow-control":
        state = {"Flow-control is not enabled": False, "Flow-control is enabled": True}.get(bare)
        port.put(n, "rx_flow_control", state)
        port.put(n, "tx_flow_control", state)
    elif not _PLAIN.match(bare):
        return side, False
    port.accounted.add(n)
    return side, True


def _pairs(port: Port, n: int, text: str, side: str) -> None:
    for figure, name in _PAIRS.findall(text):
        fact = f"{side}_pause" if name == "pauses" else _NAMES.get(name)
        if fact and fact not in port.entry:
            port.put(n, fact, count(figure))


# --- tables -----------------------------------------------------------------------------------------------------


def _brief(cursor: Cursor, notes: Notes, run: Run) -> None:
    bridged = "Speed" in cursor.peek()
    notes.use(cursor.numbers[cursor.i])
    cursor.i += 1
    while cursor.more:
        n, text = cursor.numbers[cursor.i], cursor.peek()
        row = _BRIEF_ROW.match(text)
        if not row:
            if not _ROW.match(text):
                return
            notes.problem(n, "cut" if n == cursor.last else "damaged")
            cursor.i += 1
            continue
        state, admin = states(row[2])
        values: dict[str, Any] = {"state": state, "admin_state": admin}
        if bridged:
            speed, duplex = row[3], row[4] or ""
            values["rate_gbps"] = speed_gbps(speed.removesuffix("(a)"))
            values["duplex"] = {"F": "full", "H": "half"}.get(duplex[:1])
            values["auto_negotiation"] = True if speed.endswith("(a)") else None
        notes.thing(n, "interfaces", row[1])
        notes.put_all(n, values, "interfaces", row[1])
        cursor.i += 1


def _counters(cursor: Cursor, notes: Notes, run: Run) -> None:
    """`display counters inbound interface`: only the command says which way."""
    side = "rx" if "inbound" in run.command else "tx" if "outbound" in run.command else ""
    if not side:
        return
    notes.use(cursor.numbers[cursor.i])
    cursor.i += 1
    while cursor.more and _ROW.match(cursor.peek()):
        n, row = cursor.numbers[cursor.i], _COUNTERS_ROW.match(cursor.peek())
        if row:
            notes.thing(n, "interfaces", row[1])
            notes.put_all(n, {f"{side}_packets": count(row[2]), f"{side}_errors": count(row[5])}, "interfaces", row[1])
        else:
            notes.problem(n, "cut" if n == cursor.last else "damaged")
        cursor.i += 1


def _pfc(cursor: Cursor, notes: Notes, run: Run) -> None:
    """A row is: port, modes, the no-drop priorities if there are some, then priority, received, sent and two rates."""
    notes.use(cursor.numbers[cursor.i])
    whole = "Outpps" in cursor.peek()
    cursor.i += 1
    if not whole and cursor.peek().split()[:1] == ["Send"]:
        notes.use(cursor.numbers[cursor.i])
        cursor.i += 1
    name, words, line = "", list[str](), 0
    while cursor.more:
        n, text = cursor.numbers[cursor.i], cursor.peek()
        if is_rule(text):
            notes.ignore(n, "rule")
        elif _ROW.match(text):
            _pfc_row(notes, line, name, words)
            name, words, line = text.split()[0], text.split()[1:], n
            notes.thing(n, "interfaces", name)
        elif name and re.match(r"\s+\d[\d\s]*$", text):
            notes.use(n)
            figures = sum(1 for word in words if word.isdecimal())
            if figures > 5 or (figures == 5 and len(text.split()) == 5) or not words:
                _pfc_row(notes, line, name, words)
                words, line = text.split(), n
            else:
                words += text.split()
        else:
            break
        cursor.i += 1
    _pfc_row(notes, line, name, words)


def _pfc_row(notes: Notes, n: int, name: str, words: list[str]) -> None:
    if not words:
        return
    place = ("interfaces", name)
    if not words[0].isdecimal():
        admin, oper, words = words[0].lower(), words[1].lower() if len(words) > 1 else "", words[2:]
        notes.put(n, _PFC_MODES.get(admin), *place, "pfc_admin")
        notes.put(n, {"enabled": True, "disabled": False, "on": True, "off": False}.get(oper), *place, "pfc_active")
    if len(words) == 6:
        notes.put(n, _priorities(words[0]), *place, "pfc_priorities")
        words = words[1:]
    if len(words) == 5 and words[0].isdecimal():
        notes.put_all(n, {"rx_pause": count(words[1]), "tx_pause": count(words[2])}, *place, "priorities", words[0])
    elif words:
        notes.problem(n, "cut")


def _priorities(text: str) -> list[int] | None:
    """`3`, `0,3-5`; a dash is unknown."""
    found: list[int] = []
    for word in text.split(","):
        first, _, last = word.partition("-")
        if not first.isdecimal() or (last and not last.isdecimal()):
            return None
        found += range(int(first), int(last or first) + 1)
    return found


def _queues(cursor: Cursor, notes: Notes, run: Run) -> None:
    """`display qos queue-statistics`: packets sent and dropped of each queue."""
    name = cursor.peek().partition(":")[2].strip()
    if not re.fullmatch(NAME, name):
        return
    notes.thing(cursor.numbers[cursor.i], "interfaces", name)
    cursor.i += 1
    queue, outbound = "", True
    while cursor.more:
        n, text = cursor.numbers[cursor.i], cursor.peek()
        head, moved = _QUEUE.match(text), _MOVED.match(text)
        if text.strip().startswith("Direction:"):
            outbound = "outbound" in text
            notes.use(n)
        elif head:
            queue = head[1]
            notes.use(n)
        elif moved:
            facts = {
                "Forwarded": ("tx_packets", "tx_bytes"),
                "Passed": ("tx_packets", "tx_bytes"),
                "Dropped": ("tx_discards", "tx_discard_bytes"),
            }
            facts |= {"ECN marked": ("ecn_marked", "ecn_marked_bytes"), "WRED dropped": ("wred_discards", "wred_discard_bytes")}
            place = ("interfaces", name, "queues", queue) if queue else ("interfaces", name)
            if outbound and (queue or moved[1] == "Dropped"):
                for fact, figure in zip(facts[moved[1]], (moved[2], moved[3] or ""), strict=True):
                    notes.put(n, count(figure), *place, fact)
            notes.use(n)
        elif re.match(r"\s+(?:Current queue length|Length|Queue length)", text):
            notes.use(n)
        else:
            return
        cursor.i += 1


def _drops(cursor: Cursor, notes: Notes, run: Run) -> None:
    """`display packet-drop interface`: why packets were dropped; those for want of buffers are the discards of the port."""
    if not cursor.peek(1).strip().startswith("Packets "):
        return
    name = cursor.peek().strip().rstrip(":")
    notes.thing(cursor.numbers[cursor.i], "interfaces", name)
    cursor.i += 1
    while cursor.more:
        n, row = cursor.numbers[cursor.i], _DROPS.match(cursor.peek())
        if not row:
            return
        both = re.search(r"Input dropped:\s*(\d+)\D+Output dropped:\s*(\d+)", row[2])
        fact = _DROP_FACTS.get(row[1].lower())
        if both:
            notes.put_all(n, {"rx_discards": int(both[1]), "tx_discards": int(both[2])}, "interfaces", name)
        elif fact:
            notes.put(n, count(row[2]), "interfaces", name, fact)
        else:
            notes.put(n, count(row[2]), "interfaces", name, "counters", row[1])
        cursor.i += 1


READER = Reader(
    "h3c-comware",
    read,
    commands=command(
        "display",
        "dis",
        options=r"(?:priority-flow-control|qos\s+queue-statistics|packet-drop|counters\s+(?:in|out)bound|lldp\s+neighbor-information)",
    ),
    starts=re.compile(
        rf"\s?{NAME}\s*$|\s?{NAME} current state: |Interface\s+(?:AdminMode|Conf\s+Ne)\s|Interface\s+Link\s+(?:Speed|Protocol)\s|"
        rf"Interface: {NAME}\s*$|(?:System Name\s+)?Local Interface\s+Chassis ID\s+Port ID|The brief information of interface|"
        r"Brief information on interfaces? in (?:route|bridge) mode|LLDP neighbor-information of port \d+ ?\["
    ),
    stops=True,
)
