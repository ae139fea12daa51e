"""`/proc/net/bonding/*`: a bond, its mode and policy, and its members."""

import re
from collections.abc import Iterator

from advisor.evidence.reading import Part
from advisor.readers._again import Runs
from advisor.readers._loops import loop_names, nth_name
from advisor.readers._titles import title_above, titled_name
from advisor.readers.contract import Block, Notes, Reader, command
from advisor.readers.shapes import is_left_out, number, open_end, port_state

TOOL = "proc-net-bonding"
_BANNER = re.compile(r"\s*Ethernet Channel Bonding Driver:")
_PATH = re.compile(r"/proc/net/bonding/(?P<name>[\w.@$*{}\"-]+)")
_PATH_BEFORE = re.compile(r"\s*/proc/net/bonding/(?P<name>[\w.@-]+):")
_ENTRY = re.compile(r"\s*(?P<key>[A-Za-z][\w .()/-]*?)\s*:(?P<value>.*)\Z")
_SPEED = re.compile(r"(?P<rate>\d+) Mbps\Z")
_MODES = {
    "802.3ad": "802.3ad",
    "active-backup": "active-backup",
    "round-robin": "balance-rr",
    "(xor)": "balance-xor",
    "broadcast": "broadcast",
    "transmit load balancing": "balance-tlb",
    "adaptive load balancing": "balance-alb",
}
# Entries that hold no fact of ours; any other is not this file's.
_OTHERS = re.compile(
    r"(?:MII Polling Interval|Up Delay|Down Delay|Peer Notification Delay|ARP \S.*?) \(\S+\)|MII Polling Interval|"
    r"Min links|LACP active|Primary Slave|"
    r"Aggregator selection policy \(ad_select\)|[Ss]ystem (?:priority|MAC address|mac address)|Active Aggregator Info|"
    r"Number of ports|Aggregator ID|"
    r"(?:Actor|Partner) (?:Key|Mac Address|Churn State|Churned Count)|Permanent HW addr|"
    r"Slave queue ID|details (?:actor|partner) lacp pdu|"
    r"port (?:key|priority|number|state)|oper key|ARP IP target/s.*|"
    r"Ethernet Channel Bonding Driver|Link Failure Count|Speed|Duplex|MII Status"
)
_OF_BOND = {"Bonding Mode", "Transmit Hash Policy"}


def read(block: Block) -> Iterator[Part]:
    runs = Runs(TOOL, block, (("interfaces", "interface_count"),), finish=_count_members)
    names, count = _names(block), 0
    above = None if block.command else title_above(block.lines, block.first)
    bond, member = "", ""
    cut = open_end(block.lines)
    for i, (n, text) in enumerate(block.lines):
        before = _PATH_BEFORE.match(text)
        if before:
            text = text[before.end() :]
            if before["name"] != bond:
                above, bond = before["name"], ""
        entry = _ENTRY.match(text)
        begins = _BANNER.match(text) or (
            entry and entry["key"] == "Bonding Mode" and runs.notes.get("interfaces", bond, "bond_mode") is not None
        )
        if begins or (entry and not bond and (block.command or entry["key"] in _OF_BOND)):
            count += 1
            bond = above or nth_name(names, count)
            above, member = None, ""
            if runs.notes.get("interfaces", bond) is not None:
                runs.begin(i)
            runs.notes.thing(n, "interfaces", bond)
        if entry and bond:
            member = _entry(runs.notes, n, bond, member, entry["key"], entry["value"].strip(), n == cut)
        elif bond and text.strip() == "802.3ad info":
            runs.notes.use(n)
        elif bond and is_left_out(text):
            runs.notes.problem(n, "left-out")
        elif name := titled_name(text):
            above, bond = name, ""
    yield from runs.parts()


def _names(block: Block) -> list[str]:
    match = _PATH.search(block.command or "")
    if not match:
        return []
    name = match["name"].strip("\"'")
    return loop_names(block.command, name) or ([] if any(mark in name for mark in "$*{") else [name])


def _entry(notes: Notes, n: int, bond: str, member: str, key: str, value: str, is_open: bool) -> str:
    """Reads an entry; returns the member that the next ones belong to."""
    where = ("interfaces", bond, "members", member) if member else ("interfaces", bond)
    if is_open:
        notes.problem(n, "cut")
    elif key == "Bonding Mode":
        notes.put(n, next((mode for words, mode in _MODES.items() if words in value), None), *where, "bond_mode")
    elif key == "Transmit Hash Policy":
        notes.put(n, value.partition(" (")[0] or None, *where, "xmit_hash_policy")
    elif key in ("Slave Interface", "Port Interface"):
        notes.thing(n, "interfaces", bond, "members", value)
        return value
    elif key == "MII Status":
        notes.put(n, port_state(value), *where, "state")
    elif key == "Speed" and member:
        speed = _SPEED.match(value)
        notes.put(n, int(speed["rate"]) / 1000 if speed else None, *where, "rate_gbps")
    elif key == "Duplex" and member:
        notes.put(n, value.lower() if value.lower() in ("full", "half") else None, *where, "duplex")
    elif key == "Link Failure Count":
        notes.put(n, number(value), *where, "link_failures")
    elif key == "Aggregator ID" and member:
        notes.put(n, number(value), *where, "aggregator_id")
    elif key == "LACP rate":
        notes.put(n, value or None, *where, "lacp_rate")
    elif key == "Currently Active Slave":
        notes.put(n, None if value == "None" else value, *where, "active_member")
    elif _OTHERS.fullmatch(key):
        notes.ignore(n, "no fact of ours")
    return member


def _count_members(notes: Notes) -> None:
    for name, bond in notes.facts.get("interfaces", {}).items():
        if "members" in bond:
            bond["member_count"] = len(bond["members"])
            notes.at["interfaces", name, "member_count"] = notes.at["interfaces", name, "members", next(iter(bond["members"]))]


READER = Reader(TOOL, read, commands=command("cat", "more", "less", "head", "tail", "grep", options=r"/proc/net/bonding/"), starts=_BANNER)
