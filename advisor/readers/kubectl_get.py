"""`kubectl get pods`, `get events`, `get nodes`, and the Events table of `kubectl describe`: where pods run, and why some do not.

A column is told by its header. A scheduler's message `0/4 nodes are available: 2 Insufficient nvidia.com/gpu` gives the hosts that
fit, all hosts, and what is short.
"""

import re
from collections.abc import Iterator
from typing import Any

from advisor.evidence.reading import Part
from advisor.readers._ends import guarded
from advisor.readers._json import parse
from advisor.readers._kubectl import ERROR
from advisor.readers._kubectl_objects import are_objects, put_objects, scheduling
from advisor.readers._yaml import documents
from advisor.readers.contract import Block, Notes, Reader, command, filtered
from advisor.readers.shapes import known, open_end

_PODS = re.compile(r"\s*(?:NAMESPACE\s+)?NAME\s+READY\s+STATUS\b")
_NODES = re.compile(r"\s*NAME\s+STATUS\s+ROLES\s+AGE\b")
_EVENTS = re.compile(r"\s*(?:NAMESPACE\s+)?LAST SEEN\s+(?:FIRST SEEN\s+|COUNT\s+|NAME\s+|KIND\s+|SUBOBJECT\s+)*TYPE\s+REASON\b")
_DESCRIBED = re.compile(
    r"\s*(?:FirstSeen\s+LastSeen\s+Count\s+From\s+(?:Sub[Oo]bject(?:Path)?\s+)?)?Type\s+Reason\s+(?:Age\s+)?(?:From\s+)?Message\s*$"
)
_RULE = re.compile(r"[\s-]+$")
_EVENTS_TITLE = re.compile(r"\s*Events:\s*$")
_NAMES = re.compile(r"\S+(?:\s(?!\s)\S+)*")
_EVENT_ROW = re.compile(r"(?:^|\s)(Normal|Warning)\s+([A-Z]\w+)\s+(.*)")
_TYPE = re.compile(r"(?:Normal|Warning)\Z")
_POD_ROW = re.compile(
    r"\s*(?:(?P<namespace>[a-z0-9][a-z0-9-]*)\s+)?(?P<name>[a-z0-9][a-z0-9.-]*)\s+\d+/\d+\s+(?P<status>[A-Z][\w:./-]*)\s+\d+(?:\s*\([^)]*\))?"
    r"\s+(?:\d+[dhmsy])+(?:\s+(?P<ip><none>|[0-9a-f.:]+)\s+(?P<node>\S+)(?:\s+(?:<none>|\S+)){0,2})?\s*$"
)
_POD_NAME = re.compile(r"[a-z0-9][a-z0-9.…-]*\Z")
_POD_ROW_CUT = re.compile(r"\s*[a-z0-9][a-z0-9.-]*(?:\s+[a-z0-9][a-z0-9.-]*)?(?:\s+\d+/\d+.*)?\s*$")
_GET_PODS = re.compile(r"\bget\s+(?:-\S+\s+)*po(?:ds?)?\b")
# A header of `-o custom-columns`: upper-case words, NAME first or second.
_OWN_COLUMNS = re.compile(r"\s*(?:[A-Z][A-Z0-9_-]*\s+)?NAME(?:\s+[A-Z][A-Z0-9_/-]*)+\s*$")
_NONE = {"<none>", "<unknown>", "<nil>"}


def read(block: Block) -> Iterator[Part]:
    first = next(iter(block.lines.inked()), (0, ""))[1].lstrip()
    is_yaml = first.startswith(("apiVersion:", "items:", "kind:", "---"))
    yield from (_read if is_yaml else guarded(_read))(block)


def _read(block: Block) -> Iterator[Part]:
    notes = Notes("kubectl-get", block)
    first = next(iter(block.lines.inked()), (0, ""))[1].lstrip()
    if first.startswith("{"):
        _json(block, notes)
    elif first.startswith(("apiVersion:", "items:", "kind:", "---")):
        _yaml(block, notes)
    else:
        _text(block, notes)
    notes.count("pods", "pod_count")
    notes.count("hosts", "host_count")
    if not notes.is_empty:
        yield notes.part()


def _text(block: Block, notes: Notes) -> None:
    table: _Table | None = None
    title = 0
    for n, text in block.lines.inked():
        kind = next((kind for kind, header in _HEADERS.items() if header.match(text)), None)
        if kind is None and table is None and _GET_PODS.search(block.command or "") and _OWN_COLUMNS.match(text):
            kind = "pods"
        if kind:
            if table:
                break  # another table, or another run of this one
            table = _Table(notes, kind, text)
            notes.use(n)
            if title:
                notes.use(title)
        elif table is None:
            if _EVENTS_TITLE.match(text):
                title = n
            elif ERROR.match(text):
                notes.problem(n, "tool-error")
            elif text.startswith("No resources found"):
                notes.use(n)
                if _GET_PODS.search(block.command or "") and not filtered(block.command):
                    notes.thing(n, "pods")
            else:
                break
        elif _RULE.match(text):
            notes.ignore(n, "rule")
        elif not table.row(n, text, n == open_end(block.lines)):
            break


_HEADERS = {"pods": _PODS, "nodes": _NODES, "events": _EVENTS, "described": _DESCRIBED}


class _Table:
    """One table: its columns start under the starts of their headers, and a cell may be empty."""

    def __init__(self, notes: Notes, kind: str, header: str) -> None:
        self.notes, self.kind = notes, kind
        header = header.expandtabs(8)
        self.columns = [(match.group().upper(), match.start()) for match in _NAMES.finditer(header)]
        if len(self.columns) == 1:  # blanks lost in the paste
            words = re.findall(r"LAST SEEN|NOMINATED NODE|READINESS GATES|\S+", header, re.IGNORECASE)
            self.columns = [(word.upper(), -1) for word in words]
        self.names = [name for name, _ in self.columns]
        self.message = ""

    def cells(self, text: str) -> dict[str, str] | None:
        text = text.expandtabs(8)
        starts = [start for _, start in self.columns]
        if -1 not in starts and all(at == 0 or at >= len(text) or text[at - 1].isspace() for at in starts):
            bounds = [*starts, max(len(text), starts[-1])]
            if self.names[-1] == "MESSAGE" or all(at >= len(text) or not text[at].isspace() for at in starts):
                return {name: text[bounds[i] : bounds[i + 1]].strip() for i, name in enumerate(self.names)}
        words = [word for word in re.split(r"\s{2,}|\t", text.strip()) if word]
        if len(words) == len(self.names):
            return dict(zip(self.names, words, strict=True))
        if "MESSAGE" in self.names and len(words) > len(self.names) == self.names.index("MESSAGE") + 1:
            last = len(self.names) - 1
            return dict(zip(self.names, [*words[:last], " ".join(words[last:])], strict=True))
        return None

    def row(self, n: int, text: str, is_last: bool) -> bool:
        """Whether a line is a row of this table; then it is noted."""
        if self.kind == "pods":
            return self.pod(n, text, is_last)
        cells = self.cells(text)
        if self.kind == "nodes":
            return cells is not None and self.node(n, cells)
        return self.event(n, text, cells, is_last)

    def pod(self, n: int, text: str, is_last: bool) -> bool:
        notes = self.notes
        cells = self.cells(text)
        if cells is None or not re.fullmatch(r"\d+/\d+|", cells.get("READY", "")) or not _POD_NAME.match(cells.get("NAME", "")):
            row = _POD_ROW.match(text)
            if not row:
                looks = _POD_ROW_CUT.match(text) is not None and (is_last or "/" in text)
                if looks:
                    notes.problem(n, "cut" if is_last else "damaged")
                return looks
            cells = {"NAMESPACE": row["namespace"] or "", "NAME": row["name"], "STATUS": row["status"], "NODE": row["node"] or ""}
        name = f"{cells['NAMESPACE']}/{cells['NAME']}" if cells.get("NAMESPACE") and "NAMESPACE" in self.names else cells["NAME"]
        notes.thing(n, "pods", name)
        notes.put(n, known(cells.get("STATUS", cells.get("PHASE", "")).lower()), "pods", name, "status")
        node = cells.get("NODE", "")
        if "NODE" in self.names and not node and is_last:
            notes.problem(n, "cut")
        notes.put(n, None if node in _NONE else known(node), "pods", name, "host")
        return True

    def node(self, n: int, cells: dict[str, str]) -> bool:
        if not re.match(r"(?:Not)?Ready\b|Unknown\b", cells.get("STATUS", "")):
            return False
        first, *flags = cells["STATUS"].split(",")
        name = cells["NAME"]
        self.notes.thing(n, "hosts", name)
        ready = {"Ready": True, "NotReady": False}.get(first)
        self.notes.put_all(n, {"ready": ready, "unschedulable": True if "SchedulingDisabled" in flags else None}, "hosts", name)
        return True

    def event(self, n: int, text: str, cells: dict[str, str] | None, is_last: bool) -> bool:
        if cells is None or not _TYPE.match(cells.get("TYPE", "")) or not cells.get("REASON"):
            found = _EVENT_ROW.search(text)
            if not found:
                return self.goes_on(n, text, is_last)
            cells = {"TYPE": found[1], "REASON": found[2], "MESSAGE": found[3]}
        event: dict[str, Any] = {"type": cells["TYPE"].lower(), "reason": cells["REASON"]}
        if cells.get("OBJECT"):
            event["object"] = cells["OBJECT"]
        events = self.notes.get("events") or []
        events.append(event)
        self.notes.put(n, events, "events")
        self.notes.at[("events", str(len(events) - 1))] = n
        self.notes.put(n, len(events), "event_count")
        self.message = cells.get("MESSAGE", "")
        self.tell(n, event, is_last)
        return True

    def goes_on(self, n: int, text: str, is_last: bool) -> bool:
        """A message that a narrow screen broke into several lines."""
        events = self.notes.get("events")
        if not events or not (text[:1].isspace() or (self.message and not self.message.endswith("."))):
            return False
        self.message = f"{self.message} {text.strip()}"
        self.notes.use(n)
        self.tell(n, events[-1], is_last)
        return True

    def tell(self, n: int, event: dict[str, Any], is_last: bool) -> None:
        """What a scheduler's message says of hosts."""
        facts, last = scheduling(self.message)
        if is_last and last:
            self.notes.problem(n, "cut")
            facts["insufficient"] = [resource for resource in facts["insufficient"] if resource != last]
        event |= facts


# --- JSON and YAML ----------------------------------------------------------------------------------------------


def _json(block: Block, notes: Notes) -> None:
    found = parse(block.lines)
    if found is None:
        return
    put_objects(notes, found.tree, found.line)
    if notes.facts:
        notes.use_range(block.lines.numbers[0], found.last)
        if found.broken is not None:
            notes.problem(found.broken, "cut")


def _yaml(block: Block, notes: Notes) -> None:
    for document in documents(block.lines):
        before = len(notes.at)
        put_objects(notes, document.tree, document.line)
        if len(notes.at) > before:
            notes.use_range(document.first, document.last)
            if document.damaged:
                notes.problem(document.damaged, "damaged")
    last = max(notes.at.values(), default=0)
    notes.use(*(n for n, text in block.lines.inked() if n <= last and text.strip() == "---"))


READER = Reader(
    "kubectl-get",
    read,
    commands=command("kubectl", "oc", "k", options=r"(?:\bget\s+(?:-\S+\s+(?!po|ev|no))*(?:po|pods?|ev|events?|no|nodes?)\b|\bevents\b)"),
    starts=re.compile("|".join(f"(?:{header.pattern})" for header in (*_HEADERS.values(), _EVENTS_TITLE))),
    recognises=are_objects,
)
