"""Ports and switches in the commands are those of real captures, whatever the vendor; nothing in them is invented."""

from pathlib import Path

import pytest

from advisor.base.text import Text
from advisor.diagnosis.verdict import Cause, Diagnosis, Loss
from advisor.remedy.ladder import ladder, shipped_remedies
from advisor.usecases.assess import example, open_site

CAPTURES = Path(__file__).parents[1] / "captures"
T = Text(en="x", zh="某")
MADE = Diagnosis(
    verdict="configuration",
    confidence=0.9,
    headline=T,
    layers={},
    causes=(Cause(cause="lossless-class-missing", layer="flow-control", verdict="configuration", title=T, probability=0.9),),
    loss=Loss(),
)


@pytest.mark.parametrize(
    ("folder", "system", "before"),
    [
        ("sonic", "sonic", "interface pfc priority "),
        ("cumulus-nvue", "cumulus-nvue", "nv set interface "),
        ("cisco-nxos", "cisco-nxos", "interface "),
        ("juniper", "junos", "set class-of-service interfaces "),
        ("huawei-ce", "huawei-ce", "interface "),
        ("h3c-comware", "h3c-comware", "interface "),
        ("ruijie", "ruijie", "interface "),
    ],
)
def test_ports_of_captures_stand_in_the_commands(folder: str, system: str, before: str) -> None:
    site = open_site(str(CAPTURES / folder))
    found = next(p for p in ladder(site.bundle, site.fabric, MADE, shipped_remedies()) if p.remedy.id == "lossless-class")
    lines = [line for c in found.commands if (c.system, c.act, c.phase) == (system, "pfc", "set") for line in c.lines]
    ports = {line.split(before, 1)[1].split()[0] for line in lines if before in line}
    text = "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in (CAPTURES / folder).iterdir() if path.is_file())
    assert ports
    for port in ports:
        assert port in text or port.replace("Ethernet", "Eth") in text, port


def test_the_example_gets_commands_with_its_own_switch_ports_queue_and_cards() -> None:
    plan = open_site(example()).plan
    ecn = next(rung.proposal for rung in plan.rungs if rung.proposal.remedy.id == "ecn-dcqcn")
    told = [line for command in ecn.commands for line in command.lines]
    assert "sudo ecnconfig -q 3 on" in told
    assert "echo 1 > /sys/class/net/ens10np0/ecn/roce_np/enable/3" in told
    assert {command.on for command in ecn.commands if command.system == "sonic"} == {("nh-leaf-2",)}
    placed = next(rung.proposal for rung in plan.rungs if rung.proposal.remedy.id == "topology-scheduling")
    assert "SwitchName=nh-leaf-1 Nodes=nh-a01,nh-a02,nh-a03,nh-a04" in [line for command in placed.commands for line in command.lines]
    assert {gain.job for gain in placed.gains} == {"41207", "41209", "41213", "41215"}
