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
        dots = height * 4
        columns: list[tuple[float, float] | None] = [None] * (2 * width)
        inside = [False] * width
        count = len(self.points)
        for i, point in enumerate(self.points):
            x = int(i * (2 * width - 1) / max(count - 1, 1))
            if i < len(self.shaded) and self.shaded[i]:
                inside[x // 2] = True
            if point is None:
                continue
            known = columns[x]
            columns[x] = (min(known[0], point), max(known[1], point)) if known else (point, point)
        before: int | None = None
        for x, span in enumerate(columns):
            if span is None:
                continue
            first, last = (dots - 1 - round((value - low) / (high - low) * (dots - 1)) for value in (span[1], span[0]))
            top, bottom = first, last
            if before is not None:  # join with the point before, so that a jump shows as a line
                top, bottom = min(top, before + 1), max(bottom, before - 1)
            for y in range(max(top, 0), min(bottom, dots - 1) + 1):
                bits[y // 4][x // 2] |= _DOTS[y % 4][x % 2]
            before = round((first + last) / 2)
        return bits, inside
