"""Lines of training logs in their own words: steps with their rates, timers, checkpoints, sizes of the job.

Megatron-LM (also Megatron-DeepSpeed, NeMo, Primus, MindSpeed) prints `iteration N/M | key: value | ...`, torchtitan `step: N  key: value`,
DeepSpeed `global_step=N, ..., CurrSamplesPerSec=`, FSDP scripts `Batch N ... samples/sec`, nanoGPT `iter N: loss, time, mfu`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from advisor.readers.shapes import number

_NUMBER = r"[-+]?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d+)?"
_FIGURE = re.compile(rf"\s*({_NUMBER})")
_ITERATION = re.compile(r"\biteration\s+(\d+)\s*/\s*\d+\s*\|")
_TITAN = re.compile(r"\bstep:\s*(\d+)(?:/\d+ = [\d.]+%)?(?=\s)")
_TITAN_VALUE = re.compile(rf"\b([A-Za-z_]+):\s*({_NUMBER})([%\w]*)")
_DEEPSPEED = re.compile(r"\bglobal_step=(\d+),")
_DEEPSPEED_VALUE = re.compile(r"\b(RunningAvgSamplesPerSec|CurrSamplesPerSec)=(\d+(?:\.\d+)?)(,?)")
_OLD_DEEPSPEED = re.compile(r"\b\d+/(\d+), SamplesPerSec=(\d+(?:\.\d+)?)(?=[,\s]|\Z)")
_NEMO = re.compile(r"\bglobal_step=(\d+)(?:\.0*)?[,\]\s].*?\btrain_step_timing in s=(\d+(?:\.\d+)?)(?=[,\]\s])")
_DEEPSPEED_STEP = re.compile(r"\[Rank \d+\] step=(\d+), skipped=")
_NANO = re.compile(r"\biter (\d+): loss [\d.na]+, time (\d+(?:\.\d+)?)ms(?:, mfu (-?\d+(?:\.\d+)?)%)?")
_SCRIPT = re.compile(r"\b(?:global[ _]?step|steps?|iter(?:ation)?|batch)\b\W{0,3}?\s*(\d+)\b", re.IGNORECASE)
_PER_SECOND = r"(samples|sequences|seqs?|tokens|toks?)\s*(?:/|per\s|_per_)\s*s(?:ec(?:ond)?)?"
_SCRIPT_RATE = re.compile(rf"({_NUMBER})\s*{_PER_SECOND}\b(?!\s*[:=])", re.IGNORECASE)
_SCRIPT_KEYED = re.compile(rf"{_PER_SECOND}\s*[:=]\s*({_NUMBER})", re.IGNORECASE)
_SCRIPT_OPEN = re.compile(rf"{_SCRIPT_KEYED.pattern}\s*\Z", re.IGNORECASE)
_SCRIPT_TIME = re.compile(
    rf"\b(?:iter(?:ation)?|step)[ _]time(?: \((m?s)\)\s*[:=]\s*({_NUMBER})|\s*[:=]\s*({_NUMBER})\s?(m?s)\b)", re.IGNORECASE
)
_SCRIPT_UNITS = ("samples_per_s", "tokens_per_s", "samples/s", "tokens/s", "tok/s", "samples per s", "tokens per s", "seq/s", "sequences/s")
_TIME = re.compile(r"\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:[.,]\d+)?")
RANK = re.compile(r"\[(?:rank|default)(\d+)\]")

# Megatron's words -> (fact, factor). Per-GPU and whole-job token rates go by the same name: the line is the source of which it is.
_MEGATRON: dict[str, tuple[str, float]] = {
    "elapsed time per iteration (ms)": ("step_time_s", 1e-3),
    "elapsed time per iteration (s)": ("step_time_s", 1.0),
    "train step timing in s": ("step_time_s", 1.0),
    "samples per second": ("samples_per_s", 1.0),
    "samples/sec": ("samples_per_s", 1.0),
    "tokens per second": ("tokens_per_s", 1.0),
    "tokens/sec": ("tokens_per_s", 1.0),
    "tokens per gpu per second (tgs)": ("tokens_per_s", 1.0),
    "tokens per second per gpu (tok/s/gpu)": ("tokens_per_s", 1.0),
    "tokens per gpu (tokens/s/gpu)": ("tokens_per_s", 1.0),
    "tokens/s/gpu": ("tokens_per_s", 1.0),
    "tokens/s/gpu inst/harmonic mean": ("tokens_per_s", 1.0),
    "tgs": ("tokens_per_s", 1.0),
    "tflops": ("tflops", 1.0),
    "tflops per gpu": ("tflops", 1.0),
    "throughput per gpu (tflop/s/gpu)": ("tflops", 1.0),
    "compute per gpu (tflop/s/gpu)": ("tflops", 1.0),
    "energy per gpu (j/iter/gpu)": ("energy_j", 1.0),
    "power per gpu (w/gpu)": ("power_w", 1.0),
    "global batch size": ("global_batch_size", 1.0),
    "mfu": ("mfu_percent", 1.0),
}
_TITAN_FACTS = {"tps": "tokens_per_s", "wps": "tokens_per_s", "tflops": "tflops", "mfu": "mfu_percent"}


@dataclass(frozen=True, slots=True)
class Step:
    """One step's line.

    keys   what stands in it, in order
    open   the fact whose figure ends the line, so that more digits may have followed
    cut    the line ends inside a value, which is left out
    """

    step: int
    values: Mapping[str, float]
    keys: tuple[str, ...] = ()
    form: Literal["iteration", "titan", "deepspeed", "script"] = "iteration"
    open: str | None = None
    cut: bool = False


def step_line(text: str) -> Step | None:
    """A step with the rates that its line prints, or None."""
    if "iteration" in text and (match := _ITERATION.search(text)):
        return _megatron(text, match)
    if "step:" in text and (match := _TITAN.search(text)):
        return _titan(text, match)
    if "SamplesPerSec=" in text:
        if match := _DEEPSPEED.search(text):
            return _deepspeed(text, int(match[1]))
        if match := _OLD_DEEPSPEED.search(text):
            return Step(int(match[1]), {"samples_per_s": _scaled(match[2], 1.0)}, form="deepspeed", open="samples_per_s")
    if "step_timing in s=" in text and (match := _NEMO.search(text)):
        return Step(int(match[1]), {"step_time_s": _scaled(match[2], 1.0)}, form="script")
    if "iter " in text and (match := _NANO.search(text)):
        values = {"step_time_s": _scaled(match[2], 1e-3)}
        if match[3] and not match[3].startswith("-"):  # -100% stands before the first measurement
            values["mfu_percent"] = float(match[3])
        return Step(int(match[1]), values, form="script")
    return _script(text)


def _megatron(text: str, match: re.Match[str]) -> Step:
    values: dict[str, float] = {}
    keys: list[str] = []
    fields = text[match.end() :].split("|")
    closed = not fields[-1] or fields[-1].isspace()
    last: str | None = None
    for part in fields[:-1] if closed else fields:
        key, colon, value = part.partition(":")
        name, fact, factor = _field(key)
        keys.append(name)
        last = None
        if fact and colon:
            figure = _FIGURE.match(value)
            if figure and (fact != "mfu_percent" or value.rstrip().endswith("%")):
                values[fact] = _scaled(figure[1], factor)
                last = fact
    return Step(int(match[1]), values, (*keys, *(("|",) if closed else ())), open=None if closed else last)


@lru_cache(maxsize=1024)
def _field(key: str) -> tuple[str, str, float]:
    """A field's name in common form, its fact (empty: none of ours) and the factor to the fact's unit."""
    name = " ".join(key.replace("_", " ").lower().split())
    return name, *_MEGATRON.get(name, ("", 1.0))


def _titan(text: str, match: re.Match[str]) -> Step | None:
    values: dict[str, float] = {}
    keys: list[str] = []
    cut, last = False, None
    end = len(text.rstrip())
    for found in _TITAN_VALUE.finditer(text, match.end()):
        key, value, unit = found.groups()
        keys.append(key)
        fact = _TITAN_FACTS.get(key)
        if fact == "mfu_percent" and unit != "%":
            cut = True  # a bare figure could be a share or a cut percentage
        elif fact:
            values[fact] = _scaled(value, 1.0)
            last = fact if found.end() >= end - 1 and not unit else None  # "5," is open, too
    return Step(int(match[1]), values, tuple(keys), "titan", last, cut) if keys else None


def _deepspeed(text: str, step: int) -> Step:
    values: dict[str, float] = {}
    cut = False
    for name, value, comma in _DEEPSPEED_VALUE.findall(text):
        if not comma:
            cut = True
        else:
            values["samples_per_s" if name.startswith("Curr") else "running_samples_per_s"] = _scaled(value, 1.0)
    return Step(step, values, form="deepspeed", cut=cut or "CurrSamplesPerSec=" not in text)


def _script(text: str) -> Step | None:
    if "/s" not in text and " per " not in text and "_per_s" not in text:
        return None
    lowered = text.lower()
    if not any(unit in lowered for unit in _SCRIPT_UNITS):
        return None
    at = _SCRIPT.search(text)
    rates = [*_SCRIPT_RATE.findall(text), *((value, unit) for unit, value in _SCRIPT_KEYED.findall(text))]
    if not at or not rates:
        return None
    values: dict[str, float] = {}
    if time := _SCRIPT_TIME.search(text):
        values["step_time_s"] = _scaled(time[2] or time[3], 1e-3 if (time[1] or time[4]).lower() == "ms" else 1.0)
    for value, unit in rates:
        values.setdefault("tokens_per_s" if unit.lower().startswith("tok") else "samples_per_s", _scaled(value, 1.0))
    last = _SCRIPT_OPEN.search(text)
    open_fact = None if not last else "tokens_per_s" if last[1].lower().startswith("tok") else "samples_per_s"
    return Step(int(at[1]), values, form="script", open=open_fact)


def _scaled(text: str, factor: float) -> float:
    bare = text.replace(",", "")
    value = int(bare) if bare.isdecimal() else float(bare)
    return value if factor == 1.0 else round(value * factor, 9)


def rank_step(text: str) -> int | None:
    """The step that DeepSpeed's rank line names (`[Rank 0] step=3, skipped=0`)."""
    match = _DEEPSPEED_STEP.search(text)
    return int(match[1]) if match else None


def time_of(text: str) -> str | None:
    """The time stamp that a line carries, as printed."""
    match = _TIME.search(text, 0, 160)
    return match.group() if match else None


# --- timers ---------------------------------------------------------------------------------------------------

_TIMER_LINE = re.compile(r"\btime \(ms\)\s*\|")
_TIMER_HEADER = re.compile(r"(?:\(min, max\) |max )?times? (?:across ranks )?\(ms\):")
_TIMER_ROW = re.compile(r"([A-Za-z][\w/ -]*?) \.{2,}: *(?:([\d.]+)|\(([\d.]+), *([\d.]+)\))\s*\Z")
_TIMER_OPEN = re.compile(r"[A-Za-z][\w/ -]*? \.{2,}:? *\(?[\d., ]*\Z")


@dataclass(frozen=True, slots=True)
class Timers:
    """Timers in seconds; of several ranks the slowest, and the fastest beside it."""

    slowest: Mapping[str, float] = field(default_factory=dict)
    fastest: Mapping[str, float] = field(default_factory=dict)
    cut: bool = False


def timers_line(text: str, open_end: bool = False) -> Timers | None:
    """`time (ms) | forward-compute: 68.0 | ...`, the header of a table of timers, or one of its rows; None for other lines.

    open_end   no line end stands behind the text, so that its last figure may go on
    """
    if "time (ms)" in text and (match := _TIMER_LINE.search(text)):
        found: dict[str, float] = {}
        parts = text[match.end() :].split("|")
        for part in parts[:-1] if open_end else parts:
            name, _, value = part.rpartition(":")
            parsed = number(value)
            if name.strip() and parsed is not None:
                found[name.strip()] = round(parsed / 1000, 9)
        return Timers(found, cut=open_end)
    row = _TIMER_ROW.search(text) if " ..:" in text or "..: " in text else None
    if row:
        if open_end and row[2]:
            return Timers(cut=True)
        low, high = number(row[3] or row[2]), number(row[4] or row[2])
        if low is None or high is None:
            return None
        name = row[1].strip()
        return Timers({name: round(high / 1000, 9)}, {name: round(low / 1000, 9)} if row[3] else {})
    if "(ms):" in text and _TIMER_HEADER.search(text):
        return Timers()
    if "...." in text and "(" in text and _TIMER_OPEN.search(text):
        return Timers(cut=True)
    return None


# --- checkpoints ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Save:
    """A line about saving a checkpoint: that it starts, is done, or how long it took."""

    step: int | None = None
    duration_s: float | None = None
    starts: bool = False


_SAVE_LINES: tuple[tuple[re.Pattern[str], bool], ...] = (
    (re.compile(r"[Ss]aving checkpoint at iteration\s+(?P<step>\d+)(?=\s)"), True),
    (re.compile(r"scheduled an async checkpoint save at iteration\s+(?P<step>\d+)(?=\s)"), True),
    (re.compile(r"successfully saved checkpoint (?:at|from) iteration\s+(?P<step>\d+)(?=\s|\Z)"), False),
    (re.compile(r"Submitted checkpoint save request\b.*?\bstep-(?P<step>\d+)\b(?=.)"), True),
    (re.compile(r"Saving an? [\w ]*?checkpoint (?:in \S+ )?at (?:last )?step,? (?:step )?(?P<step>\d+)(?=\D)"), True),
    (re.compile(r"Saving the checkpoint\b"), True),
    (re.compile(r"Finished saving the checkpoint\b[^.\d]*?in (?P<s>[\d.]+) seconds?\b"), False),
    (re.compile(r"[Cc]heckpoint (?:completed|saved|finished) in (?P<s>[\d.]+) ?s(?:ec(?:ond)?s?)?\b"), False),
    (
        re.compile(
            r"\b[Ss]aved (?:\w+ ){0,3}checkpoint\b.{0,200}?(?:step[ _=-]?(?P<step>\d+)\b.{0,200}?)?\bin (?P<s>[\d.]+) ?s(?:ec(?:ond)?s?)?\b"
        ),
        False,
    ),
    (re.compile(r"Checkpoint global_step(?P<step>\d+) is about to be saved"), True),
    (re.compile(r"Checkpoint global_step(?P<step>\d+) is ready now"), False),
    (re.compile(r"Checkpoint Save GB: .*?Latency\(second\): (?P<s>[\d.]+)"), False),
    (re.compile(r"Checkpoint Save\s*:\s*Rank\s*:\s*\d+\s*:\s*Iteration\s*:\s*(?P<step>\d+)\s*:.*?Save duration:\s*(?P<s>[\d.]+)s"), False),
    (re.compile(r"[Ss]cheduled async checkpoint save for .*?step=?(?P<step>\d+)\b(?=.)"), True),
    (re.compile(r"Async checkpoint save for step (?P<step>\d+)\b.*?finished"), False),
)
_SAVE_OPEN = re.compile(
    r"(?:[Ss]aving checkpoint at iteration|Finished saving the checkpoint\b[^.\d]*?in|[Cc]heckpoint completed in)\s*[\d.]*\Z"
)


def save_line(text: str) -> Save | Literal["cut"] | None:
    """What a line says of saving a checkpoint; "cut" where it ends inside the figure."""
    if "heckpoint" not in text:
        return None
    for pattern, starts in _SAVE_LINES:
        match = pattern.search(text)
        if match:
            groups = match.groupdict()
            seconds = number(groups.get("s") or "")
            return Save(int(groups["step"]) if groups.get("step") else None, seconds, starts)
    return "cut" if _SAVE_OPEN.search(text) else None


# --- sizes of the job -----------------------------------------------------------------------------------------

_WORLD = re.compile(r"\busing world size:\s*(\d+)\b")
_SIZES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\bdata-parallel[- ]size:\s*(\d+)\b"), "data_parallel"),
    (re.compile(r"(?<![\w-])tensor-model-parallel[- ]size:\s*(\d+)\b"), "tensor_parallel"),
    (re.compile(r"(?<![\w-])pipeline-model-parallel[- ]size:\s*(\d+)\b"), "pipeline_parallel"),
    (re.compile(r"(?<![\w-])context-parallel[- ]size:\s*(\d+)\b"), "context_parallel"),
    (re.compile(r"(?<![\w-])sequence-parallel[- ]size:\s*(\d+)\b"), "sequence_parallel"),
    (re.compile(r"(?<![\w-])expert-(?:model-)?parallel[- ]size:\s*(\d+)\b"), "expert_parallel"),
)
_ARGUMENT = re.compile(r"(?:.*\])?\s*([a-z_]+) \.{2,} (\S+)\s*\Z")
_ARGUMENTS = {
    "world_size": "world_size",
    "data_parallel_size": "data_parallel",
    "tensor_model_parallel_size": "tensor_parallel",
    "pipeline_model_parallel_size": "pipeline_parallel",
    "context_parallel_size": "context_parallel",
    "expert_model_parallel_size": "expert_parallel",
    "global_batch_size": "global_batch_size",
    "train_batch_size": "global_batch_size",
}
_MESH = re.compile(r"Building \d-D device mesh with \[([^\]]*)\], \[([\d, ]*)\]")
_PARALLELISM = re.compile(r"Building device mesh with parallelism: (.*)")
_DEGREE = re.compile(r"\b(\w+)=(\d+)(?=[,\s]|\Z)")
_AXES = {"tp": "tensor_parallel", "pp": "pipeline_parallel", "cp": "context_parallel", "ep": "expert_parallel"}
_BATCH = re.compile(r"\bglobal batch size:?\s+(\d+)(?=[,\s])")


def is_new_run(text: str) -> bool:
    """Whether a line stands at the start of a run only: Megatron's line of the world size."""
    return "using world size" in text and _WORLD.search(text) is not None


def size_line(text: str) -> dict[str, int]:
    """Sizes of the job that a line prints; empty for other lines."""
    if "world size" in text and (match := _WORLD.search(text)):
        found = {fact: int(size[1]) for pattern, fact in _SIZES if (size := pattern.search(text))}
        return {"world_size": int(match[1]), **found}
    if " .." in text and (match := _ARGUMENT.match(text)):
        fact = _ARGUMENTS.get(match[1])
        return {fact: int(match[2])} if fact and match[2].isdecimal() else {}
    if "device mesh" in text:
        if match := _MESH.search(text):
            names = [name.strip(" '\"") for name in match[1].split(",")]
            degrees = [int(size) for size in match[2].split(",") if size.strip()]
            return _axes(dict(zip(names, degrees, strict=False)))
        if match := _PARALLELISM.search(text):
            return _axes({name: int(size) for name, size in _DEGREE.findall(match[1])})
    if "rainer is initialized" in text and (match := _BATCH.search(text)):
        return {"global_batch_size": int(match[1])}
    return {}


def _axes(degrees: Mapping[str, int]) -> dict[str, int]:
    """Degrees of torchtitan's mesh. Replicas times shards are the data-parallel ranks; one of them alone is printed, both are not."""
    found = {_AXES[name]: size for name, size in degrees.items() if name in _AXES}
    data = [size for name, size in degrees.items() if name in ("dp", "dp_replicate", "dp_shard") and size > 1]
    named = any(name.startswith("dp") for name in degrees)
    if named and len(data) < 2:
        found["data_parallel"] = data[0] if data else 1
    return found
