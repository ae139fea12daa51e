"""Traps of Prometheus, Grafana and UFM that the golden captures do not show."""

import json

from advisor.evidence.reading import Part
from advisor.readers._series import labelled
from advisor.readers.recognise import read


def _parts(text: str) -> list[Part]:
    return list(read(text.encode()).parts)


def _answer(result: object, kind: str = "matrix") -> str:
    return json.dumps({"status": "success", "data": {"resultType": kind, "result": result}})


def test_no_number_is_no_value() -> None:
    (part,) = _parts(_answer([{"metric": {"__name__": "up"}, "values": [[10, "NaN"], [20, "1"], [30, "+Inf"]]}]))
    (series,) = part.facts["series"]
    assert (series["sample_count"], series["null_count"], series["first"], series["first_time_s"]) == (1, 2, 1, 20)
    assert json.dumps(series)  # and nothing in it that JSON has no word for


def test_an_error_is_refused() -> None:
    assert read(b'{"status":"error","errorType":"bad_data","error":"parse error"}').refused


def test_an_answer_that_ends_early_keeps_what_is_whole() -> None:
    text = _answer([{"metric": {"a": "1"}, "values": [[10, "1"], [20, "2"]]}, {"metric": {"a": "2"}, "values": [[10, "3"], [20, "4"]]}])
    (part,) = _parts(text[: text.index('"4"')])
    assert [series["last"] for series in part.facts["series"]] == [2, 3]
    assert "series_count" not in part.facts
    assert [problem.why for problem in part.problems] == ["cut"]


def test_series_of_a_text_with_lines_stand_at_their_lines() -> None:
    text = json.dumps(
        json.loads(_answer([{"metric": {"a": "1"}, "value": [10, "1"]}, {"metric": {"a": "2"}, "value": [10, "2"]}], "vector")), indent=1
    )
    (part,) = _parts(text)
    lines = text.split("\n")
    assert [
        '"a": "1"' in "".join(lines[part.at[("series", "0")] - 1 :][:3]),
        '"a": "2"' in "".join(lines[part.at[("series", "1")] - 1 :][:3]),
    ] == [True, True]


def test_the_list_alone_and_a_scalar() -> None:
    (part,) = _parts('[{"metric":{"device":"mlx5_0"},"values":[[10,"1"]]}]')
    assert (part.facts["result_type"], part.facts["series_count"]) == ("matrix", 1)
    (part,) = _parts(_answer([1796023644.457, "42"], "scalar"))
    assert part.facts["series"][0]["first"] == 42


def test_answers_that_promtool_prints() -> None:
    (part,) = _parts('node_x{device="mlx5_0"} => 12 @[1796023644.457]\nnode_x{device="mlx5_1"} => NaN @[1796023644.457]\n')
    assert (part.facts["result_type"], [series["sample_count"] for series in part.facts["series"]]) == ("vector", [1, 0])
    (part,) = _parts('node_x{device="mlx5_0"} =>\n12 @[1796023628]\n14 @[1796023630]\n')
    assert part.facts["result_type"] == "matrix"
    assert (part.facts["series"][0]["last"], part.facts["series"][0]["last_time_s"]) == (14, 1796023630)


def test_names_with_braces_in_their_labels() -> None:
    assert labelled('x{path="/a,b=\\"c\\"}",job="n"}') == ("x", {"path": '/a,b="c"}', "job": "n"})
    assert labelled("gpu-01 tx {raw}") == ("gpu-01 tx {raw}", {}) or labelled("gpu-01 tx {raw}")[1] == {}


def test_the_narrow_counter_gives_way_to_the_wide_one() -> None:
    rows = [
        'ifInOctets{ifName="Eth1/1"} 7',
        'ifHCInOctets{ifName="Eth1/1"} 4.294967303e+09',
        'ifHighSpeed{ifName="Eth1/1"} 400000',
        'ifOperStatus{ifName="Eth1/1"} 2',
    ]
    for text in ("\n".join(rows) + "\n", "\n".join(reversed(rows)) + "\n"):
        (part,) = _parts(text)
        assert part.facts["interfaces"]["Eth1/1"] == {"rx_bytes": 4294967303, "rate_gbps": 400, "state": "down"}


def test_a_second_scrape_is_another_part() -> None:
    row = 'node_infiniband_port_transmit_wait_total{{device="mlx5_0",port="1"}} {}\n'
    parts = _parts(row.format(5) + row.format(9))
    assert [part.facts["ports"]["mlx5_0/1"]["xmit_wait"] for part in parts] == [5, 9]


def test_grafana_columns_with_units_and_times_without_a_zone() -> None:
    text = '"Time","tx","node_x{device=""mlx5_1"", port=""1""}"\n2024-01-01 10:00:00,168 Gb/s,1.5\n2024-01-01 10:00:15,170 Gb/s,\n'
    (part,) = _parts(text)
    tx, named = part.facts["series"]
    assert (tx["first"], tx["unit"], tx["first_time"]) == (168, "Gb/s", "2024-01-01 10:00:00")
    assert "first_time_s" not in tx
    assert (named["metric"], named["labels"], named["null_count"]) == ("node_x", {"device": "mlx5_1", "port": "1"}, 1)


def test_grafana_mixed_units_are_unknown_and_milliseconds_are_known() -> None:
    (part,) = _parts('sep=;\n"Time";"a"\n1704074400000;5 GB\n1704074415000;900 MB\n')
    (series,) = part.facts["series"]
    assert (series["sample_count"], series["null_count"]) == (0, 2)
    assert [problem.why for problem in part.problems] == ["unknown-unit"]
    (part,) = _parts('"Time";"a"\n1704074400000;5\n1704074415000;6\n')
    assert part.facts["series"][0]["last_time_s"] == 1704074415


def test_ufm_port_without_a_link_and_a_port_number_behind_the_peer() -> None:
    down = {
        "number": 52,
        "physical_state": "Polling",
        "logical_state": "Down",
        "active_speed": None,
        "active_width": None,
        "dname": "1/26/2",
    }
    down |= {"system_name": "leaf-1", "peer_lid": "N/A", "peer_port_dname": "N/A", "peer": "N/A", "mtu": 4096}
    up = {
        "number": 1,
        "physical_state": "Link Up",
        "logical_state": "Active",
        "active_speed": "NDR",
        "active_width": "4x",
        "dname": "HCA-1/1",
    }
    up |= {
        "system_name": "gpu01",
        "peer": "b83fd20300e5c980_12",
        "peer_port_dname": "1/6/2",
        "peer_node_description": "leaf-1",
        "peer_lid": 34,
    }
    (part,) = _parts(json.dumps({"data": [down, up]}, indent=1))
    assert part.facts["ports"]["leaf-1/52"] == {"label": "1/26/2", "state": "down", "physical_state": "polling", "mtu_bytes": 4096}
    peer = part.facts["ports"]["gpu01/1"]
    assert (peer["rate_gbps"], peer["peer_device"], peer["peer_port"], peer["peer_lid"]) == (400, "leaf-1", 12, 34)


def test_ufm_table() -> None:
    (part,) = _parts(
        "System,Port,Logical State,Physical State,Speed,Width,Peer Node,Peer Port\nleaf-1,12,Active,Link Up,HDR,2x,gpu01,HCA-1/1\n"
    )
    assert part.facts["ports"]["leaf-1/12"]["rate_gbps"] == 100
    assert part.facts["ports"]["leaf-1/12"]["peer_port"] == 1
