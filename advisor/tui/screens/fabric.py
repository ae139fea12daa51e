"""Stage 2: the fabric as found. One pane at a time on a small screen; map, jobs and curves together on a large one."""

from functools import partial
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container, Horizontal
from textual.message import Message

from advisor.base.text import say
from advisor.tui.page import Page
from advisor.tui.views import fabric as views
from advisor.tui.views import measured as over_time
from advisor.tui.views import thing, topology
from advisor.tui.views.topology import Look, What
from advisor.tui.widgets.listing import Listing
from advisor.tui.widgets.paint import safe
from advisor.tui.widgets.plot import Plot
from advisor.tui.widgets.prose import Prose

if TYPE_CHECKING:
    from advisor.usecases.assess import Assessment

PANES = ("map", "links", "jobs", "steps")


class Counted(Message):
    """What the counters of a site grew by is here."""

    def __init__(self, site: "Assessment", found: over_time.Measured, curves: tuple[over_time.Drawn, ...]) -> None:
        super().__init__()
        self.site, self.found, self.curves = site, found, curves


class FabricScreen(Page):
    stage = "fabric"
    main = "#map"
    BINDINGS = [
        Binding("m", "pane('map')", "tui.key.map"),
        Binding("l", "pane('links')", "tui.key.links"),
        Binding("j", "pane('jobs')", "tui.key.jobs"),
        Binding("t", "pane('steps')", "tui.key.steps"),
        Binding("v", "look", "tui.key.look"),
        Binding("o", "origin", "tui.key.origin"),
        Binding("n", "curve(1)", "tui.key.next-log", show=False),
        Binding("N", "curve(-1)", "tui.key.last-log", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._opened: frozenset[str] = frozenset()
        self._job = ""
        self._what: What = "load"
        self._curves: tuple[over_time.Drawn, ...] = ()
        self._curve = 0
        self._measured = over_time.Measured()
        self._counted: Assessment | None = None
        self._links_drawn = False
        self._before = "map"
        self.add_class("-map")

    def body(self) -> ComposeResult:
        yield Prose(id="summary")
        with Container(id="panes"):
            yield Listing(id="map")
            yield Listing(id="links")
            yield Prose(id="thing", focus=False)
            with Horizontal(id="beside"):
                yield Listing(id="jobs", enter="tui.key.light")
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
        site, lang = self.assessment, self.lang
        self.query_one("#summary", Prose).show(views.summary(site.fabric, lang))
        self._curves = over_time.curves(site.bundle, site.fabric, self._measured, lang)
        self._links_drawn = False
        self._draw_map()
        self._draw_links()
        self.query_one("#jobs", Listing).show(views.jobs(site.fabric, lang, thing.job_rates(site.prediction)))
        self._draw_curve()
        if self._counted is not site:
            self.run_worker(partial(self._count, site), thread=True, exclusive=True, group="counters", exit_on_error=False)

    def _count(self, site: "Assessment") -> None:
        found = over_time.Measured.of(site.bundle)
        self.post_message(Counted(site, found, over_time.curves(site.bundle, site.fabric, found, self.lang)))

    def on_counted(self, message: Counted) -> None:
        if message.site is self.advisor.assessment:
            self._counted, self._measured, self._curves = message.site, message.found, message.curves
            self._links_drawn = False
            self._draw_map()
            self._draw_links()
            self._draw_curve()

    @property
    def _look(self) -> Look:
        site = self.assessment
        return Look(
            self._what,
            over_time.losses(site.fabric, self._measured) if self._what == "loss" else {},
            thing.modelled(site.prediction),
            views.job_named(site.fabric, self._job),
            self._opened,
            max(self.query_one("#stage").size.width - 4, 40),  # also while the map is hidden
        )

    def _draw_map(self) -> None:
        listing, look = self.query_one("#map", Listing), self._look
        listing.show(topology.table(self.assessment.fabric, self.lang, look))
        listing.border_subtitle = safe(topology.legend(look, self.lang))
        self._draw_thing()

    def _draw_links(self) -> None:
        """The table of links, once somebody looks at it: a large fabric has tens of thousands."""
        if self.has_class("-links") and not self._links_drawn:
            self._links_drawn = True
            fabric = self.assessment.fabric
            self.query_one("#links", Listing).show(views.links(fabric, self.lang, over_time.losses(fabric, self._measured)))

    def _draw_curve(self) -> None:
        one = self._curves[self._curve % len(self._curves)] if self._curves else None
        plot = self.query_one("#steps", Plot)
        plot.show(one.curve if one else views.steps(None, self.lang))
        more = f"  {self._curve % len(self._curves) + 1}/{len(self._curves)}" if len(self._curves) > 1 else ""
        plot.border_subtitle = safe(one.title + more) if one else None

    @property
    def _listing(self) -> Listing:
        """The table that the cursor is in."""
        if isinstance(self.focused, Listing) and self.focused.region.area:
            return self.focused
        return self.query_one("#links" if self.has_class("-links") else "#map", Listing)

    def _draw_thing(self) -> None:
        row = self._listing.row
        site = self.assessment
        model = thing.modelled(site.prediction)
        self.query_one("#thing", Prose).show(thing.about(site.fabric, row.key, self._measured, model, self.lang) if row else ())

    # ---- keys

    def action_pane(self, pane: str) -> None:
        if pane == "steps":
            self._point_curve()
        for name in PANES:
            if self.has_class(f"-{name}") and name != "steps":
                self._before = name
            self.set_class(name == pane, f"-{name}")
        self._draw_links()
        target = self.query_one(f"#{pane}")
        if target.can_focus:
            target.focus()
        self.call_after_refresh(self._draw_map)

    def _point_curve(self) -> None:
        """The curve of what the cursor stands on, where there is one."""
        row = self._listing.row
        link = views.link_of(self.assessment.fabric, row.key) if row else None
        place = over_time.curve_of(self._curves, link, row.key.partition(":")[2] if row else "")
        if place is not None:
            self._curve = place
        self._draw_curve()

    def action_look(self) -> None:
        """Load or loss on the map."""
        self._what = "loss" if self._what == "load" else "load"
        self._draw_map()

    def action_curve(self, step: int) -> None:
        self._curve += step
        self._draw_curve()

    def on_resize(self, event: events.Resize) -> None:  # spines stand side by side where there is room
        super().on_resize(event)
        if self.advisor.assessment and self._drawn and not self.has_class("-lacking"):
            self.call_after_refresh(self._draw_map)

    def on_listing_moved(self, message: Listing.Moved) -> None:
        if message.listing.id == "jobs" and message.listing.has_focus:
            self._light(message.row.key)
        self._draw_thing()

    def on_listing_chosen(self, message: Listing.Chosen) -> None:
        if message.listing.id == "jobs":
            self._light(message.row.key)
            self.action_pane("map")
        elif message.row.opened is not None:
            self._unfold(message.row.key)
        elif message.row.key.startswith("link:"):
            self._open_link(message.row.key)
        else:
            self.action_origin()

    def _open_link(self, key: str) -> None:
        """A link opens to its series; one without opens its capture."""
        link = views.link_of(self.assessment.fabric, key)
        if link and over_time.curve_of(self._curves, link, "") is not None:
            self.action_pane("steps")
        else:
            self.action_origin()

    def _light(self, key: str) -> None:
        self._job = key.removeprefix("job:")
        self._draw_map()

    def on_listing_unfold(self, message: Listing.Unfold) -> None:
        self._unfold(message.row.key)

    def _unfold(self, key: str) -> None:
        self._opened = self._opened ^ {key.removeprefix("leaf:")}
        self._draw_map()

    def action_origin(self) -> None:
        """Open the capture that the row comes from, or the curve."""
        row = self._listing.row
        places = list(views.origins_of(self.assessment.fabric, row.key).values()) if row else []
        if self.has_class("-steps") and self._curves:
            origin = self._curves[self._curve % len(self._curves)].origin
            places = [(origin.capture, origin.line or 1)] if origin and origin.capture else []
        if places:
            self.advisor.show_capture(*places[0])
        else:
            self.advisor.tell("tui.no-origin")

    def leave(self) -> bool:
        if super().leave():
            return True
        if self.has_class("-steps"):
            self.action_pane(self._before)
            return True
        if not self.has_class("-map"):
            self.action_pane("map")
            return True
        if self._job:
            self._light("")
            return True
        return False
