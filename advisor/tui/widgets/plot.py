"""A line of points over time in braille dots, with windows shaded: 2 x 4 dots in each cell."""

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from advisor.tui.views.plot import Curve
from advisor.tui.views.words import Span
from advisor.tui.widgets.paint import Painted, line, width_of


class Plot(Painted):
    DEFAULT_CSS = """
    Plot { background: $surface; }
    Plot > .plot--shade { background: $shade; }
    """
    COMPONENT_CLASSES = {"plot--shade"}

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._curve = Curve()

    def show(self, curve: Curve) -> None:
        self._curve = curve
        self.refresh()

    def render_line(self, y: int) -> Strip:
        width, height = self.size.width, self.size.height
        curve = self._curve
        if not curve.points or height < 3:
            words = (Span(curve.empty if y == 0 else "", "dim"),)
            return line(self.paint(words), width, self.rich_style)
        rows = height - 1  # the last line is the axis below
        low, high = curve.bounds
        labels = {0: curve.label(high), rows - 1: curve.label(low)}
        margin = max(len(text) for text in labels.values()) + 1
        room = max(width - margin, 4)
        if y >= rows:
            first, last = Span(" " * margin + curve.first, "dim"), Span(curve.last, "dim")
            gap = max(width - width_of((first, last)), 1)
            return line(self.paint((first, Span(" " * gap), last)), width, self.rich_style)
        label = self.paint((Span(f"{labels.get(y, ''):>{margin - 1}} ", "dim"),))
        cells, shaded = curve.cells(room, rows)
        shade = self.get_component_rich_style("plot--shade", partial=True)
        ink = self.tone("info")
        segments = []
        for x in range(room):
            bits = cells[y][x]
            inside = shaded[x]
            char = chr(0x2800 + bits) if bits else ("░" if inside else " ")
            style: Style = (ink if bits else self.tone("dim")) + shade if inside else ink
            segments.append(Segment(char, style))
        return line([*label, *segments], width, self.rich_style)
