"""ethtool, ethtool -i and /proc/net/bonding: the own side, links that are down, loops, modes, cut ends."""

import json

import pytest

from advisor.readers.recognise import read
from tests.readers.one import one, whys


def test_a_link_that_is_down_and_the_far_side() -> None:
    part = one(
        "Settings for ens1:\n\tSupported link modes:   25000baseCR/Full\n\t                        400000baseCR8/Full\n"
        "\tSupported FEC modes: None\t RS\t BASER\n\tAdvertised FEC modes: BASER\n"
        "\tLink partner advertised link modes:  800000baseCR8/Full\n"
        "\tLink partner advertised FEC modes: RS\n\tSpeed: Unknown!\n\tLanes: 4\n\tDuplex: Unknown! (255)\n\tAuto-negotiation: on\n"
        "\tLink detected: no (No cable)\n"
    )
    assert part.facts["interfaces"]["ens1"] == {
        "rate_max_gbps": 400,
        "fec": "firecode",
        "width": 4,
        "auto_negotiation": True,
        "state": "down",
        "state_reason": "No cable",
    }
    assert part.problems == ()


@pytest.mark.parametrize(("modes", "fec"), [("RS", "rs"), ("None", "none"), ("None\t RS", None), ("Not reported", None), ("LLRS", "rs")])
def test_fec_only_where_one_mode_is_named(modes: str, fec: str | None) -> None:
    text = f"Settings for e0:\n\tAdvertised FEC modes: {modes}\n\tSpeed: 100000Mb/s\n"
    assert one(text).facts["interfaces"]["e0"].get("fec") == fec


def test_fec_pause_and_rings_in_force() -> None:
    text = (
        "# ethtool --show-fec e0\nFEC parameters for e0:\nConfigured FEC encodings: Auto Off\nActive FEC encoding: RS\n"
        "# ethtool -a e0\nPause parameters for e0:\nAutonegotiate:\toff\nRX:\t\ton\nTX:\t\toff\n"
        "# ethtool -g e0\nRing parameters for e0:\nPre-set maximums:\nRX:\t\t8192\nTX:\t\t8192\n"
        "Current hardware settings:\nRX:\t\t1024\nTX:\t\t512\n"
    )
    fec, pause, rings = (part.facts["interfaces"]["e0"] for part in read(text.encode()).parts)
    assert fec == {"fec": "rs"}
    assert pause == {"pause_auto_negotiation": False, "rx_flow_control": True, "tx_flow_control": False}
    assert rings == {"rx_ring_max": 8192, "tx_ring_max": 8192, "rx_ring": 1024, "tx_ring": 512}


def test_a_filtered_loop() -> None:
    part = one("# for i in e0 e1; do ethtool $i | grep Speed; done\n\tSpeed: 100000Mb/s\n\tSpeed: 25000Mb/s\n")
    assert {name: entry["rate_gbps"] for name, entry in part.facts["interfaces"].items()} == {"e0": 100, "e1": 25}
    assert part.facts["filtered"] is True


def test_a_list_that_may_go_on_has_no_highest_rate() -> None:
    part = one("Settings for e0:\n\tSupported link modes:   25000baseCR/Full\n\t                        50000baseCR2/Full\n")
    assert part.facts["interfaces"]["e0"] == {}
    assert whys(part) == [(3, "cut")]


def test_before_and_after_stay_apart() -> None:
    text = "".join(f"Settings for e0:\n\tSpeed: {rate}Mb/s\n" for rate in (100000, 25000))
    assert [part.facts["interfaces"]["e0"]["rate_gbps"] for part in read(text.encode()).parts] == [100, 25]


def test_failures() -> None:
    part = one("# ethtool eth9\nSettings for eth9:\nCannot get device settings: No such device\nNo data available\n")
    assert (part.facts, whys(part)) == ({}, [(3, "tool-error"), (4, "tool-error")])


def test_json() -> None:
    entry = {"ifname": "e0", "supported-link-modes": ["100000baseCR4/Full"], "speed": 25000, "duplex": "Full", "auto-negotiation": False}
    facts = one(json.dumps([entry | {"link-detected": True}])).facts["interfaces"]["e0"]
    assert facts == {"rate_gbps": 25, "rate_max_gbps": 100, "duplex": "full", "auto_negotiation": False, "state": "active"}


DRIVER = "driver: {driver}\nversion: 5.8\nfirmware-version: 22.36.1010 (MT_0000000359)\nexpansion-rom-version:\nbus-info: 0000:3B:00.0\n"


def test_drivers_of_a_loop() -> None:
    text = "# for d in e0 e1; do ethtool -i $d; done\n" + DRIVER.format(driver="mlx5_core") + DRIVER.format(driver="bnxt_en")
    part = one(text)
    assert {name: entry["driver"] for name, entry in part.facts["interfaces"].items()} == {"e0": "mlx5_core", "e1": "bnxt_en"}
    assert part.facts["interfaces"]["e0"]["firmware"] == "22.36.1010 (MT_0000000359)"
    assert part.facts["interfaces"]["e0"]["pci_address"] == "0000:3b:00.0"


def test_a_driver_that_has_no_bus_and_a_yaml_file() -> None:
    assert "pci_address" not in one("# ethtool -i br0\ndriver: bridge\nfirmware-version: N/A\nbus-info: N/A\n").facts["interfaces"]["br0"]
    assert read(b"networks:\n  a:\n    driver: bridge\n").refused == "not-recognised"


BOND = """Ethernet Channel Bonding Driver: v5.15.0

Bonding Mode: {mode}
Transmit Hash Policy: layer2 (0)
MII Status: up
MII Polling Interval (ms): 100

Slave Interface: eth1
MII Status: down
Speed: Unknown
Duplex: Unknown
Link Failure Count: 3
Aggregator ID: 2
"""


@pytest.mark.parametrize(
    ("printed", "mode"),
    [
        ("IEEE 802.3ad Dynamic link aggregation", "802.3ad"),
        ("fault-tolerance (active-backup)", "active-backup"),
        ("load balancing (round-robin)", "balance-rr"),
        ("load balancing (xor)", "balance-xor"),
        ("adaptive load balancing", "balance-alb"),
    ],
)
def test_bonds(printed: str, mode: str) -> None:
    part = one("$ cat /proc/net/bonding/bond3\n" + BOND.format(mode=printed))
    bond = part.facts["interfaces"]["bond3"]
    assert (bond["bond_mode"], bond["xmit_hash_policy"], bond["state"], bond["member_count"]) == (mode, "layer2", "active", 1)
    assert bond["members"] == {"eth1": {"state": "down", "link_failures": 3, "aggregator_id": 2}}


def test_bonds_by_the_names_of_files() -> None:
    text = "".join(f"==> /proc/net/bonding/{name} <==\n{BOND.format(mode='load balancing (xor)')}\n" for name in ("bond0", "bond1"))
    assert list(one(text).facts["interfaces"]) == ["bond0", "bond1"]
    lines = "".join(f"/proc/net/bonding/bond4:{line}\n" for line in BOND.format(mode="load balancing (xor)").splitlines())
    part = one(f"$ grep . /proc/net/bonding/*\n{lines}")
    assert list(part.facts["interfaces"]) == ["bond4"]
