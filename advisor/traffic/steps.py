"""What bandwidth means for training steps: Amdahl's law for communication, jobs that share a link in turns, checkpoint windows.

Times are over those of a step alone, shares from 0 to 1.
"""


def step_time(communication_share: float, speedup: float) -> float:
    """Time of a step over its time now, if communication took 1/speedup of its time: 1 - c + c/s (Amdahl, 1967)."""
    return 1 - communication_share + communication_share / speedup


def throughput_gain(communication_share: float, speedup: float) -> float:
    """How many more steps in the same time: 0.48 is 48 % more."""
    return 1 / step_time(communication_share, speedup) - 1


def aligned(share: float) -> float:
    """Step time of two equal jobs that communicate on one link at the same time: that share of the step takes twice as long."""
    return 1 + share


def interleaved(share: float) -> float:
    """Step time of the same two jobs if their phases are shifted as far as they go. Above one half no shift removes it all."""
    return max(1.0, 2 * share)


def at_random(share: float) -> float:
    """Step time of the same two jobs where phases lie as they fall: while one sends the other does so during p of the time, so it gets
    1 - p/2 of the link; p follows from that rate (phases.sending_share). Solved as a fixed point.
    """
    rate = 1.0
    for _ in range(200):
        longer = share / rate
        rate = (rate + 1 - longer / (1 - share + longer) / 2) / 2
    return 1 - share + share / rate


def checkpoint_loss(window_s: float, interval_s: float, inside_over_outside: float) -> float:
    """Share of throughput that checkpoint windows take: d/I * (1 - g)."""
    return window_s / interval_s * (1 - inside_over_outside)
