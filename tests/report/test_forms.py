"""Forms of a document: what is data stays data, and columns stand under one another."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from advisor.base.plain import plain
from advisor.report import markdown, terminal
from advisor.report.document import Code, Heading, Items, Paragraph, Table

HOSTILE = [
    "# heading",
    "- item",
    "1. item",
    "> quote",
    "**bold** _it_ `code` ~~gone~~",
    "[link](http://example.com)",
    "![img](http://example.com/x.png)",
    "<script>alert(1)</script>",
    "<b onclick=x>y</b>",
    "&lt;&amp;",
    "a | b | c",
    "http://example.com/x",
    "www.example.com",
    "\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07",
    "a\u202egnp.exe",
    "=1+1",
    "---",
    "```\ncode\n```",
    "\\*not\\*",
    "mlx5_0_1 * __init__",
]


def _texts(source: str) -> tuple[str, set[str]]:
    """All text of a Markdown source, and the kinds of tokens in it."""
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").enable("strikethrough").parse(source)
    inner = [child for token in tokens for child in (token.children or [token])]
    return "".join(t.content for t in inner if t.type in ("text", "text_special", "softbreak")), {t.type for t in [*tokens, *inner]}


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_of_captured_text_does_not_act(text: str) -> None:
    for block in (Paragraph(text), Items((text,)), Table(("a", "b"), ((text, "x"),)), Heading(2, text)):
        source = markdown.render((block,))
        shown, kinds = _texts(source)
        assert not kinds & {
            "html_inline",
            "html_block",
            "link_open",
            "image",
            "em_open",
            "strong_open",
            "s_open",
            "code_inline",
            "blockquote_open",
            "fence",
            "hr",
        }
        assert plain(" ".join(text.split("\n"))).strip() in shown
        assert "\x1b" not in source
        assert "\u202e" not in source


@given(st.text(max_size=60))
def test_any_text_comes_through_markdown(text: str) -> None:
    shown, kinds = _texts(markdown.render((Table(("a",), ((text,),)),)))
    assert "html_inline" not in kinds
    assert "link_open" not in kinds
    wanted = re.sub(r"\s+", "", plain(" ".join(text.split("\n"))))
    assert re.sub(r"\s+", "", shown) == "a" + wanted


def test_code_cannot_leave_its_fence() -> None:
    source = markdown.render((Code("```\n# out\n````"),))
    tokens = MarkdownIt().parse(source)
    assert [token.type for token in tokens] == ["fence"]


@pytest.mark.parametrize(("text", "columns"), [("abc", 3), ("机房", 4), ("GPU 与网卡", 10), ("", 0)])
def test_width_counts_chinese_twice(text: str, columns: int) -> None:
    assert terminal.width(text) == columns


def test_columns_stand_under_one_another() -> None:
    table = Table(("名称", "n"), (("争用", "8"), ("contention", "12")), ("left", "right"))
    lines = terminal.render((table,)).splitlines()
    assert {terminal.width(line) for line in lines} == {14}


def test_a_wide_table_is_folded_into_the_terminal() -> None:
    table = Table(("what", "n"), (("leaf uplinks are full and even " * 6, "8"),), ("left", "right"))
    assert all(terminal.width(line) <= 60 for line in terminal.render((table,), 60).splitlines())


@given(st.text(alphabet="ab 机房。，", max_size=80), st.integers(4, 30))
def test_wrapping_loses_nothing(text: str, columns: int) -> None:
    lines = terminal.wrapped(text, columns)
    assert "".join("".join(lines).split()) == "".join(text.split())


@pytest.mark.parametrize("text", HOSTILE)
def test_a_terminal_gets_no_control_codes(text: str) -> None:
    out = terminal.render((Paragraph(text), Table(("a",), ((text,),)), Code(text), Heading(1, text)))
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", out)
