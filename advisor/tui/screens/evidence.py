"""Stage 1: the captures, the text of one with what was read of it, and what is covered."""

from functools import partial

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container, Horizontal
from textual.message import Message

from advisor.base.text import say
from advisor.tui.order import RESTS
from advisor.tui.page import Page
from advisor.tui.screens.asking import ask
from advisor.tui.screens.correcting import Corrected, CorrectScreen
from advisor.tui.views import evidence as views
from advisor.tui.views import frame
from advisor.tui.views.capture import Marks, marks, of_line, summary
from advisor.tui.views.words import Para, Table, word
from advisor.tui.widgets.capture_view import CaptureView
from advisor.tui.widgets.listing import Listing
from advisor.tui.widgets.paint import safe
from advisor.tui.widgets.prose import Prose

_PAUSE = 0.12  # seconds on a row before its capture is fetched


class Fetched(Message):
    """The lines of a capture are here."""

    def __init__(self, sha256: str, lines: list[str], found: Marks, at: int | None) -> None:
        super().__init__()
        self.sha256, self.lines, self.found, self.at = sha256, lines, found, at


class Missed(Message):
    """The lines of a capture could not be fetched."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error


class EvidenceScreen(Page):
    stage = "evidence"
    main = "#captures"
    BINDINGS = [
        Binding("i", "app.import", "tui.key.import"),
        Binding("g", "group", "tui.key.group"),
        Binding("c", "correct", "tui.key.correct"),
        Binding("b", "probes", "tui.key.probes"),
        Binding("p", "copy_probe", "tui.key.copy-probe"),
        Binding("n", "hit(1)", "tui.key.next-hit"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._group: views.Group = "host"
        self._folded: dict[str, bool] = {}
        self._shown = ""  # sha256 of the capture that is shown
        self._marks: Marks | None = None

    def body(self) -> ComposeResult:
        with Horizontal(id="above"):
            yield Listing(id="captures", enter="tui.key.read")
            with Container(id="text"):
                yield CaptureView(id="capture")
                yield Prose(id="line", focus=False)
        with Horizontal(id="below"):
            yield Listing(id="coverage", enter="")
            yield Prose(id="probe")

    def titles(self) -> dict[str, str]:
        return {
            "#captures": say("tui.evidence.captures", self.lang),
            "#coverage": say("tui.evidence.coverage", self.lang),
            "#probe": say("tui.probe.title", self.lang),
        }

    def draw(self) -> None:
        bundle, lang = self.assessment.bundle, self.lang
        listing = self.query_one("#captures", Listing)
        place = self.advisor.place
        listing.show(self._tree())
        listing.border_subtitle = safe("  ".join(span.text for span in views.counts(bundle, lang) if span.text.strip()))
        self._draw_coverage()
        self.query_one("#probe", Prose).show(frame.probe_lines(self.assessment.diagnosis, lang))
        if place is None and self._shown in bundle.by_sha:
            self._marks = marks(bundle.by_sha[self._shown], lang)
            self.query_one("#capture", CaptureView).remark(self._marks)
            self._entitle()
        elif place is None:
            first = next((row.key for row in listing.table.rows if views.sha_of(row.key)), None)
            if first is None and listing.table.rows:  # all is folded: the first group shows what is in one
                self._folded[listing.table.rows[0].key] = False
                listing.show(self._tree())
                first = next((row.key for row in listing.table.rows if views.sha_of(row.key)), None)
            if first:
                listing.go_to(first)
                self._fetch_row(first)

    def _tree(self) -> Table:
        return views.captures(self.assessment.bundle, self.lang, self._group, self._folded, self.assessment.passed)

    def _draw_coverage(self) -> None:
        coverage = self.query_one("#coverage", Listing)
        cells = max(coverage.size.width - 30, 10)
        switches = frozenset(self.assessment.fabric.switches)
        coverage.show(views.coverage_table(self.assessment.bundle, self.lang, cells, switches))

    def on_screen_resume(self) -> None:
        super().on_screen_resume()
        place, self.advisor.place = self.advisor.place, None
        if place and self.advisor.assessment and place[0] in self.assessment.bundle.by_sha:
            self._fetch(place[0], place[1])
            self._point_at(place[0])
            self.query_one("#capture", CaptureView).focus()

    def _point_at(self, sha256: str) -> None:
        """Put the cursor of the tree on a capture, and unfold its group."""
        capture = self.assessment.bundle.by_sha[sha256]
        names = (views.hosts_of(capture) if self._group == "host" else views.tools_of(capture)) or ("",)
        key = f"{self._group}:{names[0]}"
        self._folded[key] = False
        table = self._tree()
        self.query_one("#captures", Listing).show(table, at=f"{key}:{sha256}")

    # ---- the text of a capture

    def on_listing_moved(self, message: Listing.Moved) -> None:
        if message.listing.id == "captures" and views.sha_of(message.row.key):
            self.set_timer(_PAUSE, partial(self._still, message.row.key), name=RESTS)

    def _still(self, key: str) -> None:
        row = self.query_one("#captures", Listing).row
        if row and row.key == key:
            self._fetch_row(key)

    def _fetch_row(self, key: str) -> None:
        sha = views.sha_of(key)
        if sha and sha != self._shown:
            self._fetch(sha)

    def _fetch(self, sha: str, at: int | None = None) -> None:
        self.run_worker(partial(self._read, sha, at), thread=True, exclusive=True, group="capture", exit_on_error=False)

    def _read(self, sha: str, at: int | None) -> None:
        from advisor.usecases import assess

        assessment = self.assessment
        try:
            lines = assess.original_lines(assessment, sha)
            self.post_message(Fetched(sha, lines, marks(assessment.bundle.by_sha[sha], self.lang), at))
        except Exception as error:
            self.post_message(Missed(error))

    def on_fetched(self, message: Fetched) -> None:
        if message.sha256 not in self.assessment.bundle.by_sha:
            return
        self._shown, self._marks = message.sha256, message.found
        lines = message.lines[:-1] if message.lines and not message.lines[-1] else message.lines
        self.query_one("#capture", CaptureView).show(lines, message.found, message.at)
        self._entitle()

    def on_missed(self, message: Missed) -> None:
        self.query_one("#line", Prose).show((Para(word(frame.explained(message.error, self.lang), "bad")),))

    def _entitle(self) -> None:
        view = self.query_one("#text", Container)
        capture = self.assessment.bundle.by_sha[self._shown]
        view.border_title = safe(views.heading(capture, self.lang))
        if self._marks:
            view.border_subtitle = safe(summary(self._marks, len(self.query_one("#capture", CaptureView).lines), self.lang))

    def on_capture_view_moved(self, message: CaptureView.Moved) -> None:
        if self._marks is None or self._shown not in self.assessment.bundle.by_sha:
            return
        trouble = views.troubles(self.assessment.bundle.by_sha[self._shown], self.lang)
        what = of_line(message.line, self._marks, self.lang)
        self.query_one("#line", Prose).show((Para(trouble or what, hang=2),))

    def reading(self) -> tuple[str, int] | None:
        return (self._shown, self.query_one("#capture", CaptureView).at) if self._shown else None

    # ---- keys

    def on_listing_chosen(self, message: Listing.Chosen) -> None:
        if message.listing.id != "captures":
            return
        if message.row.opened is not None:
            self._unfold(message.row.key, not message.row.opened)
        else:
            self._fetch_row(message.row.key)
            self.query_one("#capture", CaptureView).focus()

    def on_listing_unfold(self, message: Listing.Unfold) -> None:
        self._unfold(message.row.key, message.opened)

    def _unfold(self, key: str, opened: bool) -> None:
        self._folded[key] = not opened
        self.query_one("#captures", Listing).show(self._tree())

    def action_group(self) -> None:
        self._group = "tool" if self._group == "host" else "host"
        self.redraw()
        if self._shown in self.assessment.bundle.by_sha:
            self._point_at(self._shown)

    def action_hit(self, step: int) -> None:
        view = self.query_one("#capture", CaptureView)
        view.focus()
        view.action_hit(step)

    def action_probes(self) -> None:
        ask(self)

    def action_copy_probe(self) -> None:
        probe = self.assessment.diagnosis.next_probe
        if probe:
            self.advisor.copy(probe.run.say(self.lang))

    def action_correct(self) -> None:
        row = self.query_one("#captures", Listing).row
        sha = (views.sha_of(row.key) if row else None) or self._shown
        if sha in self.assessment.bundle.by_sha:
            capture = self.assessment.bundle.by_sha[sha]
            self.app.push_screen(CorrectScreen(capture), partial(self._corrected, sha))

    def _corrected(self, sha: str, given: Corrected | None) -> None:
        if given is None:
            return
        from advisor.usecases.correct import correct

        self.advisor.change("tui.work.correct", lambda now: correct(now, sha, given.host, given.role, given.time))

    def leave(self) -> bool:
        if super().leave():
            return True
        if isinstance(self.focused, CaptureView) and not self.advisor.visiting:
            self.query_one("#captures", Listing).focus()
            return True
        return False
