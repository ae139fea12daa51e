"""`kubectl describe node`: what a host has, what may be used of it, and what its pods asked for.

A host is named by `Name:`, else by its Hostname address, else by the command line. Resources with a slash in their name are
extended ones and keep their names; sharing renames or multiplies them (`nvidia.com/gpu.shared`), and the text does not say so.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from advisor.evidence.reading import Part
from advisor.readers._ends import guarded
from advisor.readers._kubectl import ERROR, QUANTITY, quantity
from advisor.readers.contract import Block, Notes, Reader, command, filtered
from advisor.readers.shapes import is_left_out, open_end

_SECTIONS = (
    "Name|Roles?|Labels|Annotations|CreationTimestamp|Taints|Unschedulable|Lease|Conditions|Addresses|Capacity|Allocatable|"
    "System Info|PodCIDRs?|ProviderID|ExternalID|Non-terminated Pods|Allocated resources|Events|Phase|Age|Features"
)
_HEADING = re.compile(rf"\s*({_SECTIONS}):(?:\s+(.*?))?\s*$")
_RESOURCE = re.compile(r"\s*([a-z0-9][\w./-]*):\s*(\S*)\s*$")
_ROW = re.compile(rf"\s*([a-z0-9][\w./-]*)\s+({QUANTITY})(?:\s*\(-?\d+%\))?\s+({QUANTITY})(?:\s*\(-?\d+%\))?\s*$")
_OLD_ROW = re.compile(r"\s*" + r"\s+".join([rf"({QUANTITY})\s+\(-?\d+%\)"] * 4) + r"\s*$")
_ROW_NAME = re.compile(r"\s*(?:cpu|memory|[\w.-]+\.[\w.-]+/[\w.-]+)(?:\s|$)")
_OTHER_ROW = re.compile(r"\s*(?:ephemeral-storage|storage|pods|hugepages-\w+|attachable-volumes-[\w-]+)\b")
_FORM = re.compile(r"\s*(?:\(Total limits|Resource\s+Requests|CPU Requests|[-\s]+$)")
_TOTAL = re.compile(r"\((\d+) in total\)")
_HOSTNAME = re.compile(r"\s*Hostname:\s+(\S+)\s*$")
_READY = re.compile(r"\s*Ready\s+(True|False|Unknown)\s")
_POD = re.compile(r"\s*([a-z0-9][a-z0-9.-]*)\s+([a-z0-9][a-z0-9.-]*)\s+\S+ \(-?\d+%\)")
_LABEL = re.compile(r"\s*([\w./-]+)=(\S*)\s*$")
_TAINT = re.compile(r"\s*(\S+:(?:NoSchedule|PreferNoSchedule|NoExecute))\s*$")
_KEYED = re.compile(r"\s*[\w./-]+[:=]")
_OF_NODES = re.compile(r"\bdescribe\s+(?:-\S+\s+)*no(?:des?)?\b")
_NODE_IN_COMMAND = re.compile(r"\bdescribe\s+no(?:des?)?[\s/]+([a-z0-9][a-z0-9.-]*)\s*$")
_OPTION = re.compile(r"\s(?:-n|--namespace|--context|--kubeconfig)[= ]\S+|\s-\S+")
# Sections that only a node has: without one of them, a `Name:` is something else's.
_ONLY_NODES = {
    "Roles",
    "Taints",
    "Unschedulable",
    "Lease",
    "Capacity",
    "Allocatable",
    "System Info",
    "PodCIDR",
    "PodCIDRs",
    "Allocated resources",
} | {"Non-terminated Pods"}
# Sections that stand once for each node: a second one is another node's.
_ONCE = {"Addresses", "Capacity", "Allocatable", "System Info", "Non-terminated Pods", "Allocated resources", "Conditions"}
_UNITS = {"cpu": "cpu_{}", "memory": "memory_{}_bytes"}


@dataclass(slots=True)
class _Host:
    """One host while its lines are read; its facts wait until its name is known."""

    name: str | None = None
    line: int = 0
    facts: list[tuple[int, object, tuple[str, ...]]] = field(default_factory=list)
    sections: set[str] = field(default_factory=set)
    lists: dict[str, tuple[int, list[str]]] = field(default_factory=dict)
    loose: dict[str, list[tuple[int, object]]] = field(default_factory=dict)

    def amount(self, n: int, what: str, resource: str, value: object) -> None:
        """An amount of a resource: `what` is capacity, allocatable, requested or limit. Disk, huge pages and pods are left aside."""
        if resource in _UNITS:
            self.facts.append((n, value, (_UNITS[resource].format(what),)))
        elif "/" in resource:
            self.facts.append((n, value, ("resources", resource, what)))

    def add(self, n: int, things: str, name: str) -> None:
        self.lists.setdefault(things, (n, []))[1].append(name)


def read(block: Block) -> Iterator[Part]:
    reading = _Reading(block)
    reading.read()
    if not reading.notes.is_empty:
        yield reading.notes.part()


class _Reading:
    """The lines of one run. It ends where other text starts, or where a host's name comes again: that is another run."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.notes = Notes("kubectl-describe-node", block)
        self.hosts: list[_Host] = []
        self.names: set[str] = set()
        self.section = ""

    @property
    def host(self) -> _Host:
        if not self.hosts:
            self.hosts.append(_Host())
        return self.hosts[-1]

    def read(self) -> None:
        for n, text in self.block.lines.inked():
            heading = _HEADING.match(text)
            if heading and not (heading[1] in ("Capacity", "Allocatable") and heading[2]):
                if heading[1] == "Name" and heading[2] in self.names:
                    break
                self.heading(n, heading[1], heading[2] or "")
            elif is_left_out(text):
                self.notes.problem(n, "left-out")
            elif ERROR.match(text) and self.block.command:
                self.notes.problem(n, "tool-error")
            elif text.strip() == "--":
                self.notes.ignore(n, "rule")
            elif not self.line(n, text):
                break
        self.finish()

    def heading(self, n: int, section: str, value: str) -> None:
        if section == "Name":
            self.hosts.append(_Host(value or None, n))
            self.names.add(value)
        elif section in _ONCE and section in self.host.sections:
            self.hosts.append(_Host())
        host = self.host
        host.line = host.line or n
        host.sections.add(section)
        self.section = section
        self.notes.use(n)
        if section == "Non-terminated Pods" and (total := _TOTAL.search(value)):
            host.facts.append((n, int(total[1]), ("pod_count",)))
        elif section == "Unschedulable" and value in ("true", "false"):
            host.facts.append((n, value == "true", ("unschedulable",)))
        elif section in ("Labels", "Taints") and value and not value.startswith("<"):
            self.line(n, value)

    def line(self, n: int, text: str) -> bool:
        """Whether a line that is no heading belongs here."""
        host, section = self.host, self.section
        if section in ("Capacity", "Allocatable"):
            return self.resource(n, text)
        if section == "Allocated resources" or (section in ("", "Name") and _ROW.match(text)):
            return self.allocated(n, text)
        if section == "Addresses" or not section:
            named = _HOSTNAME.match(text)
            if named and host.name is None:
                host.name, host.line = named[1], n
        if section == "Conditions" and (ready := _READY.match(text)):
            host.facts.append((n, {"True": True, "False": False}.get(ready[1]), ("ready",)))
        elif section == "Labels" and (label := _LABEL.match(text)):
            host.facts.append((n, label[2], ("labels", label[1])))
        elif section == "Taints" and (taint := _TAINT.match(text)):
            host.add(n, "taints", taint[1])
        elif section == "Non-terminated Pods" and (pod := _POD.match(text)):
            host.add(n, "pods", f"{pod[1]}/{pod[2]}")
        elif section == "Name" and (resource := _RESOURCE.match(text)) and (value := quantity(resource[2])) is not None:
            host.loose.setdefault(resource[1], []).append((n, value))
            return True
        elif not section and _READY.match(text):
            self.notes.ignore(n, "condition of a host that is named below")
            return True
        elif section in ("", "Name") or not (text[:1].isspace() or _KEYED.match(text) or _POD.match(text)):
            return bool(_HOSTNAME.match(text)) and not section
        self.notes.use(n)
        return True

    def resource(self, n: int, text: str) -> bool:
        found = _RESOURCE.match(text)
        if not found:
            if text[:1].isspace():
                self.notes.problem(n, "damaged")
            return text[:1].isspace()
        name, amount = found[1], quantity(found[2])
        if amount is None or self.is_cut(n, name):
            self.notes.problem(n, "cut" if not found[2] or amount is not None else "damaged")
            return True
        self.host.amount(n, self.section.lower(), name, amount)
        self.notes.use(n)
        return True

    def is_cut(self, n: int, name: str) -> bool:
        """Whether the text ends in this line of a list that always goes on to the number of pods."""
        return n == open_end(self.block.lines) and name != "pods" and not filtered(self.block.command)

    def allocated(self, n: int, text: str) -> bool:
        row, old = _ROW.match(text), _OLD_ROW.match(text)
        if row:
            for what, amount in (("requested", row[2]), ("limit", row[3])):
                self.host.amount(n, what, row[1], quantity(amount))
        elif old:
            for at, (what, resource) in enumerate((w, r) for r in ("cpu", "memory") for w in ("requested", "limit")):
                self.host.amount(n, what, resource, quantity(old[at + 1]))
        elif _ROW_NAME.match(text):
            self.notes.problem(n, "cut")
        elif not (_FORM.match(text) or _OTHER_ROW.match(text)):
            return False
        self.notes.use(n)
        return True

    def finish(self) -> None:
        """Puts what was found, each host under its name."""
        commanded = self.commanded()
        asked = _OF_NODES.search(self.block.command or "")
        nameless = 0
        for host in self.hosts:
            for resource, lines in host.loose.items():
                if len(lines) == 2:  # a filter kept the lines of one resource: capacity stands before allocatable
                    for what, (n, value) in zip(("capacity", "allocatable"), lines, strict=True):
                        host.amount(n, what, resource, value)
                        self.notes.use(n)
            if not (host.facts or host.lists or host.sections & _ONLY_NODES) and not (host.name and asked):
                continue
            name = host.name or (commanded if len(self.hosts) == 1 else None)
            if name is None:
                nameless += 1
                name = f"#{nameless}"
            self.notes.thing(host.line or self.block.first, "hosts", name)
            for n, value, path in host.facts:
                self.notes.put(n, value, "hosts", name, *path)
            for things, (n, names) in host.lists.items():
                self.notes.put(n, names, "hosts", name, things)
        self.notes.count("hosts", "host_count")

    def commanded(self) -> str | None:
        """The one host that the command line asks for."""
        found = _NODE_IN_COMMAND.search(_OPTION.sub("", self.block.command.split("|")[0])) if self.block.command else None
        return found[1] if found else None


READER = Reader(
    "kubectl-describe-node",
    guarded(read),
    commands=command("kubectl", "oc", "k", options=_OF_NODES.pattern),
    starts=re.compile(
        r"\s*(?:Name:\s+[a-z0-9][a-z0-9.-]*|Roles:\s.*|(?:Capacity|Allocatable|Allocated resources|System Info|Addresses):|"
        r"Non-terminated Pods:\s.*|"
        r"(?:Ready|MemoryPressure|DiskPressure|PIDPressure|NetworkUnavailable)\s+(?:True|False|Unknown)\s+\w{3}, .*)\s*$"
    ),
)
