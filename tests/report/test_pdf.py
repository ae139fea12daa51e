"""The report on paper: every character comes out, nothing of a text acts."""

import re
import shutil
import subprocess
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor.report import pdf
from advisor.report.document import Folded, Heading, Paragraph, Table
from tests.report.test_forms import HOSTILE
from tests.report.test_page import everything

READER = shutil.which("pdftotext")


def inflated(made: bytes) -> Iterator[bytes]:
    yield made
    for packed in re.findall(rb"stream\r?\n(.*?)endstream", made, re.DOTALL):
        try:
            yield zlib.decompress(packed)
        except zlib.error:
            continue


@pytest.mark.parametrize("text", [*HOSTILE, '#import "x"', '#read("/etc/passwd")', "$x^2$ @ref <label>", "// gone? /* no */"])
def test_captured_text_does_not_act(text: str) -> None:
    made = b"\n".join(inflated(pdf.render(everything(text), text, "en")))
    assert made.startswith(b"%PDF-")
    for act in (b"/URI", b"/JavaScript", b"/Launch", b"/EmbeddedFile", b"/OpenAction"):
        assert act not in made


@pytest.mark.skipif(not READER, reason="no pdftotext here")
def test_chinese_and_signs_come_out(tmp_path: Path) -> None:
    text = "叶交换机上行链路拥塞 → ±3 % × 48 GB/s ≥ 0.95 ● █ #import"
    path = tmp_path / "report.pdf"
    path.write_bytes(pdf.render((Heading(1, text), Paragraph(text)), "x", "zh"))
    assert READER
    read = subprocess.run([READER, "-layout", str(path), "-"], capture_output=True, text=True, check=True).stdout
    for word in text.split():
        assert read.count(word) >= 2, word


def test_a_long_folded_table_is_left_to_the_page() -> None:
    rows = tuple((f"row-{i}", "x") for i in range(400))
    short = len(pdf.render((Folded("all", (Table(("a", "b"), rows[:5]),)),), "x", "en"))
    assert len(pdf.render((Folded("all", (Table(("a", "b"), rows),)),), "x", "en")) < 2 * short
