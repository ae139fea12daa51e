"""The page that stands alone, opened in a real browser without a network."""

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

from advisor.report import html
from advisor.report.charts.model import Distributions, Frontier, HeatMap, Point, Slice, Split, Spread, Step, Timeline, Waterfall
from advisor.report.charts.svg import svg, ticks
from advisor.report.document import Choices, Code, Document, Folded, Heading, Items, Paragraph, Picture, Table
from tests.report.test_forms import HOSTILE

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
browser = pytest.mark.skipif(not CHROMIUM, reason="no Chromium here")


def everything(text: str) -> Document:
    """A document with the text at every place that a document has."""
    charts = (
        Split((Slice(text, 0.6, text, "good"), Slice(text, 0.4, text, "bad")), (text, text)),
        Waterfall((Step(text, 8.0, text), Step(text, 0.5, text)), (text, text), text),
        HeatMap((text,), (text, "2"), ((0.3, None),), text),
        Timeline(((1.0, 2.0), (2.0, 3.0)), ((1.0, 1.5),), text, text, text),
        Frontier((Point(text, 0.0, 0.0, (text, text)), Point(text, 10.0, 0.3, (text, text))), text, text, (text, text, text)),
        Distributions((Spread(text, (1.0, 2.0, 3.0)),), text, (text, text, text, text)),
    )
    return (
        Heading(1, text),
        Heading(2, text),
        Paragraph(text),
        Items((text,)),
        Code(text),
        Table((text, "b"), ((text, text),)),
        *(Picture(text, chart) for chart in charts),
        Choices(text, ((text, (Paragraph(text),)), ("b", (Paragraph(text),)))),
        Folded(text, (Paragraph(text),)),
    )


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.mark.parametrize(
    "text", [*HOSTILE, '"><img src=x onerror=alert(1)>', "</style><script>alert(1)</script>", "{{7*7}}", "javascript:alert(1)"]
)
def test_captured_text_makes_no_tag_and_no_attribute(text: str) -> None:
    def tags(page: str) -> list[tuple[str, tuple[str, ...]]]:
        parser = _Tags()
        parser.feed(page)
        return [(tag, tuple(attrs)) for tag, attrs in parser.found]

    page = html.render({"en": everything(text)}, text)
    lines = "\n".join(["plain"] * len(text.split("\n")))  # each line of code is a line of its own
    assert tags(page) == tags(html.render({"en": everything(lines)}, "plain"))
    assert "\x1b" not in page
    assert "\u202e" not in page
    assert "7*7" in page if "7*7" in text else "49" not in page.partition("<main")[2][:200]


def test_the_page_names_no_outside_resource() -> None:
    page = html.render({"en": everything("a"), "zh": everything("b")}, "a")
    assert not re.search(r"(?:src|srcset|href|action|poster|data)\s*=\s*(?!['\"]?#)[^\s]", page.partition("<body>")[2])
    assert "url(" not in page
    assert "<script" not in page
    assert "default-src 'none'" in page


@pytest.mark.parametrize(("low", "high"), [(0, 1), (0, 100), (3, 3.5), (0, 71_216), (-2, 9), (0, 0.04), (5, 5)])
def test_ticks_are_round_and_inside(low: float, high: float) -> None:
    found = ticks(low, high)
    assert 1 <= len(found) <= 7
    assert all(low - 1e-9 <= tick <= max(high, low + 1e-9) for tick in found)
    steps = {round(b - a, 9) for a, b in pairwise(found)}
    assert len(steps) <= 1
    assert all(f"{step:e}"[0] in "125" for step in steps)


def test_a_picture_has_its_figures_as_text() -> None:
    drawn = svg(Split((Slice("placement", 0.47, "47 %", "warn"), Slice("kept", 0.53, "53 %", "good")), ("", "")), "loss")
    assert "placement" in drawn
    assert "47 %" in drawn
    widths = [float(w) for w in re.findall(r'<rect[^>]* width="([\d.]+)" height="30', drawn)]
    assert widths[0] / widths[1] == pytest.approx(0.47 / 0.53, rel=0.01)


def opened(page: Path, tmp_path: Path, *more: str) -> tuple[str, list[str]]:
    """What the browser says of the page, and the addresses that it asked for; every way out leads to a closed port."""
    log = tmp_path / "net.json"
    assert CHROMIUM
    done = subprocess.run(
        [
            *(
                CHROMIUM,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
            ),
            *("--disable-component-update", "--disable-sync", "--proxy-server=127.0.0.1:9"),
            *("--enable-logging=stderr", f"--log-net-log={log}", f"--user-data-dir={tmp_path / 'profile'}", *more, page.as_uri()),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    events = json.loads(log.read_text(encoding="utf-8", errors="replace"))["events"]
    asked = [e["params"]["url"] for e in events if isinstance(e.get("params"), dict) and "url" in e["params"]]
    return done.stderr, sorted(
        {address for address in asked if not address.startswith(("file:", "data:", "chrome:", "devtools:", "about:"))}
    )


@browser
def test_a_browser_shows_the_page_without_a_request_or_an_error(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    page.write_text(html.render({"en": everything("seen <b>by</b> all"), "zh": everything("看得见")}, "t"), encoding="utf-8")
    said, asked = opened(page, tmp_path, f"--print-to-pdf={tmp_path / 'print.pdf'}", "--no-pdf-header-footer")
    assert "CONSOLE" not in said
    assert not [address for address in asked if "google" not in address]  # the browser's own errands never leave: the way out is closed
    assert (tmp_path / "print.pdf").read_bytes().startswith(b"%PDF-")


@browser
def test_scenarios_switch_without_a_script(tmp_path: Path) -> None:
    choices = Choices("ways", (("one", (Paragraph("first way"),)), ("two", (Paragraph("second way"),))))
    page = html.render({"en": (Heading(1, "x"), choices)}, "x")
    page = page.replace(' checked><label for="c1-1"', '><label for="c1-1"').replace('id="c1-2">', 'id="c1-2" checked>')
    probe = (
        "<script>document.title = [...document.querySelectorAll('section')].map(s => getComputedStyle(s).display).join()</script></body>"
    )
    page = page.replace("</body>", probe).replace("default-src 'none'", "default-src 'unsafe-inline'")
    path = tmp_path / "page.html"
    path.write_text(page, encoding="utf-8")
    assert CHROMIUM
    done = subprocess.run(
        [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", path.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert "<title>none,block</title>" in done.stdout
