"""Forms of the switches' output that the golden captures do not show: other commands, other versions, names that repeat."""

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


# --- neighbours -------------------------------------------------------------------------------------------------


def test_eos_the_port_of_an_aggregation_is_not_the_neighbours() -> None:
    text = """leaf-a1#show lldp neighbors detail
Interface Ethernet1/1 detected 2 LLDP neighbors:

  Neighbor 2cc2.6081.0001/"Ethernet3/1", age 12 seconds
  - Port ID type: Interface name (5)
    Port ID     : "Ethernet3/1"
  - System Name: "spine2.example.com"
  - IEEE802.1/IEEE802.3 Link Aggregation
    Link Aggregation Status: Capable, Disabled (0x01)
    Port ID                : 0

  Neighbor 2cc2.6081.0002/Management1, age 29 seconds
    - Port ID type: Interface name (5)
      Port ID     : "Management1"
    - System Name: "behind-a-hub"

Interface Ethernet2/1 detected 0 LLDP neighbors:
"""
    assert _ports(text) == {"Ethernet1/1": {"peer_device": "spine2.example.com", "peer_port": "Ethernet3/1"}, "Ethernet2/1": {}}


def test_huawei_neighbours_in_full_and_a_port_with_a_blank() -> None:
    full = """<LEAF>display lldp neighbor
100GE1/0/1 has 1 neighbor(s):

Neighbor index                     :1
Port ID                            :ens1f0np0
System name                        :gpu-node-07
System description                 :Linux
Software: 5.15

100GE1/0/2 has 0 neighbor(s)

400GE1/0/49:1 has 1 neighbors:

Neighbor index                     :1
Port ID                            :400GE1/0/7
System name                        :--
"""
    assert _ports(full) == {
        "100GE1/0/1": {"peer_device": "gpu-node-07", "peer_port": "ens1f0np0"},
        "400GE1/0/49:1": {"peer_port": "400GE1/0/7"},
    }
    brief = """<LEAF>display lldp neighbor brief
Local Interface         Exptime(s) Neighbor Interface            Neighbor Device
-------------------------------------------------------------------------------
MEth0/0/0                     119  GigabitEthernet 1/0/42        OOB
"""
    assert _ports(brief) == {"MEth0/0/0": {"peer_device": "OOB", "peer_port": "GigabitEthernet 1/0/42"}}


def test_comware_neighbours_in_full() -> None:
    text = """LLDP neighbor-information of port 2[HundredGigE1/0/2]:
LLDP agent nearest-bridge:
 LLDP neighbor index : 1
 Port ID type        : Interface name
 Port ID             : ens1f0
 Port description    : To_CORE : 1
 System name         : gpu01
 System description  : H3C Comware software.
                       Copyright (c) 2004
 Aggregation port ID : 71
"""
    assert _ports(text) == {"HundredGigE1/0/2": {"peer_device": "gpu01", "peer_port": "ens1f0"}}


# --- states -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "ports"),
    [
        pytest.param(
            """leaf#show interfaces description
Interface                      Status         Protocol           Description
Et1/1                          admin down     down               up and spare
Et5.100                        down           lowerlayerdown
Po100                          up             up                 peer link
""",
            {"Et1/1": {"state": "down", "admin_state": "down"}, "Et5.100": {"state": "down"}, "Po100": {"state": "active"}},
            id="eos",
        ),
        pytest.param(
            """<HUAWEI>display interface description
PHY: Physical
-down: link flap down
Interface                     PHY     Protocol Description
100GE1/0/1                    up      up       gpu node - 1
100GE1/0/2                    *down   down
NULL0                         up      up(s)
""",
            {"100GE1/0/1": {"state": "active"}, "100GE1/0/2": {"state": "down", "admin_state": "down"}, "NULL0": {"state": "active"}},
            id="huawei",
        ),
        pytest.param(
            """Brief information on interfaces in route mode:
Link: ADM - administratively down; Stby - standby
Interface            Link Protocol Primary IP        Description
InLoop0              UP   UP(s)    --
REG0                 UP   --       --
Vlan1                ADM  DOWN     --                ### LAN ###
""",
            {"InLoop0": {"state": "active"}, "REG0": {"state": "active"}, "Vlan1": {"state": "down", "admin_state": "down"}},
            id="comware",
        ),
        pytest.param(
            """admin@leaf1> show interfaces terse | match et-
et-0/0/0                up    up
et-0/0/0.0              up    up   inet     10.0.0.1/31
et-0/0/1:0              up    down
""",
            {"et-0/0/0": {"state": "active", "admin_state": "up"}, "et-0/0/1:0": {"state": "down", "admin_state": "up"}},
            id="junos-without-header",
        ),
    ],
)
def test_states_of_short_tables(text: str, ports: dict[str, Any]) -> None:
    assert _ports(text) == ports


def test_cumulus_states_of_net_show_and_of_json() -> None:
    text = """cumulus@leaf01:~$ net show interface
State  Name  Spd   MTU   Mode           LLDP
-----  ----  ----  ----  -------------  -----------
ADMDN  swp2  N/A   9216  NotConfigured
DN     swp3  100G  9216  Trunk/L2       spine (swp1)
"""
    assert _ports(text) == {
        "swp2": {"state": "down", "admin_state": "down", "mtu_bytes": 9216},
        "swp3": {"state": "down", "rate_gbps": 100, "mtu_bytes": 9216, "peer_device": "spine", "peer_port": "swp1"},
    }
    json = '{"swp1": {"link": {"state": {"up": {}}, "speed": "200G", "auto-negotiate": "on"}}, "swp2": {"link": {"state": {"down": {}}}}}\n'
    assert _ports(json) == {"swp1": {"state": "active", "rate_gbps": 200, "auto_negotiation": True}, "swp2": {"state": "down"}}


# --- PFC and counters -------------------------------------------------------------------------------------------


def test_eos_priorities_of_older_versions_stand_without_blanks() -> None:
    text = """Leaf-1# show priority-flow-control
Port       Enabled  Priorities  Active  Note
---------  -------  ----------  ------  -------------
Ethernet1  Yes      34          Yes     DCBX disabled
Ethernet2  No                   No
"""
    assert _ports(text) == {
        "Ethernet1": {"pfc_admin": "on", "pfc_active": True, "pfc_priorities": [3, 4]},
        "Ethernet2": {"pfc_admin": "off", "pfc_active": False},
    }


def test_nxos_pfc_in_detail_is_not_another_vendors_for_its_command() -> None:
    text = """leaf# show interface ethernet 1/1 priority-flow-control detail

Ethernet1/1
    Admin Mode: Auto
    Oper Mode: On
    VL bitmap: (8)
    Total Rx PFC Frames: 991
    Total Tx PFC Frames: 12
        |  Priority0  |  Priority3  |
    Rx  |0            |991          |
    Tx  |0            |12           |
"""
    part = _part(text)
    assert part.tool == "cisco-nxos"
    assert part.facts["interfaces"]["Ethernet1/1"] == {
        "pfc_admin": "auto",
        "pfc_active": True,
        "pfc_priorities": [3],
        "rx_pfc": 991,
        "tx_pfc": 12,
        "priorities": {"0": {"rx_pause": 0, "tx_pause": 0}, "3": {"rx_pause": 991, "tx_pause": 12}},
    }


def test_comware_more_than_one_row_of_a_port() -> None:
    text = """<H3C>display priority-flow-control interface
Conf -- Configured mode   Ne -- Negotiated mode   P -- Priority
Interface       Conf Ne   Dot1pList       P Recv       Send       Inpps      Outpps
HGE1/0/1        Auto Off  3,5             0 0          0          0          0
                                          3 178        43         1          2
                                          5 0          9          0          0
WGE1/0/2        On   On   3               3 99999999   12         0          0
"""
    ports = _ports(text)
    assert {n: (row["rx_pause"], row["tx_pause"]) for n, row in ports["HGE1/0/1"]["priorities"].items()} == {
        "0": (0, 0),
        "3": (178, 43),
        "5": (0, 9),
    }
    assert ports["WGE1/0/2"]["pfc_priorities"] == [3]


def test_junos_fec_mode_is_no_heading() -> None:
    text = """Physical interface: et-0/0/0:0, Enabled, Physical link is Up
  Link-level type: Ethernet, MTU: 9216, Speed: 400Gbps
  Ethernet FEC Mode  :                  FEC119
    FEC Codeword size                     544
  Ethernet FEC statistics              Errors
    FEC Corrected Errors                   45
    FEC Corrected Errors Rate               1
"""
    port = _ports(text)["et-0/0/0:0"]
    assert (port["fec"], port["fec_corrected"]) == ("rs", 45)


def test_huawei_bytes_may_stand_before_packets_and_the_frame_length_is_no_mtu() -> None:
    text = """400GE1/0/1 current state : UP (ifindex: 21)
Line protocol current state : UP
Switch Port, PVID :    1, The Maximum Frame Length is 9216
Speed:                 400000, Loopback:              NONE
Mdi:                   -,      Fec:                   RS(544,514)
    Input : 1200 bytes, 12 packets
    Output: 70 bytes, 1 packets
LoopBack1 current state : UP
Route Port,The MTU is 1500
    Input: 3 packets,99 bytes
           3 unicast,0 broadcast,0 multicast
           2 errors,0 unknownprotocol
"""
    ports = _ports(text)
    assert ports["400GE1/0/1"] == {
        "state": "active",
        "rate_gbps": 400,
        "fec": "rs",
        "rx_bytes": 1200,
        "rx_packets": 12,
        "tx_bytes": 70,
        "tx_packets": 1,
    }
    assert ports["LoopBack1"] == {"state": "active", "mtu_bytes": 1500, "rx_packets": 3, "rx_bytes": 99, "rx_errors": 2}


def test_sonic_what_is_not_available_is_no_damage_and_names_of_a_chassis() -> None:
    text = """admin@sonic:~$ show pfcwd stats
        QUEUE       STATUS    STORM DETECTED/RESTORED    TX OK/DROP    RX OK/DROP    TX LAST OK/DROP    RX LAST OK/DROP
-------------  -----------  -------------------------  ------------  ------------  -----------------  -----------------
Ethernet112:4  operational                        N/A           N/A           N/A                N/A                N/A
"""
    assert _ports(text) == {"Ethernet112": {"priorities": {"4": {"pfcwd_status": "operational"}}}}
    chassis = """                     Port    Voq    Counter/pkts    Counter/bytes    Drop/pkts    Drop/bytes    Credit-WD-Del/pkts
-------------------------  -----  --------------  ---------------  -----------  ------------  --------------------
testsw|Asic0|Ethernet0      VOQ0              60              120            1             2                     0
"""
    queue = {"tx_packets": 60, "tx_bytes": 120, "tx_discards": 1, "tx_discard_bytes": 2}
    assert _ports(chassis) == {"testsw|Asic0|Ethernet0": {"queues": {"VOQ0": queue}}}


def test_sonic_bins_with_a_colon() -> None:
    text = """admin@sonic:~$ show interfaces counters fec-histogram Ethernet0
Symbol Errors Per Codeword  Codewords
--------------------------  ---------
BIN0:                       1000000
BIN15:                      0
"""
    assert _ports(text) == {"Ethernet0": {"fec_histogram": {"0": 1000000, "15": 0}}}


# --- Cumulus: counters both ways --------------------------------------------------------------------------------


def test_cumulus_totals_are_the_ports_and_the_rest_is_raw() -> None:
    text = """cumulus@leaf01$ nv show interface swp1 counters
                     operational  applied
-------------------  -----------  -------
carrier-transitions  4
in-pkts              29025
in-bytes             3.37 MB

Drop Counters
================
    Counter          Receive  Transmit
    ---------------  -------  --------
    Buffer Drops     12       n/a
    Total Drops      13       7

Error Counters
=================
    Counter           Receive  Transmit
    ----------------  -------  --------
    FCS Errors        3        n/a
    Total Errors      5        0
"""
    assert _ports(text)["swp1"] == {
        "rx_packets": 29025,
        "rx_discards": 13,
        "tx_discards": 7,
        "crc_errors": 3,
        "rx_errors": 5,
        "tx_errors": 0,
        "counters": {"rx_Buffer Drops": 12},
    }


def test_cumulus_trimmed_packets_by_class_and_interfaces_of_any_name() -> None:
    trimmed = """cumulus@switch:~$ nv show interface swp1 counters packet-trim
Traffic Class  Trim Eligible Packets
-------------  ---------------------
1              1000
3              N/A
"""
    assert _ports(trimmed)["swp1"]["queues"] == {"1": {"trimmed": 1000}}
    vrf = """cumulus@leaf01$ nv show interface --view counters
Interface  MTU    RX_OK  RX_ERR  RX_DRP  TX_OK
---------  -----  -----  ------  ------  -----
BLUE       65575  1      0       0       9
"""
    assert list(_ports(vrf)) == ["BLUE"]


# --- Arista: JSON and PHY ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "ports"),
    [
        (
            '{"interfaceStatuses": {"Ethernet1/1": {"bandwidth": 400000000000, "duplex": "duplexFull", "linkStatus": "connected"},'
            ' "Ethernet2/1": {"bandwidth": 0, "linkStatus": "disabled"}}}',
            {
                "Ethernet1/1": {"state": "active", "rate_gbps": 400, "duplex": "full"},
                "Ethernet2/1": {"state": "down", "admin_state": "down"},
            },
        ),
        (
            '{"tablesInserts": 2, "lldpNeighbors": [{"port": "Ethernet1/1", "neighborDevice": "spine1", "neighborPort": "Ethernet3/1"}]}',
            {"Ethernet1/1": {"peer_device": "spine1", "peer_port": "Ethernet3/1"}},
        ),
        ('{"interfaceCounters": {"Ethernet1/1": {"rxFrames": 1234, "txFrames": 99}}}', {"Ethernet1/1": {"rx_pfc": 1234, "tx_pfc": 99}}),
    ],
)
def test_eos_tables_as_json(text: str, ports: dict[str, Any]) -> None:
    assert _ports(text + "\n") == ports


def test_eos_phy_of_one_port() -> None:
    text = """leaf#show interfaces ethernet 1/1 phy detail
Ethernet1/1
  Current System Time: Tue Mar  5 10:11:12 2024
                                 Current State     Changes            Last Change
  PHY state                      linkUp                 14            2 days, 3:04:05 ago
  Forward Error Correction       Reed-Solomon
  FEC corrected codewords        1234567               200            0:00:05 ago
  Pre-FEC bit error rate         1.02e-08
"""
    assert _ports(text) == {"Ethernet1/1": {"fec": "rs", "fec_corrected": 1234567, "raw_ber": 1.02e-8}}
