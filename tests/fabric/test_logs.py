"""Steps in checkpoint windows, as one would mark them by hand."""

from typing import Any

from advisor.evidence.bundle import Bundle, Capture
from advisor.evidence.reading import Part, Reading
from advisor.fabric.build import build

from .bundles import bundle, capture


def _marked(facts: dict[str, Any]) -> list[int]:
    (log,) = build(bundle(capture("train.log", ("training-log", facts)))).logs
    return [step.number for step in log.steps if step.in_checkpoint]


STEPS = {str(i): {"step_time_s": 4.0} for i in range(1, 13)}


def test_steps_while_a_checkpoint_is_written() -> None:
    assert _marked({"steps": STEPS, "checkpoints": [{"step": 4, "duration_s": 11.0}]}) == [5, 6, 7]  # 7 ran from 8 to 12 s, 3 of 4 inside


def test_a_short_checkpoint_marks_nothing() -> None:
    assert _marked({"steps": STEPS, "checkpoints": [{"step": 4, "duration_s": 1.0}]}) == []


def test_without_a_duration_nothing_is_marked_and_that_is_said() -> None:
    (log,) = build(bundle(capture("train.log", ("training-log", {"steps": STEPS, "checkpoints": [{"step": 4}]})))).logs
    assert not any(step.in_checkpoint for step in log.steps)
    assert (log.windows_known, log.checkpoint_count) == (False, 1)


def test_throughput_alone_orders_steps_without_a_time() -> None:
    (log,) = build(bundle(capture("t.log", ("training-log", {"steps": {"10": {"tokens_per_s": 500}, "20": {"tokens_per_s": 250}}})))).logs
    assert [step.slowness for step in log.steps] == [1 / 500, 1 / 250]
    assert log.steps[0].time_s is None


def test_samples_and_the_batch_give_a_time() -> None:
    facts = {"global_batch_size": 128, "steps": {"1": {"samples_per_s": 32}}}
    (log,) = build(bundle(capture("t.log", ("training-log", facts)))).logs
    assert log.steps[0].time_s == 4


def test_lines_between_begin_and_end() -> None:
    facts = {"steps": {str(i): {"tokens_per_s": 100} for i in range(1, 6)}, "checkpoints": [{"step": 2, "done": True}]}
    at = {("steps", str(i)): 10 * i for i in range(1, 6)} | {("checkpoints", "0"): 25, ("checkpoints", "0", "done"): 45}
    part = Part(tool="training-log", lines=(1, 60), facts=facts, at=at)
    (log,) = build(Bundle((Capture("sha", "t.log", 1, Reading(parts=(part,))),))).logs
    assert [step.number for step in log.steps if step.in_checkpoint] == [3, 4]
