"""Jobs of Slurm, and sinfo: `scontrol show job`, squeue, sacct, sinfo, as records, tables, delimited text or JSON.

Steps are counted, not jobs. A host that sinfo lists once for each partition is one host. A table without its header is left
unread: the meaning of its columns is known only to the one who gave the format.
"""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from advisor.evidence.reading import Part
from advisor.readers._ends import guarded, is_whole
from advisor.readers._hostlist import expand
from advisor.readers._json import Json, parse
from advisor.readers._slurm import first_whole, gpus, job_state, pairs, seconds, tres, value
from advisor.readers._slurm_tables import CPU_COUNTS, DATE_LINE, ERROR, HEADER, Rows
from advisor.readers.contract import Block, Notes, Reader, command
from advisor.readers.shapes import is_left_out, open_end

_RECORD = re.compile(r"\s*(?:JobId=\d|JobState=[A-Z])")
_RECORD_KEYS = re.compile(
    r"\s*(?:JobId|JobState|UserId|RunTime|SubmitTime|ReqNodeList|NodeList|NumNodes|ReqTRES|AllocTRES|TRES|Partition)="
)


def read(block: Block) -> Iterator[Part]:
    notes = Notes("slurm-job", block)
    first = next(iter(block.lines.inked()), (0, ""))[1].lstrip()
    if first.startswith("{") and '"' in first and first.rstrip().endswith("}"):
        _json_lines(block, notes)
    elif first.startswith(("{", "[")):
        _json(block, notes)
    else:
        _text(block, notes)
    notes.count("jobs", "job_count")
    notes.count("hosts", "host_count")
    if not notes.is_empty:
        yield notes.part()


def _text(block: Block, notes: Notes) -> None:
    for n, text in block.lines.inked():
        if _RECORD_KEYS.match(text):
            _records(block, notes)
            return
        if HEADER.match(text):
            Rows(block, notes).read()
            return
        if ERROR.match(text):
            notes.problem(n, "tool-error")
        elif not DATE_LINE.match(text):
            return


# --- scontrol show job ------------------------------------------------------------------------------------------


def _records(block: Block, notes: Notes) -> None:
    record: dict[str, tuple[int, str]] = {}
    nameless = 0
    last = open_end(block.lines)

    def close() -> None:
        nonlocal nameless, record
        if record:
            name = record["JobId"][1].split()[0] if "JobId" in record else None
            if name is None:
                nameless += 1
                name = f"#{nameless}"
            _job(notes, name, record)
        record = {}

    seen: set[str] = set()
    for n, text in block.lines.inked():
        found = pairs(text)
        if is_left_out(text):
            notes.problem(n, "left-out")
            continue
        if ERROR.match(text):
            notes.problem(n, "tool-error")
            continue
        if not found or "NodeName" in found or "PartitionName" in found:
            if not text[:1].isspace() or not record:
                break
            notes.problem(n, "cut" if n == last else "damaged")
            continue
        if "JobId" in found:
            close()
            if found["JobId"] in seen:
                break  # the same job again: another run
            seen.add(found["JobId"])
        elif "JobState" in found and "JobState" in record:
            close()
        notes.use(n)
        record |= {key: (n, text) for key, text in found.items()}
    close()


def _job(notes: Notes, name: str, record: dict[str, tuple[int, str]]) -> None:
    line = min(n for n, _ in record.values())
    notes.thing(line, "jobs", name)
    texts = {key: text for key, (_, text) in record.items()}

    def put(key: str, found: object, fact: str) -> None:
        notes.put(record[key][0], found, "jobs", name, fact)

    for key, fact, reading in _RECORD_FACTS:
        if key in texts and value(texts[key]):
            put(key, reading(texts[key]), fact)
    hosts = value(texts.get("NodeList"))
    if hosts:
        names = expand(hosts)
        put("NodeList", names, "hosts")
        if names is None:
            notes.problem(record["NodeList"][0], "cut")
    given = next((key for key in ("AllocTRES", "TRES", "ReqTRES") if value(texts.get(key))), None)
    if "ReqTRES" in texts:
        put("ReqTRES", tres(texts["ReqTRES"], "node"), "requested_host_count")
    if given:
        put(given, first_whole([texts.get("NumNodes"), str(tres(texts[given], "node"))]), "host_count")
        put(given, first_whole([texts.get("NumCPUs"), str(tres(texts[given], "cpu"))]), "cpu_count")
        count, types = gpus(texts[given])
        asked = next((key for key in ("TresPerNode", "TresPerJob", "TresPerTask", "Gres") if "gpu" in texts.get(key, "")), None)
        if count is None:
            notes.problem(record[given][0], "cut")
        # Where accounting does not track GPUs, a job that asks for some has none in its TRES: then the number is unknown.
        put(given, count if count or not asked else None, "gpu_count")
        put(given, types[0] if len(types) == 1 else None, "gpu_model")
    for key, fact in (("NumNodes", "host_count"), ("NumCPUs", "cpu_count")):
        if key in texts:
            put(key, first_whole([texts[key]]), fact)


_RECORD_FACTS: tuple[tuple[str, str, Callable[[str], object]], ...] = (
    ("JobState", "state", job_state),
    ("State", "state", job_state),
    ("Partition", "partition", str),
    ("RunTime", "run_time_s", seconds),
    ("TimeLimit", "time_limit_s", seconds),
    ("Reason", "reason", str),
    ("JobName", "name", str),
)


# --- JSON -------------------------------------------------------------------------------------------------------


def _json_lines(block: Block, notes: Notes) -> None:
    """One object a line, as exporters ask squeue and sinfo for: `{"n": "cs25", "s": "allocated", "p": "hw", "cstate": "64/0/0/64"}`."""
    last = open_end(block.lines)
    for n, text in block.lines.inked():
        try:
            entry = json.loads(text)
        except ValueError:
            if not notes.facts or not text.lstrip().startswith("{"):
                break
            notes.problem(n, "cut" if n == last else "damaged")
            continue
        if not isinstance(entry, dict) or not isinstance(entry.get("n"), str) or not CPU_COUNTS.match(str(entry.get("cstate", ""))):
            break
        row = {"STATE": str(entry.get("s", "")), "PARTITION": str(entry.get("p", "")), "CPUS(A/I/O/T)": entry["cstate"]}
        for name in expand(entry["n"]) or ():
            Rows(block, notes).host(n, name, row, alone=True)


def _json(block: Block, notes: Notes) -> None:
    """`--json` of squeue, sacct, `scontrol show job` and sinfo."""
    found = parse(block.lines)
    if found is None or not isinstance(found.tree, dict):
        return
    for i, job in enumerate(found.tree.get("jobs") or ()):
        if isinstance(job, dict) and "job_id" in job:
            _json_job(notes, found, ("jobs", i), job)
    for i, entry in enumerate(found.tree.get("sinfo") or ()):
        if isinstance(entry, dict):
            _json_sinfo(notes, found, ("sinfo", i), entry)
    if notes.facts:
        notes.use_range(block.lines.numbers[0], found.last)
        if found.broken is not None:
            notes.problem(found.broken, "cut")


def _whole(entry: Any) -> int | None:
    """A number of Slurm's JSON: plain, or `{"set": true, "infinite": false, "number": 4}`."""
    if isinstance(entry, dict):
        entry = entry.get("number") if entry.get("set", True) and not entry.get("infinite") else None
    return entry if isinstance(entry, int) and not isinstance(entry, bool) else None


def _json_job(notes: Notes, found: Json, place: tuple[str | int, ...], job: dict[str, Any]) -> None:
    array, task = _whole(job.get("array_job_id")), _whole(job.get("array_task_id"))
    name = f"{array}_{task}" if array and task is not None else str(job["job_id"])
    notes.thing(found.line(*place), "jobs", name)

    def put(key: str, what: object, fact: str) -> None:
        notes.put(found.line(*place, key), what, "jobs", name, fact)

    for key in ("job_state", "state"):
        state = job.get(key)
        state = state.get("current") if isinstance(state, dict) else state
        state = state[0] if isinstance(state, list) and state else state
        if isinstance(state, str):
            put(key, job_state(state), "state")
    put("partition", value(str(job.get("partition") or "")), "partition")
    nodes = job.get("nodes")
    if isinstance(nodes, str) and value(nodes):
        put("nodes", expand(nodes), "hosts")
    for key, fact in (("node_count", "host_count"), ("allocation_nodes", "host_count"), ("cpus", "cpu_count")):
        put(key, _whole(job.get(key)), fact)
    limit = _whole(job.get("time_limit"))
    put("time_limit", limit * 60 if limit is not None else None, "time_limit_s")
    if isinstance(times := job.get("time"), dict):
        put("time", _whole(times.get("elapsed")), "run_time_s")
        limit = _whole(times.get("limit"))
        put("time", limit * 60 if limit is not None else None, "time_limit_s")
    given = next((key for key in ("tres_alloc_str", "tres_req_str") if job.get(key)), None)
    if given:
        put(given, gpus(str(job[given]))[0], "gpu_count")
    if isinstance(job.get("tres"), dict) and isinstance(listed := job["tres"].get("allocated"), list) and listed:
        put("tres", sum(_whole(t.get("count")) or 0 for t in listed if t.get("type") == "gres" and t.get("name") == "gpu"), "gpu_count")
    if isinstance(steps := job.get("steps"), list) and steps:
        put("steps", len(steps), "step_count")


def _json_sinfo(notes: Notes, found: Json, place: tuple[str | int, ...], entry: dict[str, Any]) -> None:
    nodes = entry.get("nodes") or {}
    names = [name for text in nodes.get("nodes") or () for name in expand(str(text)) or ()] if isinstance(nodes, dict) else []
    states = [str(word) for word in (entry.get("node") or {}).get("state") or ()]
    partition = (entry.get("partition") or {}).get("name")
    cpus, gres = entry.get("cpus") or {}, entry.get("gres") or {}
    row = {
        "STATE": "+".join(states),
        "PARTITION": str(partition or ""),
        "GRES": str(gres.get("total") or "(null)"),
        "GRES_USED": str(gres.get("used") or ""),
    }
    if len(names) == 1 and all(isinstance(cpus.get(key), int) for key in ("allocated", "idle", "other", "total")):
        row["CPUS(A/I/O/T)"] = "/".join(str(cpus[key]) for key in ("allocated", "idle", "other", "total"))
    for name in names:
        Rows(notes.block, notes).host(found.line(*place), name, row, alone=len(names) == 1)


def _recognises(head: str) -> bool:
    if not re.match(r"\s*\{", head):
        return False
    return ('"cstate"' in head and '"n"' in head) or re.search(r'"(?:jobs|sinfo)"\s*:\s*\[', head) is not None


_SCONTROL = command("scontrol", options=r"(?:show|sho|sh)\s+(?:-\S+\s+)*jobs?\b")
_OTHERS = command("squeue", "sacct", "sinfo")
READER = Reader(
    "slurm-job",
    guarded(read, lambda text, before: is_whole(text, before) and not text.endswith(":")),  # `AllocNode:Sid=` is a key
    commands=re.compile(f"(?:{_SCONTROL.pattern})|(?:{_OTHERS.pattern})"),
    starts=re.compile(f"(?:{_RECORD.pattern})|(?:{HEADER.pattern})"),
    recognises=_recognises,
)
