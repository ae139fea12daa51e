"""Traps of training logs that the golden captures do not show; the wordings are those of the frameworks' own sources."""

from advisor.evidence.reading import Part
from advisor.readers.recognise import read

ITERATION = (
    " [2025-04-13 23:41:{s:02}] iteration {i:8}/    1000 | consumed samples:          160 | elapsed time per iteration (ms): {ms} | "
    "throughput per GPU (TFLOP/s/GPU): 57.6 | global batch size: {batch:5} | number of nan iterations:   0 |\n"
)


def _parts(text: str) -> list[Part]:
    return list(read(text.encode()).parts)


def _iteration(i: int, ms: float = 1147.6, batch: int = 16) -> str:
    return ITERATION.format(i=i, ms=ms, batch=batch, s=i % 60)


def test_milliseconds_become_seconds_and_the_time_stays_as_printed() -> None:
    (part,) = _parts(_iteration(10))
    assert part.facts["steps"]["10"] == {"step_time_s": 1.1476, "tflops": 57.6, "time": "2025-04-13 23:41:10"}
    assert part.facts["global_batch_size"] == 16


def test_a_job_that_starts_again_is_another_part() -> None:
    parts = _parts(_iteration(10) + _iteration(20) + _iteration(11, 999.9) + _iteration(20, 888.8))
    assert [sorted(part.facts["steps"]) for part in parts] == [["10", "20"], ["11", "20"]]
    assert [part.facts["steps"]["20"]["step_time_s"] for part in parts] == [1.1476, 0.8888]
    assert [part.lines for part in parts] == [(1, 2), (3, 4)]


def test_a_batch_size_that_grows_is_told_step_by_step() -> None:
    (part,) = _parts(_iteration(10, batch=16) + _iteration(20, batch=32))
    assert "global_batch_size" not in part.facts
    assert [step["global_batch_size"] for step in part.facts["steps"].values()] == [16, 32]


def test_timers_belong_to_the_step_in_front_of_them_and_the_slowest_rank_counts() -> None:
    timers = "(min, max) time across ranks (ms):\n    forward-backward ...............................: (1100.15, 1123.15)\n"
    (part,) = _parts(timers + _iteration(10) + timers + "time (ms) | optimizer: 49.42 | batch-generator: 2.35\n" + _iteration(20))
    assert part.facts["steps"]["10"]["timers_s"] == {"forward-backward": 1.12315, "optimizer": 0.04942, "batch-generator": 0.00235}
    assert part.facts["steps"]["10"]["timers_min_s"] == {"forward-backward": 1.10015}
    assert "timers_s" not in part.facts["steps"]["20"]


def test_one_checkpoint_has_many_lines() -> None:
    text = (
        _iteration(20)
        + "saving checkpoint at iteration      20 to /ckpt in torch_dist format\n"
        + "  successfully saved checkpoint from iteration      20 to /ckpt [ t 1/2, p 1/4 ]\n"
        + "(min, max) time across ranks (ms):\n    save-checkpoint ................................: (17332.36, 17332.56)\n"
    )
    (part,) = _parts(text)
    (save,) = part.facts["checkpoints"]
    assert (save["step"], save["duration_s"]) == (20, 17.33256)
    assert part.facts["checkpoint_count"] == 1


def test_what_several_ranks_print_alike_counts_once() -> None:
    head = "[rank{r}]:[titan] 2025-04-01 00:25:47,084 - root - INFO - "
    line = head + "step: {s:2}  loss:  6.2  memory: 87.0GiB(93.48%)  tps: 52,14{r}  mfu: 3.09%\n"
    save = head + "Finished saving the checkpoint (or staging if async is enabled)in 5.5{r} seconds.\n"
    text = "".join(line.format(r=r, s=s) for s in (1, 2) for r in (0, 1)) + save.format(r=0) + save.format(r=1)
    (part,) = _parts(text)
    assert {step: facts["tokens_per_s"] for step, facts in part.facts["steps"].items()} == {"1": 52140, "2": 52140}
    assert [save["duration_s"] for save in part.facts["checkpoints"]] == [5.5]


def test_deepspeed_alone_gives_its_own_rate_and_beside_megatron_it_does_not() -> None:
    timer = "[2024-04-21 02:45:40,722] [INFO] [timer.py:260:stop] epoch=0/micro_step=3/global_step=3, "
    timer += "RunningAvgSamplesPerSec=74.6, CurrSamplesPerSec=75.5, MemAllocated=4.75GB\n"
    (alone,) = _parts(timer)
    (beside,) = _parts("using world size: 16, data-parallel-size: 16, tensor-model-parallel size: 1\n" + timer)
    assert alone.facts["steps"]["3"] == {"running_samples_per_s": 74.6, "samples_per_s": 75.5}
    assert "samples_per_s" not in beside.facts["steps"]["3"]


def test_a_line_that_stops_short_of_its_kind_loses_its_last_figure() -> None:
    whole = "[titan] step: 10  loss: 6.2  grad_norm: 7.7  tps: 182,449  tflops: 108.48  mfu: 10.97%\n"
    (part,) = _parts(whole + "[titan] step: 20  loss: 6.2  grad_norm: 7.7  tps: 18\n" + whole.replace("10 ", "30 "))
    assert part.facts["steps"]["20"] == {}
    assert [(problem.line, problem.why) for problem in part.problems] == [(2, "cut")]


def test_a_mesh_of_replicas_and_shards_does_not_print_the_data_parallel_size() -> None:
    start = "[titan] step: 10  loss: 6.2  tps: 182,449  mfu: 10.97%\n"
    (sharded,) = _parts("[titan] Building 2-D device mesh with ['dp_shard', 'tp'], [4, 2]\n" + start)
    (hybrid,) = _parts("[titan] Building 2-D device mesh with ['dp_replicate', 'dp_shard'], [2, 4]\n" + start)
    assert (sharded.facts["data_parallel"], sharded.facts["tensor_parallel"]) == (4, 2)
    assert "data_parallel" not in hybrid.facts
    assert "world_size" not in sharded.facts


def test_a_rate_behind_its_unit_is_not_the_figure_in_front() -> None:
    line = "steps: 10 loss: 2.5000 iter time (s): 1.389 samples/sec: 46.080"
    assert _parts(line + "\n")[0].facts["steps"]["10"] == {"step_time_s": 1.389, "samples_per_s": 46.08}
    (cut,) = _parts(line)
    assert cut.facts["steps"]["10"] == {"step_time_s": 1.389}
    assert [(problem.line, problem.why) for problem in cut.problems] == [(1, "cut")]


def test_nemo_prints_the_epoch_before_the_iteration() -> None:
    (part,) = _parts(
        "Training epoch 0, iteration 8/99 | lr: 2.7e-06 | global_batch_size: 512 | global_step: 8 | train_step_timing in s: 6.12 | x: 46\n"
    )
    assert part.facts["steps"]["8"] == {"step_time_s": 6.12}
    assert part.facts["global_batch_size"] == 512
