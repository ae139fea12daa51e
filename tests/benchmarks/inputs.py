"""Captures made up from a seed, in the form and with the proportions of real ones."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

SEED = 20261130
_PRIORITIES = range(8)
_ANSWER_START = 1_796_000_000
_ANSWER_STEP = 15


def ethtool_files(count: int, counters: int = 1200) -> list[str]:
    """`ethtool -S` of cards of one driver and release: the same names in the same order, other values."""
    rng = random.Random(SEED)
    names = _mlx5_names(counters)
    return ["NIC statistics:\n" + "".join(f"     {name}: {_counter(rng)}\n" for name in names) for _ in range(count)]


def _mlx5_names(counters: int) -> list[str]:
    names = [f"{side}_{what}" for what in ("packets", "bytes", "csum_complete", "csum_none", "xdp_drop") for side in ("rx", "tx")]
    names += ["rx_out_of_buffer", "rx_discards_phy", "tx_discards_phy", "rx_packets_phy", "tx_packets_phy", "rx_bytes_phy", "tx_bytes_phy"]
    names += ["rx_pause_ctrl_phy", "tx_pause_ctrl_phy", "rx_symbol_err_phy", "rx_corrected_bits_phy", "rx_pcs_symbol_err_phy"]
    for side in ("rx", "tx"):
        for n in _PRIORITIES:
            names += [f"{side}_prio{n}_{what}" for what in ("bytes", "packets", "pause", "pause_duration")]
    names += [f"rx_prio{n}_{what}" for n in _PRIORITIES for what in ("discards", "buf_discard", "cong_discard")]
    words = ("packets", "bytes", "csum_complete", "csum_unnecessary", "xdp_drop", "wqe_err", "cache_reuse", "cache_full", "buff_alloc_err")
    ring = 0
    while len(names) < counters:
        names += [f"rx{ring}_{word}" for word in words] + [f"tx{ring}_{word}" for word in words[:5]]
        ring += 1
    return names[:counters]


def _counter(rng: random.Random) -> int:
    """Zero as often as not, else anything up to 10^15."""
    return 0 if rng.random() < 0.45 else rng.randrange(10 ** rng.randint(1, 15))


def switches(count: int, ports: int = 64) -> list[str]:
    """`show interfaces` of Arista EOS."""
    rng = random.Random(SEED + 1)
    return ["".join(_port(rng, f"Ethernet{port}/1") for port in range(1, ports + 1)) for _ in range(count)]


def _port(rng: random.Random, name: str) -> str:
    mac = f"{rng.randrange(65536):04x}.{rng.randrange(65536):04x}.{rng.randrange(65536):04x}"
    up = rng.random() < 0.9
    n = [_counter(rng) for _ in range(20)]
    return f"""{name} is {"up" if up else "down"}, line protocol is {"up (connected)" if up else "down (notconnect)"}
  Hardware is Ethernet, address is {mac} (bia {mac})
  Description: to gpu-r{rng.randrange(40):02}-n{rng.randrange(16):02} rail {rng.randrange(8)}
  Ethernet MTU 9214 bytes, BW 400000000 kbit
  Full-duplex, 400Gb/s, auto negotiation: off, uni-link: n/a
  Up {rng.randrange(1, 90)} days, 3 hours, 14 minutes, {rng.randrange(60)} seconds
  Loopback Mode : None
  {rng.randrange(9)} link status changes since last clear
  Last clearing of "show interface" counters {rng.randrange(1, 60)} days, {rng.randrange(10, 24)}:05:09 ago
  5 minutes input rate {rng.randrange(1, 399)}.{rng.randrange(10)} Gbps ({rng.randrange(100)}.1% with framing overhead), {n[0]} packets/sec
  5 minutes output rate {rng.randrange(1, 399)}.{rng.randrange(10)} Gbps ({rng.randrange(100)}.2% with framing overhead), {n[1]} packets/sec
     {n[2]} packets input, {n[3]} bytes
     Received {n[4]} broadcasts, {n[5]} multicast
     {n[6]} runts, {n[7]} giants
     {n[8]} input errors, {n[9]} CRC, 0 alignment, {n[10]} symbol, {n[11]} input discards
     {n[12]} PAUSE input
     {n[13]} packets output, {n[14]} bytes
     Sent {n[15]} broadcasts, {n[16]} multicast
     {n[17]} output errors, 0 collisions
     0 late collision, 0 deferred, {n[18]} output discards
     {n[19]} PAUSE output
"""


_IB_WORDS = (
    "port_data_received_bytes_total",
    "port_data_transmitted_bytes_total",
    "port_packets_received_total",
    "port_packets_transmitted_total",
    "port_transmit_wait_total",
    "link_downed_total",
    "symbol_error_total",
    "port_errors_received_total",
    "rate_bytes_per_second",
    "state_id",
)
_NETWORK_WORDS = (
    "receive_bytes_total",
    "transmit_bytes_total",
    "receive_packets_total",
    "transmit_packets_total",
    "receive_drop_total",
    "transmit_drop_total",
    "receive_errs_total",
    "transmit_errs_total",
    "mtu_bytes",
    "up",
)
_SNMP_WORDS = (
    "ifHCInOctets",
    "ifHCOutOctets",
    "ifHCInUcastPkts",
    "ifHCOutUcastPkts",
    "ifInDiscards",
    "ifOutDiscards",
    "ifInErrors",
    "ifOutErrors",
    "ifHighSpeed",
    "ifOperStatus",
)
_OTHER_WORDS = ("node_cpu_seconds_total", "node_filesystem_avail_bytes", "node_interrupts_total", "node_softnet_processed_total")
_FIXED = {"state_id": "4", "up": "1", "mtu_bytes": "9000", "ifOperStatus": "1", "ifHighSpeed": "400000"}
_MODES = ("idle", "iowait", "irq", "nice", "softirq", "steal", "system", "user")


def exposition(megabytes: float) -> str:
    """What exporters serve, with as many ports as it takes: 130 characters a sample.

    Most of it is a chassis of switches (snmp_exporter with names and aliases), the rest a machine (node_exporter).
    """
    rng = random.Random(SEED + 2)
    ports = max(int(megabytes * 1e6 / 2100), 1)
    lines: list[str] = []
    for metric in _SNMP_WORDS:
        lines += _head(metric)
        for i in range(ports):
            slot, port, lane = i // 144 + 1, i // 4 % 36 + 1, i % 4 + 1
            alias = f"to gpu-r{i // 128:02}-n{i // 8 % 16:02} rail {i % 8}, 400G DR4, panel {i // 24 + 1:03}"
            labels = f'ifAlias="{alias}",ifDescr="Ethernet{slot}/{port}/{lane}",ifIndex="{i + 1}",ifName="Et{slot}/{port}/{lane}"'
            lines.append(f"{metric}{{{labels}}} {_sample(rng, metric)}")
    for word in _IB_WORDS:
        lines += _head(f"node_infiniband_{word}")
        lines += [f'node_infiniband_{word}{{device="mlx5_{i}",port="1"}} {_sample(rng, word)}' for i in range(ports // 8)]
    for word in _NETWORK_WORDS:
        lines += _head(f"node_network_{word}")
        lines += [f'node_network_{word}{{device="eth{i}"}} {_sample(rng, word)}' for i in range(ports // 8)]
    for metric in _OTHER_WORDS:
        lines += _head(metric)
        lines += [f'{metric}{{cpu="{i}",mode="{mode}"}} {_sample(rng, metric)}' for i in range(ports // 24) for mode in _MODES]
    return "\n".join(lines) + "\n"


def _head(metric: str) -> list[str]:
    return [f"# HELP {metric} {metric.replace('_', ' ')}.", f"# TYPE {metric} {'counter' if metric.endswith('_total') else 'gauge'}"]


def _sample(rng: random.Random, word: str) -> str:
    """A value as Go prints it: with an exponent from 10^6 or so on."""
    if word in _FIXED:
        return _FIXED[word]
    value = _counter(rng)
    return str(value) if value < 10**6 else _as_go(value)


def _as_go(value: int) -> str:
    """`1.234567e+09`: as many digits as the value has."""
    digits = str(value)
    fraction = digits[1:].rstrip("0")
    return f"{digits[0]}{'.' + fraction if fraction else ''}e+{len(digits) - 1:02}"


def write_answer(path: Path, megabytes: float) -> int:
    """The answer to a query_range of rates over all ports, written piece by piece. Returns how many samples it holds."""
    samples = 0
    with path.open("w", encoding="utf-8") as file:
        file.write('{"status":"success","data":{"resultType":"matrix","result":[')
        for i, (text, count) in enumerate(_answer_series()):
            file.write(("," if i else "") + text)
            samples += count
            if file.tell() > megabytes * 1e6:
                break
        file.write("]}}")
    return samples


def _answer_series(steps: int = 5760) -> Iterator[tuple[str, int]]:
    rng = random.Random(SEED + 3)
    fractions = ["", ".272", ".6666666666667", ".5"]
    i = 0
    while True:
        rate = rng.randrange(10**9, 5 * 10**10)
        pairs = ",".join(
            f'[{_ANSWER_START + k * _ANSWER_STEP},"{rate + rng.randrange(10**9)}{fractions[rng.randrange(4)]}"]' for k in range(steps)
        )
        labels = f'"__name__":"node:tx","device":"mlx5_{i % 8}","instance":"gpu-{i // 8:04}:9100","job":"node","port":"1"'
        yield f'{{"metric":{{{labels}}},"values":[{pairs}]}}', steps
        i += 1


class Hashed(NamedTuple):
    """Flows hashed onto the links of a leaf-spine fabric: an entry for each link of each flow's path, the capacities, and demands."""

    flow: "NDArray[np.int64]"
    link: "NDArray[np.int64]"
    capacity: "NDArray[np.float64]"
    demand: "NDArray[np.float64]"


def hashed_flows(hosts: int, hosts_of_leaf: int = 32) -> Hashed:
    """Every host sends to another (a permutation) at the rate of its port, 400, over a spine thrown by a hash; as many uplinks as hosts.

    Links: ports that send, ports that receive, uplinks by leaf and spine, downlinks by spine and leaf. In a leaf no uplink is used.
    """
    dice = np.random.default_rng(SEED)
    leaves, spines = hosts // hosts_of_leaf, hosts_of_leaf
    here, there = np.arange(hosts), dice.permutation(hosts)
    spine = dice.integers(0, spines, size=hosts)
    out, into = here // hosts_of_leaf, there // hosts_of_leaf
    crossing = np.flatnonzero(out != into)
    up, down = 2 * hosts + out * spines + spine, 2 * hosts + (leaves + into) * spines + spine
    flow = np.concatenate([here, here, crossing, crossing])
    link = np.concatenate([here, hosts + there, up[crossing], down[crossing]])
    return Hashed(flow, link, np.full(2 * hosts + 2 * leaves * spines, 400.0), np.full(hosts, 400.0))


Wire = tuple[str, str, float]


def fat_tree(k: int, down: int = 0) -> list[Wire]:
    """Links of 400 of a fat tree of k-port switches: k^3/4 hosts `hP.E.I` below edges `eP.E`, aggregation `aP.A`, cores `cA.C`.

    down: so many links between switches are missing, by chance.
    """
    half = range(k // 2)
    hosts = [(f"h{pod}.{edge}.{i}", f"e{pod}.{edge}", 400.0) for pod in range(k) for edge in half for i in half]
    low = [(f"e{pod}.{edge}", f"a{pod}.{up}", 400.0) for pod in range(k) for edge in half for up in half]
    high = [(f"a{pod}.{up}", f"c{up}.{core}", 400.0) for pod in range(k) for up in half for core in half]
    between = low + high
    gone = set(random.Random(SEED + 4).sample(range(len(between)), down))
    return hosts + [wire for i, wire in enumerate(between) if i not in gone]
