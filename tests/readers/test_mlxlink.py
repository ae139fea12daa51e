"""mlxlink: names, states, speeds, FEC, BER, loops without titles, JSON."""

import json

import pytest

from tests.readers.one import one, whys


def _port(entries: str) -> dict[str, object]:
    return dict(one(f"# mlxlink -d mlx5_0\nOperational Info\n----------------\n{entries}").facts["ports"]["mlx5_0"])


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("mlxlink -d /dev/mst/mt4129_pciconf0", "mt4129_pciconf0"),
        ("sudo mlxlink -d 0000:3b:00.0 -p 2 -c", "0000:3b:00.0/2"),
        ("mlxlink --device mlx5_3 --port 1", "mlx5_3/1"),
    ],
)
def test_names(command: str, name: str) -> None:
    assert list(one(f"# {command}\nState : Active\n").facts["ports"]) == [name]


@pytest.mark.parametrize(
    ("speed", "width", "facts"),
    [
        ("IB-HDR", "2x", {"ib_speed": "HDR", "width": 2, "rate_gbps": 100}),
        ("IB-NDR", "4x", {"ib_speed": "NDR", "width": 4, "rate_gbps": 400}),
        ("400G", "8x", {"rate_gbps": 400, "width": 8}),
        ("25GbE", "1x", {"rate_gbps": 25, "width": 1}),
        ("N/A", "N/A", {}),
    ],
)
def test_speeds(speed: str, width: str, facts: dict[str, object]) -> None:
    assert _port(f"Speed : {speed}\nWidth : {width}\n") == facts


@pytest.mark.parametrize(
    ("fec", "facts"),
    [
        ("No FEC", {"fec": "none"}),
        ("Firecode FEC", {"fec": "firecode"}),
        ("Standard RS-FEC - RS(528,514)", {"fec": "rs", "fec_code": "528,514"}),
        ("Interleaved_Standard_RS_FEC_(544,514)", {"fec": "rs", "fec_code": "544,514"}),
        ("Ethernet_Consortium_LL_50G_RS_FEC_PLR -(272,257+1)", {"fec": "rs", "fec_code": "272,257"}),
        ("N/A", {}),
    ],
)
def test_fec(fec: str, facts: dict[str, object]) -> None:
    assert _port(f"FEC : {fec}\n") == facts


def test_a_port_that_is_down() -> None:
    port = _port(
        "State : Disable\nPhysical state : ETH_AN_FSM_ENABLE\nAuto Negotiation : FORCE - 100G\nRecommendation : Cable is unplugged.\n"
    )
    assert port == {
        "state": "down",
        "physical_state": "eth_an_fsm_enable",
        "auto_negotiation": False,
        "recommendation": "Cable is unplugged",
    }


def test_error_rates_and_modules() -> None:
    port = _port(
        "Raw Physical BER : 7E-08\nEffective Physical BER : 15E-255\nSymbol BER : N/A\nRaw Physical Errors Per Lane : 1,2,3,4\n"
        "Time Since Last Clear [Min] : 2.5\nTemperature [C] : 62 [-5..75]\nTransfer Distance [m] : 30\nCable Type : Passive copper cable\n"
    )
    assert port == {
        "raw_ber": pytest.approx(7e-8),
        "effective_ber": 0,
        "raw_errors_per_lane": [1, 2, 3, 4],
        "counters_age_s": 150,
        "module_temp_c": 62,
        "cable_length_m": 30,
        "cable_type": "Passive copper cable",
    }


def test_a_loop_without_titles() -> None:
    part = one(
        '# for i in 0 1; do mlxlink -d mlx5_$i | grep -E "Speed|Width"; done\nSpeed : 400G\nWidth : 4x\nSpeed : IB-NDR\nWidth : 2x\n'
    )
    assert {name: entry["rate_gbps"] for name, entry in part.facts["ports"].items()} == {"mlx5_0": 400, "mlx5_1": 200}


def test_failures() -> None:
    part = one('# mlxlink -d mlx5_7\n-E- Failed to open device: "mlx5_7"\n')
    assert (part.facts, whys(part)) == ({}, [(2, "tool-error")])


def test_json() -> None:
    output = {
        "Operational Info": {"State": "Active", "Physical state": "LinkUp", "Speed": "IB-XDR", "Width": "4x"},
        "Physical Counters and BER Info": {"Raw Physical Errors Per Lane": {"values": ["1", "2"]}, "Raw Physical BER": "1E-9"},
    }
    part = one(json.dumps({"result": {"output": output}, "status": {"code": 1, "message": "FEC Histogram is not supported"}}))
    assert part.facts["ports"]["#1"]["rate_gbps"] == 800
    assert part.facts["ports"]["#1"]["raw_errors_per_lane"] == [1, 2]
    assert [problem.why for problem in part.problems] == ["tool-error"]


def test_a_loop_over_ports() -> None:
    shown = "Operational Info\n----------------\nState          : Active\nSpeed          : IB-HDR\nWidth          : 2x\n"
    for head in (
        "for p in 1/1 1/2; do mlxlink -d lid-12 -p $p; done",
        "for d in lid-12; do for p in 1/1 1/2; do mlxlink -d $d -p $p; done; done",
    ):
        part = one(f"$ {head}\n{shown}\n{shown}")
        assert list(part.facts["ports"]) == ["lid-12/1/1", "lid-12/1/2"]
