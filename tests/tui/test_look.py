"""What must be seen: the focus and what is behind a dialog without colours, whole words, figures in the form of the language."""

import re
from decimal import Decimal
from pathlib import Path

import pytest

from advisor.base.places import example_site
from advisor.base.text import LANGS, Lang, say
from advisor.base.writing import day_of
from advisor.cost.model import Estimate, Range
from advisor.diagnosis.verdict import Evidence
from advisor.tui import memory
from advisor.tui.app import AdvisorApp
from advisor.tui.terminal import Terminal
from advisor.tui.views import costs, diagnosis, fabric, figures, frontier, topology
from advisor.tui.views.markdown import paragraphs
from advisor.tui.views.topology import Look
from advisor.tui.views.words import Para, cells, text_of, word
from advisor.tui.widgets.prose import Prose
from tui import site
from tui.driving import screen_text, settled, stage


def _range(amount: int) -> Range:
    return Range(low=Decimal(amount), likely=Decimal(amount), high=Decimal(amount))


@pytest.mark.parametrize(("plain_font", "corner"), [(False, "┏"), (True, "╔")])
async def test_without_colours_the_pane_with_the_focus_has_another_border(tmp_path: Path, plain_font: bool, corner: str) -> None:
    memory.keep(memory.Memory())
    app = AdvisorApp(None, "en", Terminal("none", round=not plain_font))
    async with app.run_test(size=(80, 24)) as pilot:
        app.assessment = site.assessment(tmp_path)
        await pilot.press("1")
        await settled(pilot)
        assert screen_text(app).count(corner) == 1
        await stage(pilot, "remedies")
        await pilot.press("s")
        await settled(pilot)
        text = screen_text(app)
        assert "Skip" in text
        assert corner in text, "the field shows that it has the focus"
        assert "The plan so far" in text, "what is behind the dialog is still seen"


async def test_a_font_without_round_corners_changes_borders_and_nothing_else(tmp_path: Path) -> None:
    texts = []
    for there in (Terminal(), Terminal(round=False)):
        memory.keep(memory.Memory())
        app = AdvisorApp(None, "en", there)
        async with app.run_test(size=(120, 40)) as pilot:
            app.assessment = site.assessment(tmp_path)
            seen = []
            for key in "12345":
                await pilot.press(key)
                await settled(pilot)
                seen.append(screen_text(app).translate(str.maketrans("╭╮╰╯┌┐└┘", "++++++++")))
            texts.append(seen)
    assert texts[0] == texts[1]


async def test_a_high_screen_gives_the_curve_more_room(tmp_path: Path) -> None:
    memory.keep(memory.Memory())
    app = AdvisorApp(None, "en")
    async with app.run_test(size=(200, 60)) as pilot:
        app.assessment = site.assessment(tmp_path)
        await pilot.press("2")
        await settled(pilot)
        assert app.screen.query_one("#steps").size.height > 15
        assert app.screen.query_one("#map").size.height > app.screen.query_one("#steps").size.height


@pytest.mark.parametrize("lang", LANGS)
async def test_on_120_cells_costs_show_capital_and_where_prices_are_from(lang: Lang) -> None:
    """The example's largest scenario, which has sums in two currencies, missing prices and long names."""
    memory.keep(memory.Memory())
    app = AdvisorApp(example_site(), lang)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await stage(pilot, "costs")
        await pilot.press("end")
        await settled(pilot)
        text = screen_text(app)
        assert say("tui.costs.capital", lang) in text.splitlines()[2]
        assert say("tui.costs.source", lang) in text
        assert say("tui.costs.unit-price", lang) in text


async def test_pictures_behind_jump_letters_stay_in_every_theme(tmp_path: Path) -> None:
    for there in (Terminal("none"), Terminal("ansi"), Terminal()):
        memory.keep(memory.Memory())
        app = AdvisorApp(None, "en", there)
        async with app.run_test(size=(80, 24)) as pilot:
            app.assessment = site.assessment(tmp_path)
            await pilot.press("1", "space")
            await settled(pilot)
            assert "ibstat.txt" in screen_text(app)


async def test_a_text_that_cannot_be_scrolled_says_that_there_is_more(tmp_path: Path) -> None:
    memory.keep(memory.Memory())
    app = AdvisorApp(None, "en")
    async with app.run_test(size=(80, 24)) as pilot:
        app.assessment = site.assessment(tmp_path)
        await stage(pilot, "costs")
        note = app.screen.query_one("#note", Prose)
        note.show([Para(word("word " * 60))])
        await settled(pilot)
        last = "".join(segment.text for segment in note.render_line(note.size.height - 1))
        assert last.endswith("…")
        note.show([Para(word("short"))])
        await settled(pilot)
        assert "…" not in "".join(segment.text for segment in note.render_line(note.size.height - 1))


def test_links_of_an_opened_leaf_stand_below_their_spine() -> None:
    table = topology.table(site.fabric(), "en", Look(opened=frozenset({"leaf-1"})))
    titles = [column.title for column in table.columns]
    found = site.fabric()
    rows = [row for row in table.rows if row.key.startswith("link:")]
    assert len(rows) == 4
    for row in rows:
        link = fabric.link_of(found, row.key)
        assert link is not None
        place = titles.index(link.b.device)
        assert "%" in text_of(row.cells[place])
        assert not any("%" in text_of(cell) for i, cell in enumerate(row.cells) if i != place)
        assert "spine" not in text_of(row.cells[0]), "the column says it"


def test_many_ports_of_a_host_are_counted() -> None:
    host = site.fabric().hosts["gpu-01"]
    port = next(iter(host.ports.values()))
    many = host.model_copy(update={"ports": {f"p{i}": port for i in range(8)}})
    found = site.fabric().model_copy(update={"hosts": {**site.fabric().hosts, "gpu-01": many}})
    table = topology.table(found, "en", Look(opened=frozenset({"leaf-1"})))
    row = next(row for row in table.rows if row.key == "host:gpu-01")
    assert text_of(row.cells[2]).endswith("×8")


def test_the_best_scenarios_have_a_sign_and_not_only_a_colour() -> None:
    lines = [text_of(para.phrase) for para in frontier.frontier(site.plan(), "en", 70, 20)]
    legend = [line for line in lines if re.match(r"\d[◆ ] \S", line)]
    assert len(legend) == 3
    assert [line[1] == "◆" for line in legend] == [index in frontier.efficient(frontier.points(site.plan(), "en")) for index in range(3)]
    assert max(map(cells, lines)) <= 69, "nothing lies below a bar at the side"


def test_totals_in_two_currencies_stand_below_each_other_and_are_not_cut() -> None:
    one = site.plan().scenarios[2].estimate.model_copy(update={"total": _range(23_680), "unconverted": {"GBP": _range(33_057)}})
    rows = [row for row in costs.breakdown(one, site.plan(), "en", frozenset()).rows if row.key.startswith("total")]
    assert [text_of(row.cells[4]) for row in rows] == ["23,680", "GBP 33,057"]
    assert figures.total(one, named=False, heading="USD").startswith("23,680 + GBP 33,057")
    assert figures.several(Estimate(currency="USD", total=_range(0))) == {}


def test_days_steps_and_units_are_written_as_the_language_does() -> None:
    assert day_of("2026-02-24", "en") == "24 Feb 2026"
    assert day_of("2026-02-24", "zh") == "2026年2月24日"
    assert day_of("spring 2025", "en") == "spring 2025"
    assert costs.unit_word("day", "en", one=True) == "day"
    assert costs.unit_word("day", "en") == "days"
    log = site.fabric().logs[0]
    later = tuple(step.model_copy(update={"number": step.number + 12_000}) for step in log.steps)
    assert "12,001" in fabric.steps(log.model_copy(update={"steps": later}), "en").first


@pytest.mark.parametrize("lang", LANGS)
def test_a_threshold_of_yes_is_said_as_its_value_is(lang: Lang) -> None:
    item = Evidence(supports=True, measure="x", value=True, threshold="= yes", weight=2.0, text=site.both("x", "x"))
    assert diagnosis.threshold_text(item, lang) == f"= {diagnosis.value_text(item, lang)}"


def test_a_fabric_is_named_in_the_language() -> None:
    kinds = site.fabric().model_copy(update={"routing": "adaptive", "topology": "leaf-spine", "scheduler": "slurm"})
    assert "InfiniBand · 叶脊两级 · 自适应路由 · Slurm" in text_of(fabric.summary(kinds, "zh")[0].phrase)
    assert "InfiniBand · leaf-spine · adaptive routing · Slurm" in text_of(fabric.summary(kinds, "en")[0].phrase)


@pytest.mark.parametrize("width", [40, 60, 76])
def test_a_table_of_the_report_goes_on_below_instead_of_being_cut(width: int) -> None:
    text = (
        "| # | Remedy | Cost |\n| --- | --- | ---: |\n"
        "| 1 | ECN and DCQCN, so that marking starts well before pause | GBP 1,335 / 3,575 / 7,600 + 4 without a price |\n"
        "| 2 | 可能丢失最新检查点；除非留在本地，字节仍要搬走 | 0 |\n"
    )
    lines = [text_of(para.phrase) for para in paragraphs(text, width)]
    assert all(cells(line) <= width for line in lines)
    assert "…" not in "".join(lines)
    letters = sorted("".join(lines).replace(" ", ""))
    bare = re.sub(r"^\|[ -:|]+$", "", text, flags=re.MULTILINE)
    assert letters == sorted(bare.replace("|", "").replace(" ", "").replace("\n", ""))
    assert not any(re.match(r"\s*[，；。]", line) for line in lines), "no line begins with what ends a sentence"
