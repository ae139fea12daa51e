"""The generator is held by what it claims, and a small sample of its sites by the product. The large run is `make calibrate`."""

from collections import Counter

import pytest
import yaml

from advisor.base import places
from advisor.diagnosis.calibration import Calibration, calibration
from advisor.diagnosis.verdicts import VERDICTS
from advisor.usecases.look import look
from tests.synthetic.calibrate import curve
from tests.synthetic.causes import MECHANISMS
from tests.synthetic.flows import fair, shapley
from tests.synthetic.judge import Judged, judge_all
from tests.synthetic.score import all_named, all_near, brier, calibration_error, false_alarms, reliability
from tests.synthetic.site import HELD_FROM, Truth, healthy, site
from tests.synthetic.stacks import stacked


def test_every_cause_of_the_closed_set_has_a_mechanism() -> None:
    known = yaml.safe_load((places.knowledge() / "causes.yaml").read_text(encoding="utf-8"))
    assert set(MECHANISMS) == set(known)
    assert all(set(one.also) <= set(known) for one in MECHANISMS.values())


def test_a_seed_is_a_site() -> None:
    assert site(7).files == site(7).files
    assert stacked(7).files == stacked(7).files
    assert site(7).files != site(8).files


def test_sites_differ_in_size_technology_and_truth() -> None:
    sites = [site(seed) for seed in range(60)]
    forms = [yaml.safe_load(one.files["site.yaml"]) for one in sites]
    assert {form["site"].get("fabric") for form in forms} >= {"ib", "roce", "tcp"}
    assert len(Counter(one.truth.verdict for one in sites)) >= 5
    assert {one.truth.verdict for one in sites} <= set(VERDICTS)


def test_captures_are_of_the_tools_that_they_are_named_for(tmp_path) -> None:  # type: ignore[no-untyped-def]
    """Every file is read, and no line of the form is beyond it."""
    for seed in (3, 11, 12, 40):
        for name, text in stacked(seed).files.items():
            path = tmp_path / str(seed) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    captures = look(str(tmp_path), lambda *_: None, lambda: False).captures()
    assert {capture.name: capture.state for capture in captures if capture.state not in ("read", "read-in-part")} == {}
    forms = [part for capture in captures if capture.name.endswith("site.yaml") for part in capture.reading.parts]
    assert len(forms) == 4
    assert not [problem for form in forms for problem in form.problems]


def test_fair_shares_are_those_of_the_textbook() -> None:
    """Two links of 1: a flow over both and one on each get half (Bertsekas and Gallager); one that wants a tenth gets it."""
    flows = [("a", ("x", "y"), 1.0), ("b", ("x",), 1.0), ("c", ("y",), 1.0)]
    assert fair(flows, {"x": 1.0, "y": 1.0}) == pytest.approx([0.5, 0.5, 0.5])
    assert fair([("a", ("x",), 0.1), ("b", ("x",), 1.0)], {"x": 1.0}) == pytest.approx([0.1, 0.9])


def test_shapley_values_add_up() -> None:
    value = {frozenset(): 0.4, frozenset("a"): 0.5, frozenset("b"): 0.6, frozenset("ab"): 1.0}
    assert shapley(["a", "b"], value) == pytest.approx({"a": 0.25, "b": 0.35})


def _answer(confidence: float, verdict: str, true: str) -> Judged:
    return Judged(0, Truth(true, {"incast": 1.0}), verdict, confidence, "fabric", (("incast", verdict, confidence, None),), verdict)


def test_calibration_error_is_that_of_its_definition() -> None:
    """Four at 0.9 of which three are right, and two at 0.6 of which one: (4 x 0.15 + 2 x 0.10) / 6."""
    answers = [_answer(0.9, "none", "none")] * 3 + [_answer(0.9, "none", "configuration")]
    answers += [_answer(0.6, "none", "none"), _answer(0.6, "none", "configuration")]
    assert calibration_error(answers) == pytest.approx((4 * 0.15 + 2 * 0.10) / 6)
    assert [(one.count, round(one.right, 2)) for one in reliability(answers)] == [(2, 0.5), (4, 0.75)]
    assert brier(answers) == pytest.approx((3 * 0.01 + 0.81 + 0.16 + 0.36) / 6)


def test_the_curve_rises_lowers_in_full_and_raises_by_half() -> None:
    known = [(0.6, True)] * 100 + [(0.9, True)] * 70 + [(0.9, False)] * 30
    points = dict(curve(known))
    assert points[0.0] == 0
    assert points[1.0] == pytest.approx(0.99)
    assert points[0.9] == pytest.approx(0.85, abs=0.001)  # pooled with what lies below: 170 of 200
    assert points[0.6] == pytest.approx(0.725, abs=0.001)  # half of the way from 0.6 to 0.85


def test_the_shipped_curve_was_made_of_sites_for_tuning() -> None:
    shipped = calibration()
    assert shipped.sites >= 500
    assert int(shipped.seeds.rsplit(" ", 1)[1]) < HELD_FROM
    assert [shipped.of(k / 100) for k in range(101)] == sorted(shipped.of(k / 100) for k in range(101))
    with pytest.raises(ValueError, match="being surer"):
        Calibration.model_validate({"points": [{"held": 0, "right": 0.5}, {"held": 1, "right": 0.4}], "sites": 1, "seeds": "", "made": ""})


def test_a_sample_of_sites() -> None:
    """So few say nothing of calibration: most decided verdicts are right, sound sites raise no alarm, several causes are named."""
    decided = [one for one in judge_all(site, range(100, 116), processes=1) if one.is_decided]
    assert sum(one.is_right for one in decided) >= 0.7 * len(decided) >= 5
    assert false_alarms(judge_all(healthy, range(100, 108), processes=1)) == []
    answers = judge_all(stacked, range(100, 105), processes=1)
    assert sum(map(all_named, answers)) >= 4
    assert sum(map(all_near, answers)) >= 3
