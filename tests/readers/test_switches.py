"""Traps of the switches' own words that the golden captures do not show; forms as the vendors' command references print them."""

from typing import Any

import pytest

from advisor.evidence.reading import Part
from advisor.readers.recognise import read


def _part(text: str) -> Part:
    (part,) = read(text.encode()).parts
    return part


def _ports(text: str) -> dict[str, dict[str, Any]]:
    interfaces: dict[str, dict[str, Any]] = _part(text).facts["interfaces"]
    return interfaces


def _problems(part: Part) -> list[tuple[int, str]]:
    return [(problem.line, problem.why) for problem in part.problems]


# --- SONiC ------------------------------------------------------------------------------------------------------


def test_sonic_times_of_pause_are_milliseconds() -> None:
    text = """admin@sonic:~$ show pfc counters --history
     Port    Priority    RX Pause Transitions    Total RX Pause Time MS    Recent RX Pause Time MS    Recent RX Pause Timestamp
---------  ----------  ----------------------  ------------------------  -------------------------  ---------------------------
Ethernet0        PFC3                      12                    12,000                      1,200         01/10/2008, 21:20:00
Ethernet0        PFC4                     N/A                       N/A                        N/A                          N/A
"""
    assert _ports(text)["Ethernet0"]["priorities"] == {
        "3": {"rx_pause_transitions": 12, "rx_pause_us": 12_000_000, "rx_pause_recent_us": 1_200_000}
    }


def test_sonic_names_the_port_of_a_histogram_in_the_command_alone() -> None:
    text = """admin@sonic:~$ show interfaces counters fec-histogram Ethernet8
Symbol Errors Per Codeword      Codewords
----------------------------  -----------
BIN0                              1000000
BIN15                                   0
"""
    assert _ports(text) == {"Ethernet8": {"fec_histogram": {"0": 1000000, "15": 0}}}


def test_sonic_states_of_one_letter_rates_of_bytes_and_a_cut_cell() -> None:
    text = """admin@sonic:~$ show interfaces counters
      IFACE    STATE            RX_OK       RX_BPS    RX_UTIL    RX_ERR    RX_DRP    RX_OVR            TX_OK
-----------  -------  ---------------  -----------  ---------  --------  --------  --------  ---------------
  Ethernet0        X  471,729,839,997  653.87 MB/s     12.77%         0    18,682         0  409,682,385,925
  Ethernet4        U  453,838,006,636     0.00 B/s     12.36%         0     1,6"""
    part = _part(text)
    first, second = part.facts["interfaces"]["Ethernet0"], part.facts["interfaces"]["Ethernet4"]
    assert (first["state"], first["admin_state"], first["rx_discards"]) == ("down", "down", 18682)
    assert "rx_gbps" not in first, "whether MB are 10^6 or 2^20 bytes is not said"
    assert (second["state"], second["rx_gbps"]) == ("active", 0.0)
    assert "rx_discards" not in second
    assert _problems(part) == [(5, "cut")]


def test_sonic_peaks_stand_under_what_the_title_names() -> None:
    text = """admin@sonic:~$ show priority-group watermark headroom
Ingress headroom per PG:
     Port    PG0    PG3
---------  -----  -----
Ethernet0    100    101
"""
    assert _ports(text)["Ethernet0"] == {"priority_groups": {"0": {"headroom_peak_bytes": 100}, "3": {"headroom_peak_bytes": 101}}}


def test_sonic_counters_as_json_keep_what_is_whole() -> None:
    text = """{
  "Ethernet0": {
    "RX_DRP": "1,003",
    "RX_OK": "8",
    "STATE": "U"
  },
  "Ethernet4": {
    "RX_OK": "9",
    "TX_OK": "1"""
    part = _part(text)
    assert part.facts["interfaces"] == {
        "Ethernet0": {"rx_discards": 1003, "rx_packets": 8, "state": "active"},
        "Ethernet4": {"rx_packets": 9},
    }
    assert _problems(part) == [(9, "cut")]


# --- Arista EOS -------------------------------------------------------------------------------------------------


def test_eos_names_may_hold_the_words_of_a_status() -> None:
    text = """leaf1#show interfaces status
Port       Name                        Status       Vlan     Duplex Speed  Type            Flags Encapsulation
Et1                                    connected    in Po1   full   10G    10GBASE-CR
Et2        is connected to foo         notconnect   1        auto   auto   Not Present
Et3/1      x                           disabled     trunk    full   100G   100GBASE-CR4
"""
    ports = _ports(text)
    assert {name: (port["state"], port.get("admin_state"), port.get("rate_gbps")) for name, port in ports.items()} == {
        "Et1": ("active", None, 10),
        "Et2": ("down", None, None),
        "Et3/1": ("down", "down", 100),
    }


def test_eos_priorities_of_pfc_and_a_filtered_table_of_queues() -> None:
    text = """leaf1#show priority-flow-control
E: PFC Enabled, D: PFC Disabled, A: PFC Active, W: PFC Watchdog Active
Port     Status  Priorities  Action       Timeout  Recovery           Polling         Note
                                                   Interval/Mode      Config/Oper
--------------------------------------------------------------------------------
Et1/1    E A W   3 4         -            -        - / -              - / -           DCBX disabled
Et2/1    D                   -            -        - / -              - / -           DCBX disabled
"""
    assert _ports(text) == {
        "Et1/1": {"pfc_admin": "on", "pfc_active": True, "pfc_priorities": [3, 4]},
        "Et2/1": {"pfc_admin": "off", "pfc_active": False},
    }
    text = """leaf1#show interfaces counters queue detail | grep TC1
Et3/1/1                TC1      DP0-3         UC             67521           7523778                 5                99
"""
    assert read(text.encode()).refused or _part(text).facts.get("filtered") is True


def test_eos_counters_that_are_cut_and_their_age() -> None:
    text = """leaf1#show interfaces
Ethernet49 is up, line protocol is up (connected)
  Ethernet MTU 9214 bytes, BW 10000000 kbit
  Full-duplex, 10Gb/s, auto negotiation: off, uni-link: n/a
  Last clearing of "show interface" counters 1 day, 0:27:02 ago
  5 minutes input rate 7.39 kbps (0.0% with framing overhead), 6 packets/sec
     7084 packets input, 1015083 bytes
     0 late collision, 0 deferred, 3 output discards
     12 PAUSE inp"""
    part = _part(text)
    port = part.facts["interfaces"]["Ethernet49"]
    assert (port["counters_age_s"], port["rx_gbps"], port["tx_discards"]) == (88022, 7.39e-06, 3)
    assert "rx_pause" not in port
    assert _problems(part) == [(9, "cut")]


# --- Cisco NX-OS ------------------------------------------------------------------------------------------------


def test_nxos_lanes_are_a_bitmap_in_hexadecimal() -> None:
    text = """leaf1# show interface priority-flow-control
============================================================
Port               Mode Oper(VL bmap)  RxPPP      TxPPP
============================================================

Ethernet1/1        Auto On  (88)       5          6
Ethernet1/3        OFF      Off        0          0
"""
    assert _ports(text)["Ethernet1/1"] == {"pfc_admin": "auto", "pfc_active": True, "pfc_priorities": [3, 7], "rx_pfc": 5, "tx_pfc": 6}
    assert _ports(text)["Ethernet1/3"]["pfc_active"] is False


def test_nxos_ports_that_are_off_and_pause_under_its_direction() -> None:
    text = """leaf1# show interface
Ethernet1/1 is up
admin state is up, Dedicated Interface
  Input flow-control is off, output flow-control is on
    30 seconds input rate 2208 bits/sec, 2 packets/sec
  RX
    9675855 input packets  805263482 bytes
    0 input with dribble  7 input discard
    8 Rx pause
  TX
    221485 output packets  48727720 bytes
    0 lost carrier  0 no carrier  0 babble  10 output discard
    11 Tx pause
Ethernet1/2 is down (Administratively down)
"""
    up, off = _ports(text)["Ethernet1/1"], _ports(text)["Ethernet1/2"]
    assert (up["rx_pause"], up["tx_pause"], up["rx_discards"], up["tx_discards"]) == (8, 11, 7, 10)
    assert (up["rx_flow_control"], up["tx_flow_control"]) == (False, True)
    assert off == {"state": "down", "admin_state": "down"}


def test_nxos_long_names_of_neighbours_stand_on_a_line_of_their_own() -> None:
    text = """leaf1# show lldp neighbors
Capability codes:
  (R) Router, (B) Bridge, (T) Telephone, (C) DOCSIS Cable Device
Device ID            Local Intf      Hold-time  Capability  Port ID
spine-very-long-name.example.com
                     Eth1/49         120        BR          Ethernet1/1
n2                   Eth1/50         120                    e4a7.a0b1.0001
Total entries displayed: 2
"""
    assert _ports(text) == {
        "Eth1/49": {"peer_device": "spine-very-long-name.example.com", "peer_port": "Ethernet1/1"},
        "Eth1/50": {"peer_device": "n2", "peer_port": "e4a7.a0b1.0001"},
    }


def test_nxos_watchdog_stands_under_the_priority_of_its_group() -> None:
    text = """leaf1# show queuing pfc-queue interface e1/23 detail
Ethernet1/23 Interface PFC watchdog: [Enabled]
+----------------------------------------------------+
| QOS GROUP 2 [Shutdown] PFC [YES] PFC-COS [3]
+----------------------------------------------------+
|                               |  Stats             |
+----------------------------------------------------+
|                       Shutdown|                   1|
|                       Restored|                   2|
|             Total pkts dropped|                   4|
+----------------------------------------------------+
"""
    assert _ports(text)["Ethernet1/23"]["priorities"]["3"] == {
        "pfcwd_status": "shutdown",
        "pfcwd_detected": 1,
        "pfcwd_restored": 2,
        "pfcwd_tx_discards": 4,
    }


# --- Cumulus ----------------------------------------------------------------------------------------------------


def test_nvue_gives_classes_by_priority_and_sizes_only_where_they_are_whole() -> None:
    text = """cumulus@switch:mgmt:~$ nv show interface swp16 qos roce status
                    operational    applied  description
------------------  -------------  -------  ---------------------------------------------------
pfc
  pfc-priority      3                       switch-prio on which PFC is enabled
mode                lossless                Roce Mode

RoCE PCP/DSCP->SP mapping configurations
===========================================
          pcp  dscp  switch-prio
    ----  ---  ----  -----------
    cnp   6    48    6
    roce  3    26    3

RoCE Pool Status
===================
        name                   mode     pool-id  switch-priorities  traffic-class  size      current-usage  max-usage
    --  ---------------------  -------  -------  -----------------  -------------  --------  -------------  ---------
    0   lossy-default-ingress  DYNAMIC  2        0,1,2,4,5,6,7      -              15.16 MB  0 Bytes        16.00 MB
    1   roce-reserved-ingress  DYNAMIC  3        3                  -              15.16 MB  7.30 MB        144 Bytes
"""
    facts = _part(text).facts
    assert facts["interfaces"] == {"swp16": {"pfc_priorities": [3]}}
    assert facts["roce_classes"] == {"cnp": {"pcp": 6, "dscp": 48, "priority": 6}, "roce": {"pcp": 3, "dscp": 26, "priority": 3}}
    assert facts["buffer_pools"]["roce-reserved-ingress"] == {"priorities": [3], "peak_bytes": 144}
    assert "peak_bytes" not in facts["buffer_pools"]["lossy-default-ingress"], "16.00 MB is rounded"


def test_nvue_marks_changed_lines_and_takes_what_is_in_force() -> None:
    text = """cumulus@switch:mgmt:~$ nv show interface
Interface  State  Speed  MTU    Type      Remote Host      Remote Port  Summary
---------  -----  -----  -----  --------  ---------------  -----------  -----------------------------
+ swp1     up     100G   9216   swp       leaf01           swp49
swp2       down          9216   swp
"""
    assert _ports(text) == {
        "swp1": {"state": "active", "rate_gbps": 100, "mtu_bytes": 9216, "peer_device": "leaf01", "peer_port": "swp49"},
        "swp2": {"state": "down", "mtu_bytes": 9216},
    }


# --- Huawei, H3C, Juniper, Ruijie -------------------------------------------------------------------------------


def test_huawei_star_down_is_the_operators_and_rates_are_mbits() -> None:
    text = """<HUAWEI> display interface brief
PHY: Physical
*down: administratively down
InUti/OutUti: input utility/output utility
Interface                   PHY   Protocol  InUti OutUti   inErrors  outErrors
10GE1/0/1                   up    up        0.01%  0.02%          0          3
10GE1/0/2                   *down down         0%     0%          0          0
"""
    ports = _ports(text)
    assert (ports["10GE1/0/1"]["rx_util_percent"], ports["10GE1/0/1"]["tx_errors"]) == (0.01, 3)
    assert (ports["10GE1/0/2"]["state"], ports["10GE1/0/2"]["admin_state"]) == ("down", "down")
    text = """<HUAWEI> display interface 100GE1/0/1
100GE1/0/1 current state : UP (ifindex: 10)
Speed:                         100000, Loopback:                   NONE
"""
    assert _ports(text)["100GE1/0/1"]["rate_gbps"] == 100


def test_huawei_packets_and_bytes_of_a_port_stand_on_two_lines() -> None:
    text = """<HUAWEI> display qos buffer ingress-statistics interface 100GE1/0/1
Interface                   Dropped        Drop Rate   Drop Time
                     (Packets/Bytes)        (pps/bps)
----------------------------------------------------------------
100GE1/0/1                         9                0          -
                                 999                0
----------------------------------------------------------------
"""
    assert _ports(text) == {"100GE1/0/1": {"rx_discards": 9, "rx_discard_bytes": 999}}


def test_huawei_thresholds_in_bytes_and_alpha_are_given_and_kilobytes_are_not() -> None:
    text = """<HUAWEI> display dcb pfc buffer
Xon:        PFC backpressure stop threshold
B:bytes   K:kilobytes   D:dynamic alpha
------------------------------------------------------------------------------------
Interface      Queue    Guaranteed     Xon-Lowest  Xon-Offset       Xoff        Hdrm
------------------------------------------------------------------------------------
100GE1/0/1         3       1600(B)         640(B)        6(K)       5(D)       40(K)
                   4       1600(B)         640(B)        6(K)       4(K)       40(K)
------------------------------------------------------------------------------------
"""
    assert _ports(text)["100GE1/0/1"]["priorities"] == {
        "3": {"pfc_guaranteed_bytes": 1600, "pfc_xon_bytes": 640, "pfc_xoff_alpha": 5},
        "4": {"pfc_guaranteed_bytes": 1600, "pfc_xon_bytes": 640},
    }


def test_comware_priorities_go_on_below_their_port_and_names_wrap_inside_words() -> None:
    text = """<H3C>display priority-flow-control interface
Interface                        AdminMode  OperMode  Dot1pList   Prio  Recv       Send       Inpps      Outpps
---------------------------------------------------------------------------------------------------------------
HGE1/0/1                         Auto       Enabled   3,5         3     10         20         3          3
                                                                  5     1          2          0          0
HGE1/0/2                         Disabled   Disabled
"""
    ports = _ports(text)
    assert ports["HGE1/0/1"]["priorities"] == {"3": {"rx_pause": 10, "tx_pause": 20}, "5": {"rx_pause": 1, "tx_pause": 2}}
    assert ports["HGE1/0/2"] == {"pfc_admin": "off", "pfc_active": False}
    text = """<H3C>display lldp neighbor-information list
System Name          Local Interface Chassis ID      Port ID
SEP0000000000A0.exam GE1/0/24        10.1.2.3        AABBCCDDEEFF:P1
ple.com
-                    GE2/0/45        SEP0000000000A0 Port 1
"""
    assert _ports(text) == {
        "GE1/0/24": {"peer_device": "SEP0000000000A0.example.com", "peer_port": "AABBCCDDEEFF:P1"},
        "GE2/0/45": {"peer_port": "Port 1"},
    }


def test_comware_dashes_are_unknown_and_rates_are_bytes() -> None:
    text = """<H3C>display interface GigabitEthernet 1/0/2
 GigabitEthernet1/0/2 current state: UP
 1000Mbps-speed mode, full-duplex mode
 Last 300 seconds input:  10 packets/sec 1250 bytes/sec    0%
 Input (normal):  5 packets, - bytes
         0 unicasts, 0 broadcasts, 0 multicasts, - pauses
 Input:  0 input errors, 0 runts, 0 giants, - throttles
         3 CRC, - frame, 0 overruns, - aborts
"""
    port = _ports(text)["GigabitEthernet1/0/2"]
    assert (port["rate_gbps"], port["rx_gbps"], port["crc_errors"]) == (1, 1e-05, 3)
    assert not {"rx_bytes", "rx_pause"} & set(port)


def test_junos_parts_of_a_port_do_not_speak_for_it() -> None:
    text = """admin@leaf1> show interfaces et-0/0/24 extensive
Physical interface: et-0/0/24, Enabled, Physical link is Up
  Link-level type: Ethernet, MTU: 9216, LAN-PHY mode, Speed: 40Gbps, BPDU Error: None, Flow control: Disabled, Media type: Fiber
  Traffic statistics:
   Input  bytes  :            917594392                 1024 bps
   Output packets:          29695303198                 4170 pps
   IPv6 transit statistics:
   Input  bytes  :                    0
   Output packets:                    0
  Egress queues: 8 supported, 4 in use
  Queue counters:       Queued packets  Transmitted packets      Dropped packets
    3                                9                    8                    7
  MAC statistics:                      Receive         Transmit
    MAC pause frames                         11                12
  MAC Priority Flow Control Statistics:
    Priority :  3                            13                14
  Logical interface et-0/0/24.0 (Index 1) (SNMP ifIndex 2)
    Traffic statistics:
     Input  bytes  :            5
"""
    ports = _ports(text)
    assert list(ports) == ["et-0/0/24"]
    port = ports["et-0/0/24"]
    assert (port["rx_bytes"], port["tx_packets"], port["rx_gbps"], port["rate_gbps"]) == (917594392, 29695303198, 1.024e-06, 40)
    assert (port["rx_pause"], port["tx_pause"]) == (11, 12)
    assert port["priorities"] == {"3": {"rx_pause": 13, "tx_pause": 14}}
    assert port["queues"] == {"3": {"tx_packets": 8, "tx_discards": 7}}


def test_ruijie_ports_have_a_blank_in_their_name() -> None:
    text = """Ruijie#show interfaces gigabitEthernet 0/1
Index(dec):1 (hex):1
GigabitEthernet 0/1 is UP  , line protocol is UP
  MTU 1500 bytes, BW 1000000 Kbit
    admin speed is AUTO, oper speed is 1000M
    flow control admin status is OFF,flow control oper status is OFF
     362 packets input, 87760 bytes, 0 no buffer, 5 dropped
     363 packets output, 82260 bytes, 0 underruns , 6 dropped
"""
    part = _part(text)
    port = part.facts["interfaces"]["GigabitEthernet 0/1"]
    assert part.tool == "ruijie"
    assert (port["state"], port["rate_gbps"], port["rx_discards"], port["tx_discards"]) == ("active", 1, 5, 6)


@pytest.mark.parametrize(
    ("prompt", "command", "error", "tool"),
    [
        ("leaf1#", "show interfaces priority-flow-control", "% Invalid input", "arista-eos"),
        ("<HUAWEI> ", "display dcb pfc interface 100ge 1/0/1", "Error: Unrecognized command found at '^' position.", "huawei-ce"),
        ("<H3C>", "display priority-flow-control foo", " % Unrecognized command found at '^' position.", "h3c-comware"),
        ("cumulus@sw:~$ ", "nv show interface swp99", "Error: The requested item does not exist.", "cumulus-nvue"),
    ],
)
def test_a_command_that_the_switch_refuses_says_nothing(prompt: str, command: str, error: str, tool: str) -> None:
    reading = read(f"{prompt}{command}\n{error}\n".encode())
    assert [(part.facts, _problems(part)) for part in reading.parts] in ([({}, [(2, "tool-error")])], [])
    assert all(part.tool == tool for part in reading.parts)
