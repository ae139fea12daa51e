"""Stage 2: the fabric as found. One pane at a time on a small screen; map, jobs and step times together on a large one."""

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container, Horizontal

from advisor.base.text import say
from advisor.tui.page import Page
from advisor.tui.views import fabric as views
from advisor.tui.views.words import Para
from advisor.tui.widgets.listing import Listing
from advisor.tui.widgets.paint import safe
from advisor.tui.widgets.plot import Plot
from advisor.tui.widgets.prose import Prose

PANES = ("map", "links", "jobs", "steps")


class FabricScreen(Page):
    stage = "fabric"
    main = "#map"
    BINDINGS = [
        Binding("m", "pane('map')", "tui.key.map"),
        Binding("l", "pane('links')", "tui.key.links"),
        Binding("j", "pane('jobs')", "tui.key.jobs"),
        Binding("t", "pane('steps')", "tui.key.steps"),
        Binding("o", "origin", "tui.key.origin"),
        Binding("n", "next_log", "tui.key.next-log", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._opened: frozenset[str] = frozenset()
        self._job = ""
        self._log = 0
        self._links_drawn = False
        self.add_class("-map")

    def body(self) -> ComposeResult:
        yield Prose(id="summary")
        with Container(id="panes"):
            with Horizontal(id="top"):
                yield Listing(id="map")
                yield Listing(id="jobs")
            yield Listing(id="links")
            yield Plot(id="steps")

    def titles(self) -> dict[str, str]:
        lang = self.lang
        return {
            "#map": say("tui.fabric.map", lang),
            "#links": say("tui.fabric.links", lang),
            "#jobs": say("tui.fabric.jobs", lang),
            "#steps": say("tui.fabric.steps", lang),
        }

    def draw(self) -> None:
        fabric, lang = self.assessment.fabric, self.lang
        spines = views.spines(fabric)
        self.query_one("#summary", Prose).show((*views.summary(fabric, lang), *((Para(spines),) if spines else ())))
        self._draw_map()
        self._links_drawn = False
        self._draw_links()
        self.query_one("#jobs", Listing).show(views.jobs(fabric, lang))
        self._draw_steps()

    def _draw_links(self) -> None:
        """The table of links, once somebody looks at it: a large fabric has tens of thousands."""
        if self.has_class("-links") and not self._links_drawn:
            self._links_drawn = True
            self.query_one("#links", Listing).show(views.links(self.assessment.fabric, self.lang))

    def _draw_map(self) -> None:
        fabric = self.assessment.fabric
        job = views.job_named(fabric, self._job)
        self.query_one("#map", Listing).show(views.leaves(fabric, self.lang, job, self._opened))

    def _draw_steps(self) -> None:
        logs = sorted(self.assessment.fabric.logs, key=lambda log: -len(log.steps))
        log = logs[self._log % len(logs)] if logs else None
        plot = self.query_one("#steps", Plot)
        plot.show(views.steps(log, self.lang))
        plot.border_subtitle = safe(log.name) if log else None

    def action_pane(self, pane: str) -> None:
        for name in PANES:
            self.set_class(name == pane, f"-{name}")
        self._draw_links()
        target = self.query_one(f"#{pane}")
        if target.can_focus:
            target.focus()

    def action_next_log(self) -> None:
        self._log += 1
        self._draw_steps()

    def on_listing_moved(self, message: Listing.Moved) -> None:
        if message.listing.id == "jobs" and message.listing.has_focus:
            self._light(message.row.key)

    def on_listing_chosen(self, message: Listing.Chosen) -> None:
        if message.listing.id == "jobs":
            self._light(message.row.key)
            self.action_pane("map")
        elif message.row.opened is not None:
            self._unfold(message.row.key, not message.row.opened)
        else:
            self.action_origin()

    def _light(self, key: str) -> None:
        self._job = key.removeprefix("job:")
        self._draw_map()

    def on_listing_unfold(self, message: Listing.Unfold) -> None:
        self._unfold(message.row.key, message.opened)

    def _unfold(self, key: str, opened: bool) -> None:
        self._opened = self._opened ^ {key.removeprefix("leaf:")}
        self._draw_map()

    def action_origin(self) -> None:
        """Open the capture that the row comes from."""
        listing = self.focused if isinstance(self.focused, Listing) else self.query_one("#map", Listing)
        row = listing.row
        places = views.origins_of(self.assessment.fabric, row.key) if row else {}
        for sha, line in places.values():
            self.advisor.show_capture(sha, line)
            return
        self.advisor.tell("tui.no-origin")
