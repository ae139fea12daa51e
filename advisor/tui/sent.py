"""What is sent to the terminal for a change on the screen: the cells that look different from what stands there, and no more.

Textual sends whole lines of a pane, each piece with its full style, also where most of them stand there already. Over a slow line
every byte is waited for; so what was sent is kept cell by cell, and a change is sent as curses does: moves, changed colours, text.
Where a list goes on by a line, the terminal moves the lines itself, and what does not fit then is mended (the rail, the borders).
What is drawn whole (another stage, another size, the way back from a shell) is sent whole, so that whatever another program left
on the screen goes.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple, cast

from rich.cells import cell_len
from rich.color import ColorSystem
from rich.console import Console, RenderableType
from rich.segment import Segment
from rich.style import Style
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate
from textual.strip import Strip

_NEAR = 3  # cells that are sent again rather than skipped: a move takes as many bytes
_BLANKS = 10  # that are erased (ECH) and passed over rather than written
_LINES = 4  # of fewer a shift saves nothing
_MUCH = 300  # bytes; a shift takes 25 without what is mended
_UNSEEN = frozenset(("", "1", "2", "3", "1;3", "2;3"))  # attributes (bold, dim, italic) that a blank does not show
_RESET = "\x1b[0m"


class Look(NamedTuple):
    """Codes of SGR (ECMA-48 8.3.117). `attributes` and `front` are None in a blank, on which they are not seen."""

    attributes: str | None = ""
    front: str | None = ""
    back: str = ""


class Cell(NamedTuple):
    """What stands in a cell, with the marks of no width over it; empty in the second cell of a wide character."""

    text: str
    look: Look


Line = list[Cell | None]  # None: nobody knows what stands there


@lru_cache(maxsize=4096)
def look_of(style: Style | None, colours: ColorSystem) -> Look:
    if style is None:
        return Look()

    def codes(front: bool) -> str:
        colour = style.color if front else style.bgcolor
        return ";".join(colour.downgrade(colours).get_ansi_codes(foreground=front)) if colour else ""

    return Look(Strip.render_ansi(style.without_color, colours), codes(True), codes(False))


@lru_cache(maxsize=1024)
def _on_blank(look: Look) -> Look:
    return Look(None, None, look.back) if look.attributes in _UNSEEN else look


def cells_of(segments: Iterable[Segment], colours: ColorSystem) -> list[Cell]:
    """A line cell by cell."""
    found: list[Cell] = []
    for text, style, control in segments:
        if control:
            continue
        look = look_of(style, colours)
        blank = Cell(" ", _on_blank(look))
        if text.isascii():
            found.extend([blank if char == " " else Cell(char, look) for char in text])
            continue
        for char in text:
            wide = cell_len(char)
            if char == " ":
                found.append(blank)
            elif wide:
                found.append(Cell(char, look))
                found.extend([Cell("", look)] * (wide - 1))
            elif found:
                before = next(i for i in range(len(found) - 1, -1, -1) if found[i].text or i == 0)
                found[before] = Cell(found[before].text + char, found[before].look)
    return found


def runs(old: Line, new: Line) -> list[tuple[int, int]]:
    """Cells to send, from and to behind; wide characters are not parted, and near runs are one."""
    found: list[tuple[int, int]] = []
    for x, (was, now) in enumerate(zip(old, new, strict=True)):
        if was == now:
            continue
        start, end = x, x + 1
        while start > 0 and (cell := new[start]) and not cell.text:
            start -= 1
        while end < len(new) and (cell := new[end]) and not cell.text:
            end += 1
        if found and start - found[-1][1] <= _NEAR:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


class Piece(NamedTuple):
    """Cells that stand side by side."""

    y: int
    x: int
    cells: Line

    @property
    def look(self) -> Look:
        """That of the first cell that shows one; else of a blank."""
        looks = [cell.look for cell in self.cells if cell]
        return next((look for look in looks if look.attributes is not None), looks[0] if looks else Look())

    def order(self) -> tuple[str, str, str, int, int]:
        """By look, then from the top left on."""
        look = self.look
        return look.back, look.attributes or "", look.front or "", self.y, self.x

    def by_look(self) -> list["Piece"]:
        """Pieces of one look each; blanks go with what stands before them, where the background is the same."""
        found: list[Piece] = []
        for x, cell in enumerate(self.cells, self.x):
            if found and cell and _joins(found[-1].look, cell.look):
                found[-1].cells.append(cell)
            else:
                found.append(Piece(self.y, x, [cell]))
        return found


def _joins(one: Look, other: Look) -> bool:
    """Whether cells can be written without a change of style in between."""
    blank = (one.attributes is None and other.attributes in (None, *_UNSEEN)) or (other.attributes is None and one.attributes in _UNSEEN)
    return one == other or (blank and one.back == other.back)


class Pen:
    """Writes runs of cells, and remembers where the terminal writes and how."""

    def __init__(self, erases: bool = False) -> None:
        self._erases = erases
        self._out: list[str] = []
        self._look = Look()
        self._at: tuple[int, int] | None = None  # None: terminals differ on where it is

    def write(self, x: int, y: int, cells: Iterable[Cell | None]) -> None:
        past = x
        line = list(cells)
        for at, cell in enumerate(line, x):
            if cell is None or not cell.text or at < past:
                continue
            self._go(at, y)
            if self._erases and (blanks := _alike(line, at - x)) >= _BLANKS:
                self._take(cell.look)
                self._out.append(f"\x1b[{blanks}X")  # the cursor stays
                past = at + blanks
                continue
            self._take(cell.look)
            self._out.append(cell.text)
            # With marks over it terminals differ on how wide it is.
            self._at = (at + cell_len(cell.text), y) if len(cell.text) == 1 else None

    def _go(self, x: int, y: int) -> None:
        if self._at == (x, y):
            return
        if self._at and self._at[1] == y and self._at[0] < x:
            self._out.append(f"\x1b[{x - self._at[0]}C")
        else:
            self._out.append(f"\x1b[{y + 1};{x + 1}H")
        self._at = x, y

    def _take(self, look: Look) -> None:
        now = self._look
        if look == now:
            return
        if look.attributes is None and now.attributes in _UNSEEN:
            look = Look(now.attributes, now.front, look.back)
        look = Look(look.attributes or "", look.front or "", look.back)
        coloured = not (now.front and not look.front) and not (now.back and not look.back)
        turned = _turned(now.attributes or "", look.attributes or "") if coloured and (look.front or look.back) else None
        if look.attributes == now.attributes and coloured:
            turned = ""
        if turned is None:
            codes = ["0", *look]
        else:
            codes = [turned, *(code for code, before in ((look.front, now.front), (look.back, now.back)) if code != before)]
        if code := ";".join(filter(None, codes)):
            self._out.append(f"\x1b[{code}m")
        self._look = look

    def end(self) -> str:
        if self._look != Look():
            self._out.append(_RESET)
        return "".join(self._out)


def _alike(line: Line, start: int) -> int:
    """How many blanks of one background stand from here on."""
    first = line[start]
    if not first or first.text != " " or first.look.attributes is not None:
        return 0
    return next((at - start for at in range(start, len(line)) if line[at] != first), len(line) - start)


@lru_cache(maxsize=256)
def _turned(before: str, after: str) -> str | None:
    """Codes from some attributes to others; None where only a reset is sure. What shows colours knows 22 and 23, a VT100 does not."""
    if not {before, after} <= _UNSEEN:
        return None
    was, now = set(before.split(";")), set(after.split(";"))
    off = (["22"] if was - now - {"3", ""} else []) + (["23"] if "3" in was - now else [])
    on = sorted((now - was) | ((now & {"1", "2"}) if "22" in off else set()))
    return ";".join(filter(None, [*off, *on]))


def pieces(y: int, old: Line, new: Line, x: int = 0) -> list[Piece]:
    """What to send of a line."""
    return [Piece(y, x + start, new[start:stop]) for start, stop in runs(old, new)]


def shortest(found: Sequence[Piece], erases: bool = False) -> str:
    """Runs of cells in the order that takes fewer bytes: look by look there are moves in the place of colours, which are longer."""
    alike = sorted((piece for run in found for piece in run.by_look()), key=Piece.order)
    return min(written(found, erases), written(alike, erases), key=len)


def written(found: Iterable[Piece], erases: bool = False) -> str:
    pen = Pen(erases)
    for y, x, cells in found:
        pen.write(x, y, cells)
    return pen.end()


class Shift(NamedTuple):
    """Lines from `top` to `bottom` go up by so many, or down where it is below 0; those that come in are unknown."""

    top: int
    bottom: int
    by: int

    @property
    def codes(self) -> str:
        """A region of scrolling (DECSTBM), line feeds at its end or reverse ones (RI) at its beginning, and the whole screen again."""
        if self.by > 0:
            return f"\x1b[{self.top + 1};{self.bottom + 1}r\x1b[{self.bottom + 1};1H" + "\n" * self.by + "\x1b[r"
        return f"\x1b[{self.top + 1};{self.bottom + 1}r\x1b[{self.top + 1};1H" + "\x1bM" * -self.by + "\x1b[r"

    def of(self, lines: Sequence[Line]) -> list[Line]:
        """These lines after it."""
        nothing: list[Line] = [[None] * len(lines[0]) for _ in range(abs(self.by))]
        return [*lines[self.by :], *nothing] if self.by > 0 else [*nothing, *lines[: self.by]]


def shifts(changed: Sequence[int]) -> Iterator[Shift]:
    """Shifts that may have changed these lines: of the longest run of them, as it is and with short gaps (lines that look alike)."""
    seen = set()
    for gap in (1, 4):
        clusters: list[list[int]] = []
        for y in changed:
            if clusters and y - clusters[-1][-1] <= gap:
                clusters[-1].append(y)
            else:
                clusters.append([y])
        longest = max(clusters, key=len, default=[])
        if longest and longest[-1] - longest[0] >= _LINES - 1:
            seen.add((longest[0], longest[-1]))
    return (Shift(top, bottom, by) for top, bottom in seen for by in (1, -1, 2, -2, 3, -3))


class Sent:
    """What stands in the terminal. scrolls: whether it can move lines in a region. erases: whether erased cells get the background."""

    def __init__(self, scrolls: bool = True, erases: bool = True) -> None:
        self._lines: list[Line] = []
        self._scrolls, self._erases = scrolls, erases

    def whole(self, update: LayoutUpdate, colours: ColorSystem) -> str:
        """All of a screen, line by line."""
        x, y = update.region.offset
        given: list[Line] = [[cell for strip in strips for cell in cells_of(strip, colours)] for strips in update.strips]
        if x == y == 0:
            self._lines = []
        for at, line in enumerate(given, y):
            self._keep(at, x, line)
        return written(Piece(at, x, line) for at, line in enumerate(given, y))

    def changes(self, update: ChopsUpdate, colours: ColorSystem) -> str:
        """Of what is drawn again, what looks different from what stands there."""
        found: list[Piece] = []
        before: dict[int, Line] = {}
        for y, first, last in update.spans:
            if y < len(self._lines):
                before.setdefault(y, [*self._lines[y]])
            for end, (x, strip) in zip(update.chop_ends[y], update.chops[y].items(), strict=False):
                if strip is None or x > last or end <= first:
                    continue
                new: Line = list(cells_of(strip.crop(0, min(end, last) - x), colours))
                found += pieces(y, self._keep(y, x, new), new, x)
        text = shortest(found, self._erases)
        return min([text, *self._scrolled(before)], key=len) if self._scrolls and len(text) > _MUCH else text

    def _scrolled(self, before: Mapping[int, Line]) -> Iterator[str]:
        """The same by moving lines in the terminal. `before`: what stood in the lines that were drawn again."""
        for shift in shifts(sorted(y for y, line in before.items() if line != self._lines[y])):
            places = range(shift.top, shift.bottom + 1)
            now = [self._lines[y] for y in places]
            if None in chain.from_iterable(now) or len({*map(len, now)}) > 1:  # what moved could not be mended
                continue
            moved = shift.of([before.get(y, self._lines[y]) for y in places])
            inside = [piece for y, was, line in zip(places, moved, now, strict=True) for piece in pieces(y, was, line)]
            outside = [piece for y, was in before.items() if y not in places for piece in pieces(y, was, self._lines[y])]
            yield shift.codes + shortest([*inside, *outside], self._erases)

    def _keep(self, y: int, x: int, cells: Iterable[Cell | None]) -> Line:
        """Put cells in their place; what stood there before."""
        new = list(cells)
        while len(self._lines) <= y:
            self._lines.append([])
        line = self._lines[y]
        line.extend([None] * (x + len(new) - len(line)))
        old = line[x : x + len(new)]
        line[x : x + len(new)] = new
        return old


class Sending(CompositorUpdate):
    """An update as it is sent."""

    def __init__(self, update: LayoutUpdate | ChopsUpdate, sent: Sent) -> None:
        self._update, self._sent = update, sent

    def render_segments(self, console: Console) -> str:
        colours = console._color_system or ColorSystem.TRUECOLOR
        if isinstance(self._update, LayoutUpdate):
            return self._sent.whole(self._update, colours)
        return self._sent.changes(self._update, colours)


def sending(update: RenderableType | None, sent: Sent) -> RenderableType | None:
    """An update of the screen as it is sent; anything else as it is."""
    return cast("RenderableType", Sending(update, sent)) if isinstance(update, LayoutUpdate | ChopsUpdate) else update
