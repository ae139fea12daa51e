"""The quick ways through scrapes and answers tell what the slow ones tell; targets of a federated scrape are told apart."""

import json
from pathlib import Path

import pytest

from advisor.evidence.reading import Part, Reading
from advisor.readers import _exposition, _series, prometheus
from advisor.readers.recognise import read
from tests.benchmarks import inputs

IB = "node_infiniband_"
SCRAPE = f"""# HELP {IB}info Non-numeric data.
# TYPE {IB}info gauge
{IB}info{{board_id="B1",device="mlx5_0",firmware_version="28.1",hca_type="MT4129"}} 1
# TYPE {IB}symbol_error_total counter
{IB}symbol_error_total{{device="mlx5_0",port="1"}} 65535
{IB}symbol_error_total{{device="mlx5_1",port="1"}} 7
# TYPE {IB}port_transmit_wait_total counter
{IB}port_transmit_wait_total{{device="mlx5_0",port="1"}} 4.294967295e+09
{IB}port_transmit_wait_total{{device="mlx5_1",port="1"}} 1.5e+01
# TYPE ifHCInOctets counter
ifHCInOctets{{ifAlias="a, \\"b\\" }} c",ifDescr="Ethernet1",ifIndex="1",ifName="Et1"}} 5e+09
ifHCInOctets{{ifAlias="",ifDescr="Ethernet2",ifIndex="2",ifName="Et2"}} 6
# TYPE ifInOctets counter
ifInOctets{{ifAlias="",ifDescr="Ethernet1",ifIndex="1",ifName="Et1"}} 17
ifInOctets{{ifAlias="",ifDescr="Ethernet2",ifIndex="2",ifName="Et2"}} 6
# TYPE go_gc_duration_seconds summary
go_gc_duration_seconds{{quantile="0"}} NaN
go_goroutines 8
"""


def _told(reading: Reading) -> list[tuple[object, ...]]:
    return [(part.tool, part.host, part.lines, part.facts, part.problems, part.unread) for part in reading.parts]


def _no_lines(*_: object) -> int:
    return 0


@pytest.mark.parametrize("text", [SCRAPE, inputs.exposition(0.05), "\n" + SCRAPE, SCRAPE.replace("# TYPE", "# UNIT")])
def test_a_metric_at_a_time_tells_what_its_lines_tell(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    quick = read(text.encode())
    monkeypatch.setattr(_exposition, "_at_once", _no_lines)
    slow = read(text.encode())
    assert _told(quick) == _told(slow)
    for a, b in zip(quick.parts, slow.parts, strict=True):
        assert {path: a.line_of(path) for path in b.at} == b.at
    assert quick.unread == slow.unread


def test_counters_at_their_ceiling_and_those_that_a_wider_one_replaces() -> None:
    part = prometheus.bulk(SCRAPE.encode())
    assert part is not None
    ports, interfaces = part.facts["ports"], part.facts["interfaces"]
    assert ports["mlx5_0/1"] == {
        "symbol_errors": 65535,
        "xmit_wait": 4294967295,
        "saturated": ["symbol_errors", "xmit_wait"],
        "firmware": "28.1",
        "model": "MT4129",
        "board_id": "B1",
    }
    assert ports["mlx5_1/1"] == {"symbol_errors": 7, "xmit_wait": 15}
    assert interfaces["Et1"] == {"rx_bytes": 5_000_000_000, "description": 'a, "b" } c'}
    assert part.line_of(("interfaces", "Et2", "rx_bytes")) == 12


def test_what_is_not_plain_is_not_read_in_bulk() -> None:
    for text in (SCRAPE[:-1], SCRAPE + "and a remark\n", SCRAPE + SCRAPE, SCRAPE + 'DCGM_FI_DEV_GPU_UTIL{gpu="0"} 1\n'):
        assert prometheus.bulk(text.encode()) is None


def test_targets_of_a_federated_scrape_are_told_apart() -> None:
    lines = [f'{IB}link_downed_total{{device="mlx5_0",instance="gpu-{i}:9100",port="1"}} {i} 1796023628000' for i in (1, 2)]
    lines += [f'{IB}state_id{{device="mlx5_0",instance="gpu-{i}:9100",port="1"}} 4 1796023628000' for i in (1, 2)]
    reading = read(("# TYPE x counter\n" + "\n".join(lines) + "\n").encode())
    found = {part.host: part.facts["ports"]["mlx5_0/1"] for part in reading.parts}
    assert found == {"gpu-1": {"link_downed": 1, "state": "active"}, "gpu-2": {"link_downed": 2, "state": "active"}}


ANSWER = {
    "status": "success",
    "data": {
        "resultType": "matrix",
        "result": [
            {"metric": {"__name__": "up", "a": '},"values":[[1,"2"]]}'}, "values": [[10, "1.5"], [20.25, "2e3"], [30, "-7"]]},
            {"metric": {}, "values": [[10, "NaN"], [20, "+Inf"], [30, "4"]]},
        ],
    },
}


def _parts(text: str) -> list[Part]:
    return list(read(text.encode()).parts)


@pytest.mark.parametrize(
    "text", [json.dumps(ANSWER, separators=(",", ":")), json.dumps(ANSWER), json.dumps(ANSWER, separators=(",", ":")) + "\n"]
)
def test_samples_taken_apart_are_those_of_the_answer(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    quick = _parts(text)
    monkeypatch.setattr(prometheus, "samples_apart", lambda _: None)
    monkeypatch.setattr(_series, "samples_apart", lambda _: None)
    slow = _parts(text)
    assert [(part.facts, dict(part.at), part.lines) for part in quick] == [(part.facts, dict(part.at), part.lines) for part in slow]
    first, second = quick[0].facts["series"]
    assert (first["samples"], first["labels"]) == ([[10, 1.5], [20.25, 2000], [30, -7]], {"a": '},"values":[[1,"2"]]}'})
    assert (second["sample_count"], second["null_count"], second["last"]) == (1, 2, 4)


@pytest.mark.parametrize("body", ['[[1,"2"],["3"]]', '[[1,"2"],[3]]', "[[1,2],[3,4]]", '[[1,"2",3],[4,"5"]]', '[[1,"x"]]', "[[1,null]]"])
def test_samples_that_are_not_plain_are_left_to_the_slow_way(body: str) -> None:
    assert _series.samples_apart(f'{{"values":{body}}}'.encode()) is None


def test_made_up_answers_hold_what_they_say(tmp_path: Path) -> None:
    samples = inputs.write_answer(tmp_path / "a.json", 0.3)
    part = prometheus.bulk((tmp_path / "a.json").read_bytes())
    assert part is not None
    assert sum(one["sample_count"] for one in part.facts["series"]) == samples
