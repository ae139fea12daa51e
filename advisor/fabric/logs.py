"""Training logs: step times or throughput beside the checkpoint windows that the log itself tells."""

from collections.abc import Mapping
from typing import Any

from advisor.evidence.bundle import Bundle, host_of, origin
from advisor.evidence.reading import Part
from advisor.fabric.facts import entries, number, tree, whole
from advisor.fabric.model import Step, TrainingLog


def logs(bundle: Bundle) -> tuple[TrainingLog, ...]:
    """One log for each part of a training log that holds steps.

    A step stands in a checkpoint window if at least half of it ran while a checkpoint was written. A checkpoint begins with the end of
    its step and lasts as long as the log says; where the log only says on a later line that it is done, the steps printed between are in
    it. Without a duration and without such lines nothing is marked, and `windows_known` is false.
    """
    found = []
    for capture, part in bundle.parts("training-log"):
        batch = number(part.facts.get("global_batch_size"))
        steps = [_step(int(name), tree(row), batch) for name, row in tree(part.facts.get("steps")).items() if str(name).isdecimal()]
        steps = sorted((step for step in steps if step.slowness is not None), key=lambda step: step.number)
        if not steps:
            continue
        inside, known = _windows(part, steps)
        count = whole(part.facts.get("checkpoint_count"))
        found.append(
            TrainingLog(
                name=capture.name,
                host=host_of(capture, part),
                steps=tuple(step.model_copy(update={"in_checkpoint": step.number in inside}) for step in steps),
                checkpoint_count=count if count is not None else len(entries(part.facts.get("checkpoints"))),
                windows_known=known,
                origin=origin(capture, part, ("steps",)),
            )
        )
    return tuple(found)


def _step(step: int, row: Mapping[str, Any], batch: float | None) -> Step:
    rate = number(row.get("samples_per_s"))
    time = number(row.get("step_time_s"))
    if time is None and rate and batch:
        time = batch / rate
    return Step(number=step, time_s=time, rate_per_s=rate if rate is not None else number(row.get("tokens_per_s")))


def _windows(part: Part, steps: list[Step]) -> tuple[set[int], bool]:
    inside: set[int] = set()
    known = False
    for i, checkpoint in enumerate(entries(part.facts.get("checkpoints"))):
        begins = whole(checkpoint.get("step"))
        lasts = number(checkpoint.get("duration_s"))
        if begins is None:
            continue
        if lasts is not None and all(step.time_s is not None for step in steps):
            inside |= _by_time(steps, begins, lasts)
            known = True
        else:
            path = ("checkpoints", str(i))
            first, last = part.at.get(path), part.at.get((*path, "done"))
            if first is not None and last is not None:
                inside |= {step.number for step in steps if first < part.line_of(("steps", str(step.number))) < last}
                known = True
    return inside, known


def _by_time(steps: list[Step], begins: int, lasts: float) -> set[int]:
    """The steps after `begins` of which at least half ran within `lasts` seconds. Only consecutive steps can be timed."""
    inside: set[int] = set()
    elapsed, previous = 0.0, begins
    for step in steps:
        if step.number <= begins or step.time_s is None:
            continue
        if step.number != previous + 1 or elapsed + step.time_s / 2 > lasts:
            break
        inside.add(step.number)
        elapsed, previous = elapsed + step.time_s, step.number
    return inside
