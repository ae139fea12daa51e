"""Takes the pictures of all stages: `python screenshots/take.py [SITE] [--to FOLDER] [--all]`.

English on a large screen and Chinese on a small one; with --all both languages at both sizes.

The SVG that Textual exports squeezes wide characters, because it counts letters and not cells, and it names a font of the web: both
are mended here. Chromium turns it into PNG; without it the SVG stays.
"""

import argparse
import asyncio
import re
import shutil
import subprocess
from pathlib import Path

from rich.cells import cell_len

from advisor.base.text import LANGS, Lang
from advisor.tui.app import AdvisorApp
from advisor.tui.views.frame import STAGES

SIZES = ((80, 24), (120, 40))
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


async def take(site: str, to: Path, lang: Lang, size: tuple[int, int], keep_svg: bool) -> None:
    app = AdvisorApp(site, lang)
    async with app.run_test(size=size) as pilot:
        await pilot.pause(0.1)
        while app.work is not None:
            await pilot.pause(0.1)
        if app.assessment is None:
            raise SystemExit(f"{site} could not be opened")
        await pilot.pause(0.5)
        for key, stage in enumerate(("start", *STAGES)):
            await pilot.press(str(key))
            await pilot.pause(0.5)
            path = to / f"{stage}-{lang}-{size[0]}x{size[1]}.svg"
            path.write_text(mended(app.export_screenshot()), encoding="utf-8")
            png(path)
            if not keep_svg and path.with_suffix(".png").exists():
                path.unlink()


def main() -> None:
    from advisor.usecases import assess

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("site", nargs="?", default=assess.example())
    parser.add_argument("--to", type=Path, default=Path(__file__).parent)
    parser.add_argument("--all", action="store_true", help="both languages at both sizes")
    parser.add_argument("--svg", action="store_true", help="keep the SVG beside the PNG")
    given = parser.parse_args()
    given.to = given.to.resolve()
    given.to.mkdir(parents=True, exist_ok=True)
    for lang, size in [(lang, size) for lang in LANGS for size in SIZES] if given.all else KEPT:
        asyncio.run(take(given.site, given.to, lang, size, given.svg))


if __name__ == "__main__":
    main()
