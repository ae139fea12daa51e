"""`scontrol show node`: state, CPUs, GPUs and partitions of hosts, on several lines each, on one (`-o`), or as JSON."""

import re
from collections.abc import Iterator
from typing import Any

from advisor.evidence.reading import Part
from advisor.readers._ends import guarded
from advisor.readers._hostlist import expand
from advisor.readers._json import Json, parse
from advisor.readers._slurm import first_whole, gpus, node_state, pairs, value
from advisor.readers.contract import Block, Notes, Reader, command
from advisor.readers.shapes import is_left_out, number, open_end

_START = re.compile(r"\s*NodeName=\S")
# A node of slurm.conf starts with the same key, and has none of these.
_LIVE = re.compile(r"\s(?:Arch|CPUAlloc|CPUTot|CPULoad|Partitions|CfgTRES|AllocTRES|GresUsed)=")
_ERROR = re.compile(r"\s*(?:scontrol|slurm_load_node\w*)?:?\s*(?:error|fatal):|.*(?:Node \S+ not found|slurm_load_node error)")
_TEXT = {"Reason": "reason", "OS": "os"}


def read(block: Block) -> Iterator[Part]:
    notes = Notes("slurm-node", block)
    head = next(iter(block.lines.inked()), (0, ""))[1].lstrip()
    if head.startswith(("{", "[")):
        _json(block, notes)
    else:
        _text(block, notes)
    notes.count("hosts", "host_count")
    if not notes.is_empty:
        yield notes.part()


def _text(block: Block, notes: Notes) -> None:
    record: dict[str, tuple[int, str]] = {}
    last = open_end(block.lines)
    for n, text in block.lines.inked():
        found = pairs(text)
        if _START.match(text):
            if notes.get("hosts", found["NodeName"]) is not None or ("NodeName" in record and record["NodeName"][1] == found["NodeName"]):
                break  # the same host again: another run
            _put(notes, record)
            record = {}
        elif is_left_out(text):
            notes.problem(n, "left-out")
            continue
        elif _ERROR.match(text):
            notes.problem(n, "tool-error")
            continue
        elif not found and re.match(r"\s*\[?\S+@\d{4}-", text) is None:
            if not text[:1].isspace() or "NodeName" not in record:
                break
            notes.problem(n, "cut" if n == last else "damaged")
            continue
        elif "JobId" in found or "PartitionName" in found:
            break
        notes.use(n)
        record |= {key: (n, text) for key, text in found.items()}
    _put(notes, record)


def _put(notes: Notes, record: dict[str, tuple[int, str]]) -> None:
    """One host's record as facts. Its lists of resources are complete; an empty AllocTRES allocates nothing."""
    if "NodeName" not in record:
        return
    line, name = record["NodeName"]
    notes.thing(line, "hosts", name)
    texts = {key: text for key, (_, text) in record.items()}

    def put(key: str, found: object, fact: str) -> None:
        notes.put(record[key][0], found, "hosts", name, fact)

    if state := texts.get("State"):
        word, flags = node_state(state)
        put("State", word, "state")
        put("State", flags if word else None, "state_flags")
        if word is None:
            notes.problem(record["State"][0], "damaged")
    for key, fact in (("CPUTot", "cpu_total"), ("CPUAlloc", "cpu_allocated")):
        if key in texts:
            put(key, first_whole([texts[key]]), fact)
    if "CPULoad" in texts:
        put("CPULoad", number(texts["CPULoad"]), "cpu_load")
    if "Partitions" in texts:
        found = value(texts["Partitions"])
        put("Partitions", expand(found) if found else None, "partitions")
    for key, fact in _TEXT.items():
        if key in texts:
            put(key, value(texts[key]), fact)
    _gpus(notes, record, name)


def _gpus(notes: Notes, record: dict[str, tuple[int, str]], name: str) -> None:
    def put(key: str, found: object, fact: str) -> None:
        notes.put(record[key][0], found, "hosts", name, fact)

    counts = {key: gpus(value(record[key][1]) or "") for key in ("Gres", "CfgTRES", "GresUsed", "AllocTRES") if key in record}
    for key in counts:
        if counts[key][0] is None:
            notes.problem(record[key][0], "cut")
    # CfgTRES lists GPUs only where the accounting tracks them; Gres always does.
    configured = next(
        (key for key in ("CfgTRES", "Gres") if key in counts and counts[key][0]),
        next((k for k in ("Gres", "CfgTRES") if k in counts), None),
    )
    if configured:
        put(configured, counts[configured][0], "gpu_count")
        types = list(dict.fromkeys(kind for key in ("Gres", "CfgTRES") if key in counts for kind in counts[key][1]))
        if len(types) == 1:
            put("Gres" if "Gres" in counts and counts["Gres"][1] else configured, types[0], "gpu_model")
    tracked = "CfgTRES" not in counts or bool(counts["CfgTRES"][0]) or not (configured and counts[configured][0])
    if "GresUsed" in counts and value(record["GresUsed"][1]):
        put("GresUsed", counts["GresUsed"][0], "gpu_allocated")
    elif "AllocTRES" in counts and (tracked or not value(record["AllocTRES"][1])):
        put("AllocTRES", counts["AllocTRES"][0], "gpu_allocated")


# --- JSON -------------------------------------------------------------------------------------------------------


def _json(block: Block, notes: Notes) -> None:
    found = parse(block.lines)
    nodes = found.tree.get("nodes") if found and isinstance(found.tree, dict) else None
    if found is None or not isinstance(nodes, list):
        return
    for i, node in enumerate(nodes):
        if isinstance(node, dict) and isinstance(node.get("name"), str):
            _put_json(notes, found, ("nodes", i), node)
    if notes.facts:
        notes.use_range(block.lines.numbers[0], found.last)
        if found.broken is not None:
            notes.problem(found.broken, "cut")


def _put_json(notes: Notes, found: Json, place: tuple[str | int, ...], node: dict[str, Any]) -> None:
    name = node["name"]
    notes.thing(found.line(*place, "name"), "hosts", name)

    def put(key: str, what: object, fact: str) -> None:
        notes.put(found.line(*place, key), what, "hosts", name, fact)

    states = node.get("state")
    words = [str(word).lower() for word in states] if isinstance(states, list) else str(states or "").lower().split("+")
    if words and words[0]:
        put("state", words[0], "state")
        put("state", [*words[1:], *(str(flag).lower() for flag in node.get("state_flags") or ())], "state_flags")
    for key, fact in (("cpus", "cpu_total"), ("alloc_cpus", "cpu_allocated"), ("alloc_idle_cpus", "cpu_idle")):
        if isinstance(node.get(key), int):
            put(key, node[key], fact)
    if isinstance(node.get("partitions"), list):
        put("partitions", [str(partition) for partition in node["partitions"]], "partitions")
    if isinstance(node.get("gres"), str):
        count, types = gpus(node["gres"])
        put("gres", count, "gpu_count")
        put("gres", types[0] if len(types) == 1 else None, "gpu_model")
    if isinstance(node.get("gres_used"), str):
        put("gres_used", gpus(node["gres_used"])[0], "gpu_allocated")


READER = Reader(
    "slurm-node",
    guarded(read),
    commands=command("scontrol", options=r"(?:show|sho|sh)\s+(?:-\S+\s+)*nodes?\b"),
    starts=re.compile(rf"{_START.pattern}.*{_LIVE.pattern}|\s*NodeName=[\w.-]+\s*$"),
    recognises=lambda head: (
        re.search(r"\A\s*\{", head) is not None and re.search(r'"nodes"\s*:\s*\[\s*\{[^{}]*"architecture"', head) is not None
    ),
)
