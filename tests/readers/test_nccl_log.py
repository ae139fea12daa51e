"""NCCL's log: forms of new versions, hosts, two processes in one line, a log between other output."""

from advisor.readers.recognise import read
from tests.readers.one import one, whys

P = "node-1.dc:4254:4327 [5] NCCL INFO "


def test_new_versions() -> None:
    text = (
        f"[2025-06-01 10:00:00] {P}Bootstrap: Using bond0:10.1.1.1<0>\n"
        f"{P}NET/IB : Using [0]mlx5_0:1/IB/SHARP [1]mlx5_bond_1:1/RoCE [RO]; OOB bond0:10.1.1.1<0>\n"
        f"{P}NET/Socket : Using [0]eth0:10.1.1.1<0>\n"
        f"{P}Using network IB\n"
        f"{P}ncclCommInitRank comm 0x5 rank 5 nranks 16 cudaDev 5 nvmlDev 5 busId 68000 commId 0x5 - Init START\n"
        f"{P}comm 0x55 rank 5 nRanks 16 nNodes 2 localRanks 8 localRank 5 MNNVL 0\n"
        f"{P}Channel 00/0 : 5[5] -> 12[4] [send] via NET/IB/3(4)/GDRDMA/Shared\n"
        f"{P}Channel 01/0 : 5[5] -> 6[6] via SHM/direct/direct\n"
        f"{P}8 coll channels, 0 collnet channels, 0 nvls channels, 8 p2p channels, 2 p2p channels per peer\n"
        f"{P}NCCL_SOCKET_IFNAME set by environment to ^docker,lo\n"
        "node-1.dc:4254:4327 [5] transport/net_ib.cc:94 NCCL WARN NET/IB : Got async event : port error\n"
    )
    part = one(text)
    assert part.host == "node-1.dc"
    assert part.facts == {
        "bootstrap_interface": "bond0",
        "oob_interface": "bond0",
        "ports": {"mlx5_0/1": {"link_layer": "infiniband"}, "mlx5_bond_1/1": {"link_layer": "ethernet"}},
        "port_count": 2,
        "networks": ["IB", "Socket"],
        "network": "IB",
        "rank_count": 16,
        "host_count": 2,
        "channel_count": 8,
        "hops": {"net": 1, "shm": 1},
        "gdrdma_hops": 1,
        "net_devices": [3],
        "env": {"NCCL_SOCKET_IFNAME": "^docker,lo"},
        "warning_count": 1,
    }


def test_two_networks_without_a_choice_are_no_choice() -> None:
    facts = one(f"{P}NET/IB : Using [0]mlx5_0:1/IB ; OOB e:1<0>\n{P}NET/Socket : Using [0]eth0:1<0>\n").facts
    assert "network" not in facts


def test_lines_of_several_hosts_name_none() -> None:
    text = "".join(f"node-{n}:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/IPC\n" for n in (1, 2, 3))
    part = one(f"root@login1:~# sbatch job.sh\n{text}")
    assert part.host is None
    assert part.facts["hops"] == {"p2p": 3}


def test_two_processes_in_one_line() -> None:
    glued = "node-1:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/IPC"
    assert one(f"{glued}\n{glued}{glued}\n").facts["hops"] == {"p2p": 3}


def test_a_log_between_the_rows_of_a_table() -> None:
    row = "           8             2     float     sum      -1    47.35    0.10    0.20      0    45.17    0.30    0.40      1\n"
    reading = read((row + f"{P}Channel 00/0 : 0[0] -> 1[1] via P2P/IPC\n" + row.replace("   8  ", "  16  ")).encode())
    assert {part.tool: len(part.facts.get("sizes", {})) for part in reading.parts} == {"nccl-log": 0, "nccl-tests": 2}
    assert reading.unread == ()


def test_a_second_job_is_a_second_part() -> None:
    job = f"{P}NCCL version 2.21.5+cuda12.4\n{P}Channel 00/0 : 0[0] -> 1[1] via P2P/IPC\n"
    assert [part.facts["hops"] for part in read((job + job).encode()).parts] == [{"p2p": 1}, {"p2p": 1}]


def test_the_bare_version_line() -> None:
    assert one(f"NCCL version 2.21.5+cuda12.4\n{P}Using network Socket\n").facts["nccl_version"] == "2.21.5"


def test_a_cut_hop_is_not_counted() -> None:
    part = one(f"{P}Channel 00/0 : 0[0] -> 1[1] [send] via NET/IB/0/GDRDMA\n{P}Channel 01/0 : 0[0] -> 1[1] [send] via NET/IB/0/GDR")
    assert (part.facts["gdrdma_hops"], part.facts["hops"]) == (1, {"net": 1})
    assert whys(part) == [(2, "cut")]


def test_a_tree_without_its_indentation_names_no_parents() -> None:
    tree = ["=== System : maxBw 48.0 totalBw 370.8 ===", "CPU/0-0 (1/2/-1)", "+ PCI[24.0] - PCI/0-65000", "  + PCI[48.0] - NIC/0-67000"]
    tree.append("    + NET[50.0] - NET/0-c (0/1/1/50.000000)")
    part = one("".join(f"{P}{line}\n" for line in tree))
    assert part.facts["tree"]["NET/0-c"] == {"parent": "NIC/0-67000", "link_gBps": 50}
    part = one("".join(f"{P}{line.strip()}\n" for line in tree))
    assert part.facts["tree"]["NET/0-c"] == {"link_gBps": 50}
    assert whys(part) == [(5, "damaged")]


def test_host_behind_a_time_or_a_rank() -> None:
    for front in ("[2025-01-01 10:00:00] ", "[rank3]: ", "3: 10:00:00 "):
        (part,) = read(f"{front}gpu-07:77:99 [2] NCCL INFO Using network IB\n{front}gpu-07:77:99 [2] NCCL INFO x\n".encode()).parts
        assert (part.host, part.facts["network"]) == ("gpu-07", "IB")


def test_a_copy_that_lost_host_and_device() -> None:
    (part,) = read(b"NCCL INFO NET/Socket : Using [0]eth0:10.140.0.12<0>\nNCCL INFO Using network Socket\n").parts
    assert (part.host, part.facts["network"]) == (None, "Socket")
