"""Traps of numactl, lscpu, lspci and of the topologies of rocm-smi and NCCL that the golden captures do not show."""

from advisor.evidence.reading import Part
from advisor.readers.recognise import read

LINKS = "\t\tLnkCap:\tPort #0, Speed 16GT/s, Width x16, ASPM not supported\n\t\tLnkSta:\tSpeed {}GT/s (downgraded), Width x16 (ok)\n"


def _parts(text: str) -> list[Part]:
    return list(read(text.encode()).parts)


def _whys(part: Part) -> list[tuple[int, str]]:
    return [(problem.line, problem.why) for problem in part.problems]


def test_a_node_of_memory_alone_has_no_cpus() -> None:
    text = "available: 2 nodes (0-1)\nnode 0 cpus: 0 1\nnode 0 size: 100 MB\nnode 1 cpus:\nnode 1 size: 95232 MB\n"
    nodes = _parts(text)[0].facts["nodes"]
    assert nodes["1"] == {"cpu_count": 0, "memory_bytes": 95232 * 2**20}
    assert nodes["0"] == {"cpus": "0-1", "cpu_count": 2, "memory_bytes": 100 * 2**20}


def test_a_cpu_list_that_a_terminal_broke_inside_a_number() -> None:
    text = "available: 1 nodes (0)\nnode 0 cpus: 0 1 2 3 4 5 6 7 8 9 1\n0 11 12\nnode 0 size: 100 MB\n"
    assert _parts(text)[0].facts["nodes"]["0"]["cpus"] == "0-12"


def test_the_header_counts_nodes_whose_lines_are_cut_off() -> None:
    (part,) = _parts("available: 4 nodes (0-3)\nnode 0 cpus: 0 1\nnode 0 size: 10")
    assert part.facts["node_count"] == 4
    assert set(part.facts["nodes"]) == {"0", "1", "2", "3"}
    assert part.facts["nodes"]["0"] == {"cpus": "0-1", "cpu_count": 2}
    assert _whys(part) == [(3, "cut")]


def test_a_cut_distance_comes_from_its_mirror_only() -> None:
    text = (
        "available: 3 nodes (0-2)\nnode 0 cpus: 0\nnode 1 cpus: 1\nnode 2 cpus: 2\nnode distances:\nnode   0   1   2\n"
        "  0:  10  21  31\n  1:  21  10  3"
    )
    (part,) = _parts(text)
    assert part.facts["nodes"]["1"]["distances"] == {"0": 21, "1": 10}
    assert _whys(part) == [(8, "cut")]
    again = _parts(text.replace("  1:  21  10  3", "  1:  21\n  2:  31  41  10\n"))[0]
    assert again.facts["nodes"]["1"]["distances"] == {"0": 21, "2": 41}
    assert _whys(again) == [(8, "cut"), (8, "repaired")]


def test_no_numa_support_is_not_one_node() -> None:
    reading = read(b"$ numactl -H\nNo NUMA support available on this system.\n")
    assert reading.refused == "only-failed-commands"
    assert not reading.parts[0].facts


def test_lscpu_in_chinese_and_as_json() -> None:
    chinese = "架构：                x86_64\nNUMA 节点：           2\nNUMA 节点0 CPU：     0-15,32-47\nNUMA 节点1 CPU：     16-31,48-63\n"
    fields = (("NUMA node(s)", '"2"'), ("NUMA node0 CPU(s)", '"0-3"'), ("NUMA node1 CPU(s)", "null"))
    found = '{\n "lscpu": [\n' + ",\n".join(f'  {{"field": "{field}:", "data": {data}}}' for field, data in fields) + "\n ]\n}\n"
    assert _parts(chinese)[0].facts["nodes"] == {
        "0": {"cpus": "0-15,32-47", "cpu_count": 32},
        "1": {"cpus": "16-31,48-63", "cpu_count": 32},
    }
    assert _parts(found)[0].facts == {"node_count": 2, "nodes": {"0": {"cpus": "0-3", "cpu_count": 4}, "1": {"cpu_count": 0}}}


def test_lscpu_ends_where_other_keys_begin() -> None:
    text = "Architecture:            x86_64\nNUMA node0 CPU(s):     0-27\nSpeed: 100\n"
    reading = read(text.encode())
    assert reading.parts[0].lines == (1, 2)
    assert reading.unread == ((3, 3),)


def test_links_without_their_devices_are_numbered() -> None:
    text = (
        "root@h:~# for d in 0a:00.0 0b:00.0; do lspci -s $d -vvv | grep -E 'LnkCap:|LnkSta:'; done\n" + LINKS.format(8) + LINKS.format(16)
    )
    devices = _parts(text)[0].facts["devices"]
    assert [devices[name]["pcie_gen_below_max"] for name in ("#1", "#2")] == [True, False]


def test_a_link_that_is_down_has_no_width() -> None:
    text = "5d:00.0 Infiniband controller: Mellanox Technologies MT2910 Family [ConnectX-7]\n\t\tLnkSta:\tSpeed unknown, Width x0\n"
    assert _parts(text)[0].facts["devices"]["0000:5d:00.0"] == {
        "class": "Infiniband controller",
        "model": "Mellanox Technologies MT2910 Family [ConnectX-7]",
    }


def test_access_control_and_numa_minus_one() -> None:
    text = (
        "17:00.0 PCI bridge [0604]: Broadcom / LSI Device [1000:c010]\n\tNUMA node: -1\n"
        "\tCapabilities: [68] Express (v2) Upstream Port, MSI 00\n"
        "\t\tACSCtl:\tSrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl- DirectTrans-\n"
    )
    device = _parts(text)[0].facts["devices"]["0000:17:00.0"]
    assert device["port_type"] == "upstream_port"
    assert device["acs_redirect"] is True
    assert "numa_node" not in device


def test_nccl_nearest_nics_by_bridge_then_by_cpu() -> None:
    text = """<system version="1">
  <cpu numaid="0">
    <pci busid="0000:01:00.0" class="0x060400" link_speed="32.0 GT/s PCIe" link_width="16">
      <pci busid="0000:07:00.0" class="0x030200" link_speed="32.0 GT/s PCIe" link_width="16">
        <gpu dev="0" sm="90" rank="0" gdr="1"><nvlink target="0000:c2:00.0" count="18" tclass="0x068000"/></gpu>
      </pci>
      <pci busid="0000:08:00.0" class="0x020700" link_speed="" link_width="0">
        <nic><net name="mlx5_0" dev="0" speed="400000" port="1" gdr="1"/></nic>
      </pci>
    </pci>
    <pci busid="0000:81:00.0" class="0x030200" link_speed="16 GT/s" link_width="8"/>
    <nic><net name="eno1" dev="1" speed="10000" port="0" gdr="0"/></nic>
  </cpu>
</system>
"""
    facts = _parts(text)[0].facts
    assert facts["gpus"]["GPU0"]["best_nics"] == ["mlx5_0"]
    assert "peers" not in facts["gpus"]["GPU0"]
    assert sorted(facts["gpus"]["0000:81:00.0"]["best_nics"]) == ["eno1", "mlx5_0"]
    assert facts["nics"]["mlx5_0"] == {"pci_address": "0000:08:00.0", "numa_node": 0, "rate_gbps": 400, "gdr": True, "port": 1}


def test_entities_of_a_topology_are_never_expanded() -> None:
    text = (
        '<!DOCTYPE system [<!ENTITY a "GPU-secret"><!ENTITY b "&a;&a;">]>\n<system version="1"><cpu numaid="0">'
        '<pci busid="0000:07:00.0" class="0x030200"><gpu dev="0" name="&b;"/></pci></cpu></system>\n'
    )
    reading = read(text.encode())
    assert "secret" not in str([part.facts for part in reading.parts])


def test_rocm_matrices_of_another_maker_and_as_json() -> None:
    text = (
        "================ Hops between two HCUs ================\n       HCU0         HCU1         \n"
        "HCU0   0            2            \nHCU1   2            0            \n"
    )
    found = '{"card0": {"(Topology) Numa Node": "0"}, "system": {"(Topology) Link type between DRM devices 0 and 1": "PCIE"}}\n'
    assert _parts(text)[0].facts["gpus"] == {"HCU0": {"hops": {"HCU1": 2}}, "HCU1": {"hops": {"HCU0": 2}}}
    assert _parts(found)[0].facts["gpus"] == {"GPU0": {"numa_node": 0, "peers": {"GPU1": "PCIE"}}, "GPU1": {"peers": {"GPU0": "PCIE"}}}


def test_a_device_line_that_a_mail_broke_keeps_its_links() -> None:
    links = "LnkCap: Port #0, Speed 16GT/s, Width x8, ASPM L1\nLnkSta: Speed 16GT/s (ok), Width x4 (downgraded)\n"
    (part,) = _parts(
        "> 00:01.2 PCI bridge: Advanced Micro Devices, Inc. [AMD]\n> Starship/Matisse GPP Bridge\n> " + links.replace("\nL", "\n> L")
    )
    assert part.facts["devices"]["0000:00:01.2"]["pcie_width"] == 4
    assert part.facts["device_count"] == 1


def test_amd_smi_names_gpus_by_address() -> None:
    pair = "             0000:05:00.0 0000:26:00.0\n0000:05:00.0 {0}         {1}\n0000:26:00.0 {1}         {0}\n\n"
    text = "".join(
        f"{name} TABLE:\n{pair.format(*cells)}"
        for name, cells in (
            ("ACCESS", ("ENABLED", "ENABLED")),
            ("HOPS", (0, 1)),
            ("LINK TYPE", ("SELF", "XGMI")),
            ("NUMA BW", ("N/A", "50-50")),
        )
    )
    for front in ("$ amd-smi topology\n", ""):
        (part,) = _parts(front + text)
        peer = {"accessible": {"0000:26:00.0": True}, "hops": {"0000:26:00.0": 1}, "peers": {"0000:26:00.0": "XGMI"}}
        assert (part.tool, part.facts["gpus"]["0000:05:00.0"], part.facts["gpu_count"]) == ("rocm-smi-topo", peer, 2)
        assert _whys(part) == []
