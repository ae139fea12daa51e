"""A table, list or tree of rows, drawn line by line: as quick with 100,000 rows as with ten."""

from collections.abc import Mapping
from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from advisor.tui.views.words import Column, Para, Phrase, Row, Span, Table, holding, sorted_by, text_of
from advisor.tui.widgets.cut import told_apart
from advisor.tui.widgets.paint import Copied, Painted, fitted, harmless, line, width_of, wrapped

_SAMPLE = 400  # rows that widths are measured on, from the top and the bottom
_GAP = 2
_LEAST = 8  # cells that a flexible column keeps
_ROOMY = 80  # cells up to which a flexible column grows beyond its text: figures stay near what they belong to
_NEAR = 24  # rows before and after one whose names are held against its own where they are cut
_WANTED = 34  # cells that a flexible column keeps while there are columns that may go


class Listing(Painted, ScrollView, can_focus=True):
    DEFAULT_CSS = """
    Listing { background: $surface; scrollbar-size-vertical: 1; overflow: hidden auto; }
    Listing > .listing--head { color: $text-muted; }
    Listing > .listing--cursor { background: $panel; }
    Listing:focus > .listing--cursor { background: $cursor; }
    Listing:nocolor > .listing--cursor, Listing:ansi > .listing--cursor { text-style: underline; }
    Listing:nocolor:focus > .listing--cursor { text-style: reverse; }
    Listing:ansi:focus > .listing--cursor { text-style: reverse; color: ansi_default; }
    """
    COMPONENT_CLASSES = {"listing--head", "listing--cursor"}
    BINDINGS = [
        Binding("up", "move(-1)", "tui.key.up", show=False),
        Binding("down", "move(1)", "tui.key.down", show=False),
        Binding("pageup", "page(-1)", "tui.key.page-up", show=False),
        Binding("pagedown", "page(1)", "tui.key.page-down", show=False),
        Binding("home", "edge(-1)", "tui.key.top", show=False),
        Binding("end", "edge(1)", "tui.key.bottom", show=False),
        Binding("enter", "choose", "tui.key.choose"),
        Binding("right", "unfold(True)", "tui.key.unfold", show=False),
        Binding("left", "unfold(False)", "tui.key.fold", show=False),
        Binding("y", "copy_row", "tui.key.copy-row", show=False),
        Binding("Y", "copy", "tui.key.copy", show=False),
        Binding("S", "sort", "tui.key.sort", show=False),
        Binding("R", "turn", "tui.key.turn", show=False),
    ]

    @dataclass
    class Moved(Message):
        """The cursor stands on another row."""

        listing: "Listing"
        row: Row

        @property
        def control(self) -> "Listing":
            return self.listing

    @dataclass
    class Chosen(Message):
        """A row was chosen with enter or a second click."""

        listing: "Listing"
        row: Row

        @property
        def control(self) -> "Listing":
            return self.listing

    @dataclass
    class Unfold(Message):
        """Rows below a row shall show, or no longer."""

        listing: "Listing"
        row: Row
        opened: bool

        @property
        def control(self) -> "Listing":
            return self.listing

    def __init__(self, id: str | None = None, enter: str = "tui.key.choose") -> None:
        """enter: key of the words for what enter does with a row that has none below it; empty where it does nothing."""
        super().__init__(id=id)
        self._enter = enter
        self._given = Table()
        self.table = Table()
        self._cursor = 0
        self._needle = ""
        self._labelled: Mapping[str, str] = {}
        self._sort: tuple[int, bool] | None = None
        self._widths: list[tuple[int, int]] = []  # index of a column, its width

    # ---- what it shows

    def show(self, table: Table, at: str | None = None) -> None:
        """Show a table; the cursor stays on the row that it stood on (by key), or goes to `at`."""
        key = at if at is not None else self.row.key if self.row else None
        with self.only_changes():
            self._given = table
            self._arrange(key)

    def go_to(self, key: str) -> None:
        """Put the cursor on the row of a key."""
        for i, row in enumerate(self.table.rows):
            if row.key == key:
                self._go(i, 1)
                return

    @property
    def needle(self) -> str:
        """The text that rows are filtered by."""
        return self._needle

    @property
    def labels(self) -> Mapping[str, str]:
        """What enter does with the row under the cursor."""
        row = self.row
        if row is None:
            return {"choose": ""}
        return {"choose": self._enter if row.opened is None else "tui.key.fold" if row.opened else "tui.key.unfold"}

    def _relabel(self) -> None:
        if self.labels != self._labelled and self.is_attached:
            self._labelled = self.labels
            self.refresh_bindings()

    def find(self, needle: str) -> None:
        """Show only rows that hold a text."""
        with self.only_changes():
            self._needle = needle
            self._arrange(self.row.key if self.row else None)

    def _arrange(self, key: str | None) -> None:
        before = self.row.key if self.row else None
        table = holding(self._given, self._needle)
        self.table = sorted_by(table, *self._sort) if self._sort else table
        rows = self.table.rows
        place = None if key is None else next((i for i, row in enumerate(rows) if row.key == key and not row.heading), None)
        self._cursor = self._next(0, 1) if place is None else place
        self._measure()
        self._see()
        self._relabel()
        if self.row and self.row.key != before:
            self.post_message(self.Moved(self, self.row))

    @property
    def row(self) -> Row | None:
        """The row under the cursor."""
        if 0 <= self._cursor < len(self.table.rows):
            row = self.table.rows[self._cursor]
            return None if row.heading else row
        return None

    @property
    def _top(self) -> int:
        return 1 if self.table.headed and self.table.columns and self.table.rows else 0

    # ---- moving

    def _next(self, start: int, step: int) -> int:
        at = start
        while 0 <= at < len(self.table.rows) and self.table.rows[at].heading:
            at += step
        return at if 0 <= at < len(self.table.rows) else self._cursor

    def _go(self, at: int, step: int) -> None:
        if not self.table.rows:
            return
        at = self._next(min(max(at, 0), len(self.table.rows) - 1), step)
        if at != self._cursor:
            with self.only_changes():
                self._cursor = at
                self._see()
            self._relabel()
            if self.row:
                self.post_message(self.Moved(self, self.row))

    def action_move(self, step: int) -> None:
        self._go(self._cursor + step, step)

    def action_page(self, step: int) -> None:
        self._go(self._cursor + step * max(self.size.height - self._top - 1, 1), step)

    def action_edge(self, step: int) -> None:
        self._go(0 if step < 0 else len(self.table.rows) - 1, -step)

    def action_choose(self) -> None:
        if self.row:
            self.post_message(self.Chosen(self, self.row))

    def action_unfold(self, opened: bool) -> None:
        row = self.row
        if row is None:
            return
        if row.opened is not None and row.opened != opened:
            self.post_message(self.Unfold(self, row, opened))
        elif not opened and row.depth:
            above = self._cursor
            while above > 0 and self.table.rows[above].depth >= row.depth:
                above -= 1
            self._go(above, -1)

    def action_sort(self) -> None:
        """Sort by the next column that can be sorted by; after the last one, as given."""
        if not self._given.rows or not self._given.rows[0].order:
            return
        columns = len(self._given.rows[0].order)
        at = self._sort[0] + 1 if self._sort else 0
        self._sort_by((at, True) if at < columns else None)

    def _sort_by(self, sort: tuple[int, bool] | None) -> None:
        with self.only_changes():
            self._sort = sort
            self._arrange(self.row.key if self.row else None)

    def action_turn(self) -> None:
        if self._sort:
            self._sort_by((self._sort[0], not self._sort[1]))

    def action_copy_row(self) -> None:
        if self.row:
            self.post_message(Copied("\t".join(harmless(text_of(cell)) for cell in self.row.cells)))

    def action_copy(self) -> None:
        """All rows that the filter leaves, as tab-separated text, also those off the screen."""
        lines = [[column.title for column in self.table.columns]] if self._top else []
        lines += [[harmless(text_of(cell)) for cell in row.cells] for row in self.table.rows]
        self.post_message(Copied("\n".join("\t".join(cells) for cells in lines)))

    def _see(self) -> None:
        """Scroll so that the cursor's row shows; with the first row, what stands above it."""
        if not self.size.height:  # not laid out yet: `on_resize` comes back here
            return
        room = max(self.size.height - self._top, 1)
        top = self.scroll_offset.y
        first = 0 if self._cursor == self._next(0, 1) else self._cursor
        if first < top:
            self.scroll_to(y=first, animate=False, immediate=True, force=True)
        elif self._cursor >= top + room:
            self.scroll_to(y=self._cursor - room + 1, animate=False, immediate=True, force=True)

    def on_click(self, event: events.Click) -> None:
        self.focus()
        at = event.y - self.gutter.top + self.scroll_offset.y - self._top
        if event.y - self.gutter.top < self._top:
            self._sort_at(event.x - self.gutter.left)
        elif 0 <= at < len(self.table.rows):
            row = self.table.rows[at]
            if row.heading:
                return
            if row.opened is not None and event.x - self.gutter.left < 2 * row.depth + 2:
                self.post_message(self.Unfold(self, row, not row.opened))
            if at == self._cursor and event.chain >= 2:
                self.action_choose()
            self._go(at, 1)

    def _sort_at(self, x: int) -> None:
        edge = 0
        for column, width in self._widths:
            edge += width + _GAP
            if x < edge:
                if self._given.rows and len(self._given.rows[0].order) > column:
                    same = self._sort is not None and self._sort[0] == column
                    self._sort_by((column, not (same and self._sort and self._sort[1])))
                return

    # ---- drawing

    def on_resize(self) -> None:
        self._measure()
        self._see()
        self.refresh()  # what was painted before this message came had the old columns

    def _measure(self) -> None:
        rows = self.table.rows
        sample = rows if len(rows) <= 2 * _SAMPLE else (*rows[:_SAMPLE], *rows[-_SAMPLE:])
        natural = [
            max([width_of((Span(column.title),)), *(self._cell_width(row, i) for row in sample)], default=0)
            for i, column in enumerate(self.table.columns)
        ]
        barred = len(rows) + self._top > self.size.height or self.styles.scrollbar_gutter == "stable"
        width = self.size.width - (2 if barred else 1)  # the last cell is the bar's, or a blank
        self._widths = shared_out(self.table.columns, natural, width)
        self.virtual_size = Size(self.size.width, len(rows) + self._top)

    def _cell_width(self, row: Row, i: int) -> int:
        if i >= len(row.cells) or row.heading:
            return 0
        return width_of(row.cells[i]) + (self._lead(row) if i == 0 else 0)

    @staticmethod
    def _lead(row: Row) -> int:
        return 2 * row.depth + (2 if row.opened is not None or row.depth else 0)

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        if not self.table.rows:
            words = wrapped(Para((Span(self.table.empty, "dim"),)), max(width - 1, 8))
            return line(self.paint(words[y]), width, self.rich_style) if y < len(words) else Strip.blank(width, self.rich_style)
        if y < self._top:
            return self._head(width)
        at = y + self.scroll_offset.y - self._top
        if at >= len(self.table.rows):
            return Strip.blank(width, self.rich_style)
        row = self.table.rows[at]
        base = self.get_component_rich_style("listing--cursor", partial=True) if at == self._cursor and not row.heading else None
        fill = self.rich_style + base if base else self.rich_style
        if row.heading:
            return line(self.paint(row.cells[0]), width, fill)
        segments: list[Segment] = []
        width -= 1 + self.show_vertical_scrollbar  # nothing stands below the bar
        for place, (i, wide) in enumerate(self._widths):
            if place:
                segments.append(Segment(" " * _GAP, fill))
            cell = row.cells[i] if i < len(row.cells) else ()
            segments.extend(self._cell(at, i, cell, wide, base, fill))
        return (
            line(segments, width, fill).extend_cell_length(self.size.width - 1, fill).extend_cell_length(self.size.width, self.rich_style)
        )

    def _cell(self, at: int, i: int, cell: Phrase, wide: int, base: Style | None, fill: Style) -> list[Segment]:
        row = self.table.rows[at]
        if i == 0 and self._lead(row):
            mark = "▾ " if row.opened else "▸ " if row.opened is not None else "  "
            cell = (Span("  " * row.depth + mark, "dim"), *cell)
        if self.table.columns[i].middle and cell and (over := width_of(cell) - wide) > 0:
            name = told_apart(harmless(cell[-1].text), self._beside(at, i), width_of(cell[-1:]) - over)
            cell = (*cell[:-1], Span(name, cell[-1].tone))
        return fitted(self.paint(cell, base), wide, self.table.columns[i].right, fill)

    def _beside(self, at: int, i: int) -> list[str]:
        """What stands in the same column of the rows near one, as deep as it and below the same row."""
        rows, depth, found = self.table.rows, self.table.rows[at].depth, list[str]()
        for step in (-1, 1):
            near = at + step
            while 0 <= near < len(rows) and abs(near - at) <= _NEAR and rows[near].depth >= depth:
                if rows[near].depth == depth and i < len(rows[near].cells) and rows[near].cells[i]:
                    found.append(harmless(rows[near].cells[i][-1].text))
                near += step
        return found

    def _head(self, width: int) -> Strip:
        head = self.get_component_rich_style("listing--head", partial=True)
        segments: list[Segment] = []
        for place, (i, wide) in enumerate(self._widths):
            if place:
                segments.append(Segment(" " * _GAP, self.rich_style))
            column = self.table.columns[i]
            arrow = ("↓" if self._sort[1] else "↑") if self._sort and self._sort[0] == i else ""
            segments.extend(fitted(self.paint((Span(column.title + arrow),), head), wide, column.right, self.rich_style))
        return line(segments, width, self.rich_style)


def shared_out(columns: tuple[Column, ...], natural: list[int], width: int) -> list[tuple[int, int]]:
    """Columns that show, with their widths. Where there is no room, columns that may go do, those of one rank together;
    what still does not fit is taken from flexible ones. Where there is more than all need, bounded ones have it first."""
    shown = list(range(len(columns)))
    widths = [min(wide, column.most) if column.most else wide for wide, column in zip(natural, columns, strict=True)]

    def least() -> int:
        return sum(min(widths[i], _WANTED) if columns[i].flex else widths[i] for i in shown) + _GAP * max(len(shown) - 1, 0)

    while least() > width and any(columns[i].drop for i in shown):
        gone = max(columns[i].drop for i in shown)
        shown = [i for i in shown if columns[i].drop != gone]
    spare = width - sum(widths[i] for i in shown) - _GAP * max(len(shown) - 1, 0)
    flexible = [i for i in shown if columns[i].flex]
    for i in shown:
        more = min(max(spare, 0), natural[i] - widths[i])
        widths[i] += more
        spare -= more
    if spare > 0 and flexible:
        widths[flexible[-1]] += min(spare, max(_ROOMY - widths[flexible[-1]], 0))
    while spare < 0 and flexible:
        widest = max(flexible, key=lambda i: widths[i])
        if widths[widest] <= _LEAST:
            break
        take = min(-spare, max(widths[widest] - max([widths[i] for i in flexible if i != widest], default=_LEAST), 1))
        take = min(take, widths[widest] - _LEAST)
        widths[widest] -= take
        spare += take
    return [(i, widths[i]) for i in shown]
