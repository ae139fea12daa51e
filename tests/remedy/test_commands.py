"""Commands are filled with the site's own names, what is not known stays marked, and captured names cannot act in a command line."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.base.text import Text
from advisor.diagnosis.verdict import Cause, Diagnosis, Evidence, Loss
from advisor.evidence.bundle import Bundle, Capture
from advisor.evidence.reading import Part, Reading
from advisor.fabric.model import End, Fabric, Host, Job, Leaf, Link, Port, Switch
from advisor.remedy.fills import Fills, filled_lines, is_safe
from advisor.remedy.ladder import ladder, shipped_remedies
from advisor.remedy.remedy import Proposal

T = Text(en="x", zh="某")
ALL = shipped_remedies()
HOSTILE = (
    "$(reboot)",
    "a;reboot",
    "`id`",
    "a b",
    "-rf",
    "--force",
    "a\nreload",
    "a|b",
    "a&b",
    "a>b",
    "{port}",
    "<port>",
    "a'b",
    'a"b',
    "",
    "\u202ea",
)


def captured(*parts: Part) -> Bundle:
    return Bundle.of([Capture(f"{i:02}", f"{i}.txt", 1, Reading(parts=(part,))) for i, part in enumerate(parts)])


def switch(tool: str, host: str, **facts: object) -> Part:
    return Part(tool=tool, host=host, lines=(1, 1), facts=facts)


STATED = Part(tool="site", lines=(1, 1), facts={"flow_control": [{"priority": 4, "dscp": 34}]})


def site(*ports: str, leaf: str = "leaf-7", host: str = "gpu-01", interface: str = "ens1f0", device: str = "mlx5_2") -> Fabric:
    links = tuple(Link(a=End(device=host, port="p"), b=End(device=leaf, port=port)) for port in ports)
    return Fabric(
        hosts={host: Host(name=host, leaf=leaf, ports={f"{device}/1": Port(name=f"{device}/1", netdev=interface)})},
        switches={leaf: Switch(name=leaf, tier="leaf")},
        leaves=(Leaf(name=leaf, hosts=(host,)), Leaf(name="leaf-8", hosts=("gpu-09", "gpu-10"))),
        jobs=(Job(name="4711", hosts=(host,)),),
        links=links,
        technology="roce",
        scheduler="slurm",
    )


def proposed(remedy: str, bundle: Bundle, fabric: Fabric, about: str = "") -> Proposal:
    evidence = (Evidence(supports=True, measure="m", about=about, text=T),) if about else ()
    causes = tuple(
        Cause(cause=name, layer="fabric", verdict="shared-contention", title=T, probability=0.9, evidence=evidence)
        for name in ALL[remedy].relieves
    )
    made = Diagnosis(verdict="shared-contention", confidence=0.9, headline=T, layers={}, causes=causes, loss=Loss())
    return next(p for p in ladder(bundle, fabric, made, ALL) if p.remedy.id == remedy)


def lines(proposal: Proposal) -> list[str]:
    return [line for command in proposal.commands for line in command.lines]


@pytest.mark.parametrize(
    ("tool", "port", "wanted"),
    [
        ("sonic", "Ethernet8", ["sudo config interface pfc priority Ethernet8 4 on", "sudo config interface pfc priority Ethernet8 4 off"]),
        (
            "cumulus-nvue",
            "swp5s0",
            ["nv set interface swp5s0 qos pfc profile roce", "nv set qos mapping default-global dscp 34 switch-priority 4"],
        ),
        (
            "arista-eos",
            "Ethernet5/1",
            ["   priority-flow-control priority 4 no-drop", "interface Ethernet5/1", "qos map dscp 34 to traffic-class 4"],
        ),
        ("cisco-nxos", "Ethernet1/49", ["    pause pfc-cos 4", "    match dscp 34"[2:], "interface Ethernet1/49"]),
        ("juniper", "et-0/0/3", ["set class-of-service congestion-notification-profile ROCE-PFC input dscp code-point 100010 pfc"]),
        ("huawei-ce", "100GE1/0/1", [" priority 4", "interface 100GE1/0/1", " dcb pfc enable mode manual"]),
        ("h3c-comware", "HundredGigE1/0/2", ["interface HundredGigE1/0/2", " priority-flow-control no-drop dot1p 4"]),
        ("ruijie", "HundredGigabitEthernet0/3", ["interface HundredGigabitEthernet0/3", " match ip dscp 34"]),
        ("onyx", "1/7", ["interface ethernet 1/7 dcb priority-flow-control mode on force"]),
    ],
)
def test_ports_priority_and_dscp_of_the_site_stand_in_every_vendors_commands(tool: str, port: str, wanted: list[str]) -> None:
    found = proposed("lossless-class", captured(switch(tool, "leaf-7"), STATED), site(port))
    assert set(wanted) <= set(lines(found))
    on = {command.on for command in found.commands if command.system not in ("mlx5", "nccl")}
    assert on == {("leaf-7",)}
    assert all("leaf-7" in step.zh for step in found.steps if "sudo config" in step.en)


def test_cards_and_library_get_interface_device_and_class_of_the_site() -> None:
    found = lines(proposed("lossless-class", captured(STATED), site()))
    assert "mlnx_qos -i ens1f0 --trust dscp" in found
    assert "mlnx_qos -i ens1f0 --pfc 0,0,0,0,1,0,0,0" in found
    assert "cma_roce_tos -d mlx5_2 -t 136" in found  # 34 times 4
    assert "export NCCL_IB_TC=136" in found


def test_a_topology_file_is_written_out_leaf_by_leaf() -> None:
    found = lines(proposed("topology-scheduling", Bundle(), site()))
    assert "SwitchName=leaf-7 Nodes=gpu-01" in found
    assert "SwitchName=leaf-8 Nodes=gpu-09,gpu-10" in found
    assert "SwitchName=spines Switches=leaf-7,leaf-8" in found


def test_what_the_site_does_not_tell_is_marked_and_says_where_to_find_it() -> None:
    found = proposed("lossless-class", captured(switch("sonic", "leaf-7")), site())
    assert any("<priority>" in line for line in lines(found))
    told = "\n".join(step.en for step in found.steps)
    assert "# <priority>: " in told
    assert told.count("# <priority>: ") == 1
    assert "# <priority>：" in "\n".join(step.zh for step in found.steps)


def test_no_port_is_shut_and_no_host_drained_only_because_it_came_first() -> None:
    bundle, fabric = captured(switch("sonic", "leaf-7")), site("Ethernet8", "Ethernet16")
    assert "sudo config interface shutdown <port>" in lines(proposed("link-repair", bundle, fabric))
    assert "sudo config interface shutdown Ethernet16" not in lines(proposed("link-repair", bundle, fabric))
    assert "scontrol update NodeName=<host> State=DRAIN Reason=slow" in lines(proposed("node-drain", bundle, fabric))
    assert "scontrol update NodeName=gpu-01 State=DRAIN Reason=slow" in lines(proposed("node-drain", bundle, fabric, about="gpu-01"))


def test_storage_never_gets_the_class_of_roce() -> None:
    found = lines(proposed("storage-priority", captured(switch("arista-eos", "leaf-7"), STATED), site("Ethernet1")))
    assert "qos map dscp <dscp> to traffic-class <priority>" in found
    assert not any("34" in line for line in found)


def test_limits_of_another_tenant_are_not_set_on_the_cards_of_the_job() -> None:
    found = [c for c in proposed("tenant-limits", Bundle(), site()).commands if c.act == "nic-rate-limit" and c.phase == "set"]
    assert [line for command in found for line in command.lines] == ["mlnx_qos -i <interface> -r <rates>"]
    assert {command.on for command in found} == {()}


def test_the_way_back_loads_the_saved_copy_or_undoes_what_was_set_last_first() -> None:
    found = proposed("ecn-dcqcn", captured(switch("sonic", "leaf-7"), STATED), site("Ethernet8"))
    done = [command.act for command in found.commands if command.phase == "set"]
    undone = [command.act for command in found.commands if command.phase == "undo"]
    assert undone == ["save", *(act for act in reversed(done) if act != "save")]
    assert {command.step for command in found.commands if command.phase == "undo"} == {0}


def test_a_way_back_goes_to_what_was_captured_not_to_nothing() -> None:
    """Trust and PFC that were in force before the change come back."""
    port = Port(name="mlx5_2/1", netdev="ens1f0", trust="dscp", pfc_priorities=(3, 5))
    fabric = site().model_copy(update={"hosts": {"gpu-01": Host(name="gpu-01", leaf="leaf-7", ports={port.name: port})}})
    found = (proposed("lossless-class", Bundle(), fabric).rollback or T).en.splitlines()
    assert "mlnx_qos -i ens1f0 --pfc 0,0,0,1,0,1,0,0" in found
    assert "mlnx_qos -i ens1f0 --trust dscp" in found
    unknown = (proposed("lossless-class", Bundle(), site()).rollback or T).en.splitlines()
    assert "mlnx_qos -i ens1f0 --pfc <pfc_now>" in unknown


def test_commands_that_were_not_held_against_the_documentation_say_so() -> None:
    found = proposed("lossless-class", captured(switch("ruijie", "leaf-7")), site("HundredGigabitEthernet0/3"))
    unsure = [command for command in found.commands if command.system == "ruijie" and not command.verified]
    assert unsure
    assert any("not held against the documentation" in step.en for step in found.steps)
    assert all(command.source and command.version for command in found.commands)


def test_on_infiniband_the_subnet_manager_is_spoken_of_and_no_ethernet_switch() -> None:
    found = proposed("adaptive-routing", Bundle(), site().model_copy(update={"technology": "ib"}))
    assert {command.system for command in found.commands} == {"opensm", "nccl", "mlx5"}
    assert not any("what system the switches run" in step.en for step in found.steps)


def test_unknown_switches_are_said_to_be_unknown() -> None:
    found = proposed("lossless-class", Bundle(), site())
    assert not any(command.system == "sonic" for command in found.commands)
    assert any("No capture shows what system the switches run" in step.en for step in found.steps)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_never_stand_in_a_line_to_type(name: str) -> None:
    fabric = site(name, leaf=name or "x", host=name, interface=name, device=name)
    for remedy in ("lossless-class", "topology-scheduling", "link-repair", "ecn-dcqcn", "mtu"):
        found = proposed(remedy, captured(switch("sonic", name), switch("arista-eos", name), STATED), fabric, about=name)
        for command in found.commands:
            quiet = proposed(remedy, captured(switch("sonic", "leaf-7"), switch("arista-eos", "leaf-7"), STATED), site("Ethernet1"))
            assert command.act in {each.act for each in quiet.commands}
            for line in command.lines:
                assert not name or name in ("{port}", "<port>") or name not in line.replace("gpu-09,gpu-10", "")
        for text in (*found.steps, found.rollback or T):
            head, *typed = text.en.splitlines()
            assert head
            assert all(line.startswith("# ") or line in lines(found) for line in typed)


@given(st.text(max_size=20))
def test_a_safe_word_holds_nothing_that_a_shell_takes_for_more_than_a_name(word: str) -> None:
    if is_safe(word):
        assert word[0] in string.ascii_letters + string.digits
        assert set(word) <= set(string.ascii_letters + string.digits + "._:/@+-")


def test_blocks_are_said_once_for_each_and_the_rest_is_counted() -> None:
    ports = tuple(f"Ethernet{n}" for n in range(5))
    found = filled_lines(("begin", "@port interface {port}", "@port  mtu {mtu}", "end"), Fills(values={"mtu": "9216"}, ports=ports))
    assert [line.text for line in found] == ["begin", "interface Ethernet0", " mtu 9216", "interface Ethernet1", " mtu 9216", "end"]
    assert [line.more for line in found] == [0, 0, 0, 0, 3, 0]


def test_between_backticks_a_name_that_could_act_stays_marked() -> None:
    fabric = Fabric(hosts={"$(reboot)": Host(name="$(reboot)")})
    found = proposed("gpudirect", Bundle(), fabric, about="$(reboot)")
    for step in found.steps:
        assert all("$(reboot)" not in part for part in step.en.splitlines()[0].split("`")[1::2])
