"""The ladder: free first, what is required before what requires it, the site's own names as data, shares of the loss counted once."""

from collections.abc import Sequence

import pytest

from advisor.base.text import Text
from advisor.diagnosis.verdict import Cause, Diagnosis, Evidence, Loss
from advisor.diagnosis.verdicts import Verdict
from advisor.evidence.bundle import Bundle, Capture
from advisor.evidence.origin import Origin
from advisor.evidence.reading import Part, Reading
from advisor.fabric.model import Fabric, Host, HostKind, Job, Leaf
from advisor.remedy.ladder import ladder, shipped_remedies
from advisor.remedy.relief import parts, recovered, relief
from advisor.remedy.remedy import KINDS, Proposal

T = Text(en="x", zh="某")
ALL = shipped_remedies()
LINE = Origin(capture="ab", name="placement.txt", line=41)


def cause(
    name: str, probability: float = 0.9, share: float | None = None, verdict: Verdict = "shared-contention", about: Sequence[str] = ()
) -> Cause:
    evidence = tuple(Evidence(supports=True, measure="m", about=thing, text=T, origins=(LINE,)) for thing in about)
    return Cause(cause=name, layer="fabric", verdict=verdict, title=T, probability=probability, share=share, evidence=evidence)


def diagnosis(*causes: Cause, loss: Loss | None = None, verdict: Verdict = "shared-contention") -> Diagnosis:
    return Diagnosis(verdict=verdict, confidence=0.9, headline=T, layers={}, causes=causes, loss=loss or Loss())


def propose(made: Diagnosis, fabric: Fabric | None = None) -> dict[str, Proposal]:
    return {p.remedy.id: p for p in ladder(Bundle(), fabric or Fabric(), made, ALL)}


LOSS = Loss(fraction=0.31, low=0.28, high=0.35, free=0.24, hardware=0.07, method="model")
STACKED = diagnosis(
    cause("fragmented-placement", 0.93, 0.45),
    cause("checkpoint-contention", 0.88, 0.26),
    cause("uplink-oversubscription", 0.71, 0.23, "physical-capacity"),
    cause("ecmp-hash-collision", 0.6, 0.06),
    loss=LOSS,
)


def test_free_comes_first_and_money_last() -> None:
    kinds = [KINDS.index(p.remedy.kind) for p in propose(STACKED).values()]
    assert kinds == sorted(kinds)
    assert len(set(kinds)) == 3


def test_what_is_required_stands_before() -> None:
    order = list(propose(STACKED))
    assert order.index("adaptive-routing") < order.index("uplink-expansion")
    assert order.index("storage-client-limit") < order.index("storage-plane")
    assert propose(STACKED)["uplink-expansion"].blocked_by == (
        "ecmp-entropy",
        "adaptive-routing",
        "topology-scheduling",
    )


def test_a_share_becomes_a_part_of_the_expected_bandwidth() -> None:
    """45 % of a loss of 31 % (28 to 35) is 14 % (12.6 to 15.8)."""
    found = propose(STACKED)["topology-scheduling"]
    assert (found.recovers_low, found.recovers, found.recovers_high) == pytest.approx((0.126, 0.1395, 0.1575))
    assert found.probability == 0.93


def test_two_remedies_of_one_cause_leave_the_product_of_what_each_leaves() -> None:
    limit, own = ALL["storage-client-limit"], ALL["storage-priority"]
    part = 0.26 * 0.31
    one = recovered([limit], STACKED)
    both = recovered([limit, own], STACKED)
    whole = recovered([limit, own, ALL["storage-plane"]], STACKED)
    assert one is not None
    assert both is not None
    assert whole is not None
    middle = (0.75 + 0.875) / 2
    assert one.likely == pytest.approx(part * middle)
    assert both.likely == pytest.approx(part * (1 - (1 - middle) ** 2))
    assert whole.likely == pytest.approx(part)


def test_never_more_than_the_loss_nor_than_the_model_gives_the_free_side() -> None:
    greedy = diagnosis(cause("fragmented-placement", share=0.9), cause("rank-order", share=0.9), loss=LOSS)
    found = recovered([ALL["topology-scheduling"], ALL["rank-order"]], greedy)
    assert found is not None
    assert found.likely == pytest.approx(0.24)


def test_unknown_stays_unknown() -> None:
    found = propose(diagnosis(cause("fragmented-placement")))["topology-scheduling"]
    assert (found.recovers_low, found.recovers, found.recovers_high) == (None, None, None)
    bounded = propose(diagnosis(cause("checkpoint-contention", share=1.0), loss=LOSS))["checkpoint-async"]
    assert (bounded.recovers_low, bounded.recovers) == (0.0, None)
    assert bounded.recovers_high == pytest.approx(0.24 * 0.35 / 0.31)  # the high end of what the model gives the free side


def test_the_only_cause_of_a_side_holds_all_of_it() -> None:
    found = parts(diagnosis(cause("fragmented-placement"), cause("job-larger-than-leaf", verdict="physical-capacity"), loss=LOSS))
    assert (found["fragmented-placement"].likely, found["job-larger-than-leaf"].likely) == (0.24, 0.07)
    assert parts(diagnosis(cause("fragmented-placement"), cause("rank-order"), loss=LOSS)) == {}


def test_effects_of_the_computed_cases() -> None:
    """Mean bandwidth 0.410, 0.583, 0.665 with 1, 4, 8 queue pairs; 300 to 375 and 200 to 375 of 400 with a limit."""
    entropy, limit = relief(ALL["ecmp-entropy"]), relief(ALL["storage-client-limit"])
    assert (entropy.low, entropy.high) == pytest.approx(((0.583 - 0.410) / 0.590, (0.665 - 0.410) / 0.590), abs=0.01)
    assert (limit.low, limit.high) == pytest.approx((75 / 100, 175 / 200))


def test_nothing_wrong_asks_for_nothing() -> None:
    assert not propose(diagnosis(cause("fragmented-placement", 0.9), verdict="none"))


def test_unlikely_causes_get_no_remedy_and_doubtful_ones_no_purchase() -> None:
    assert not propose(diagnosis(cause("fragmented-placement", 0.2)))
    kinds = {p.remedy.kind for p in propose(diagnosis(cause("checkpoint-contention", 0.4))).values()}
    assert kinds == {"free", "cheap"}


def test_technology_and_scheduler_rule_out_what_does_not_fit() -> None:
    missing = diagnosis(cause("ecn-missing"), cause("fragmented-placement"))
    assert "ecn-dcqcn" in propose(missing)
    assert "ecn-dcqcn" not in propose(missing, Fabric(technology="ib"))
    slurm = propose(missing, Fabric(scheduler="slurm"))["topology-scheduling"].steps
    unknown = propose(missing)["topology-scheduling"].steps
    assert any("topology.conf" in step.en for step in slurm)
    assert not any("Kueue" in step.en for step in slurm)
    assert len(unknown) > len(slurm)


SITE = Fabric(
    hosts={name: Host(name=name, leaf="leaf-a" if name < "gpu-05" else "leaf-b") for name in (f"gpu-{n:02}" for n in range(12))},
    leaves=(Leaf(name="leaf-a"), Leaf(name="leaf-b")),
    jobs=(Job(name="llm-70b", hosts=("gpu-01", "gpu-02")),),
)


def test_steps_name_what_the_evidence_points_at() -> None:
    found = propose(diagnosis(cause("gpudirect-rdma-missing", about=("gpu-07",))), SITE)["gpudirect"]
    assert found.where == ("gpu-07",)
    assert found.steps[0].en.startswith("On gpu-07:")
    assert found.steps[0].zh.startswith("在 gpu-07 上")
    assert found.origins == (LINE,)


def test_a_job_stands_for_its_hosts_and_long_lists_are_cut() -> None:
    of_job = propose(diagnosis(cause("ring-channel-mismatch", about=("llm-70b",))), SITE)["same-settings"]
    assert "compare gpu-01, gpu-02 line by line" in of_job.steps[0].en
    everywhere = propose(diagnosis(cause("ring-channel-mismatch")), SITE)["same-settings"]
    assert "gpu-05 and 6 more" in everywhere.steps[0].en
    assert "及其余 6 个" in everywhere.steps[0].zh


def test_without_names_the_words_say_which_are_meant() -> None:
    found = propose(diagnosis(cause("gpudirect-rdma-missing")))["gpudirect"]
    assert found.steps[0].en.startswith("On the hosts of the slow job:")


def test_hostile_names_are_data() -> None:
    """A name with a placeholder, markup or control characters is neither filled again nor acts."""
    name = "{jobs}\x1b[31m{0}%s"
    site = Fabric(hosts={name: Host(name=name)}, jobs=(Job(name="secret-job"),))
    step = propose(diagnosis(cause("gpudirect-rdma-missing", about=(name,))), site)["gpudirect"].steps[0]
    assert "{jobs}" in step.en
    assert "secret-job" not in step.en
    assert "\x1b" not in step.en
    assert step.say("en") == step.en


def test_hosts_that_no_source_names_are_not_written_into_steps() -> None:
    site = Fabric(hosts={"paste-1.txt": Host(name="paste-1.txt", named=False)})
    found = propose(diagnosis(cause("gpudirect-rdma-missing")), site)["gpudirect"]
    assert "paste-1" not in found.steps[0].en


def test_steps_on_switches_name_the_commands_of_the_vendors_that_are_there() -> None:
    def bundle(*tools: str) -> Bundle:
        parts = tuple(Part(tool=tool, lines=(1, 1), facts={"flow_control": [{"priority": 3}]}) for tool in tools)
        return Bundle.of([Capture("ab", "x.txt", 1, Reading(parts=parts))])

    made = diagnosis(cause("lossless-class-missing"))
    with_sonic = ladder(bundle("sonic", "site"), Fabric(), made, ALL)[0]
    for step in (with_sonic.steps[2].en, with_sonic.steps[2].zh):
        assert "sudo config interface pfc priority <port> 3 on" in step.splitlines()
        assert "SONiC" in step
        assert "no-drop" not in step
    without_priority = ladder(bundle("arista-eos"), Fabric(), made, ALL)[0]
    assert "priority-flow-control priority <priority> no-drop" in without_priority.steps[2].en
    assert "sudo config interface pfc priority <port> 3 off" in (with_sonic.rollback or T).en.splitlines()


def test_among_equals_what_asks_least_of_the_site_comes_first() -> None:
    """Three remedies of one order: no window before a window, fewer person-days before more."""
    causes = [cause("mtu-mismatch"), cause("nic-selection"), cause("port-rate-misconfigured"), cause("gpudirect-rdma-missing")]
    order = list(propose(diagnosis(*causes)))
    assert order.index("nic-selection") < order.index("port-rate") < order.index("mtu")
    assert {ALL[name].order for name in ("nic-selection", "port-rate", "mtu")} == {9}


def test_the_model_says_what_each_job_reaches_with_a_remedy() -> None:
    """Two jobs of two hosts spread over two leaves at 4:1 get a quarter of their ports' rate now; packed, all of it."""
    hosts = {f"h{i}": Host(name=f"h{i}", leaf="a" if i < 8 else "b") for i in range(16)}
    leaves = tuple(
        Leaf(
            name=name,
            hosts=tuple(h for h in hosts if hosts[h].leaf == name),
            down_gbps=3200,
            up_gbps=800,
            ratio=4,
            uplinks=2,
            uplink_gbps=400,
        )
        for name in "ab"
    )
    jobs = tuple(Job(name=f"j{i}", hosts=(f"h{i}", f"h{i + 8}"), communication_share=1.0) for i in range(8))
    kinds = (HostKind(count=16, nics_per_host=1, nic_rate_gbps=400),)
    site = Fabric(hosts=hosts, leaves=leaves, jobs=jobs, host_kinds=kinds, routing="adaptive")
    found = propose(diagnosis(cause("fragmented-placement")), site)["topology-scheduling"].gains
    assert {gain.job for gain in found} == {job.name for job in jobs}
    for gain in found:
        assert (gain.now, gain.then) == pytest.approx((0.25, 1.0))
        assert gain.low < gain.then <= gain.high
    assert propose(diagnosis(cause("checkpoint-contention")), site)["checkpoint-async"].gains == ()
