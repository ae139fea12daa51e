"""ethtool -S: names of several drivers, several devices and runs, remarks, cut ends; in bulk the same as line by line."""

import pytest

from advisor.readers import _bulk, recognise
from advisor.readers.ethtool_s import READER, bulk
from advisor.readers.recognise import read
from tests.readers.one import one, whys


def _interface(text: str) -> dict[str, object]:
    (interface,) = one(text).facts["interfaces"].values()
    return {key: value for key, value in interface.items() if key != "counters"}


def test_bnxt_counts_discards_once_and_pause_by_priority() -> None:
    text = (
        "# ethtool -S eth0\nNIC statistics:\n     [0]: rx_ucast_packets: 7\n     [0]: rx_discards: 3\n     [1]: rx_discards: 4\n"
        "     rx_total_discard_pkts: 7\n     rx_pfc_ena_frames_pri3: 11\n     rx_pause_frames: 2\n"
    )
    assert _interface(text) == {"rx_discards": 7, "rx_pause": 2, "priorities": {"3": {"rx_pause": 11}}}


def test_be2net_spells_its_sides_unlike() -> None:
    text = "# ethtool -S eth0\nNIC statistics:\n     rx_priority_pause_frames: 1\n     tx_priority_pauseframes: 2\n     tx_pauseframes: 3\n"
    assert _interface(text) == {"rx_pfc": 1, "tx_pfc": 2, "tx_pause": 3}


def test_software_counters_are_not_the_wire() -> None:
    assert _interface("NIC statistics:\n     rx_packets: 5\n     rx_bytes: 6\n     rx_packets_phy: 9\n") == {"rx_packets": 9}


def test_remarks_behind_values() -> None:
    part = one(
        "$ ethtool -S ens1f0 | grep prio3\n  rx_prio3_pause: 41927      ← frames received: many\n  rx_prio3_pause_duration: 8,134  # us\n"
    )
    assert part.facts["interfaces"]["ens1f0"]["priorities"] == {"3": {"rx_pause": 41927, "rx_pause_us": 8134}}
    assert part.problems == ()


def test_the_same_device_again_is_another_run() -> None:
    text = "".join(f"# ethtool -S eth0\nNIC statistics:\n     rx_discards_phy: {n}\n" for n in (5, 9))
    assert [part.facts["interfaces"]["eth0"]["rx_discards"] for part in read(text.encode()).parts] == [5, 9]
    watched = "# watch -n 1 ethtool -S eth0\n" + "".join(f"NIC statistics:\n     rx_discards_phy: {n}\n" for n in (5, 9))
    assert [part.facts["interfaces"]["eth0"]["rx_discards"] for part in read(watched.encode()).parts] == [5, 9]


def test_devices_of_a_loop_and_without_a_name() -> None:
    block = "NIC statistics:\n     rx_discards_phy: 1\n"
    assert list(one(f"# for d in eth0 eth1; do ethtool -S $d; done\n{block}{block}").facts["interfaces"]) == ["eth0", "eth1"]
    assert list(one(f"=== eth7 ===\n{block}=== eth8 ===\n{block}").facts["interfaces"])[-1] == "eth8"
    assert list(one(block + block).facts["interfaces"]) == ["#1", "#2"]


def test_groups_name_their_device() -> None:
    part = one("# ethtool -S eth0 --groups eth-ctrl\nStandard stats for eth0:\neth-ctrl-MACControlFramesTransmitted: 3\n")
    assert part.facts["interfaces"] == {"eth0": {"counters": {"eth-ctrl-MACControlFramesTransmitted": 3}}}


def test_an_open_end_is_no_value() -> None:
    part = one("NIC statistics:\n     rx_discards_phy: 5\n     rx_bytes_phy: 62113")
    assert part.facts["interfaces"]["#1"]["counters"] == {"rx_discards_phy": 5}
    assert whys(part) == [(3, "cut")]


def test_failures() -> None:
    part = one("# ethtool -S eth9\nno stats available\n")
    assert (part.facts, whys(part)) == ({}, [(2, "tool-error")])


def test_in_bulk_as_line_by_line() -> None:
    lines = ["NIC statistics:", *(f"     rx{i}_packets: {i}" for i in range(30)), "     rx_prio3_pause: 8", "     rx_bytes_phy: 9"]
    plain = "\n".join(lines) + "\n"
    whole = bulk(plain.encode())
    assert whole is not None
    broken = read((plain + "a line of another tool\n").encode()).parts[0]
    (by_line,) = read(plain.replace("rx_prio3_pause: 8", "rx_prio3_pause: 8 # x").encode()).parts
    assert whole.facts == broken.facts == by_line.facts
    assert whole.at == broken.at
    assert {path: by_line.at[path] for path in by_line.at} == {path: whole.line_of(path) for path in by_line.at}
    assert whole.lines == (1, 33)
    assert read(plain.encode()).unread == ()


def test_bulk_takes_only_the_plainest() -> None:
    plain = b"NIC statistics:\n     a: 1\n     b: 2\n"
    assert bulk(plain) is not None
    for other in (
        plain[:-1],
        plain + b"c\n",
        plain.replace(b": 2", b": x"),
        plain.replace(b"b: 2", b"[0]: b: 2"),
        plain.replace(b"b:", b"a:"),
        plain.replace(b"b:", b"\x1b[1mb:"),
        plain.replace(b"b:", "ü:".encode()),
        b"# x\n" + plain,
        plain.replace(b"\n", b"\n\n"),
        b"NIC statistics:\n",
    ):
        assert bulk(other) is None
    assert READER.bulk is bulk


def test_what_another_tool_printed_below_is_told_by_its_margin() -> None:
    below = b"\n            port:   1\n                state: PORT_ACTIVE (4)\n"
    part, *_ = read(b"# ethtool -S eth3 | grep pause\n     rx_pause: 0\n\n     tx_pause: 2\n" + below).parts
    assert part.facts["interfaces"]["eth3"]["counters"] == {"rx_pause": 0, "tx_pause": 2}


@pytest.mark.parametrize(
    "head",
    [
        "root@gpu-07:~# ethtool -S ens10np0",
        "[root@gpu-07 ~]# ethtool --statistics eth0",
        "gpu-07$ sudo ethtool -S eth0 | grep rx_",
        "ethtool -S eth0",
        "=== gpu-07 ethtool -S eth0 ===",
        "2026-09-14 10:00:00 root@gpu-07:~# ethtool -S eth1",
        "$ ethtool -S $i",
        "root@gpu-07:~# for i in a b; do ethtool -S $i; done",
    ],
)
def test_under_a_prompt_in_bulk_as_line_by_line(head: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"{head}\nNIC statistics:\n     rx_bytes_phy: 12\n     rx_prio3_pause: 7\n     rx0_packets: 3\n     rx1_packets: 4\n".encode()
    found = recognise.read(text)
    monkeypatch.setattr(_bulk, "_under_a_prompt", lambda data: None)
    assert found == recognise.read(text)
    assert found.parts[0].tool == "ethtool-S"


def test_errors_of_the_wire_have_the_names_of_other_ports() -> None:
    """Linux' mlx5 counters: a bad checksum, a coding error, one that forward error correction could not mend, a link that went down."""
    text = (
        "# ethtool -S eth0\nNIC statistics:\n     rx_crc_errors_phy: 16390\n     rx_symbol_err_phy: 12\n     rx_pcs_symbol_err_phy: 3\n"
        "     link_down_events_phy: 7\n"
    )
    assert _interface(text) == {"crc_errors": 16390, "symbol_errors": 12, "fec_uncorrected": 3, "link_downed": 7}
    assert _interface("NIC statistics:\n     rx_fcs_err_frames: 5\n") == {"crc_errors": 5}
    assert _interface("NIC statistics:\n     port.rx_crc_errors: 6\n") == {"crc_errors": 6}
