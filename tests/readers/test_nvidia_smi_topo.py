"""Traps of the topology matrix that the golden captures do not show."""

import textwrap

from advisor.evidence.reading import Part
from advisor.readers.recognise import read

# Two GPUs and two NICs as the driver prints them: tabs, an empty column before the last
MATRIX = """\tGPU0\tGPU1\tNIC0\tNIC1\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID
GPU0\t X \tNV12\tPIX\tSYS\t0-31\t0\t\tN/A
GPU1\tNV12\t X \tSYS\tPXB\t32-63\t1\t\tN/A
NIC0\tPIX\tSYS\t X \tSYS\t\t\t\t
NIC1\tSYS\tPXB\tSYS\t X \t\t\t\t

NIC Legend:

  NIC0: mlx5_0
  NIC1: mlx5_1
"""


def _parts(text: str) -> list[Part]:
    return list(read(text.encode()).parts)


def _whys(part: Part) -> list[tuple[int, str]]:
    return [(problem.line, problem.why) for problem in part.problems]


def test_a_cpu_list_that_ran_into_a_relation_is_neither() -> None:
    """Drivers overwrite the end of long rows: `PHB` and `0-115` become `PH0-115`. The mirror cell restores the relation, flagged."""
    text = MATRIX.replace("SYS\t0-31\t0", "SY0-31\t0")
    (part,) = _parts(text)
    gpu = part.facts["gpus"]["GPU0"]
    assert gpu["nics"] == {"mlx5_0": "PIX", "mlx5_1": "SYS"}
    assert "cpus" not in gpu
    assert gpu["numa_node"] == 0
    assert _whys(part) == [(2, "damaged"), (2, "repaired")]


def test_without_its_mirror_a_damaged_cell_stays_unknown() -> None:
    text = MATRIX.replace("SYS\t0-31\t0", "SY0-31\t0").split("NIC0\tPIX")[0]
    (part,) = _parts(text)
    assert part.facts["gpus"]["GPU0"]["nics"] == {"NIC0": "PIX"}
    assert "best_nics" not in part.facts["gpus"]["GPU0"]
    assert part.facts["gpus"]["GPU1"]["best_nics"] == ["NIC1"]


def test_a_row_that_lost_a_cell_is_not_read_shifted() -> None:
    text = MATRIX.expandtabs(8).replace("GPU1    NV12     X ", "GPU1     X ")
    (part,) = _parts(text)
    assert part.facts["gpus"]["GPU1"]["peers"] == {"GPU0": "NV12"}
    assert (3, "damaged") in _whys(part)
    assert (3, "repaired") in _whys(part)


def test_wrapped_at_the_edge_of_a_terminal() -> None:
    """Broken inside words at any width, rows and header are joined as the header's columns demand."""
    whole = MATRIX.expandtabs(8)
    for width in (28, 40, 41, 50):
        broken = "\n".join(line[i : i + width] for line in whole.splitlines() for i in range(0, max(len(line), 1), width))
        facts = _parts(broken)[0].facts
        assert facts["gpus"]["GPU1"]["nics"] == {"mlx5_0": "SYS", "mlx5_1": "PXB"}, width
        assert facts["gpus"]["GPU1"]["cpus"] == "32-63", width


def test_wrapped_between_words_by_a_mail_program() -> None:
    broken = "\n".join(piece for line in MATRIX.expandtabs(8).splitlines() for piece in textwrap.wrap(line, 44) or [""])
    assert _parts(broken)[0].facts["gpus"]["GPU0"]["best_nics"] == ["mlx5_0"]


def test_empty_affinity_columns_are_unknown() -> None:
    text = (
        "        GPU0    NIC0    CPU Affinity    NUMA Affinity   GPU NUMA ID\n"
        "GPU0     X      PHB                             N/A\nNIC0    PHB      X\n"
    )
    (part,) = _parts(text)
    assert part.facts["gpus"]["GPU0"] == {"nics": {"NIC0": "PHB"}, "best_nic_relation": "PHB", "best_nics": ["NIC0"]}
    assert not part.problems


def test_only_pcie_was_asked_for() -> None:
    (part,) = _parts("root@gpu-1:~# nvidia-smi topo -mp\n" + MATRIX.replace("NV12", "PIX"))
    assert part.facts["nvlink_hidden"] is True
    assert part.host == "gpu-1"


def test_before_and_after_stay_apart() -> None:
    parts = _parts(MATRIX + "\n" + MATRIX.replace("NV12", "NV6"))
    assert [part.facts["gpus"]["GPU0"]["peers"]["GPU1"] for part in parts] == ["NV12", "NV6"]


def test_peer_access_names_its_direction_and_leaves_unknown_out() -> None:
    (part,) = _parts("$ nvidia-smi topo -p2p w\n \tGPU0\tGPU1\tGPU2\n GPU0\tX\tOK\tU\n GPU1\tOK\tX\tCNS\n GPU2\tU\tCNS\tX\n")
    assert part.facts["p2p_capability"] == "write"
    assert part.facts["gpus"]["GPU0"]["p2p"] == {"GPU1": "OK"}


def test_other_makers() -> None:
    ascend = (
        "$ npu-smi info -t topo\n\t   NPU0       NPU1       CPU Affinity\n"
        "NPU0       X          HCCS       144-167\nNPU1       HCCS       X          0-23\n"
    )
    metax = (
        "$ mx-smi topo -m\nAttached GPUs      : 2\nDevice link type matrix\n        GPU0    GPU1    Node Affinity  CPU Affinity\n"
        "GPU0    X       MX      0              0-31\nGPU1    MX      X       1              32-63\n"
    )
    assert _parts(ascend)[0].facts["gpus"]["NPU1"] == {"peers": {"NPU0": "HCCS"}, "cpus": "0-23"}
    assert _parts(metax)[0].facts["gpus"]["GPU1"] == {"peers": {"GPU0": "MX"}, "numa_node": 1, "cpus": "32-63"}


def test_relations_without_a_blank_between_them_are_parted_where_the_count_fits() -> None:
    text = (
        "        GPU0    GPU1    NIC0    NIC1    CPU Affinity\nGPU0     X      NV12    NODENODE        0-31\n"
        "GPU1    NV12     X      SYS     PXB     32-63\n"
    )
    (part,) = _parts(text)
    assert part.facts["gpus"]["GPU0"]["nics"] == {"NIC0": "NODE", "NIC1": "NODE"}
    assert part.facts["gpus"]["GPU0"]["cpus"] == "0-31"
    assert _whys(part) == [(2, "repaired")]


def test_a_word_of_another_maker_counts_if_both_cells_of_the_pair_hold_it() -> None:
    text = "        GPU0    GPU1    NIC0    CPU Affinity\nGPU0     X      FOO     SY      0-47\nGPU1    FOO      X      NODE    48-95\n"
    (part,) = _parts(text)
    assert part.facts["gpus"]["GPU0"]["peers"] == {"GPU1": "FOO"}
    assert "nics" not in part.facts["gpus"]["GPU0"]
    assert _whys(part) == [(2, "damaged")]


def test_a_list_of_gpus_in_other_text_is_no_matrix() -> None:
    assert read(b"GPU0 GPU1 GPU2\nare busy\n").refused == "not-recognised"
