from pathlib import Path

import pytest

from advisor.base.content import folder, parse, texts
from advisor.base.errors import ContentError
from advisor.base.model import Model


class Limit(Model):
    id: str
    value: float
    ratio: str = ""


def test_scalars_stay_text() -> None:
    """YAML 1.1 makes 80 of 1:20 and 3.1 of 3.10."""
    tree, _ = parse("ratio: 1:20\nversion: 3.10\nanswer: no\nempty:\n", "x.yaml")
    assert tree == {"ratio": "1:20", "version": "3.10", "answer": "no", "empty": None}


def test_lines_are_those_of_the_file() -> None:
    _, lines = parse("a: 1\nb:\n  - c: 2\n  - c: 3\n", "x.yaml")
    assert (lines[("a",)], lines[("b", 0, "c")], lines[("b", 1, "c")]) == (1, 3, 4)


@pytest.mark.parametrize(
    ("text", "line"),
    [("a: 1\na: 2\n", 2), ("a: [1\n", 2), ("a: &x [1]\nb: *x\n", 1)],
    ids=["key twice", "open list", "alias"],
)
def test_what_is_no_form_is_named(text: str, line: int) -> None:
    with pytest.raises(ContentError) as error:
        parse(text, "x.yaml")
    assert error.value.values["line"] == line


def test_a_field_that_does_not_fit_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "low.yaml").write_text("id: low\nvalue: much\n", encoding="utf-8")
    with pytest.raises(ContentError, match=r"low\.yaml:2: value"):
        folder(Limit, tmp_path)


def test_an_unknown_field_does_not_load(tmp_path: Path) -> None:
    (tmp_path / "low.yaml").write_text("id: low\nvalue: 1\nvalu: 2\n", encoding="utf-8")
    with pytest.raises(ContentError, match=r"low\.yaml:3: valu"):
        folder(Limit, tmp_path)


def test_the_file_name_is_the_id(tmp_path: Path) -> None:
    (tmp_path / "low.yaml").write_text("id: high\nvalue: 1\n", encoding="utf-8")
    with pytest.raises(ContentError, match="low"):
        folder(Limit, tmp_path)


def test_later_folders_win(tmp_path: Path) -> None:
    for name, value in (("shipped", 1), ("own", 2)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "low.yaml").write_text(f"id: low\nvalue: {value}\n", encoding="utf-8")
    assert folder(Limit, tmp_path / "shipped", tmp_path / "own")["low"].value == 2


def test_a_text_that_lacks_a_language_does_not_load(tmp_path: Path) -> None:
    (tmp_path / "word.yaml").write_text("hello: {en: hello}\n", encoding="utf-8")
    with pytest.raises(ContentError, match="zh"):
        texts(tmp_path / "word.yaml")
