"""Line numbers and CPU lists as ascending ranges."""

from collections.abc import Iterable


def ranges(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Numbers as closed ranges, ascending, joined where they touch: 1 2 3 7 gives (1, 3) (7, 7)."""
    found: list[tuple[int, int]] = []
    for number in sorted(set(numbers)):
        if found and number == found[-1][1] + 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found


def range_text(numbers: Iterable[int]) -> str:
    """Numbers as `0-47,96-143`."""
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in ranges(numbers))
