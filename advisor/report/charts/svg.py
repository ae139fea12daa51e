"""Pictures as SVG. Colours are classes, so that a page gives them (light, dark, print); all text is data and escaped.

Every chart is drawn on a canvas WIDTH wide; its height follows what there is to show. A colour never carries a meaning alone: each mark
has its label or sign beside it.
"""

from collections.abc import Iterable
from math import ceil, floor, log10

from advisor.base.plain import plain
from advisor.report.charts.model import Chart, Distributions, Frontier, HeatMap, Split, Spread, Timeline, Waterfall, quartiles
from advisor.report.terminal import width

WIDTH = 720
TONES = ("good", "warn", "bad", "info", "dim", "window", "none", *(f"h{i}" for i in range(10)))  # classes of fills
_SMALL = 6.4  # width of one terminal cell at font size 12
Marks = list[str]


def svg(chart: Chart, title: str, style: str = "") -> str:
    """The picture as one SVG element. `style` is put inside where no page gives the colours."""
    match chart:
        case Split():
            marks, height = _split(chart)
        case Waterfall():
            marks, height = _waterfall(chart)
        case HeatMap():
            marks, height = _heat(chart)
        case Timeline():
            marks, height = _timeline(chart)
        case Frontier():
            marks, height = _frontier(chart)
        case Distributions():
            marks, height = _distributions(chart)
    inner = f"<style>{style}</style>" if style else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" width="{WIDTH}" height="{height:.0f}" role="img" '
        f'class="chart" font-size="12"><title>{escaped(title)}</title>{inner}{"".join(marks)}</svg>'
    )


def escaped(text: str) -> str:
    """Text that an XML reader shows as it is: no markup, no control codes."""
    safe = plain(" ".join(text.split()))
    return safe.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;").replace("'", "&#39;")


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> str:
    side = f' text-anchor="{anchor}"' if anchor != "start" else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" class="t {kind}"{side}>{escaped(text)}</text>'


def _box(x: float, y: float, w: float, h: float, kind: str, hint: str = "") -> str:
    told = f"<title>{escaped(hint)}</title>" if hint else ""
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(w, 0):.1f}" height="{max(h, 0):.1f}" class="f-{kind}">{told}</rect>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str = "axis") -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="s-{kind}"/>'


def _dot(x: float, y: float, kind: str, hint: str = "", radius: float = 4) -> str:
    told = f"<title>{escaped(hint)}</title>" if hint else ""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" class="f-{kind}">{told}</circle>'


def shortened(text: str, room: float) -> str:
    """The text, cut with an ellipsis where it is wider than `room`."""
    text = plain(" ".join(text.split()))
    cells = int(room / _SMALL)
    if width(text) <= cells:
        return text
    kept = text
    while kept and width(kept) > cells - 1:
        kept = kept[:-1]
    return kept.rstrip() + "…"


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round values from low to high: 1, 2 or 5 times a power of ten apart."""
    span = (high - low) or abs(high) or 1.0
    power = 10.0 ** floor(log10(span / about))
    step = next(power * k for k in (1, 2, 5, 10) if span / (power * k) <= about)
    return [step * i for i in range(ceil(low / step - 1e-6), floor(high / step + 1e-6) + 1)]


def short_number(value: float) -> str:
    """`12,100`, `250k`: an axis to 100,000 has its figures in full, of one kind from end to end."""
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e5, "k")):
        if abs(value) >= size:
            return f"{value / (1e3 if unit == 'k' else size):g}{unit}"
    return f"{value:,g}"


# --- one chart each ------------------------------------------------------------------------------------------------


def _split(chart: Split) -> tuple[Marks, float]:
    whole = sum(one.share for one in chart.slices) or 1.0
    marks, x = [], 0.0
    for number, one in enumerate(chart.slices, 1):
        w = one.share / whole * WIDTH
        marks.append(_box(x, 0, max(w - 1, 1.5), 30, one.tone, f"{one.label}: {one.said}"))
        if w > 18:
            marks.append(_text(x + w / 2, 20, str(number), "on", "middle"))
        x += w
    y = 52.0
    for number, one in enumerate(chart.slices, 1):
        marks += [_box(0, y - 10, 12, 12, one.tone), _text(20, y, f"{number}", "dim"), _text(40, y, shortened(one.label, WIDTH - 160))]
        marks.append(_text(WIDTH, y, one.said, "num", "end"))
        y += 20
    return marks, y - 6


def _waterfall(chart: Waterfall) -> tuple[Marks, float]:
    left, room = 330.0, WIDTH - 330.0 - 70
    logs = [log10(step.factor) if step.factor > 0 else -1.5 for step in chart.steps]
    sums = [0.0]
    for value in logs:
        sums.append(sums[-1] + value)
    low, high = min(*sums, 0.0), max(*sums, 1.0)

    def at(value: float) -> float:
        return left + (value - low) / (high - low) * room

    marks, y = [], 18.0
    bottom = y + 22 * (len(logs) + 1)
    for power in range(int(low) - 1, int(high) + 2):
        if low <= power <= high:
            marks += [_line(at(power), 8, at(power), bottom, "grid"), _text(at(power), bottom + 14, f"x{10.0**power:,g}", "dim", "middle")]
    for step, start, end in zip(chart.steps, sums, sums[1:], strict=False):
        tone = "good" if end >= start else "bad"
        a, b = sorted((at(start), at(end)))
        marks += [
            _text(0, y + 4, shortened(step.label, left - 16)),
            _box(a, y - 7, max(b - a, 1.5), 14, tone, f"{step.label}: {step.said}"),
        ]
        marks.append(_text(WIDTH, y + 4, step.said, "num", "end"))
        y += 22
    a, b = sorted((at(0), at(sums[-1])))
    marks += [_text(0, y + 4, chart.sum_label, "strong"), _box(a, y - 7, max(b - a, 1.5), 14, "info")]
    marks.append(_text(WIDTH, y + 4, f"x{10 ** sums[-1]:{',.0f' if sums[-1] >= 2 else '.3g'}}", "num strong", "end"))
    return marks, bottom + 20


def _heat(chart: HeatMap) -> tuple[Marks, float]:
    left = 150.0
    cell = min((WIDTH - left) / max(len(chart.columns), 1), 64.0)
    high = 22.0 if len(chart.rows) <= 40 else 10.0
    top = 20.0
    marks = []
    for i, name in enumerate(chart.columns):
        if cell >= 30:
            marks.append(_text(left + (i + 0.5) * cell, 12, shortened(name, cell - 2), "dim", "middle"))
    for r, (name, row) in enumerate(zip(chart.rows, chart.cells, strict=True)):
        y = top + r * high
        if high >= 12:
            marks.append(_text(left - 8, y + high - 7, shortened(name, left - 12), "", "end"))
        for i, value in enumerate(row):
            said = chart.unknown if value is None else f"{value * 100:.0f}{chart.per_cent}"
            kind = "none" if value is None else f"h{min(int(value * 10), 9)}"
            marks.append(_box(left + i * cell, y, cell - 1.5, high - 1.5, kind, f"{name}, {chart.columns[i]}: {said}"))
            if cell >= 30 and high >= 12 and value is not None:
                marks.append(
                    _text(left + (i + 0.5) * cell, y + high - 7, f"{value * 100:.0f}", "on hot" if value >= 0.9 else "on", "middle")
                )
    return marks, top + len(chart.rows) * high + 4


def _axes(
    x: tuple[float, float], y: tuple[float, float], size: tuple[float, float, float, float], titles: tuple[str, str], share: str = ""
) -> Marks:
    left, top, right, bottom = size
    marks = [_text(0, 12, titles[1], "dim"), _text(right, bottom + 32, titles[0], "dim", "end")]
    for tick in ticks(*y):
        at = bottom - (tick - y[0]) / (y[1] - y[0]) * (bottom - top)
        label = f"{tick * 100:g}{share}" if share else short_number(tick)
        marks += [_line(left, at, right, at, "grid"), _text(left - 6, at + 4, label, "dim", "end")]
    for tick in ticks(*x):
        at = left + (tick - x[0]) / (x[1] - x[0]) * (right - left)
        marks += [_line(at, bottom, at, bottom + 4), _text(at, bottom + 17, short_number(tick), "dim", "middle")]
    return [*marks, _line(left, bottom, right, bottom)]


def _bounds(values: Iterable[float]) -> tuple[float, float]:
    """An axis over the values: from 0 unless that would flatten them."""
    low, high = min(values := list(values)), max(values)
    low = 0.0 if 0 < low < 0.6 * high else low - 0.05 * (high - low) if low > 0 else low
    return (low, high + 0.05 * (high - low)) if high > low else (min(low, 0.0), high + (abs(high) or 1.0))


def _timeline(chart: Timeline) -> tuple[Marks, float]:
    left, top, right, bottom = size = (52.0, 24.0, float(WIDTH - 8), 200.0)
    xs = chart.points[0][0], max(chart.points[-1][0], chart.points[0][0] + 1)
    ys = _bounds(value for _, value in chart.points)

    def at(x: float, y: float) -> tuple[float, float]:
        return left + (x - xs[0]) / (xs[1] - xs[0]) * (right - left), bottom - (y - ys[0]) / (ys[1] - ys[0]) * (bottom - top)

    marks = []
    for a, b in chart.windows:
        x1, x2 = at(max(a, xs[0]), ys[0])[0], at(min(b, xs[1]), ys[0])[0]
        marks.append(_box(x1 - 1, top, max(x2 - x1, 1) + 2, bottom - top, "window", chart.window_title))
    marks += _axes(xs, ys, size, (chart.x_title, chart.y_title))
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(*point) for point in _thinned(chart.points)))
    marks.append(f'<polyline points="{path}" class="curve"/>')
    if chart.windows:
        marks += [_box(left, bottom + 22, 14, 12, "window"), _text(left + 20, bottom + 32, chart.window_title, "dim")]
    return marks, bottom + 40


def _thinned(points: tuple[tuple[float, float], ...], most: int = 1400) -> list[tuple[float, float]]:
    """At most so many points: of each bunch the lowest and the highest, so that no dip is lost."""
    if len(points) <= most:
        return list(points)
    size = -(-len(points) * 2 // most)
    kept: list[tuple[float, float]] = []
    for i in range(0, len(points), size):
        bunch = points[i : i + size]
        kept += sorted({min(bunch, key=lambda p: p[1]), max(bunch, key=lambda p: p[1])})
    return kept


def _frontier(chart: Frontier) -> tuple[Marks, float]:
    left, top, right, bottom = size = (52.0, 24.0, float(WIDTH - 24), 220.0)
    xs = (0.0, max(max(point.x for point in chart.points) * 1.05, 1.0))
    ys = (0.0, max(max(point.y for point in chart.points) * 1.1, 0.01))

    def at(x: float, y: float) -> tuple[float, float]:
        return left + x / xs[1] * (right - left), bottom - y / ys[1] * (bottom - top)

    marks = _axes(xs, ys, size, (chart.x_title, chart.y_title), share=chart.per_cent)
    best = sorted((point.x, point.y) for point in chart.points if point.best)
    if len(best) > 1:
        path, height = [], best[0][1]
        for cost, gain in best:
            path += [at(cost, height), at(cost, gain)]
            height = gain
        marks.append(f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in path)}" class="steps"/>')
    y = bottom + 54
    placed: list[tuple[float, float]] = []
    for number, point in enumerate(chart.points, 1):
        px, py = at(point.x, point.y)
        while any(abs(px - ox) < 14 and abs(py - oy) < 14 for ox, oy in placed):
            px += 15
        placed.append((px, py))
        tone = "good" if point.best else "dim"
        marks += [_dot(px, py, tone, f"{point.label}: {', '.join(point.said)}", 8), _text(px, py + 4, str(number), "on", "middle")]
        told = f"{point.said[1]} · {point.said[0]}"
        marks += [_text(0, y, str(number), "dim"), _text(20, y, shortened(point.label, WIDTH - 60 - width(told) * _SMALL))]
        marks.append(_text(WIDTH, y, told, "num", "end"))
        y += 18
    return marks, y - 4


def _distributions(chart: Distributions) -> tuple[Marks, float]:
    sides = [side for side in chart.sides if side.values]
    left, right, high = 130.0, float(WIDTH - 16), 58.0
    xs = _bounds(value for side in sides for value in side.values)
    bottom = 10 + high * len(sides)
    marks = []
    for tick in ticks(*xs, about=7):
        x = left + (tick - xs[0]) / (xs[1] - xs[0]) * (right - left)
        marks += [_line(x, 6, x, bottom, "grid"), _text(x, bottom + 16, short_number(tick), "dim", "middle")]
    for i, side in enumerate(sides):
        marks += _strip(side, 10 + i * high, xs, (left, right))
    marks.append(_text(right, bottom + 32, chart.x_title, "dim", "end"))
    return marks, bottom + 38


def _strip(side: Spread, y: float, xs: tuple[float, float], room: tuple[float, float]) -> Marks:
    from statistics import median

    def at(value: float) -> float:
        return room[0] + (value - xs[0]) / (xs[1] - xs[0]) * (room[1] - room[0])

    low, high = quartiles(side.values)
    middle = at(median(side.values))
    marks = [
        _text(0, y + 30, shortened(side.label, room[0] - 10)),
        _box(at(low), y + 10, max(at(high) - at(low), 2), 16, f"{side.tone} soft"),
    ]
    marks.append(_line(middle, y + 6, middle, y + 30, "middle"))
    return [*marks, *(_dot(at(value), y + 38 + (k % 3) * 4, side.tone, f"{value:.4g}", 2.5) for k, value in enumerate(side.values))]
