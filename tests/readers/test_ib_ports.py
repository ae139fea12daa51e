"""Traps of ibstat, ibstatus, ibv_devinfo, ibdev2netdev and show_gids that the golden captures do not show."""

from advisor.evidence.reading import Part
from advisor.readers.recognise import read

IBSTAT = """CA 'mlx5_0'
\tCA type: MT4129
\tPort 1:
\t\tState: Active
\t\tPhysical state: LinkUp
\t\tRate: 400
\t\tBase lid: 17
"""


def _parts(text: str) -> list[Part]:
    return list(read(text.encode()).parts)


def _whys(part: Part) -> list[tuple[int, str]]:
    return [(problem.line, problem.why) for problem in part.problems]


def test_a_port_that_a_filter_left_nameless() -> None:
    by_adapter = "$ ibstat | grep -E \"CA '|Rate\"\nCA 'mlx5_0'\n\t\tRate: 400\nCA 'mlx5_1'\n\t\tRate: 200\n"
    alone = "$ ibstat | grep Rate\n\t\tRate: 400\n\t\tRate: 200\n"
    assert _parts(by_adapter)[0].facts["ports"] == {"mlx5_0": {"rate_gbps": 400}, "mlx5_1": {"rate_gbps": 200}}
    assert _parts(alone)[0].facts["ports"] == {"#1": {"rate_gbps": 400}, "#2": {"rate_gbps": 200}}
    assert _parts(alone)[0].facts["filtered"] is True


def test_one_port_alone_is_printed_without_indentation() -> None:
    text = "$ ibstat mlx5_0 2\nCA: 'mlx5_0'\nPort 2:\nState: Active\nPhysical state: LinkUp\nRate: 40 (FDR10)\nLink layer: InfiniBand\n"
    assert _parts(text)[0].facts["ports"]["mlx5_0/2"] == {
        "state": "active",
        "physical_state": "linkup",
        "rate_gbps": 40,
        "ib_speed": "FDR10",
        "link_layer": "infiniband",
    }


def test_a_lid_at_the_open_end_may_go_on() -> None:
    (part,) = _parts(IBSTAT.rstrip("\n"))
    assert part.facts["ports"]["mlx5_0/1"]["rate_gbps"] == 400
    assert "lid" not in part.facts["ports"]["mlx5_0/1"]
    assert _whys(part) == [(7, "cut")]


def test_a_word_that_is_no_state_is_none() -> None:
    (part,) = _parts(IBSTAT.replace("State: Active", "State: Actxve", 1))
    assert "state" not in part.facts["ports"]["mlx5_0/1"]
    assert _whys(part) == [(4, "damaged")]


def test_before_and_after_stay_apart() -> None:
    parts = _parts(IBSTAT + IBSTAT.replace("400", "200"))
    assert [part.facts["ports"]["mlx5_0/1"]["rate_gbps"] for part in parts] == [400, 200]


def test_a_chinese_title_names_the_host_and_a_remark_says_what_is_left_out() -> None:
    (part,) = _parts("【节点 gpu-07 的 ibstat 结果】\n" + IBSTAT + "（其余网卡正常，略）\n")
    assert part.host == "gpu-07"
    assert _whys(part) == [(9, "left-out")]


def test_ibstatus_reads_hexadecimal_lids() -> None:
    text = (
        "Infiniband device 'mlx5_0' port 1 status:\n\tbase lid:\t 0xb0\n\tsm lid:\t\t 0x68\n"
        "\tstate:\t\t 4: ACTIVE\n\trate:\t\t 100 Gb/sec (2X HDR)\n"
    )
    assert _parts(text)[0].facts["ports"]["mlx5_0/1"] == {
        "lid": 176,
        "sm_lid": 104,
        "state": "active",
        "rate_gbps": 100,
        "width": 2,
        "ib_speed": "HDR",
    }


def test_devinfo_derives_a_rate_only_from_valid_lanes() -> None:
    text = (
        "hca_id:\tmlx5_0\n\tfw_ver:\t\t\t\t20.36.1010\n\t\tport:\t1\n\t\t\tstate:\t\t\tPORT_ACTIVE (4)\n"
        "\t\t\tactive_width:\t\t2X (16)\n\t\t\tactive_speed:\t\t50.0 Gbps (64)\n"
        "\t\tport:\t2\n\t\t\tstate:\t\t\tPORT_DOWN (1)\n\t\t\tactive_width:\t\t4X (2)\n\t\t\tactive_speed:\t\tinvalid speed (0)\n"
    )
    (part,) = _parts(text)
    assert part.facts["ports"]["mlx5_0/1"]["rate_gbps"] == 100
    assert part.facts["ports"]["mlx5_0/2"] == {"firmware": "20.36.1010", "state": "down", "width": 4}
    assert not part.problems


def test_a_port_of_a_service_is_no_rdma_port() -> None:
    assert read(b"spec:\n  ports:\n                - name: http\n                  port:    9400\n").refused == "not-recognised"


def test_netdev_verbose_names_card_firmware_and_both_states() -> None:
    text = "0000:3d:00.0 mlx5_1 (MT4119 - MCX556A-ECAT   ) CX556A - ConnectX-5 QSFP28 fw 16.27.2008 port 1 (DOWN  ) ==> ens1f0 (Up)\n"
    assert _parts(text)[0].facts["ports"]["mlx5_1/1"] == {
        "netdev": "ens1f0",
        "netdev_state": "up",
        "state": "down",
        "pci_address": "0000:3d:00.0",
        "model": "MT4119",
        "part_number": "MCX556A-ECAT",
        "firmware": "16.27.2008",
    }


def test_the_first_netdev_of_a_port_is_its_netdev() -> None:
    text = "mlx5_0 port 1 ==> ib0 (Up)\nmlx5_0 port 1 ==> ib0.8001 (Down)\n"
    assert _parts(text)[0].facts["ports"]["mlx5_0/1"] == {"netdev": "ib0", "netdev_state": "up", "other_netdevs": {"ib0.8001": "down"}}


def test_gids_without_an_ipv4_address_give_no_index() -> None:
    text = (
        "DEV\tPORT\tINDEX\tGID\t\t\t\t\tIPv4  \t\tVER\tDEV\n---\t----\t-----\t---\t\t\t\t\t------------  \t---\t---\n"
        "mlx5_0\t1\t0\tfe80:0000:0000:0000:0e42:a1ff:fe3c:71d0\t\t\tv1\teth0\nmlx5_0\t1\t1\tfe80:0000:0000:0000:0e42:a1ff:fe3c:71d0\t\t\tv2\teth0\nn_gids_found=2\n"
    )
    (part,) = _parts(text)
    assert part.facts["ports"]["mlx5_0/1"]["gid_count"] == 2
    assert "roce_v2_ipv4_gid_index" not in part.facts["ports"]["mlx5_0/1"]


def test_show_gids_without_its_header_and_in_a_comment() -> None:
    row = "mlx5_0  1       7       0000:0000:0000:0000:0000:ffff:0c7c:dd21 12.124.221.33   v2      ens2f0.100\n"
    port = {"gid_count": 1, "roce_v2_ipv4_gid_index": 7, "netdev": "ens2f0.100"}
    for text in (row, f" * DEV\tPORT\tINDEX\tGID\tIPv4\tVER\tDEV\n * ---\t---\t---\t---\t---\t---\t---\n * {row}"):
        facts = _parts(text)[0].facts["ports"]["mlx5_0/1"]
        assert {key: facts[key] for key in port} == port


def test_ibdev2netdev_in_a_comment() -> None:
    (part,) = _parts("# mlx4_0 port 1 ==> ib0 (Up)\n#\n# mlx4_0 port 2 ==> ib1 (Down)\n")
    assert [port["netdev_state"] for port in part.facts["ports"].values()] == ["up", "down"]


def test_a_link_layer_that_the_tool_leaves_unspecified_is_no_problem() -> None:
    (part,) = _parts(
        "hca_id: rdmap0s6\n\tphys_port_cnt:\t\t1\n\t\tport:\t1\n\t\t\tstate:\t\tPORT_ACTIVE (4)\n\t\t\tlink_layer:\t\tUnspecified\n"
    )
    assert part.facts["ports"]["rdmap0s6/1"] == {"state": "active"}
    assert _whys(part) == []
