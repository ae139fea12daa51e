"""Three-point figures as distributions: triangular between low and high with its mode at likely."""

from decimal import Decimal


def quantile(low: Decimal, mode: Decimal, high: Decimal, p: Decimal) -> Decimal:
    """The value that a triangular figure stays below with probability p.

    Raises ValueError for points that do not ascend, or p outside 0 to 1.
    """
    if not low <= mode <= high or not 0 <= p <= 1:
        raise ValueError(f"{low}, {mode}, {high} at {p}: must ascend, p from 0 to 1")
    width = high - low
    if not width:
        return low
    if p * width <= mode - low:
        return low + (p * width * (mode - low)).sqrt()
    return high - ((1 - p) * width * (high - mode)).sqrt()


def mean(low: Decimal, mode: Decimal, high: Decimal) -> Decimal:
    return (low + mode + high) / 3


def pert_mean(low: Decimal, mode: Decimal, high: Decimal) -> Decimal:
    """The mean as project planning takes it: the mode counts four times."""
    return (low + 4 * mode + high) / 6
