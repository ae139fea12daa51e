"""Tables of squeue, sacct and sinfo, in columns or delimited: their header tells the columns, and without it they are left unread."""

import re
from collections.abc import Callable

from advisor.readers._hostlist import expand
from advisor.readers._slurm import first_whole, gpus, job_state, node_state, seconds, tres, value
from advisor.readers._table import by_rule, cells, words_of
from advisor.readers.contract import Block, Notes, filtered
from advisor.readers.shapes import is_left_out

ERROR = re.compile(r"\s*(?:scontrol|squeue|sacct|sinfo|slurm_load_\w+)?:?\s*(?:error|fatal):|\s*(?:slurm_load_\w+ error|Invalid job id)")
_SINFO_NAMES = {"NODELIST", "HOSTNAMES", "HOSTNAME", "NODEHOST", "NODENAME"}
HEADER = re.compile(
    r"\s*(?:JOBID|JobID|JobIDRaw|REASON|PARTITION|CLUSTER|NODELIST|HOSTNAMES|ACCOUNT|USER|NAME|STATE|ST|Partition|User|State|Account)"
    r"\s*[|,\s]\s*(?=.*(?:\b(?:ST|STATE|State)\b|\bNODELIST|\bNodeList\b|\bAllocCPUS\b|\bREASON\b|\(A/I/O/T\)))[A-Za-z].*"
)
_STEP = re.compile(r"(\d\S*?)\.(?:[a-z]+\+?|\d+\S*)\Z")  # a narrow column ends names with a plus: `488.bat+`
_JOB_ID = re.compile(r"\d+(?:_(?:\d+|\[[^\]]*\]?))?(?:\+\d+)?\Z")
DATE_LINE = re.compile(r"\s*(?:[A-Z][a-z]{2} ){1,2}\s?\d+ \d\d:\d\d:\d\d \d{4}\s*\Z|\s*CLUSTER: \S+\s*\Z")
_RULE = re.compile(r"\s*-{2,}(?:\s+-+)+\s*\Z")
_REASON_WIDTH = 20  # of `sinfo -R`: format %20E
CPU_COUNTS = re.compile(r"(\d+)/(\d+)/(\d+)/(\d+)\Z")


class Rows:
    """A table of squeue, sacct or sinfo, with its header."""

    def __init__(self, block: Block, notes: Notes) -> None:
        self.block, self.notes = block, notes
        self.header: list[tuple[str, int, int]] = []
        self.names: list[str] = []
        self.delimiter = ""
        self.rule = ""
        self.steps: dict[str, int] = {}
        self.seen: dict[str, str] = {}
        self.headed = 0

    def read(self) -> None:
        for n, text in self.block.lines.inked():
            if HEADER.match(text) and (not self.header or text.split() == [word for word, _, _ in self.header]):
                self.start(text)
                self.headed = n
                self.notes.use(n)
            elif not self.header:
                if not DATE_LINE.match(text):
                    break
                self.notes.ignore(n, "date")
            elif _RULE.match(text):
                self.rule = text
                self.notes.use(n)
            elif DATE_LINE.match(text):
                self.notes.ignore(n, "date")
            elif is_left_out(text):
                self.notes.problem(n, "left-out")
            elif ERROR.match(text):
                self.notes.problem(n, "tool-error")
            elif not self.row(n, text):
                break
        if self.header and "JOBID" in self.names and self.block.command and not self.notes.facts and not filtered(self.block.command):
            self.notes.thing(self.headed, "jobs")  # a header alone: no job
        for name, count in self.steps.items():
            self.notes.put(self.notes.at[("jobs", name)], count, "jobs", name, "step_count")

    def start(self, text: str) -> None:
        self.delimiter = next((mark for mark in ("|", ",") if text.count(mark) >= 2), "")
        self.header = words_of(text)
        self.names = [
            word.strip().upper() for word in (text.rstrip(self.delimiter).split(self.delimiter) if self.delimiter else text.split())
        ]

    def split(self, text: str) -> list[str] | None:
        if self.delimiter:
            found = [word.strip() for word in text.split(self.delimiter)]
            if len(found) == len(self.names) + 1 and not found[-1]:
                found.pop()
            return found if len(found) == len(self.names) else None
        if self.rule:
            found = by_rule(self.rule, text) or []
            if len(found) == len(self.names):
                return found
        free = next((i for i, name in enumerate(self.names) if name in ("NAME", "JOBNAME")), None)
        if free is None and "REASON" in self.names:
            free = self.names.index("REASON")
        return cells(self.header, text, free)

    def row(self, n: int, text: str) -> bool:
        found = self.split(text)
        row = dict(zip(self.names, found, strict=True)) if found else {}
        if self.names[0] == "REASON" and len(row.get("REASON", "")) == _REASON_WIDTH:
            row["REASON"] = ""  # as long as its column: it may be cut
        name = next((row[key] for key in ("JOBID", "JOBIDRAW") if row.get(key)), None)
        if "JOBID" in self.names or "JOBIDRAW" in self.names:
            if name is None or not re.match(r"\d", name):
                if text.split()[0][:1].isdecimal():
                    self.notes.problem(n, "damaged")
                    return True
                return False
            return self.job(n, name, row, text)
        if found:
            return self.hosts(n, row)
        words = text.split()
        if len(words) == len(self.names) - 1 and self.names[-1] in _SINFO_NAMES and "0" in words:
            self.notes.ignore(n, "no host in this state")
        elif len(self.names) - 2 <= len(words) <= len(self.names) + 2:
            self.notes.problem(n, "damaged")
        else:
            return False
        return True

    def job(self, n: int, name: str, row: dict[str, str], text: str) -> bool:
        notes = self.notes
        step = _STEP.match(name)
        if step:
            notes.thing(n, "jobs", step[1])
            self.steps[step[1]] = self.steps.get(step[1], 0) + 1
            return True
        if not _JOB_ID.match(name):
            notes.problem(n, "cut")
            return True
        if name in self.seen and self.seen[name] != text:
            return False  # the same job with something else to tell: another run
        self.seen[name] = text
        notes.thing(n, "jobs", name)

        def put(found: object, fact: str) -> None:
            notes.put(n, found, "jobs", name, fact)

        def checked(text: str | None, reading: Callable[[str], object], fact: str) -> None:
            known = value(text)
            if known is None or known.upper() in ("UNLIMITED", "INVALID", "PARTITION_LIMIT", "INFINITE"):
                return
            found = reading(known)
            if found is None or (isinstance(found, str) and found.endswith("+")):
                notes.problem(n, "cut")
            else:
                put(found, fact)

        checked(row.get("STATE", row.get("ST")), job_state, "state")
        checked(row.get("PARTITION"), str, "partition")
        checked(row.get("TIME", row.get("ELAPSED")), seconds, "run_time_s")
        checked(row.get("TIME_LIMIT", row.get("TIME_LIMI", row.get("TIMELIMIT"))), seconds, "time_limit_s")
        listed = value(row.get("NODELIST(REASON)", row.get("NODELIST")))
        if listed and listed.startswith("("):
            put(listed.strip("()") or None, "reason")
        else:
            checked(listed, expand, "hosts")
        checked(row.get("REASON"), str, "reason")
        put(first_whole([row.get("NODES"), row.get("NNODES"), row.get("ALLOCNODES")]), "host_count")
        put(first_whole([row.get("REQNODES")]), "requested_host_count")
        put(first_whole([row.get("CPUS"), row.get("ALLOCCPUS"), row.get("NCPUS")]), "cpu_count")
        given = next((row[key] for key in ("ALLOCTRES", "TRES_ALLOC", "TRES-ALLOC", "REQTRES") if value(row.get(key))), None)
        if given:
            checked(given, lambda text: gpus(text)[0], "gpu_count")
            put(
                tres(given, "node") if first_whole([row.get("NODES"), row.get("NNODES"), row.get("ALLOCNODES")]) is None else None,
                "host_count",
            )
        if value(row.get("REQTRES")):
            put(tres(row["REQTRES"], "node"), "requested_host_count")
        each = value(row.get("TRES_PER_NODE", row.get("GRES")))
        if each:
            checked(each, lambda text: gpus(text)[0], "gpu_count_per_host")
        return True

    def hosts(self, n: int, row: dict[str, str]) -> bool:
        listed = next((row[key] for key in _SINFO_NAMES if row.get(key)), None)
        if listed is None or not re.match(r"[A-Za-z0-9]", listed):
            if row.get("NODES") == "0" or (listed is None and "PARTITION" in row and "/" not in "".join(row.values())):
                self.notes.ignore(n, "no host in this state")
                return True
            self.notes.use(n)
            return bool(row.get("PARTITION"))
        names = expand(listed)
        if names is None:
            self.notes.problem(n, "cut")
            return True
        for name in names:
            self.host(n, name, row, alone=len(names) == 1)
        return True

    def host(self, n: int, name: str, row: dict[str, str], alone: bool) -> None:
        notes = self.notes
        notes.thing(n, "hosts", name)
        if value(row.get("STATE")):
            state, flags = node_state(row["STATE"])
            notes.put_all(n, {"state": state, "state_flags": flags if state else None}, "hosts", name)
        reason = value(row.get("REASON"))
        notes.put(n, reason if reason and reason.lower() != "none" else None, "hosts", name, "reason")
        partition = value(row.get("PARTITION"))
        if partition and not partition.endswith("+"):
            _partition(notes, n, name, partition.rstrip("*"))
        counts = CPU_COUNTS.match(row.get("CPUS(A/I/O/T)", ""))
        if counts and alone:
            notes.put_all(n, {"cpu_allocated": int(counts[1]), "cpu_idle": int(counts[2]), "cpu_total": int(counts[4])}, "hosts", name)
        elif row.get("CPUS", "").isdecimal():
            notes.put(n, int(row["CPUS"]), "hosts", name, "cpu_total")
        if row.get("GRES"):
            count, types = gpus("" if row["GRES"] in ("(null)", "N/A") else row["GRES"])
            notes.put(n, count, "hosts", name, "gpu_count")
            notes.put(n, types[0] if len(types) == 1 else None, "hosts", name, "gpu_model")
            if count is None:
                notes.problem(n, "cut")
        if row.get("GRES_USED") and row["GRES_USED"] != "N/A":
            notes.put(n, gpus(value(row["GRES_USED"]) or "")[0], "hosts", name, "gpu_allocated")


def _partition(notes: Notes, n: int, host: str, partition: str) -> None:
    listed = notes.get("hosts", host, "partitions") or []
    if partition not in listed:
        notes.put(n, [*listed, partition], "hosts", host, "partitions")
