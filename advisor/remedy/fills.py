"""What fills a command line: a site's own ports, hosts, priorities and DSCP values, as words that cannot act in a shell.

Captured text is hostile. A word goes into a command only if it is made of letters, digits and `._:/@+-`, and begins with a letter or a
digit: nothing that a shell, a switch's command line or a configuration file takes for more than a name, no option, no blank. Any other word
stays out, and its place in the line stays marked as <name>.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby

_SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,63}\Z", re.ASCII)
_PLACE = re.compile(r"\{(\w+)\}")

# All names that may stand in braces in a line of knowledge/vendors; `plan.fill.<name>` says where to find each.
FILLS = (
    "port",
    "leaf",
    "host",
    "hosts",
    "interface",
    "device",
    "job",
    "priority",
    "pfc_bits",
    "trust_now",
    "pfc_now",
    "other",
    "other_bits",
    "priority_bits",
    "dscp",
    "dscp_bits",
    "traffic_class",
    "queue",
    "cnp_dscp",
    "kmin",
    "kmax",
    "kmin_percent",
    "kmax_percent",
    "pmax",
    "detect_ms",
    "restore_ms",
    "detect_s",
    "restore_s",
    "profile",
    "policy",
    "class",
    "weight",
    "weights",
    "rate",
    "old",
    "seed",
    "mtu",
    "speed",
    "fec",
    "bridge",
    "node",
    "bond",
    "nics",
    "clock",
    "queue_pairs",
    "size",
    "group",
    "mount",
    "share",
    "server",
    "count",
    "switches",
    "wait",
    "storage_address",
    "subnet",
    "lid",
    "peer_lid",
    "command",
    "label",
    "card",
    "rates",
)


def is_safe(word: str) -> bool:
    """Whether a captured word may stand in a command line."""
    return bool(_SAFE.match(word))


def safe(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(word for word in words if is_safe(word))


@dataclass(frozen=True)
class Fills:
    """Values by name, all safe; for lines that are said once for each port, card, host or leaf, what is different in each.

    refused   names that were left out because a captured word could act in a command line
    """

    values: Mapping[str, str] = field(default_factory=dict)
    ports: tuple[str, ...] = ()
    nics: tuple[tuple[str, str], ...] = ()  # interface, RDMA device
    hosts: tuple[tuple[str, str | None], ...] = ()  # host, its leaf
    leaves: tuple[tuple[str, tuple[str, ...]], ...] = ()  # leaf, its hosts
    refused: tuple[str, ...] = ()

    def without(self, names: Iterable[str]) -> "Fills":
        """The same with these names open: what the site has is not meant here."""
        left_open = set(names)
        kept = {name: value for name, value in self.values.items() if name not in left_open}
        return replace(self, values=kept, nics=() if "interface" in left_open else self.nics)


# Blocks that are written out: one where something is only looked at; a tree of leaves is a file that has to be whole.
MOST = {"port": 2, "nic": 8, "host": 32, "leaf": 128}


@dataclass(frozen=True)
class Line:
    """A line to type; `more`: how many further ones are alike and not written out, `of` which they are (port, nic, host, leaf)."""

    text: str
    more: int = 0
    of: str = ""


def filled_lines(lines: Iterable[str], fills: Fills, looks: bool = False) -> tuple[Line, ...]:
    """The lines with the site's words in them. Lines for each port, card, host or leaf that follow one another are one block,
    said once for each; where none is known, the block is said once with its places open.
    """
    found: list[Line] = []
    for of, block in groupby(lines, _mark):
        if not of:
            found += [Line(_put(line, fills.values)) for line in block]
            continue
        each, template = _each(of, fills), [line.partition(" ")[2] for line in block]
        others, most = _without(fills.values, of), 1 if looks else MOST[of]
        blocks = [[Line(_put(line, {**others, **own})) for line in template] for own in each[:most] or [{}]]
        blocks[-1][-1] = Line(blocks[-1][-1].text, max(len(each) - most, 0), of)
        found += [line for block in blocks for line in block]
    return tuple(found)


def _mark(line: str) -> str:
    word = line.partition(" ")[0]
    return word[1:] if word in ("@port", "@nic", "@host", "@leaf") else ""


def _each(of: str, fills: Fills) -> list[dict[str, str]]:
    if of == "port":
        return [{"port": port} for port in fills.ports]
    if of == "nic":
        return [{"interface": interface, "device": device} for interface, device in fills.nics]
    if of == "host":
        return [{"host": host} | ({"leaf": leaf} if leaf else {}) for host, leaf in fills.hosts]
    return [{"leaf": leaf} | ({"hosts": ",".join(hosts)} if hosts else {}) for leaf, hosts in fills.leaves]


def _without(values: Mapping[str, str], of: str) -> dict[str, str]:
    """Values without those that are different for each."""
    own = {"port": ("port",), "nic": ("interface", "device"), "host": ("host", "leaf"), "leaf": ("leaf", "hosts")}[of]
    return {name: value for name, value in values.items() if name not in own}


def _put(line: str, values: Mapping[str, str]) -> str:
    return _PLACE.sub(lambda place: values.get(place[1], f"<{place[1]}>"), line)


def places(line: str) -> tuple[str, ...]:
    """Names of a template's places, each once."""
    return tuple(dict.fromkeys(_PLACE.findall(line)))


def open_places(line: str) -> tuple[str, ...]:
    """Names that are still to be filled in a filled line."""
    return tuple(dict.fromkeys(name for name in re.findall(r"<(\w+)>", line) if name in FILLS))
