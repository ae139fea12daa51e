"""What public reports taught: signs that follow from what people state, beside those that they name themselves."""

from collections.abc import Callable

import pytest

from advisor.diagnosis.measured import measured
from advisor.diagnosis.observed import Observed
from advisor.diagnosis.topics import topics
from advisor.diagnosis.verdict import Diagnosis

Site = Callable[..., Observed]


@pytest.mark.parametrize(
    ("count", "down"),
    [
        (21, 11.0),  # 32 were built, 21 are in use
        (32, 0.0),
        (16, None),  # half of them: it may be the group to one of two spines
    ],
)
def test_uplinks_that_are_missing_from_the_group(site: Site, count: int, down: float | None) -> None:
    said = f"form: 1\nfabric: {{uplinks_per_leaf: 32}}\nlinks:\n  - {{tier: leaf-uplink, count: {count}, rate_gbps: 200}}\n"
    found = measured(site(site_yaml=said)).get("uplinks_down", ())
    assert [one.value for one in found] == ([] if down is None else [down])


@pytest.mark.parametrize(
    ("words", "topic"),
    [
        ("two switches of the network failed and were taken out", "uplink-lost"),
        ("loss of a spine", "uplink-lost"),
        ("half of the uplinks of every leaf taken out of service", "fewer-uplinks"),
        ("uplinks halved", "fewer-uplinks"),
    ],
)
def test_what_became_of_uplinks(words: str, topic: str) -> None:
    assert topic in topics(words)


def test_full_uplinks_after_a_failure_are_no_shortage(diagnosed: Callable[..., Diagnosis]) -> None:
    """Uplinks that are full and even are as likely where members were lost as where too few were built: the failure decides."""
    full = "form: 1\nobservations: {uplinks_full: yes, uplinks_even: yes, slow_only_across_leaves: yes, depends_on_load: yes"
    assert diagnosed(site_yaml=full + "}\n").verdict == "physical-capacity"
    failed = diagnosed(site_yaml=full + ", uplink_failed: yes}\n")
    assert (failed.verdict, failed.causes[0].cause) == ("node-fault", "uplink-down")
