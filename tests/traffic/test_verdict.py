"""The model is fitted to what was measured, states its error on every prediction, and is silent where it does not give the measurement."""

import pytest

from advisor.diagnosis.loss import loss_of
from advisor.diagnosis.observed import Observed
from advisor.diagnosis.weigh import Decision
from advisor.evidence.bundle import Bundle
from advisor.fabric.model import Fabric, Run
from advisor.report.model_json import model_document, model_json
from advisor.traffic.changes import changed
from advisor.traffic.measured import Check, baselines, check, fitted, stated_error
from advisor.traffic.predict import predict
from tests.traffic.sites import clos

PAIRS = (("a3", "b3"), ("b3", "c3"), ("c3", "d3"))


def _runs(kept: tuple[float, ...], quiet: float = 360.0) -> tuple[Run, ...]:
    """A quiet and a busy all-reduce of each pair of hosts across leaves; the busy one keeps so much."""
    found = []
    for hosts, share in zip(PAIRS, kept, strict=False):
        for load, value in (("quiet", quiet), ("busy", quiet * share)):
            found.append(
                Run.model_validate(
                    {
                        "label": load,
                        "what": "all_reduce",
                        "hosts": hosts,
                        "placement": "cross-leaf",
                        "load": load,
                        "figures": {"busbw_gBps": (value,)},
                    }
                )
            )
    return tuple(found)


def _site(*kept: float, **more: object) -> Fabric:
    """Three scattered jobs on leaves of 16 uplinks: a fourth that crosses gets half of its ports' rate."""
    jobs = {f"j{k}": tuple(f"{leaf}{k}" for leaf in "abcd") for k in range(3)}
    return clos(jobs, uplinks=16, routing="adaptive", runs=_runs(kept), **more)


def test_a_run_that_the_model_gives() -> None:
    found = check(_site(0.5))
    assert found is not None
    assert (found.measured, found.modelled, found.error) == (pytest.approx(0.5), pytest.approx(0.5), pytest.approx(0.0))
    assert predict(_site(0.5)).error == 0.10  # one run shows nothing better than published models


def test_errors_of_runs_do_not_cancel() -> None:
    found = check(_site(0.3, 0.7))
    assert found is not None
    assert found.error == pytest.approx(0.2)
    assert predict(_site(0.3, 0.7)).error == pytest.approx(0.2)


def test_three_runs_of_different_hosts_may_show_a_smaller_error() -> None:
    assert predict(_site(0.48, 0.5, 0.53)).error == pytest.approx(0.03)
    assert stated_error(Check(measured=0.5, modelled=0.5, error=0.03, worst=0.12, runs=3)) == 0.10
    assert stated_error(Check(measured=0.5, modelled=0.5, error=0.01, worst=0.02, runs=2)) == 0.10
    assert stated_error(None) == 0.20


def test_rates_are_fitted_to_quiet_runs_of_the_site() -> None:
    site = _site(0.5)
    assert baselines(site) == {"two": 360.0}
    pair = clos({"j": ("a0", "b0")}, routing="adaptive", runs=_runs((1.0,), quiet=300.0))
    (job,) = predict(pair).jobs
    assert job.measured_gBps == 300
    assert job.rate_gBps == pytest.approx(300)  # as measured here, where 320 to 384 is what such hosts reach elsewhere
    assert job.expected_gBps == pytest.approx(352)


def test_how_jobs_meet_is_fitted_to_busy_runs() -> None:
    half = [job.model_copy(update={"communication_share": 0.5}) for job in _site().jobs]
    # Beside three jobs at half of their rate as a steady load, 12 of 16 uplinks are taken: 4 of 8 flows' worth is left.
    steady = fitted(_site(0.5).model_copy(update={"jobs": tuple(half)}))
    met = fitted(_site(0.7).model_copy(update={"jobs": tuple(half)}))
    assert (steady.phases, met.phases) == ("steady", "random")
    assert fitted(_site().model_copy(update={"jobs": tuple(half)})).phases is None  # nothing was measured
    assert fitted(_site(0.5).model_copy(update={"jobs": tuple(half), "phases": "shifted"})).phases == "shifted"


def _judge(site: Fabric) -> Observed:
    return Observed(Bundle.of([]), site)


def test_no_verdict_from_a_model_that_does_not_reproduce_the_measurement() -> None:
    wrong = _site(0.95)  # the model gives half
    found = predict(wrong)
    assert found.ladder is not None
    assert found.ladder.reproduces is False
    assert found.split == ()
    assert found.error == pytest.approx(0.45)
    assert _judge(wrong).model is None  # the diagnosis takes nothing from it
    tree = model_json(found, "en")
    assert (tree["split"], tree["ladder"]["reproduces"]) == ([], False)
    assert "no verdict follows" in str(model_document(found, "en"))
    assert "不据此下结论" in str(model_document(found, "zh"))
    after = predict(changed(wrong, "placement"), before=found)
    assert (after.split, after.error) == ((), found.error)  # nor after a change


def test_the_diagnosis_states_the_models_own_error() -> None:
    site = _judge(_site(0.5))
    assert site.model is not None
    assert site.model.reproduces is True
    loss = loss_of(site, {}, Decision("shared-contention", 0.9, ()))
    assert loss.method == "model"
    assert loss.fraction is not None
    assert loss.high == pytest.approx(min(loss.fraction + site.model.stated_error, 1.0))
    assert loss.low == pytest.approx(loss.fraction - site.model.stated_error)


def test_where_nothing_was_measured_no_verdict_is_taken_either() -> None:
    assert predict(_site()).ladder is not None
    assert _judge(_site()).model is None
    assert predict(_site()).error == 0.20


@pytest.mark.parametrize("kept", [(), (0.5,), (0.95,)])
def test_every_prediction_has_an_error(kept: tuple[float, ...]) -> None:
    assert (predict(_site(*kept)).error or 0) >= 0.10


def test_keys_of_the_json() -> None:
    tree = model_json(predict(_site(0.5)), "en")
    assert tree["fabric"].keys() == {"tiers", "leaves"}
    assert tree["fabric"]["leaves"][0].keys() == {"name", "hosts", "down_gbps", "up_gbps", "ratio", "uplinks"}
    assert tree["jobs"][0].keys() == {"name", "hosts", "leaves", "crossing_share", "crossing_share_best", "rate_gBps", "expected_gBps"}
    assert tree["links"][0].keys() == {"from", "to", "capacity_gbps", "load_gbps", "utilisation"}
    assert tree["split"][0].keys() == {"cause", "share", "if_fixed_first"}
    assert {"R_now", "R_balance", "R_isolate", "R_pack", "R_ideal", "free_part", "physical_part"} <= tree["ladder"].keys()
    where = tree["more"]["expected"][0]
    assert (where["basis"], where["platform"]) == ("platform", "many-hosts-auto")
    assert where["sources"]
    assert all(tree["more"]["sources"][name]["url"].startswith("https://") for name in where["sources"])
