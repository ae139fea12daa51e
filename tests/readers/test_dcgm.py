"""Traps of dcgm-exporter and dcgmi dmon that the golden captures do not show."""

from advisor.evidence.reading import Part
from advisor.readers.recognise import read


def _parts(text: str) -> list[Part]:
    return list(read(text.encode()).parts)


def test_dcgms_blank_figures_are_unknown() -> None:
    """0x7ffffffffffffff0 and above, 0x7ffffff0 and above: no data, not found, not supported, no permission (dcgm_structs.h)."""
    lines = [
        f'DCGM_FI_DEV_{name}{{gpu="0",Hostname="n1"}} {value}'
        for name, value in (("FB_USED", 9223372036854775794), ("GPU_UTIL", 2147483632))
    ]
    (part,) = _parts("\n".join([*lines, 'DCGM_FI_DEV_GPU_TEMP{gpu="0",Hostname="n1"} 40', ""]))
    assert part.facts["gpus"]["GPU0"] == {"counters": {"DCGM_FI_DEV_GPU_TEMP": 40}, "gpu_temp_c": 40}


def test_a_mig_instance_is_not_its_gpu() -> None:
    text = 'DCGM_FI_PROF_GR_ENGINE_ACTIVE{gpu="0",GPU_I_PROFILE="1g.10gb",GPU_I_ID="7",namespace="a",pod="b"} 0.5\n'
    assert _parts(text)[0].facts["gpus"]["GPU0"] == {
        "instances": {"7": {"pod": "a/b", "counters": {"DCGM_FI_PROF_GR_ENGINE_ACTIVE": 0.5}, "gr_engine_active": 0.5}}
    }


def test_hosts_and_scrapes_stay_apart() -> None:
    line = 'DCGM_FI_DEV_GPU_UTIL{{gpu="0",Hostname="{}"}} {}\n'
    parts = _parts(line.format("n1", 1) + line.format("n2", 2) + line.format("n1", 3))
    told = [(part.host, part.facts["gpus"]["GPU0"]["gpu_util_percent"]) for part in parts]
    assert sorted(told) == [("n1", 1), ("n1", 3), ("n2", 2)]


def test_a_pod_is_named_with_its_namespace_and_a_comma_in_a_label_is_text() -> None:
    text = 'DCGM_FI_DEV_XID_ERRORS{gpu="0",modelName="NVIDIA H100",namespace="train",pod="llm-0",err_msg="a, \\"b\\" {c}"} 79\n'
    gpu = _parts(text)[0].facts["gpus"]["GPU0"]
    assert (gpu["pod"], gpu["xid"], gpu["model"]) == ("train/llm-0", 79, "NVIDIA H100")


def test_a_figure_at_the_open_end_may_go_on() -> None:
    text = 'DCGM_FI_DEV_GPU_UTIL{gpu="0"} 91\nDCGM_FI_DEV_FB_USED{gpu="0"} 51'
    (part,) = _parts(text)
    assert "memory_used_bytes" not in part.facts["gpus"]["GPU0"]
    assert [(problem.line, problem.why) for problem in part.problems] == [(2, "cut")]


def test_dmon_units_stand_under_their_names() -> None:
    text = (
        "#Entity   PCITX                NVLRX                TOTEC        SMACT     \n"
        "ID                                                   mJ                     \n"
        "GPU 1     2000000000           N/A                  1500         0.250     \n"
    )
    sample = _parts(text)[0].facts["gpus"]["GPU1"]["samples"][0]
    assert sample == {"pcie_tx_gBps": 2.0, "energy_j": 1.5, "sm_active": 0.25}


def test_dmon_with_other_fields_is_another_run() -> None:
    text = "#Entity   GPUTL  \nGPU 0     10     \n#Entity   TMPTR  \nGPU 0     40     \n"
    assert [part.facts["gpus"]["GPU0"]["samples"] for part in _parts(text)] == [[{"gpu_util_percent": 10}], [{"gpu_temp_c": 40}]]


def test_dmon_of_an_instance_is_no_gpu() -> None:
    text = "#Entity   GPUTL  \nGPU 0     10     \nGPU-I 0   20     \n"
    assert _parts(text)[0].facts["gpus"] == {"GPU0": {"samples": [{"gpu_util_percent": 10}], "sample_count": 1}}
