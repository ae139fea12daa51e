"""From lost bandwidth to a longer step: only communication that compute does not hide makes a step longer.

With all communication C and its exposed part X as shares of a measured step, and collectives faster by s, the new step is
1 - X + max(0, C/s - (C - X)) of the old one. Where only X is known, the saving is at least X * (1 - 1/s), by Amdahl's law with
nothing hidden, and at most X. A loss of bandwidth is therefore never itself the loss of GPU-hours.
"""

# Model FLOPs utilisation that published runs of large dense models reached: Llama 3.1 405B 0.38-0.43 (arXiv 2407.21783), PaLM 540B
# 0.462 (arXiv 2204.02311). A prediction above the best of them is more likely a wrong input than a better cluster.
MFU_PUBLISHED = 0.46


def speed_up(loss: float) -> float:
    """How much faster a collective gets when this share of its expected bandwidth comes back. Raises ValueError from 1 on."""
    if not 0 <= loss < 1:
        raise ValueError(f"a loss of {loss}: from 0 to below 1")
    return 1 / (1 - loss)


def saved_share(communication: float, exposed: float, factor: float) -> float:
    """The share of a step that is saved when collectives get faster by `factor`; what is hidden stays hidden.

    Raises ValueError for shares outside 0 to 1, more exposed communication than there is, or a factor below 1.
    """
    _check_step(exposed, factor)
    if not exposed <= communication <= 1:
        raise ValueError(f"communication {communication} of a step with {exposed} exposed: from the exposed part to 1")
    return exposed - max(0.0, communication / factor - (communication - exposed))


def saved_bounds(exposed: float, factor: float) -> tuple[float, float]:
    """Low and high of the saved share where only exposed communication is known. Raises ValueError as `saved_share`."""
    _check_step(exposed, factor)
    return exposed * (1 - 1 / factor), exposed


def throughput_gain(saved: float) -> float:
    """How much more a job gets done per hour when its step shrinks by the share `saved`. Raises ValueError from 1 on."""
    if not 0 <= saved < 1:
        raise ValueError(f"a saved share of {saved}: from 0 to below 1")
    return 1 / (1 - saved) - 1


def mfu_after(mfu: float, saved: float) -> float:
    """Model FLOPs utilisation after a step shrank: the same work in less time."""
    return mfu * (1 + throughput_gain(saved))


def is_plausible(mfu: float, saved: float, published: float = MFU_PUBLISHED) -> bool:
    """Whether a predicted saving leaves the utilisation within what comparable runs publish."""
    return mfu_after(mfu, saved) <= published


def dip_share(depth: float, minutes: float, per_hour: float) -> float:
    """The share of time lost to dips: throughput falls by `depth` for some minutes, some times an hour.

    Raises ValueError for a depth outside 0 to 1, or dips that take longer than the hour.
    """
    if not 0 <= depth <= 1 or minutes < 0 or per_hour < 0 or minutes * per_hour > 60:
        raise ValueError(f"dips of {depth} for {minutes} minutes, {per_hour} an hour: a share, and at most the whole hour")
    return depth * minutes / 60 * per_hour


def wire_rate(bus_bandwidth: float, nodes: int, gpus_per_node: int) -> float:
    """What each GPU puts on the wire in a hierarchical all-reduce over `nodes` hosts, in the unit of the bus bandwidth.

    busbw * (k - 1) / (n - 1) with k hosts and n = k * g ranks. Raises ValueError where nothing crosses a wire.
    """
    if nodes < 2 or gpus_per_node < 1:
        raise ValueError(f"{nodes} hosts of {gpus_per_node} GPUs: two or more hosts, one or more GPUs")
    return bus_bandwidth * (nodes - 1) / (nodes * gpus_per_node - 1)


def _check_step(exposed: float, factor: float) -> None:
    if not 0 <= exposed <= 1:
        raise ValueError(f"exposed communication {exposed}: a share of the step, 0 to 1")
    if factor < 1:
        raise ValueError(f"a factor of {factor}: 1 or more")
