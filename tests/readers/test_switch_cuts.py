"""Switches' output that ends in the middle of a line: no cell gets another one's words, and nothing is an accident."""

from typing import Any

import pytest

from advisor.evidence.reading import Part
from advisor.readers.recognise import read


def _part(text: str) -> Part:
    (part,) = read(text.encode()).parts
    return part


def _ports(text: str) -> dict[str, dict[str, Any]]:
    part = _part(text)
    assert part.problems == ()
    interfaces: dict[str, dict[str, Any]] = part.facts["interfaces"]
    return interfaces


@pytest.mark.parametrize("end", ["Input flow-control is off, ", "Input flow-control is off, output", "Input flow-control is "])
def test_nxos_flow_control_that_is_cut_is_no_accident(end: str) -> None:
    text = f"Ethernet1/1 is up\nadmin state is up, Dedicated Interface\n  MTU 9216 bytes, BW 25000000 Kbit\n  {end}"
    assert _part(text).facts["interfaces"]["Ethernet1/1"]["mtu_bytes"] == 9216


def test_nxos_capabilities_are_no_port() -> None:
    text = """Device ID            Local Intf      Hold-time  Capability  Port ID
spine2               Eth1/50         120        BR          Ethernet1/3/1
sw-mgmt              mgmt0           120        B           GigabitEth"""
    assert _part(text).facts["interfaces"]["mgmt0"] == {"peer_device": "sw-mgmt"}


def test_sonic_a_row_that_is_cut_goes_by_the_order_of_its_cells() -> None:
    text = """    IFACE    STATE    RX_OK      RX_BPS      RX_PPS    RX_UTIL    RX_ERR    RX_DRP
---------  -------  -------  ----------  ----------  ---------  --------  --------
Ethernet0        U      100  55.00 MB/s  12345250000.00/s          1.10%         7         5"""
    port = _part(text).facts["interfaces"]["Ethernet0"]
    assert (port["rx_util_percent"], port["rx_errors"], port.get("rx_discards")) == (1.1, 7, None)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (
            "Local Interface         Exptime(s) Neighbor Interface            Neighbor Device\n"
            "MEth0/0/0                     119  GigabitEthernet 1/0/42        OO",
            "MEth0/0/0",
        ),
        (
            "Local Interface    Parent Interface    Chassis Id          Port info          System Name\n"
            "xe-0/0/5           -                   00:1c:73:ee:c0:46   Ethernet 3/29/4    core 0",
            "xe-0/0/5",
        ),
        (
            "Port   VRF          Status IP Address                              Speed    MTU\n"
            "mgmt0  --           up     10.1.1.2                                1000     150",
            "mgmt0",
        ),
    ],
)
def test_a_cut_row_gives_no_cell_another_ones_words(text: str, name: str) -> None:
    for part in read(text.encode()).parts:
        assert not part.facts.get("interfaces", {}).get(name)
