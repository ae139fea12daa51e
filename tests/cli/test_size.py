"""`advisor size`: files and options say the same, figures are those of the cases, and refusals name the place."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.base.errors import UsageError
from advisor.base.text import LANGS, catalogue, text_of
from advisor.cli import run
from advisor.cost.sizing.answer import Sizing
from advisor.cost.sizing.request import InstalledGear, Request, bounds
from advisor.report.sizing import _GROWTH, _LEAF, _LINKS, _MANAGEMENT, _ROOM, _STORAGE, size_document, size_json
from advisor.report.terminal import render
from advisor.usecases.size import size

Capsys = pytest.CaptureFixture[str]
OPTIONS = ["--nodes", "127", "--nics-per-node", "8", "--rails", "8", "--radix", "64", "--reserved-ports", "4", "--build-full-units"]
FILE = "nodes: 127\nnics_per_node: 8\nrails: 8\nradix: 64\nreserved_ports: 4\nbuild_full_units: true\n"


def _file(tmp_path: Path, text: str) -> str:
    path = tmp_path / "request.yaml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def _json(words: list[str], capsys: Capsys) -> dict:
    assert run(["size", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def _refused(words: list[str], capsys: Capsys, *parts: str) -> str:
    assert run(["size", *words]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    for part in parts:
        assert part in said.err
    return said.err


def test_options_a_file_and_a_whole_case_say_the_same(tmp_path: Path, capsys: Capsys) -> None:
    from_options = _json(OPTIONS, capsys)
    assert (from_options["leaves"], from_options["spines"], from_options["cables_node_leaf"]) == (32, 16, 1020)
    assert _json(["--input", _file(tmp_path, FILE)], capsys) == from_options
    case = "id: some-case\nsource: a table\ninputs:\n" + "".join(f"  {line}\n" for line in FILE.splitlines()) + "expected: {leaves: 1}\n"
    assert _json(["--input", _file(tmp_path, case)], capsys) == from_options
    as_json = json.dumps({"nodes": 127, "nics_per_node": 8, "rails": 8, "radix": 64, "reserved_ports": 4, "build_full_units": True})
    assert _json(["--input", _file(tmp_path, as_json)], capsys) == from_options


def test_an_option_goes_before_the_file(tmp_path: Path, capsys: Capsys) -> None:
    assert _json(["--input", _file(tmp_path, FILE), "--nodes", "63"], capsys)["leaves"] == 16


def test_an_installed_fabric_by_options(capsys: Capsys) -> None:
    there = [
        "--installed-leaves",
        "16",
        "--installed-spines",
        "4",
        "--installed-uplinks-per-leaf",
        "16",
        "--installed-down-used-per-leaf",
        "32",
    ]
    found = _json(["--nodes", "64", "--rails", "8", "--radix", "64", *there, "--target-oversubscription", "1"], capsys)
    assert (found["buy_spines"], found["buy_fibres"], found["links_moved"]) == (4, 256, 0)
    assert (found["free_leaf_ports_per_leaf"], found["free_spine_ports"], found["uplinks_addable_per_leaf"]) == (16, 0, 0)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("nodes: 128\nradx: 64\n", (":2: radx", "radix")),
        ("nodes: -4\nradix: 64\n", (":1: nodes", "-4", "1 to 1000000")),
        ("nodes: 0\n", (":1: nodes", "0")),
        ("nodes: many\n", (":1: nodes", "many")),
        ("nodes: 3.5\n", (":1: nodes", "3.5")),
        ("nodes: [1, 2]\n", (":1: nodes",)),
        ("nodes: true\n", (":1: nodes", "true")),
        ("nodes: 8\nnics_per_node: 8\nradix: 99999\n", (":3: radix", "99999")),
        ("nodes: 8\noversubscription: .nan\n", (":2: oversubscription",)),
        ("nodes: 8\noversubscription: .inf\n", (":2: oversubscription",)),
        ("nodes: 8\noversubscription: 0\n", (":2: oversubscription", "0.01")),
        ("nodes: 8\nlink_gbps: 1e99\n", (":2: link_gbps",)),
        ("nodes: 8\ntopology: ring\n", (":2: topology", "rail-only")),
        ("nodes: 8\nbuild_full_units: perhaps\n", (":2: build_full_units", "true")),
        ("nodes: 8\nradix: 64\ninstalled: 3\n", (":3: installed", "uplinks_per_leaf")),
        ("radix: 64\ninstalled:\n  leaves: 4\n  spines: -1\n  uplinks_per_leaf: 4\n", (":4: installed.spines", "-1")),
        ("radix: 64\ninstalled:\n  leaves: 4\n  uplinks_per_leaf: 4\n", (":2: installed", "spines")),
        ("nodes: 256\nnics_per_node: 8\nradix: 64\ntopology: single-switch\n", (":3: radix", "2048")),
        ("nodes: 100000\nnics_per_node: 8\nradix: 64\n", (":3: radix", "65536")),
        ("nodes: 512\nnics_per_node: 8\nrails: 8\nradix: 64\ntiers: 2\n", (":4: radix", "2048")),
        ("inputs:\n  nodes: 8\nnodes: 9\n", (":3: nodes", "inputs")),
        ("- nodes\n", (":1", "nodes: 128")),
        ("", (":1", "nodes: 128")),
        ("nodes: 8\nnodes: 9\n", (":2", "nodes")),
        ("nodes: [8\n", (":",)),
        ("gpus_per_node: 8\n", ("nodes",)),
    ],
)
def test_what_cannot_be_is_a_sentence_with_file_line_and_key(text: str, parts: tuple[str, ...], tmp_path: Path, capsys: Capsys) -> None:
    path = _file(tmp_path, text)
    english = _refused(["--input", path], capsys, *parts)
    chinese = _refused(["--input", path, "--lang", "zh"], capsys)
    assert english != chinese


def test_options_are_refused_by_their_names(tmp_path: Path, capsys: Capsys) -> None:
    _refused(["--nodes", "-3"], capsys, "--nodes", "-3")
    _refused(["--nodes", "64", "--radix", "64"], capsys, "--nodes", "nics_per_node")
    _refused(["--installed-leaves", "4", "--radix", "64"], capsys, "--installed-leaves", "spines")
    _refused([], capsys, "--input")
    _refused(["--input", str(tmp_path / "none.yaml")], capsys, "none.yaml")
    _refused(["--input", str(tmp_path)], capsys, str(tmp_path))
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00\x81")
    _refused(["--input", str(tmp_path / "bytes")], capsys, "bytes")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_tables_to_order_from(lang: str, capsys: Capsys) -> None:
    assert (
        run(["size", "--nodes", "95", "--nics-per-node", "8", "--rails", "8", "--radix", "64", "--link-gbps", "400", "--lang", lang]) == 0
    )
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    tiers = {"en": ("Leaf", "Spine"), "zh": ("叶", "脊")}[lang]
    assert [tiers[0], "24", "64", "32", "32", "1528", "8", "1:1"] in rows
    assert [tiers[1], "16", "64", "48", "0", "768", "256", "-"] in rows
    assert any(row[-2:] == ["1536"] or "1536" in row for row in rows)  # modules of 768 links, both ends
    said = {"en": "12 spines have ports enough", "zh": "12 台脊交换机即可"}[lang]
    assert run(["size", "--nodes", "95", "--nics-per-node", "8", "--rails", "8", "--radix", "64", "--json", "--lang", lang]) == 0
    assert any(said in limit for limit in json.loads(capsys.readouterr().out)["limits"])


def test_every_option_and_figure_has_its_words() -> None:
    texts = catalogue()
    keys = [*bounds(), *(f"installed_{name}" for name in bounds(InstalledGear))]
    assert {f"size.key.{key}" for key in keys if key != "installed"} <= texts.keys()
    assert {f"size.figure.{key}" for key in (*_GROWTH, *_LEAF, *_LINKS, *_MANAGEMENT, *_ROOM, *_STORAGE)} <= texts.keys()
    assert set(bounds(Request)) == set(Request.model_fields)


_WORDS = ["-1", "0", "1", "2", "3", "8", "16", "64", "400", "0.5", "true", "optic", "two-switch", "rail-only", "x", "", "9" * 30]
_VALUES = st.sampled_from(_WORDS) | st.just({"leaves": "8", "spines": "2", "uplinks_per_leaf": "8"})


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.sampled_from([*bounds(), "unknown"]), _VALUES, max_size=10))
def test_any_request_is_sized_or_refused_by_a_sentence(stated: dict[str, object]) -> None:
    base = {"nodes": "64", "nics_per_node": "8", "radix": "64"}
    for request in (stated, {**base, **stated}):
        found = _sized_or_refused(request)
        if isinstance(found, UsageError):
            assert text_of(f"error.{found.key}") is not None
            assert not re.search(r"\{[a-z]+\}", str(found))
            continue
        for lang in LANGS:
            assert "size." not in render(size_document(found, lang), 100)
        assert json.dumps(size_json(found, "en"))


def _sized_or_refused(stated: dict[str, object]) -> Sizing | UsageError:
    try:
        return size(stated)
    except UsageError as error:
        return error
