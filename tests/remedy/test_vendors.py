"""What to type: every system says of every act what to type or why it has no such thing, and nothing is set without an undo."""

import re

import pytest
import yaml
from pydantic import ValidationError

from advisor.base.places import knowledge
from advisor.base.text import text_of
from advisor.remedy.fills import FILLS, places
from advisor.remedy.vendor import PHASES, Command, Phase, Vendor, acts, shipped_vendors

SOURCES = yaml.safe_load((knowledge() / "sources.yaml").read_text(encoding="utf-8"))
VENDORS = shipped_vendors()
HAN = re.compile(r"[\u4e00-\u9fff]")
each = pytest.mark.parametrize("vendor", VENDORS.values(), ids=list(VENDORS))


def test_the_systems_that_were_asked_for_are_there() -> None:
    switches = {"sonic", "cumulus-nvue", "onyx", "arista-eos", "cisco-nxos", "junos", "huawei-ce", "h3c-comware", "ruijie"}
    others = {"mlx5", "linux", "nccl", "slurm", "kueue", "volcano", "kai", "kubernetes", "lustre", "nfs", "beegfs", "csi"}
    assert switches == {vendor.id for vendor in VENDORS.values() if vendor.domain == "switch"}
    assert others <= set(VENDORS)


@each
def test_every_act_of_the_domain_has_an_entry(vendor: Vendor) -> None:
    assert set(vendor.commands) == {name for name, act in acts().items() if act.domain == vendor.domain}


@each
def test_an_entry_has_all_phases_or_says_why_not(vendor: Vendor) -> None:
    for name, command in vendor.commands.items():
        if command.absent is None:
            assert all(command.lines(phase) for phase in acts()[name].phases), name


@each
def test_places_are_of_the_closed_set_and_say_where_to_find_them(vendor: Vendor) -> None:
    for name, command in vendor.commands.items():
        for phase in PHASES:
            for line in command.lines(phase):
                assert set(places(line)) <= set(FILLS), (name, line)
    assert all(text_of(f"plan.fill.{name}") for name in FILLS)


@each
def test_words_stand_in_both_languages(vendor: Vendor) -> None:
    texts = [text for command in vendor.commands.values() for text in (command.note, command.absent) if text is not None]
    for text in (*texts, *(act.title for act in acts().values())):
        assert text.en
        assert not HAN.search(text.en)
        assert HAN.search(text.zh)


@each
def test_commands_name_documentation_and_version_and_what_was_not_seen_is_not_verified(vendor: Vendor) -> None:
    for name, command in vendor.commands.items():
        source = command.source or vendor.source
        assert SOURCES[source]["read"] != "memory"
        assert command.version or vendor.version
        if SOURCES[source]["read"] == "named":
            assert not command.verified, name


def test_a_file_that_is_not_whole_is_refused() -> None:
    for wrong in ({"show": "x", "set": "y"}, {"set": "y", "undo": "z"}, {"show": "x", "verified": ["set"]}, {"show": "x", "more": "y"}, {}):
        with pytest.raises(ValidationError):
            Command.model_validate(wrong)
    with pytest.raises(ValidationError):
        Command.model_validate({"show": "x", "absent": {"en": "no", "zh": "无"}})


@pytest.mark.parametrize(
    ("system", "act", "phase", "printed"),
    [
        # As the documentation prints them: command references, the vendor's own scripts and the tests of public collections.
        ("cumulus-nvue", "hash-seed", "set", "nv set system forwarding hash-seed 50"),
        ("cumulus-nvue", "speed", "set", "nv set interface swp1 link fec rs"),
        ("onyx", "ecn", "set", "interface ethernet 1/15 traffic-class 3 congestion-control ecn minimum-absolute 150 maximum-absolute 1500"),
        ("onyx", "shares", "set", "interface ethernet 1/1 traffic-class 0 dcb ets wrr 10"),
        ("arista-eos", "hash", "set", "      fields l4 outer dst-port src-port"),
        ("arista-eos", "rate-limit", "set", "   shape rate 200000 kbps"),
        ("cisco-nxos", "rate-limit", "set", "    shape min 0 mbps max 100 mbps"),
        ("cisco-nxos", "adaptive-routing", "undo", "no hardware profile dlb"),
        ("junos", "speed", "set", "set interfaces et-0/0/1 ether-options fec fec91"),
        ("huawei-ce", "shares", "set", " qos queue 1 drr weight 50"),
        ("huawei-ce", "save", "undo", "rollback configuration to file before-change.cfg"),
        ("h3c-comware", "dscp-map", "set", " import 26 export 3"),
        ("h3c-comware", "pfc-watchdog", "set", "priority-flow-control deadlock cos 3 interval 10"),
        ("ruijie", "shares", "set", "drr-queue bandwidth 1,1,1,50,1,1,1,0"),
        ("bnxt", "nic-dscp-map", "set", "dcb app add dev eth0 dscp-prio 24:2"),
        ("lustre", "storage-limit", "undo", 'lctl set_param ost.OSS.ost_io.nrs_policies="fifo"'),
        ("volcano", "pool", "set", "kubectl label node n1 volcano.sh/nodegroup-name=group1"),
    ],
)
def test_lines_have_the_form_that_the_documentation_prints(system: str, act: str, phase: Phase, printed: str) -> None:
    command = VENDORS[system].commands[act]
    lines = [re.sub(r"^@\w+ ", "", line) for line in command.lines(phase)]
    forms = ["".join(r"\S+" if part.startswith("{") else re.escape(part) for part in re.split(r"(\{\w+\})", line)) for line in lines]
    assert any(re.fullmatch(form, printed) for form in forms), lines
    assert phase in command.verified


@pytest.mark.parametrize(
    ("system", "act", "wrong"),
    [
        ("arista-eos", "trust", "no qos trust"),  # untrusted, not the default
        ("arista-eos", "speed", "no error-correction encoding"),  # FEC off, not the default
        ("h3c-comware", "mtu", "undo jumboframe enable"),  # jumbo frames forbidden, not the default
        ("huawei-ce", "adaptive-routing", "adaptive-routing enable"),  # dragonfly topologies alone
        ("sonic", "rate-limit", "HDEL"),  # a value goes back to a value; the default is the rate of the port
        ("junos", "rate-limit", "interfaces {port} shaping-rate"),  # no such statement on QFX
    ],
)
def test_the_way_back_does_not_switch_off_what_was_on_before(system: str, act: str, wrong: str) -> None:
    command = VENDORS[system].commands[act]
    assert not any(wrong in line for phase in PHASES[1:] for line in command.lines(phase))
