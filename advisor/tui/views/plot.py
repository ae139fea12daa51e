"""A curve for a plot of characters: points, shaded windows, bounds, and the dots of each cell."""

from dataclasses import dataclass

_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))


@dataclass(frozen=True)
class Curve:
    """points: value at each place in order (None: unknown). shaded: whether it lies in a window. first, last: words at the ends."""

    points: tuple[float | None, ...] = ()
    shaded: tuple[bool, ...] = ()
    unit: str = ""
    first: str = ""
    last: str = ""
    empty: str = ""

    @property
    def bounds(self) -> tuple[float, float]:
        """Lowest and highest value; the axis begins at 0 unless that would flatten the curve."""
        known = [point for point in self.points if point is not None]
        if not known:
            return 0.0, 1.0
        low, high = min(known), max(known)
        if low > 0 and low < 0.6 * high:
            low = 0.0
        if high == low:
            high = low + (abs(low) or 1.0)
        return low, high

    def label(self, value: float) -> str:
        return f"{value:.3g}{f' {self.unit}' if self.unit else ''}"

    def cells(self, width: int, height: int) -> tuple[list[list[int]], list[bool]]:
        """Braille bits of each cell by row and column, and which columns lie in a window.

        Many points of one column show from the lowest to the highest.
        """
        low, high = self.bounds
        bits = [[0] * width for _ in range(height)]
        inside = [False] * width
        dots, last = height * 4 - 1, 2 * width - 1
        before: tuple[int, int] | None = None
        for i, point in enumerate(self.points):
            x = i * last // max(len(self.points) - 1, 1)
            if i < len(self.shaded) and self.shaded[i]:
                inside[x // 2] = True
            if point is None:  # unknown: the line ends, and begins again behind it
                before = None
                continue
            y = dots - round((point - low) / (high - low) * dots)
            _draw(bits, before or (x, y), (x, y))
            before = (x, y)
        return bits, inside


def _draw(bits: list[list[int]], start: tuple[int, int], end: tuple[int, int]) -> None:
    """A line of dots from one point to another, to the right or straight up and down."""
    (x0, y0), (x1, y1) = start, end
    above = y0
    for x in range(x0, x1 + 1):
        below = y1 if x == x1 else round(y0 + (y1 - y0) * (x - x0) / (x1 - x0))
        for y in range(min(above, below), max(above, below) + 1):
            bits[y // 4][x // 2] |= _DOTS[y % 4][x % 2]
        above = below
