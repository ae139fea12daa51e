"""Takes the pictures of all stages: `python screenshots/take.py [SITE] [--to FOLDER] [--all] [--theme NAME]`.

English on a large screen and Chinese on a small one; with --all both languages at 80x24, 120x40 and 200x60. What a person keeps (settings,
prices, what was open last) is left out, so that the pictures are the same on any machine.

The SVG that Textual exports squeezes wide characters, because it counts letters and not cells, and it names a font of the web: both
are mended here. Chromium turns it into PNG; without it the SVG stays.
"""

import argparse
import asyncio
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from rich.cells import cell_len
from textual.pilot import Pilot

from advisor.base.text import LANGS, Lang
from advisor.tui.app import AdvisorApp

SIZES = ((80, 24), (120, 40), (200, 60))
# Name of a picture, and the keys from the screen before.
SHOTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("start", ("0",)),
    ("evidence", ("1",)),
    ("probes", ("b",)),
    ("fabric", ("escape", "2", "j", "down", "enter", "down")),
    ("diagnosis", ("3",)),
    ("flow-control", ("f", "down", "down", "down")),
    ("remedies", ("escape", "4", "down", "down", "down")),
    ("costs", ("5", "end", "b", "down", "down", "down")),
    ("frontier", ("p",)),
    ("compare", ("escape", "6")),
    ("report", ("7",)),
)
KEPT: tuple[tuple[Lang, tuple[int, int]], ...] = (("en", (120, 40)), ("zh", (80, 24)))
_TEXT = re.compile(r'<text([^>]*?) x="([\d.]+)"([^>]*?) textLength="([\d.]+)"([^>]*)>(.*?)</text>', re.DOTALL)
_CELL = 12.2  # width of a cell in the SVG of Rich


def mended(svg: str) -> str:
    """The SVG with every text as wide as its cells, in fonts of this machine."""
    svg = re.sub(r"@font-face\s*\{.*?\}", "", svg, flags=re.DOTALL)
    svg = re.sub(r"font-family: ?[^;]*Fira Code[^;]*;", "font-family: 'DejaVu Sans Mono', 'Noto Sans Mono CJK SC', monospace;", svg)

    def text(match: re.Match[str]) -> str:
        before, x, between, _, after, inner = match.groups()
        letters = re.sub(r"&#?\w+;", "x", inner)
        if cell_len(letters) == len(letters):
            return match.group().replace('textLength="', 'data-length="') if not letters.strip() else match.group()
        found, at = [], float(x)
        for piece in re.findall(r"&#?\w+;|.", inner):
            wide = 1 if piece.startswith("&") else cell_len(piece)
            if piece.strip():
                found.append(f'<text{before} x="{at:.1f}"{between} textLength="{wide * _CELL:.1f}"{after}>{piece}</text>')
            at += wide * _CELL
        return "".join(found)

    return _TEXT.sub(text, svg)


def png(svg: Path) -> None:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not chromium:
        return
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg.read_text(encoding="utf-8"))
    width, height = (int(float(value)) + 1 for value in box.groups()) if box else (1600, 900)
    subprocess.run(
        [
            chromium,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            f"--window-size={width},{height}",
            f"--screenshot={svg.with_suffix('.png')}",
            svg.as_uri(),
        ],
        check=True,
        capture_output=True,
    )


async def take(site: str, to: Path, lang: Lang, size: tuple[int, int], keep_svg: bool, theme: str | None) -> None:
    app = AdvisorApp(site, lang)
    async with app.run_test(size=size) as pilot:
        await still(app, pilot)
        if app.assessment is None:
            raise SystemExit(f"{site} could not be opened")
        if theme:
            app.theme = theme
        for name, keys in SHOTS:
            for key in keys:
                await pilot.press(key)
                await pilot.pause(0.05)
            await still(app, pilot)
            path = to / f"{name}-{lang}-{size[0]}x{size[1]}{f'-{theme}' if theme else ''}.svg"
            path.write_text(mended(app.export_screenshot()), encoding="utf-8")
            png(path)
            if not keep_svg and path.with_suffix(".png").exists():
                path.unlink()


async def still(app: AdvisorApp, pilot: Pilot[int]) -> None:
    """Wait until nothing works in the background and all is drawn."""
    for _ in range(600):
        await pilot.pause(0.1)
        if app.work is None and all(worker.is_finished for worker in app.workers):
            break
    await pilot.pause(0.5)


def main() -> None:
    from advisor.usecases import assess

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("site", nargs="?", default=assess.example())
    parser.add_argument("--to", type=Path, default=Path(__file__).parent)
    parser.add_argument("--all", action="store_true", help="both languages at both sizes")
    parser.add_argument("--svg", action="store_true", help="keep the SVG beside the PNG")
    parser.add_argument("--theme", help="name of a theme; dark where nothing is said")
    given = parser.parse_args()
    given.to = given.to.resolve()
    given.to.mkdir(parents=True, exist_ok=True)
    for lang, size in [(lang, size) for lang in LANGS for size in SIZES] if given.all else KEPT:
        with tempfile.TemporaryDirectory() as folder:  # one for each: where the cursor stood is remembered
            os.environ["XDG_STATE_HOME"] = os.environ["XDG_CONFIG_HOME"] = folder
            asyncio.run(take(given.site, given.to, lang, size, given.svg, given.theme))


if __name__ == "__main__":
    main()
