"""What Slurm's outputs share: records of `Key=value`, lists of trackable resources (TRES, Gres), states, times, host lists.

Forms: slurm.schedmd.com scontrol(1), squeue(1), sacct(1), sinfo(1).
"""

import re
from collections.abc import Iterable

_KEY = re.compile(r"(?:^|(?<=\s))([A-Z][A-Za-z]*(?:[:/_][A-Za-z:/]+)?)=")
# Values in which blanks and words with an equals sign may stand: they go on to the next of these keys, or to the end of the line.
_FREE = {"Reason", "Comment", "Extra", "OS", "JobName", "Command", "AdminComment", "SystemComment", "WorkDir", "StdOut", "StdErr", "StdIn"}
_AFTER_FREE = {
    *(
        "RealMemory",
        "CfgTRES",
        "AllocTRES",
        "UserId",
        "ArrayJobId",
        "HetJobId",
        "WorkDir",
        "StdErr",
        "StdIn",
        "StdOut",
        "Power",
        "Partitions",
    ),
    *("Dependency", "BootTime", "NodeName", "JobId", "State", "JobState", "Priority", "TresPerNode", "Comment", "Command", "ReasonTime"),
}
_TIME = re.compile(r"(?:(\d+)-)?(\d+):(\d\d)(?::(\d\d))?(?:\.\d+)?\Z")
_GRES = re.compile(r"(?:gres[/:])?gpu(?::(?P<type>[^:=,()]+?))??(?:[:=](?P<count>\d+)(?P<letter>[KMG]?))?(?:\(.*\))?\Z")
_TRES = re.compile(r"[\w/:.@+-]+=[\d.]+[A-Za-z]*\Z")
_OUTSIDE = re.compile(r",(?![^(]*\))")
_FLAG_MARKS = {
    "*": "not_responding",
    "~": "powered_down",
    "#": "powering_up",
    "!": "power_down",
    "%": "powering_down",
    "$": "maint",
    "@": "reboot_requested",
    "^": "reboot_issued",
    "-": "planned",
}
# Short forms of sinfo (%t) and squeue (%t) = the words of the long forms.
_NODE_WORDS = """alloc=allocated comp=completing drng=draining drain=drained mix=mixed resv=reserved unk=unknown failg=failing plnd=planned
futr=future pow_dn=powering_down pow_up=powering_up block=blocked"""
_JOB_WORDS = """bf=boot_fail ca=cancelled cd=completed cf=configuring cg=completing dl=deadline f=failed nf=node_fail oom=out_of_memory
pd=pending pr=preempted r=running rd=resv_del_hold rf=requeue_fed rh=requeue_hold rq=requeued rs=resizing rv=revoked se=special_exit
si=signaling so=stage_out st=stopped s=suspended to=timeout"""
_NODE_STATES = dict(pair.split("=") for pair in _NODE_WORDS.split())
_JOB_STATES = dict(pair.split("=") for pair in _JOB_WORDS.split())
JOB_STATES = frozenset(_JOB_STATES.values())


def pairs(text: str) -> dict[str, str]:
    """A line of a record as keys and values. A value may be empty, hold `=`, and, where it is free text, hold blanks."""
    found: dict[str, str] = {}
    key, start = "", 0
    for match in _KEY.finditer(text):
        if key in _FREE and match[1] not in _AFTER_FREE:
            continue
        if key:
            found[key] = text[start : match.start()].strip()
        key, start = match[1], match.end()
    if key:
        found[key] = text[start:].strip()
    return found


def value(text: str | None) -> str | None:
    """A value, or None where it stands for none: `(null)`, `N/A`, `None`, empty."""
    bare = (text or "").strip()
    return None if bare.lower() in ("", "(null)", "n/a", "none", "unknown", "none assigned") else bare


def seconds(text: str | None) -> int | None:
    """`1-02:03:04`, `02:03:04`, `03:04`; None for UNLIMITED, INVALID and anything else."""
    match = _TIME.match((text or "").strip())
    if not match:
        return None
    days, first, second, third = match.groups()
    if days is not None or third is not None:  # [days-]hours:minutes[:seconds]
        return int(days or 0) * 86400 + int(first) * 3600 + int(second) * 60 + int(third or 0)
    return int(first) * 60 + int(second)


def gpus(text: str) -> tuple[int | None, list[str]]:
    """Number and types of GPUs of a list (`cpu=4,gres/gpu=8,gres/gpu:h100=8`, `gpu:a100:4(S:0-1),nic:1`); 0 where it lists none.

    A figure without a type is the sum of those with one. None where the list is cut or damaged.
    """
    words = _OUTSIDE.split(text) if text.strip() else []
    if "=" in text and not all(_TRES.match(word.strip()) for word in words):
        return None, []
    whole: int | None = None
    typed: dict[str, int] = {}
    for word in words:
        match = _GRES.match(word.strip())
        if not match:
            if re.match(r"(?:gres[/:])?gpu\b(?!mem|util)", word.strip()):
                return None, []
            continue
        count = int(match["count"] or 1) * {"": 1, "K": 1024, "M": 1024**2, "G": 1024**3}[match["letter"] or ""]
        kind = match["type"]
        if kind is None or kind == "no_consume":
            whole = (whole or 0) + count
        else:
            typed[kind] = typed.get(kind, 0) + count
    return (whole if whole is not None else sum(typed.values())), list(typed)


def tres(text: str, name: str) -> int | None:
    """A whole number of a TRES list: `node` of `cpu=12,mem=30192M,node=2`."""
    match = re.search(rf"(?:^|,){name}=(\d+)(?:,|\Z)", text.strip())
    return int(match[1]) if match else None


def node_state(text: str) -> tuple[str | None, list[str]]:
    """State and flags of a host: `MIXED+DRAIN*` is mixed, with drain and not_responding."""
    word = text.strip().lower()
    flags: list[str] = []
    while word and word[-1] in _FLAG_MARKS:
        flags.append(_FLAG_MARKS[word[-1]])
        word = word[:-1]
    first, *more = [part.rstrip("*~#!%$@^-") for part in word.split("+")]
    if not re.fullmatch(r"[a-z_]+", first):
        return None, []
    return _NODE_STATES.get(first, first), [*more, *flags]


def job_state(text: str) -> str | None:
    """State of a job, without the user who cancelled it: `CANCELLED by 1000`, `R`, `COMPLETED`. None where it is cut or unknown."""
    word = text.strip().lower().split(" ", 1)[0]
    if word == "cancelled+":
        return "cancelled"
    return _JOB_STATES.get(word, word if word in JOB_STATES else None)


def first_whole(values: Iterable[str | None]) -> int | None:
    """The first value that is a whole number (`4`, `4-4`)."""
    for text in values:
        match = re.fullmatch(r"(\d+)(?:-\1)?", (text or "").strip())
        if match:
            return int(match[1])
    return None
