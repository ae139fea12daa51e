"""advisor report: a form by the ending of the name, in one language or both; refusals in a sentence."""

import json
import zipfile
from pathlib import Path

import pytest

from advisor.cli import run
from advisor.usecases.assess import example


@pytest.mark.parametrize(
    ("name", "begins"), [("r.html", b"<!DOCTYPE html>"), ("r.pdf", b"%PDF-"), ("r.xlsx", b"PK"), ("r.md", b"# "), ("r.json", b"{")]
)
def test_the_ending_chooses_the_form(name: str, begins: bytes, tmp_path: Path) -> None:
    assert run(["report", example(), "--to", str(tmp_path / name)]) == 0
    assert (tmp_path / name).read_bytes().startswith(begins)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_both_languages_in_one_file(tmp_path: Path) -> None:
    assert run(["report", example(), "--to", str(tmp_path / "r.html"), "--in", "both"]) == 0
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert page.count('<main lang="en"') == page.count('<main lang="zh-CN"') == 1
    assert run(["report", example(), "--to", str(tmp_path / "r.md"), "--in", "zh"]) == 0
    assert (tmp_path / "r.md").read_text(encoding="utf-8").startswith("# 网络评估报告")


def test_every_sum_of_a_workbook_is_a_formula(tmp_path: Path) -> None:
    assert run(["report", example(), "--to", str(tmp_path / "r.xlsx"), "--lang", "zh"]) == 0
    with zipfile.ZipFile(tmp_path / "r.xlsx") as packed:
        sheets = {name: packed.read(name).decode() for name in packed.namelist() if name.startswith("xl/worksheets/sheet")}
        assert not any(name.endswith(".bin") or "externalLink" in name or "vba" in name for name in packed.namelist())
    assert sum(text.count("<f>") for text in sheets.values()) > 50


def test_a_masked_report_by_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    to, pairs = tmp_path / "r.json", tmp_path / "pairs.json"
    assert run(["report", example(), "--to", str(to), "--mask", "--mapping", str(pairs)]) == 0
    assert str(pairs) in capsys.readouterr().err
    tree = json.loads(to.read_text(encoding="utf-8"))
    assert tree["masked"] is True
    assert "nh-a01" not in to.read_text(encoding="utf-8")
    assert "nh-a01" in json.loads(pairs.read_text(encoding="utf-8"))["names"]


@pytest.mark.parametrize("name", ["r.docx", "r", "nowhere/r.html"])
def test_what_cannot_be_written_is_said(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["report", example(), "--to", str(tmp_path / name)]) == 2
    said = capsys.readouterr().err
    assert name.rpartition("/")[2] in said
    assert "Traceback" not in said
    assert list(tmp_path.iterdir()) == []


def test_mask_by_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["mask", example(), "--to", str(tmp_path / "m.advisor"), "--mapping", str(tmp_path / "pairs.json"), "--json"]
    assert run(words) == 0
    assert json.loads(capsys.readouterr().out)["left_out"] == []
    assert run(words) == 2
    assert "m.advisor" in capsys.readouterr().err
