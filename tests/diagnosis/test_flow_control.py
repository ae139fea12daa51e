"""NIC and switch port side by side: what an engineer would mark when reading both outputs."""

import json

import pytest

from advisor.diagnosis.flow_control import SideBySide, side_by_side
from advisor.fabric.build import build
from tests.diagnosis.conftest import bundle_of

FORM = "form: 1\nflow_control:\n"


def qos(pfc: str, moved: str = "") -> str:
    """`mlnx_qos` with PFC by priority; DSCP 8n to 8n+7 on priority n, those of `moved` on 0."""
    rows = []
    for priority in range(8):
        dscp = [f"{d:02}" for d in range(8 * priority, 8 * priority + 8) if f"{d:02}" not in moved.split()]
        rows.append(f"\tprio:{priority} dscp:{','.join(dscp)},")
    marks = "   ".join(pfc)
    table = "\n".join(rows)
    return (
        f"[root@gpu-01 ~]# mlnx_qos -i eth0\nDCBX mode: OS controlled\nPriority trust state: dscp\ndscp2prio mapping:\n{table}\n"
        f"PFC configuration:\n\tpriority    0   1   2   3   4   5   6   7\n\tenabled     {marks}   \n"
    )


def config(pfc: str, to_class: dict[str, str] | None = None, marked: bool = True) -> str:
    """A SONiC configuration of one port."""
    tree = {
        "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": pfc, "dscp_to_tc_map": "M", "tc_to_queue_map": "Q"}},
        "DSCP_TO_TC_MAP": {"M": {str(d): str(d // 8) for d in range(64)} | (to_class or {})},
        "TC_TO_QUEUE_MAP": {"Q": {str(n): str(n) for n in range(8)}},
        "QUEUE": {f"Ethernet0|{3 if marked else 6}": {"wred_profile": "ROCE"}},
        "WRED_PROFILE": {"ROCE": {"ecn": "ecn_all", "green_min_threshold": "1000000", "green_max_threshold": "2000000"}},
    }
    return json.dumps(tree, indent=1)


def told(**files: str) -> tuple[SideBySide, ...]:
    bundle = bundle_of(**files)
    return side_by_side(bundle, build(bundle))


def marks(found: SideBySide) -> dict[int, list[str]]:
    return {line.priority: [text.en for text in line.mismatches] for line in found.lines if line.mismatches}


def test_equal_sides_differ_in_nothing() -> None:
    (found,) = told(qos_txt=qos("00010000"), leaf_json=config("3"))
    assert not found.differs
    three = found.lines[3].classes
    assert (three["host"].pfc, three["switch"].pfc, three["switch"].ecn) == (True, True, True)
    assert three["host"].dscp == three["switch"].dscp == tuple(range(24, 32))
    assert three["switch"].queue == "3"


def test_pfc_on_one_side_only_is_marked_at_its_priority() -> None:
    (found,) = told(qos_txt=qos("00010000"), leaf_json=config("4"))
    assert marks(found)[3] == ["PFC on the NIC, not on the switch"]
    assert marks(found)[4][0] == "PFC on the switch, not on the NIC"


def test_a_dscp_that_the_switch_puts_elsewhere_is_named() -> None:
    (found,) = told(qos_txt=qos("00010000"), leaf_json=config("3", {"26": "0"}))
    assert marks(found) == {3: ["the switch puts DSCP elsewhere: 26 → 0"]}


def test_a_lossless_class_that_nothing_marks() -> None:
    (found,) = told(qos_txt=qos("00010000"), leaf_json=config("3", marked=False))
    assert marks(found)[3] == ["lossless on the switch, and nothing marks (no ECN)"]


def test_the_actual_is_held_against_what_was_meant() -> None:
    meant = FORM + "  - {side: host, traffic: roce, dscp: 26, priority: 3, pfc_priorities: [3], trust: dscp}\n"
    (found,) = told(site_yaml=meant, qos_txt=qos("00001000", moved="26"), leaf_json=config("3"))
    assert "PFC on the NIC is not as stated" in marks(found)[3]
    (fits,) = told(site_yaml=meant, qos_txt=qos("00010000"), leaf_json=config("3"))
    assert not fits.differs


def test_what_is_stated_stands_in_for_a_side_that_nobody_captured() -> None:
    leaf = "  - {side: leaf, trust: pcp, pfc_priorities: [3], ecn: no}\n"
    (found,) = told(site_yaml=FORM + leaf, qos_txt=qos("00010000"))
    assert found.sides[1].name == ""
    assert [text.en for text in found.mismatches] == ["one side trusts another field: dscp / pcp"]
    assert marks(found)[3] == ["lossless on the switch, and nothing marks (no ECN)"]


@pytest.mark.parametrize("files", [{"qos_txt": qos("00010000")}, {"leaf_json": config("3")}, {}])
def test_one_side_alone_is_held_against_nothing(files: dict[str, str]) -> None:
    assert told(**files) == ()
