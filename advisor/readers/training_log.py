"""Logs of training jobs (Megatron, DeepSpeed, torchtitan, FSDP scripts): steps with time and rates, checkpoints, sizes of the job.

A job that starts again (its steps count back) begins a new part. Of lines that several ranks print alike, the first rank's count.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from advisor.evidence.reading import Part
from advisor.readers._training_lines import (
    RANK,
    Save,
    Step,
    is_new_run,
    rank_step,
    save_line,
    size_line,
    step_line,
    time_of,
    timers_line,
)
from advisor.readers.contract import Block, Notes, Reader

# Megatron's own loop; beside it, DeepSpeed's samples per second count something else.
_LOOP = ("before the start of training step", "using world size", " iterations) memory (")
# Wordings of the frameworks that hold no fact of ours; each is a line of its own.
_WITHOUT_FACT = (
    *("iterations) memory (", "] step=", "] datetime: ", "oading checkpoint", "oading the checkpoint", "successfully loaded checkpoint"),
    *("Waiting for checkpoint save", "[GC] ", "GC collection", "Training completed", "Training starts", "Starting training"),
    *("Checkpointing active", "No checkpoint was provided", "Creating Model", "Created model", "training ...", "done with setup"),
    *("] Saving ", "] Saved ", "-- arguments --", "-- end of arguments --"),
)


@dataclass(slots=True)
class _Run:
    """One run of a job: its notes, and where in it the reading stands."""

    notes: Notes
    step: int | None = None  # last one of the rank whose lines count
    named: int | None = None  # last one that any line named: the timers behind it are its own
    rank: str | None = None
    saver: str | None = None
    has_loop: bool = False  # the training loop prints of itself, so DeepSpeed's rate is not the job's
    deepspeed: dict[int, dict[str, float]] = field(default_factory=dict)
    before_step: dict[str, float] = field(default_factory=dict)
    usual_keys: dict[str, tuple[str, ...]] = field(default_factory=dict)
    open_save: dict[str, Any] | None = None
    saves: dict[int, dict[str, Any]] = field(default_factory=dict)  # by step
    places: dict[int, int] = field(default_factory=dict)  # identity of a checkpoint -> its place in the list
    batches: set[int] = field(default_factory=set)


def read(block: Block) -> Iterator[Part]:
    run = _Run(Notes("training-log", block))
    start = 0
    for i, (n, text) in enumerate(block.lines):
        if not text or text.isspace():
            continue
        step = step_line(text)
        if (step and _counts_back(run, step, text)) or (run.notes.get("steps") and is_new_run(text)):
            yield from _closed(run, block, start, i)
            run, start = _Run(Notes("training-log", block), usual_keys=run.usual_keys), i
        _line(run, n, text, step)
    yield from _closed(run, block, start, len(block.lines))


def _line(run: _Run, n: int, text: str, step: Step | None) -> None:
    notes = run.notes
    if not run.has_loop and any(mark in text for mark in _LOOP):
        run.has_loop = True
    if step:
        _step(run, n, text, step)
    elif (saved := save_line(text)) is not None:
        if saved == "cut" or (n == len(notes.block.lines.raw) and text.rstrip()[-1:].isdecimal()):
            notes.problem(n, "cut")
        else:
            _save(run, n, text, saved)
    elif (timers := timers_line(text, open_end=n == len(notes.block.lines.raw))) is not None:
        if timers.cut:
            notes.problem(n, "cut")
        _timers(run, n, dict(timers.slowest), dict(timers.fastest))
    elif sizes := size_line(text):
        if n == len(notes.block.lines.raw) and text.rstrip()[-1:].isdecimal():  # no line end behind it: its last figure may go on
            notes.problem(n, "cut")
            sizes = size_line(text.rstrip().rstrip("0123456789"))
        for fact, size in sizes.items():
            notes.put(n, size, fact)
    elif (named := rank_step(text)) is not None:
        _named_step(run, n, named)
    elif text.strip() in ("...", "…", "......"):
        notes.problem(n, "left-out")
    elif any(mark in text for mark in _WITHOUT_FACT):
        notes.ignore(n, "no fact of ours")


# --- steps ----------------------------------------------------------------------------------------------------


def _rank(text: str) -> str | None:
    match = RANK.match(text.lstrip())
    return match[1] if match else None


def _counts_back(run: _Run, step: Step, text: str) -> bool:
    """Whether a step is lower than the last one of the same rank: the job has started again."""
    return run.step is not None and step.step < run.step and _rank(text) == run.rank and step.form != "deepspeed"


def _step(run: _Run, n: int, text: str, step: Step) -> None:
    notes = run.notes
    if step.form == "deepspeed":
        notes.use(n)
        open_end = n == len(notes.block.lines.raw) and text.rstrip()[-1:].isdecimal()
        if step.cut or open_end:
            notes.problem(n, "cut")
        run.deepspeed.setdefault(step.step, {"line": n, **({} if step.open and open_end else step.values)})
        _before_step(run, step.step)
        return
    name = str(step.step)
    steps = notes.facts.setdefault("steps", {})
    rank = _rank(text)
    if run.step is None:
        run.rank = rank
    if name in steps and steps[name].keys() - {"timers_s", "timers_min_s"}:
        notes.ignore(n, "another rank's line of the same step")
        return
    values: dict[str, Any] = dict(step.values)
    last = n == len(notes.block.lines.raw) and (step.form != "script" or step.open is not None)  # no line end behind it
    if _is_cut(run, step) or (last and (step.open or text.rstrip()[-1:].isdecimal())):
        notes.problem(n, "cut")
        if step.open:
            del values[step.open]
    batch = values.pop("global_batch_size", None)
    if batch is not None:
        run.batches.add(int(batch))
        values["global_batch_size"] = int(batch)
    run.has_loop = True
    stamp = time_of(text)
    if stamp:
        values["time"] = stamp
    steps.setdefault(name, {}).update(values)
    notes.thing(n, "steps", name)
    if rank == run.rank:
        run.step = step.step
    _before_step(run, step.step)


def _is_cut(run: _Run, step: Step) -> bool:
    """Whether a line stops short of what such lines hold: its keys are the first few of an earlier line's."""
    usual = run.usual_keys.setdefault(step.form, step.keys)
    last = len(step.keys) - 1
    short = 0 <= last < len(usual) - 1 and step.keys[:last] == usual[:last] and usual[last].startswith(step.keys[last])
    if last >= len(usual) and usual == step.keys[: len(usual)]:
        run.usual_keys[step.form] = step.keys
    return step.cut or short


def _named_step(run: _Run, n: int, step: int) -> None:
    run.notes.ignore(n, "no fact of ours")
    _before_step(run, step)


def _before_step(run: _Run, step: int) -> None:
    """DeepSpeed prints the timers of its optimizer in front of the line that names the step."""
    if run.before_step:
        timers = run.notes.facts.setdefault("steps", {}).setdefault(str(step), {}).setdefault("timers_s", {})
        timers.update({name: value for name, value in run.before_step.items() if name not in timers})
        run.before_step = {}
    run.named = step


# --- timers and checkpoints -----------------------------------------------------------------------------------


def _timers(run: _Run, n: int, slowest: dict[str, float], fastest: dict[str, float]) -> None:
    notes = run.notes
    notes.use(n)
    duration = slowest.pop("save-checkpoint", None)
    if duration is not None:
        fastest.pop("save-checkpoint", None)
        _save(run, n, "", Save(duration_s=duration))
    if not slowest:
        return
    if all(name.startswith("optimizer_") for name in slowest):
        run.before_step.update(slowest)
        return
    last = run.named
    if last is None:
        notes.ignore(n, "timers in front of the first step")
        return
    step = notes.facts.setdefault("steps", {}).setdefault(str(last), {})
    step.setdefault("timers_s", {}).update(slowest)
    if fastest:
        step.setdefault("timers_min_s", {}).update(fastest)
    notes.thing(n, "steps", str(last), "timers_s")


def _save(run: _Run, n: int, text: str, save: Save) -> None:
    notes = run.notes
    rank = _rank(text)
    if rank is not None:
        run.saver = run.saver or rank
        if rank != run.saver:
            notes.ignore(n, "another rank's line of the same checkpoint")
            return
    saves: list[dict[str, Any]] = notes.facts.setdefault("checkpoints", [])
    current = run.saves.get(save.step, run.open_save) if save.step is not None else run.open_save
    if current is not None and not _continues(current, save):
        current = None
    if current is None:
        current = {}
        run.places[id(current)] = len(saves)
        saves.append(current)
        notes.at[("checkpoints", str(len(saves) - 1))] = n
        notes.at.setdefault(("checkpoints",), n)
        notes.put(n, len(saves), "checkpoint_count")
        stamp = time_of(text)
        if stamp:
            current["time"] = stamp
    notes.use(n)
    if save.step is not None:
        current["step"] = save.step
        run.saves[save.step] = current
    if save.duration_s is not None:
        current.setdefault("duration_s", save.duration_s)
    elif not save.starts and save.step is not None and "done" not in current:
        current["done"] = True  # its line ends the window in which the checkpoint was written
        notes.at[("checkpoints", str(run.places[id(current)]), "done")] = n
    run.open_save = current


def _continues(current: dict[str, Any], save: Save) -> bool:
    """Whether a line goes on with a checkpoint that is known: it must not name another step, nor begin what has begun."""
    same = save.step is None or current.get("step") is None or current["step"] == save.step
    if not same:
        return False
    if save.starts:
        return "duration_s" not in current and save.step is not None
    return save.duration_s is None or "duration_s" not in current or (save.step is None and "step" in current)


def _closed(run: _Run, block: Block, start: int, end: int) -> Iterator[Part]:
    notes = run.notes
    for step, values in run.deepspeed.items():
        line = int(values.pop("line", 0))
        if not values:
            continue
        into = notes.facts.setdefault("steps", {}).setdefault(str(step), {})
        if "running_samples_per_s" in values:
            into["running_samples_per_s"] = values["running_samples_per_s"]
        if "samples_per_s" in values:  # beside the loop's own rate it counts something else
            into["current_samples_per_s" if run.has_loop else "samples_per_s"] = values["samples_per_s"]
        notes.at.setdefault(("steps", str(step)), line)
    if len(run.batches) == 1:
        notes.facts.setdefault("global_batch_size", run.batches.pop())
        for values in notes.facts["steps"].values():
            values.pop("global_batch_size", None)
    if "steps" in notes.facts and not notes.facts["steps"]:
        del notes.facts["steps"]
    notes.count("steps", "step_count")
    if notes.is_empty:
        return
    lines = block.lines[start:end]
    notes.block = Block(lines, block.command, block.host, block.first if start == 0 else lines.numbers[0])
    yield notes.part()


# What may stand in front, and the first characters of what comes then: most lines of other texts end the search there.
_LEAD = r"\s*(?:(?:\[[^\]]{0,80}+\]:?|\d{4}-\d\d-\d\d[ T][\d:.,]+|[\w./-]{1,60}+:(?=[ \d])|-|[IWD]|INFO|root)\s*){0,10}?(?=[uisefbct\d])"
_STARTS = re.compile(
    _LEAD + r"(?:using world size: *\d|iteration +\d+ */ *\d+ *\||step: *\d+(?:/\d+ = [\d.]+%)? +(?:loss|lr|[tw]ps|memory|grad_norm):|"
    r"epoch=\d+/micro_step=\d+/global_step=\d+,|\d+/\d+, SamplesPerSec=[\d.]+|"
    r"Training epoch \d+, iteration +\d+/\d+ \||Epoch \d+: .{0,200}\btrain_step_timing in s=[\d.]+|iter \d+: loss [\d.]+, time [\d.]+ms|"
    r"(?:epoch\W+\d+\W+)?(?:batch|steps?|iter(?:ation)?)\W{1,3}\d+\b.{1,200}?"
    r"(?:[\d.]+ *(?:samples|tokens)/s|(?:samples|tokens)(?:/|_per_)s\w*[:=] *[\d.]+)|"
    r"saving checkpoint at iteration +\d|Finished saving the checkpoint\b|Building \d-D device mesh with \[|Checkpointing active\. )",
    re.IGNORECASE,
)

READER = Reader("training-log", read, starts=_STARTS)
