"""The dialog of probes: every one with its exact command, ranked; enter copies the command."""

from advisor.base.text import Lang
from advisor.tui.page import Page
from advisor.tui.screens.tabled import Tabled
from advisor.tui.views import probes
from advisor.tui.views.words import Para, Row


def ask(page: Page) -> None:
    """Show what to ask next of the site that is open."""
    app, diagnosis = page.advisor, page.assessment.diagnosis

    def detail(row: Row, lang: Lang) -> tuple[Para, ...]:
        return probes.detail(diagnosis, row.key, lang)

    def choose(row: Row) -> None:
        probe = probes.probe_of(diagnosis, row.key)
        if probe:
            app.copy(probe.run.say(app.lang))

    app.push_screen(Tabled("tui.probe.all", "tui.probe.hint", probes.table(diagnosis, app.lang), detail, choose, "tui.key.copy-probe"))
