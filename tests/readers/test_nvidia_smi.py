"""Traps of nvidia-smi's nvlink, CSV, long report and dmon that the golden captures do not show."""

import pytest

from advisor.evidence.reading import Part
from advisor.readers.recognise import read
from tests.readers.one import one

UUID = "(UUID: GPU-808c8942-92ef-302c-a840-abd98bbc3ca2)"


def _parts(text: str) -> list[Part]:
    return list(read(text.encode()).parts)


def _whys(part: Part) -> list[tuple[int, str]]:
    return [(problem.line, problem.why) for problem in part.problems]


def test_inactive_links_are_listed_and_not_active() -> None:
    text = f"GPU 0: NVIDIA H100 80GB HBM3 {UUID}\n\t Link 0: 26.562 GB/s\n\t Link 1: <inactive>\n"
    gpu = _parts(text)[0].facts["gpus"]["GPU0"]
    assert (gpu["nvlink_count"], gpu["nvlink_active_count"]) == (2, 1)
    assert gpu["nvlinks"] == {"0": {"rate_gBps": 26.562}, "1": {}}


def test_a_time_before_each_line_takes_nothing_of_the_line() -> None:
    """`TIME GPU 0: ...` looks like a host `GPU` with a unit `0`, but most lines have the time alone."""
    lines = [f"GPU 0: NVIDIA H100 80GB HBM3 {UUID}", *(f"\t Link {i}: 26.562 GB/s" for i in range(12))] * 3
    text = "".join(f"2026-04-10T09:14:00.000000Z {line}\n" for line in lines)
    (part, *_) = _parts(text)
    assert part.facts["gpus"]["GPU0"]["nvlink_active_count"] == 12


def test_all_links_inactive_is_a_known_nothing() -> None:
    text = (
        f"$ nvidia-smi nvlink -s\nGPU 0: NVIDIA H100 PCIe {UUID}\n\tNVML: Unable to retrieve NVLink information as all links are inActive\n"
    )
    (part,) = _parts(text)
    assert part.facts["gpus"]["GPU0"]["nvlink_active_count"] == 0
    assert "nvlink_count" not in part.facts["gpus"]["GPU0"]
    assert not part.problems


def test_a_list_of_gpus_alone_tells_of_no_links() -> None:
    assert read(f"GPU 0: NVIDIA H100 80GB HBM3 {UUID}\n".encode()).refused == "not-recognised"


def test_traffic_of_links_in_bytes() -> None:
    text = f"GPU 0: NVIDIA A100 {UUID}\n\t Link 0: Data Tx: 1000 KiB\n\t Link 0: Data Rx: 2 KiB\n"
    assert _parts(text)[0].facts["gpus"]["GPU0"]["nvlinks"]["0"] == {"tx_bytes": 1000 * 1024, "rx_bytes": 2048}


def test_a_count_at_the_open_end_of_a_text_may_go_on() -> None:
    (part,) = _parts(f"GPU 0: NVIDIA A100 {UUID}\n\t Link 0: Replay Errors: 0\n\t Link 0: Recovery Errors: 1")
    assert part.facts["gpus"]["GPU0"]["nvlinks"] == {"0": {"replay_errors": 0}}
    assert _whys(part) == [(3, "cut")]
    assert "nvlink_count" not in part.facts["gpus"]["GPU0"]


def test_brackets_are_no_value_and_units_are_kept() -> None:
    text = (
        "index, pstate, pcie.link.gen.current, pcie.link.gen.max, memory.used [MiB], power.draw [W]\n"
        "0, P0, 4, 5, 12 MiB, 59.30 W\n1, [N/A], [N/A], 5, 0 MiB, [Not Supported]\n"
    )
    gpus = _parts(text)[0].facts["gpus"]
    assert gpus["GPU0"]["memory_used_bytes"] == 12 * 2**20
    assert gpus["GPU0"]["power_w"] == 59.3
    assert gpus["GPU0"]["pcie_gen_below_max"] is True
    assert gpus["GPU1"] == {"pcie_gen_max": 5, "memory_used_bytes": 0}


def test_columns_come_from_the_command_where_there_is_no_header() -> None:
    text = "root@h:~# nvidia-smi --query-gpu=index,pcie.link.width.current --format=csv,noheader\n0, 16\n3, 8\n"
    assert _parts(text)[0].facts["gpus"] == {"GPU0": {"pcie_width": 16}, "GPU3": {"pcie_width": 8}}


def test_rows_without_a_header_or_command_are_not_guessed() -> None:
    assert read(b"0, 16\n1, 8\n").refused == "not-recognised"


def test_a_loop_gives_samples_and_keeps_what_all_agree_in() -> None:
    text = "index, pcie.link.gen.max, utilization.gpu [%]\n0, 5, 10 %\n1, 5, 0 %\n0, 5, 20 %\n1, 5, 0 %\n"
    gpu = _parts(text)[0].facts["gpus"]["GPU0"]
    assert gpu == {"pcie_gen_max": 5, "sample_count": 2, "samples": [{"gpu_util_percent": 10}, {"gpu_util_percent": 20}]}


def test_a_wrong_field_is_a_failure_of_the_tool() -> None:
    reading = read(b'$ nvidia-smi --query-gpu=pcie.foo --format=csv\nField "pcie.foo" is not a valid field to query.\n')
    assert reading.refused == "only-failed-commands"
    assert reading.parts[0].tool == "nvidia-smi-csv"


def test_the_header_counts_gpus_that_the_report_leaves_out() -> None:
    text = (
        "==============NVSMI LOG==============\n\nAttached GPUs                     : 8\n"
        "GPU 00000000:0A:00.0\n    Performance State             : P0\n"
    )
    facts = _parts(text)[0].facts
    assert facts["gpu_count"] == 8
    assert facts["gpus"] == {"0000:0a:00.0": {"perf_state": "P0"}}


def test_the_report_as_xml_and_where_it_ends_early() -> None:
    text = (
        '<?xml version="1.0" ?>\n<!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_v12.dtd">\n'
        '<nvidia_smi_log>\n<attached_gpus>2</attached_gpus>\n<gpu id="00000000:07:00.0">\n<pci><pci_gpu_link_info>\n'
        "<pcie_gen><max_link_gen>5</max_link_gen><current_link_gen>4</current_link_gen></pcie_gen>\n"
        "<link_widths><max_link_width>16x</max_link_width><current_link_width>1"
    )
    (part,) = _parts(text)
    assert part.facts["gpus"] == {"0000:07:00.0": {"pcie_gen_max": 5, "pcie_gen": 4, "pcie_width_max": 16, "pcie_gen_below_max": True}}
    assert _whys(part) == [(8, "cut")]


@pytest.mark.parametrize(
    "header", ["# gpu  rxpci  txpci\n# Idx   MB/s   MB/s\n", "#Time        gpu  rxpci  txpci\n#HH:MM:SS    Idx   MB/s   MB/s\n"]
)
def test_dmon_rates_are_decimal_and_clock_columns_are_passed_over(header: str) -> None:
    time = "03:00:00    " if "Time" in header else ""
    gpus = _parts(f"{header}{time}    0  21846   6849\n{time}    1      -      0\n{time}    0      1      2\n")[0].facts["gpus"]
    assert gpus["GPU0"]["samples"] == [{"pcie_rx_gBps": 21.846, "pcie_tx_gBps": 6.849}, {"pcie_rx_gBps": 0.001, "pcie_tx_gBps": 0.002}]
    assert gpus["GPU1"]["samples"] == [{"pcie_tx_gBps": 0.0}]


REASONS = """
    Clocks {word} Reasons
        Idle                              : Not Active
        Applications Clocks Setting       : Not Active
        SW Power Cap                      : Active
        HW Slowdown                       : Active
            HW Thermal Slowdown           : Active
            HW Power Brake Slowdown       : Not Active
        Sync Boost                        : Not Active
        SW Thermal Slowdown               : Not Active
        Display Clock Setting             : N/A
    Clocks {word} Reasons Counters
        SW Power Capping                  : 12 us
        HW Thermal Slowdown               : 7 us
"""


@pytest.mark.parametrize("word", ["Throttle", "Event"])
def test_what_holds_the_clocks_down(word: str) -> None:
    """Old and new drivers word it unlike; their counters are times, not states; what is not known stays out."""
    part = one(f"==============NVSMI LOG==============\nAttached GPUs : 1\nGPU 00000004:00:00.0\n{REASONS.format(word=word)}")
    held = {"sw_power_cap", "hw_slowdown", "hw_thermal_slowdown"}
    free = {"gpu_idle", "applications_clocks_setting", "hw_power_brake_slowdown", "sync_boost", "sw_thermal_slowdown"}
    (gpu,) = part.facts["gpus"].values()
    assert gpu["throttle_reasons"] == dict.fromkeys(held, True) | dict.fromkeys(free, False)


def test_what_holds_the_clocks_down_as_bits_and_by_columns() -> None:
    """NVML: idle 0x1, power cap 0x4, hardware 0x8 with heat 0x40."""
    rows = "index, clocks_throttle_reasons.active\n0, 0x0000000000000001\n1, 0x0000000000000048\n"
    gpus = one(rows).facts["gpus"]
    assert [name for name, is_so in gpus["GPU0"]["throttle_reasons"].items() if is_so] == ["gpu_idle"]
    assert [name for name, is_so in gpus["GPU1"]["throttle_reasons"].items() if is_so] == ["hw_slowdown", "hw_thermal_slowdown"]
    columns = "index, clocks_event_reasons.hw_slowdown, clocks_event_reasons.sw_power_cap\n0, Not Active, Active\n"
    assert one(columns).facts["gpus"]["GPU0"]["throttle_reasons"] == {"hw_slowdown": False, "sw_power_cap": True}
