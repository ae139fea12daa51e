"""`advisor model` and `advisor whatif`: the keys, both languages, bad input."""

import json

import pytest

from advisor.base.text import catalogue
from advisor.cli import run
from advisor.traffic.changes import CHANGES, FREE
from advisor.usecases.assess import example, open_site, remedies
from advisor.usecases.model import model
from advisor.usecases.whatif import whatif

Capsys = pytest.CaptureFixture[str]


def _json(words: list[str], capsys: Capsys) -> dict:
    assert run(words) == 0
    return json.loads(capsys.readouterr().out)


def test_model_json_has_the_keys(capsys: Capsys) -> None:
    tree = _json(["model", example(), "--json"], capsys)
    assert {"fabric", "jobs", "links", "ladder", "split", "error"} <= tree.keys()
    assert tree["fabric"]["tiers"] == 2
    assert {"name", "hosts", "down_gbps", "up_gbps", "ratio", "uplinks"} <= tree["fabric"]["leaves"][0].keys()
    keys = {"name", "hosts", "leaves", "crossing_share", "crossing_share_best", "rate_gBps", "expected_gBps"}
    assert keys == tree["jobs"][0].keys()
    assert {"from", "to", "capacity_gbps", "load_gbps", "utilisation"} <= tree["links"][0].keys()
    assert {"cause", "share", "if_fixed_first"} == tree["split"][0].keys()
    assert sum(part["share"] for part in tree["split"]) == pytest.approx(1 - tree["ladder"]["R_now"], abs=1e-4)
    assert tree["error"] >= 0.1


def test_whatif_is_the_same_after_the_changes(capsys: Capsys) -> None:
    before = _json(["model", example(), "--json"], capsys)
    after = _json(["whatif", example(), "--take", "topology-scheduling", "storage-priority", "--json"], capsys)
    assert before.keys() <= after.keys()
    assert after["before"] == before["ladder"]["R_now"]
    assert after["after"] == after["ladder"]["R_now"] > after["before"]
    assert {job["crossing_share"] for job in after["jobs"]} == {0}
    assert after["error"] == before["error"]
    assert after["taken"][0] == {"remedy": "topology-scheduling", "changes": ["placement"]}


def test_a_remedy_the_model_cannot_speak_of_is_named(capsys: Capsys) -> None:
    assert run(["whatif", example(), "--take", "mtu", "--json"]) == 0
    said = capsys.readouterr()
    tree = json.loads(said.out)
    assert tree["taken"] == [{"remedy": "mtu", "changes": []}]
    assert tree["gain"] == 0
    assert "mtu" in said.err


def test_an_unknown_remedy(capsys: Capsys) -> None:
    assert run(["whatif", example(), "--take", "no-such"]) == 2
    assert "no-such" in capsys.readouterr().err


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_text_has_no_gap(lang: str, capsys: Capsys) -> None:
    for words in (["model", example()], ["whatif", example(), "--take", "topology-scheduling"]):
        assert run([*words, "--lang", lang]) == 0
        assert "model." not in capsys.readouterr().out


def test_a_site_without_a_model_says_what_it_needs(captures_without_model: str, capsys: Capsys) -> None:
    tree = _json(["model", captures_without_model, "--json"], capsys)
    assert (tree["ladder"], tree["error"], tree["split"]) == (None, None, [])
    assert run(["model", captures_without_model]) == 0
    assert "advisor template site" in " ".join(capsys.readouterr().out.split())  # whatever the width of the terminal


@pytest.fixture
def captures_without_model(captures: object) -> str:
    return str(captures)


def test_changes_of_remedies_are_known_and_have_words() -> None:
    for remedy in remedies().values():
        assert set(remedy.changes) <= CHANGES.keys()
    assert {f"model.change-{name}" for name in CHANGES} <= catalogue().keys()
    assert {f"model.cause-{name}" for name in (*FREE, "capacity")} <= catalogue().keys()


def test_python_callers_get_the_same() -> None:
    site = open_site(example())
    found = whatif(site, ["rank-order"])
    assert found.now == model(site)
    assert found.gain is not None
    assert found.silent == ()


@pytest.mark.parametrize(
    ("words", "key", "value"),
    [
        (["collisions", "--flows", "4", "--links", "4"], "no_collision", 0.09375),
        (["crossing", "8", "8", "8", "8", "--leaf-size", "32"], "best", 0.0),
        (["gpu-hours", "--gpus", "100", "--hours", "10", "--loss", "50", "--communication", "50"], "lost", 1000 / 3),
    ],
)
def test_calculators(words: list[str], key: str, value: float, capsys: Capsys) -> None:
    assert _json(["calc", *words, "--json"], capsys)[key] == pytest.approx(value)
    assert _json(["calc", "--json", *words], capsys)[key] == pytest.approx(value)
    for lang in ("en", "zh"):
        assert run(["calc", *words, "--lang", lang]) == 0
        assert "model." not in capsys.readouterr().out


def test_a_calculator_that_cannot_count_ends_with_2(capsys: Capsys) -> None:
    assert run(["calc", "collisions", "--flows", "0", "--links", "4"]) == 2
    assert capsys.readouterr().err.strip()


def test_every_remedy_can_be_tried() -> None:
    site = open_site(example())
    for remedy in remedies().values():
        found = whatif(site, [remedy.id])
        assert found.gain is not None
        assert found.gain >= -1e-9, remedy.id
        assert bool(found.silent) == (not remedy.changes)


@pytest.mark.parametrize(
    ("words", "key", "value"),
    [
        (["wire", "--busbw", "377.34", "--ranks", "32", "--hosts", "4", "--nics", "8"], "hierarchy", 36.52),
        (["rail-only", "--nic-gbps", "400", "--inside-gbps", "3600", "--rails", "8"], "overhead", 7 / 8 / 9),
        (["phases", "--communication", "60"], "shifted", 1.2),
        (["line", "--hosts", "180", "--nics", "2", "--nic-gbps", "200", "--measured-tib", "6.6"], "share", 0.806),
    ],
)
def test_calculators_of_the_wire(words: list[str], key: str, value: float, capsys: Capsys) -> None:
    assert _json(["calc", *words, "--json"], capsys)[key] == pytest.approx(value, rel=1e-3)
    for lang in ("en", "zh"):
        assert run(["calc", *words, "--lang", lang]) == 0
        assert "model." not in capsys.readouterr().out
