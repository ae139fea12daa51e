"""What a person does in the dialogs of the stages, on the example site and with the real use cases."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from advisor.tui.app import AdvisorApp
from advisor.tui.screens.dialogs import Reading
from advisor.tui.screens.tabled import Tabled
from advisor.tui.screens.touring import TourScreen
from advisor.tui.views import compare, diagnosis, flow, probes, remedies, tour
from advisor.tui.views.words import text_of
from advisor.tui.widgets.capture_view import CaptureView
from advisor.tui.widgets.listing import Listing
from advisor.usecases import assess
from advisor.usecases.assess import Assessment
from advisor.usecases.compare import compare as compared
from advisor.usecases.import_ import import_into
from advisor.usecases.whatif import whatif
from tui.driving import screen_text, settled, stage


@pytest.fixture(autouse=True)
def _site_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def example() -> Assessment:
    return assess.open_site(assess.example())


@asynccontextmanager
async def shown(site: str, name: str, size: tuple[int, int] = (120, 40)) -> AsyncIterator[tuple[AdvisorApp, Pilot[int]]]:
    app = AdvisorApp(None, "en")
    async with app.run_test(size=size) as pilot:
        app.open(site)
        await settled(pilot)
        await stage(pilot, name)
        yield app, pilot


# ---- views


def test_flow_control_names_what_differs_between_nic_and_switch(example: Assessment) -> None:
    found = example.diagnosis.flow_control
    table = flow.table(found, "en")
    row = next(row for row in table.rows if row.key == "flow:0:3")
    assert [text_of(cell) for cell in row.cells][:5] == ["! 3", "24–31", "3", "on", "on / off"]
    assert "ECN on one side only" in text_of(row.cells[5])
    assert "meant: DSCP 26 PFC on ECN on" in " ".join(text_of(para.phrase) for para in flow.detail(found, "flow:0:3", "en"))
    origin = flow.origin_of(found, "flow:0:3")
    assert origin
    assert origin.name == "nh-leaf-2/config_db.json", "the switch's capture, which is what must change"


def test_every_probe_stands_with_its_command_and_its_price_in_minutes(example: Assessment) -> None:
    table = probes.table(example.diagnosis, "zh")
    assert len(table.rows) == len(example.diagnosis.probes)
    assert [row.order[0] for row in table.rows] == sorted(row.order[0] for row in table.rows)  # type: ignore[type-var]
    for row, probe in zip(table.rows, example.diagnosis.probes, strict=True):
        assert probe.run.zh in text_of(row.cells[1])
        assert probes.probe_of(example.diagnosis, row.key) is probe


def test_what_would_turn_the_verdict_is_marked(example: Assessment) -> None:
    table = diagnosis.turning(example.diagnosis, "en")
    rows = {row.key: text_of(row.cells[0]) for row in table.rows if not row.heading}
    assert len(rows) == len(example.diagnosis.without) + len(example.diagnosis.turns)
    for one in example.diagnosis.without:
        assert rows[f"without:{one.measure}"].startswith("↻" if one.turns else "=")


def test_a_trial_tells_the_gain_by_the_model_or_that_it_cannot(example: Assessment) -> None:
    told = remedies.trial_words(remedies.Trial("topology-scheduling", 0.435, 0.871), example.plan, "en")
    assert "44 % → 87 %" in text_of(told)
    assert "+44 %" in text_of(told)
    assert "nothing that stands for" in text_of(remedies.trial_words(remedies.Trial("job-classes", speaks=False), example.plan, "en"))
    assert "lacks figures" in text_of(remedies.trial_words(remedies.Trial("topology-scheduling"), example.plan, "en"))
    assert remedies.trial_words(None, example.plan, "en") == ()


def test_runs_without_a_partner_say_what_differs(example: Assessment) -> None:
    found = compared(example)
    table = compare.table(found.pairs, "en", found.alone)
    assert len(table.rows) == len(found.pairs) + (len(found.alone) + 1 if found.alone else 0)
    for i, one in enumerate(found.alone):
        assert compare.alone_words(compare.alone_of(found.alone, f"alone:{i}") or one, "zh")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_tour_has_words_for_every_step(lang: str) -> None:
    for place in range(len(tour.STEPS)):
        paras = tour.words(place, lang)  # type: ignore[arg-type]
        assert len(paras) >= 2
        assert all("|" not in text_of(para.phrase) for para in paras)


# ---- at the keyboard


async def test_the_model_answers_while_one_moves_over_the_remedies(example: Assessment) -> None:
    async with shown(assess.example(), "remedies") as (app, pilot):
        app.screen.query_one("#ladder", Listing).go_to("topology-scheduling")
        await settled(pilot)
        assert example.prediction.ladder
        after = whatif(example, ["topology-scheduling"]).after
        assert f"{example.prediction.ladder.R_now * 100:.0f} % → {(after or 0) * 100:.0f} %" in screen_text(app)
        assert "▓" in screen_text(app)
        await pilot.press("t")
        await settled(pilot)
        app.screen.query_one("#ladder", Listing).go_to("topology-scheduling")
        await settled(pilot)
        assert "without this one the jobs reach 87 % → 44 %" in screen_text(app)
        await pilot.press("ctrl+z")
        await settled(pilot)
        assert "recovered 0 %" in screen_text(app)


async def test_flow_control_opens_the_switchs_capture_and_escape_comes_back() -> None:
    async with shown(assess.example(), "diagnosis") as (app, pilot):
        await pilot.press("f")
        await settled(pilot)
        assert isinstance(app.screen, Tabled)
        app.screen.query_one("#rows", Listing).go_to("flow:0:3")
        await pilot.press("enter")
        await settled(pilot)
        assert app.current_mode == "evidence"
        assert "config_db.json" in str(app.screen.query_one("#text").border_title)
        assert app.screen.query_one("#capture", CaptureView).at == 114
        await pilot.press("escape")
        assert app.current_mode == "diagnosis"


async def test_what_if_a_piece_of_evidence_were_wrong_from_the_list_of_what_the_verdict_hangs_on() -> None:
    async with shown(assess.example(), "diagnosis") as (app, pilot):
        await pilot.press("t", "enter")
        await settled(pilot)
        assert app.assessment
        assert len(app.assessment.set_aside) == 1
        await pilot.press("ctrl+z")
        await settled(pilot)
        assert not app.assessment.set_aside


async def test_a_probe_is_copied_with_its_exact_command() -> None:
    async with shown(assess.example(), "evidence") as (app, pilot):
        await pilot.press("b", "enter")
        await settled(pilot)
        assert app.assessment
        assert app.clipboard == app.assessment.diagnosis.probes[0].run.en


async def test_the_report_goes_out_as_json_with_names_masked(tmp_path: Path) -> None:
    site = tmp_path / "hall.advisor"
    import_into(str(site), [assess.example()])
    async with shown(str(site), "report") as (_, pilot):
        await pilot.press("x", "end", "enter")  # masked
        await pilot.press("home", "down", "down", "down", "down", "enter", "ctrl+s")
        await settled(pilot)
    text = (tmp_path / "hall-report.json").read_text(encoding="utf-8")
    assert json.loads(text)
    assert "nh-leaf-2" not in text
    assert "nh-leaf-2" in (tmp_path / "hall.mapping.json").read_text(encoding="utf-8"), "who is who stays beside the site"


async def test_an_assessment_is_sealed_and_held_against_its_seal(tmp_path: Path) -> None:
    site = tmp_path / "hall.advisor"
    import_into(str(site), [assess.example()])
    async with shown(str(site), "report") as (app, pilot):
        await pilot.press("s")
        await settled(pilot)
        assert isinstance(app.screen, Reading)
        assert "Sealed on" in screen_text(app)
        await pilot.press("escape", "v")
        await settled(pilot)
        assert "The answer is the one that was sealed" in screen_text(app)
        await pilot.press("escape", "4", "t")
        await settled(pilot)
        await stage(pilot, "report")
        await pilot.press("v")
        await settled(pilot)
        assert "not the one that was sealed" in screen_text(app)


async def test_a_baseline_is_kept_and_held_against() -> None:
    async with shown(assess.example(), "compare") as (app, pilot):
        await pilot.press("k", "enter")
        await settled(pilot)
        await pilot.press("b", "enter")
        await settled(pilot)
        assert "against the baseline example" in screen_text(app)
        await pilot.press("escape")
        await settled(pilot)
        assert app.current_mode == "compare", "escape first goes back to the roles"
        assert "against the baseline" not in screen_text(app)


async def test_the_tour_goes_over_all_stages_and_can_be_left() -> None:
    app = AdvisorApp(None, "zh")
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        assert "两分钟导览" in screen_text(app)
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.screen, TourScreen)
        for name in tour.STEPS[1:]:
            await pilot.press("enter")
            await settled(pilot)
            assert isinstance(app.screen, TourScreen)
            assert app.current_mode == name
        await pilot.press("escape")
        await settled(pilot)
        assert app.current_mode == "report"
        assert len(app.screen_stack) == 1
        await pilot.press("f2")
        await settled(pilot)
        assert isinstance(app.screen, TourScreen), "reachable later"
        await pilot.press("escape")


async def test_the_tour_gives_back_what_was_open(tmp_path: Path) -> None:
    site = tmp_path / "hall.advisor"
    import_into(str(site), [assess.example()])
    async with shown(str(site), "costs") as (app, pilot):
        await pilot.press("f2", "enter")
        await settled(pilot)
        assert app.assessment
        assert app.assessment.path is None
        await pilot.press("escape")
        await settled(pilot)
        assert app.assessment.name == "hall"
