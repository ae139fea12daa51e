"""What the views say of the site, without a terminal. The expected words were counted by hand from tests/tui/site.py."""

from decimal import Decimal
from pathlib import Path
from statistics import median

import pytest

from advisor.diagnosis import comparison
from advisor.tui.views import costs, evidence, fabric, figures, frame, frontier, remedies, topology
from advisor.tui.views import diagnosis as diagnosing
from advisor.tui.views.capture import marks, of_line
from advisor.tui.views.markdown import paragraphs
from advisor.tui.views.plot import Curve
from advisor.tui.views.topology import Look
from advisor.tui.views.words import Column, Row, Table, holding, sorted_by, text_of, word
from tui import site


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> object:
    return site.assessment(tmp_path_factory.mktemp("site"))


def cells(table: Table, key: str) -> list[str]:
    row = next(row for row in table.rows if row.key == key)
    return [text_of(cell) for cell in row.cells]


def test_the_answer_stands_in_one_line_most_important_first(here: object) -> None:
    pieces = [text_of(piece) for piece in frame.answer(here, "en")]  # type: ignore[arg-type]
    assert pieces == ["≈ shared-link contention 0.86", "loss 31 %", "free fixes recover 24 %"]
    assert text_of(frame.answer(here, "zh")[1]) == "损失 31%"  # type: ignore[arg-type]


def test_a_stage_without_what_it_needs_says_what_to_import(here: object) -> None:
    bare = site.assessment(Path(here.source))  # type: ignore[attr-defined]
    bare.__dict__["fabric"] = bare.fabric.model_copy(update={"runs": ()})
    lack = " ".join(text_of(para.phrase) for para in frame.lacks("compare", bare, "en"))
    assert "nccl-tests" in lack
    assert frame.lacks("fabric", bare, "en") == ()


def test_captures_stand_by_host_with_their_states() -> None:
    table = evidence.captures(site.bundle(), "en", "host", {})
    assert [text_of(row.cells[0]) for row in table.rows][:2] == ["! gpu-01", "! ibstat.txt"]
    tree = evidence.captures(site.bundle(), "en", "tool", {"tool:ibstat": True})
    assert text_of(tree.rows[0].cells[0]) == "! ibstat"
    assert not any(row.key.startswith("tool:ibstat:") for row in tree.rows), "a folded group shows nothing below it"


def test_counts_of_states_add_up_to_all_captures() -> None:
    assert text_of(evidence.counts(site.bundle(), "en")) == "✓ 3 read  ! 8 read in part  ? 1 not recognised  · 1 refused"


def test_coverage_counts_hosts_with_a_capture_of_the_layer() -> None:
    hosts, covers = evidence.coverage(site.bundle())
    assert hosts == tuple(f"gpu-0{i}" for i in range(1, 9))
    found = {cover.layer: (cover.site, sum(count > 0 for count in cover.hosts)) for cover in covers}
    assert found["fabric"] == (1, 8)  # nccl-tests names no host
    assert found["storage"] == (1, 0)
    assert found["node"] == (0, 0)


def test_more_hosts_than_cells_share_one() -> None:
    table = evidence.coverage_table(site.bundle(), "en", 4)
    row = next(row for row in table.rows if row.key == "fabric")
    assert text_of(row.cells[3]) == "■■■■"
    assert table.columns[3].title == "a cell for 2 hosts"


def test_lines_of_a_capture_are_marked_by_what_became_of_them() -> None:
    capture = next(capture for capture in site.bundle().captures if capture.name == "gpu-01/ibstat.txt")
    found = marks(capture, "en")
    assert [found.kinds.get(line) for line in (1, 2, 7, 9, 10)] == ["read", "fact", "fact", "problem", "unread"]
    assert text_of(of_line(7, found, "en")) == "● ports.mlx5_0/1.rate_gbps = 400"
    assert text_of(of_line(9, found, "en")) == "! the tool says that it failed"
    assert found.hits == [9, 10]


def test_leaves_show_ratio_uplinks_side_by_side_and_degraded_hosts() -> None:
    table = topology.table(site.fabric(), "en", Look(width=40))
    assert cells(table, "leaf:leaf-1")[1] == "! 2:1"
    assert cells(table, "leaf:leaf-4")[2].endswith("✗")
    assert cells(table, "leaf:leaf-3")[-1] == "●●↓●●●●●"
    lit = topology.table(site.fabric(), "en", Look(job=fabric.job_named(site.fabric(), "llm-70b"), width=40))
    assert cells(lit, "leaf:leaf-1")[-1] == "◆◆●●●●●●"


def test_links_sort_by_use_with_unknown_last() -> None:
    table = sorted_by(fabric.links(site.fabric(), "en"), 4, descending=True)
    assert [text_of(row.cells[4]) for row in table.rows][:2] == ["97 %", "90 %"]
    assert text_of(table.rows[-1].cells[4]) == figures.UNKNOWN


def test_step_times_shade_the_checkpoint_windows() -> None:
    curve = fabric.steps(site.fabric().logs[0], "en")
    assert sum(curve.shaded) == 28  # four windows of seven steps
    assert curve.bounds == (0.0, pytest.approx(1.98))


def test_the_money_question_shows_both_parts_of_the_loss() -> None:
    lines = [text_of(para.phrase) for para in diagnosing.money(site.diagnosis(), "en", 80)]
    assert "31 % (28–35 %)" in lines[1]
    bars = [(line.count("█"), line) for line in lines[2:4]]
    assert bars[0][1].endswith("24 %")
    assert bars[1][1].endswith("7 %")
    assert bars[0][0] / bars[1][0] == pytest.approx(24 / 7, rel=0.2)


def test_evidence_stands_for_and_against_with_its_line() -> None:
    table = diagnosing.evidence(site.diagnosis().causes[0], frozenset(), "en")
    assert [row.key for row in table.rows] == ["for", "evidence:0", "evidence:1", "against", "evidence:2"]
    assert cells(table, "evidence:0") == ["+ cross-leaf share of job llm-70b", "0.82", "(> 0.3)", "×9.1", "placement.txt:1"]
    assert cells(table, "evidence:2")[3] == "÷1.67"
    aside = diagnosing.evidence(site.diagnosis().causes[0], frozenset({"pair_ratio"}), "en")
    assert diagnosing.measure_of(None, aside.rows[-1].key) == "pair_ratio"


def test_remedies_say_what_must_come_first() -> None:
    plan = site.plan()
    assert [text_of(row.cells[0]) for row in remedies.ladder(plan, "en").rows][2] == "○ 3. Two more spines ⇡"
    words = "\n".join(text_of(para.phrase) for para in remedies.detail(remedies.rung_of(plan, "more-spines"), plan, site.diagnosis(), "en"))
    assert "Keep a job on one leaf must come first" in words
    assert "prices missing: 1" in words


def test_costs_mark_missing_and_expired_prices_and_never_count_them_as_nothing() -> None:
    plan = site.plan()
    table = costs.breakdown(plan.scenarios[2].estimate, plan, "en", frozenset())
    optic = next(row for row in table.rows if row.key == "line:capital:more-spines:1")
    assert text_of(optic.cells[4]) == "? –"
    switch = next(row for row in table.rows if row.key == "line:capital:more-spines:0")
    assert text_of(switch.cells[4]) == "! 68,000"
    assert text_of(table.rows[-1].cells[6]) == "? 1 missing ! 1 expired"


def test_quiet_and_busy_are_compared_on_the_same_pair() -> None:
    pairs = comparison.pairs(site.fabric())
    assert len(pairs) == 1
    # medians of the ten values each, by hand: (46.5 + 46.6) / 2 and (21.3 + 22.0) / 2
    assert median(pairs[0].first) == pytest.approx(46.55)
    assert median(pairs[0].second) == pytest.approx(21.65)
    assert pairs[0].better is False
    assert pairs[0].apart


def test_filtering_keeps_what_a_row_stands_below() -> None:
    rows = (Row("a", (word("leaf-1"),), opened=True), Row("b", (word("gpu-01"),), depth=1), Row("c", (word("gpu-02"),), depth=1))
    assert [row.key for row in holding(Table((Column("x"),), rows), "GPU-02").rows] == ["a", "c"]


def test_a_curve_keeps_the_peak_of_many_points() -> None:
    points = tuple(5.0 if i == 777 else 1.0 for i in range(10_000))
    bits, _ = Curve(points).cells(40, 8)
    assert any(bits[0]), "the one high point shows in the top row"


@pytest.mark.parametrize(
    ("share", "width", "expected"),
    [(0.5, 4, "██░░"), (None, 3, "···"), (2.0, 2, "██"), (0.0, 2, "░░"), (1 / 16, 2, "▏░")],
)
def test_bars(share: float | None, width: int, expected: str) -> None:
    assert figures.bar(share, width) == expected


def test_figures_never_show_unknown_as_nothing() -> None:
    assert figures.percent(None) == figures.number(None) == figures.money(None) == figures.size(None) == "–"
    assert figures.percent(0.31, "zh") == "31%"
    assert figures.percent(0.002) == "0.2 %"
    assert figures.money(Decimal("1234567.6"), "USD") == "USD 1,234,568"
    assert figures.size(1500) == "1.5 kB"


def test_markdown_becomes_paragraphs_and_text_stays_text() -> None:
    lines = [
        "".join(span.text for span in para.phrase)
        for para in paragraphs("# A\n\n| x | n |\n| --- | ---: |\n| **b** | 7 |\n\n- [red]no[/red] `c`\n")
    ]
    assert lines == ["A", "", "x  n", "b  7", "", "• [red]no[/red] c"]


def test_scenarios_that_another_beats_are_told_apart() -> None:
    def point(cost: float, recovers: float) -> frontier.Point:
        return frontier.Point("", cost, recovers, "USD", False)

    found = (point(0, 0.0), point(100, 0.2), point(150, 0.2), point(150, 0.3), point(200, 0.25))
    assert frontier.efficient(found) == {0, 1, 3}
    words = [text_of(para.phrase) for para in frontier.frontier(site.plan(), "en", 60, 14)]
    assert words[0].startswith("  31 % │")
    assert words[0].rstrip().endswith("3"), "the dearest scenario recovers most: top right"
