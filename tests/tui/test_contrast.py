"""Whether every text can be read on every background: contrast by WCAG 2.2, its formula of relative luminance."""

from itertools import product

import pytest
from textual.theme import Theme

from advisor.tui.themes import CONTRAST, DARK, LIGHT


def _luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _ratio(one: str, other: str) -> float:
    dark, bright = sorted((_luminance(one), _luminance(other)))
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(("theme", "least"), [(DARK, 4.5), (LIGHT, 4.5), (CONTRAST, 7.0)])
def test_every_tone_can_be_read_on_every_background(theme: Theme, least: float) -> None:
    tones = ("foreground", "primary", "secondary", "accent", "success", "warning", "error")
    texts = {**{name: getattr(theme, name) for name in tones}, "muted": theme.variables["text-muted"]}
    grounds = {**{name: getattr(theme, name) for name in ("background", "surface", "panel")}, "cursor": theme.variables["cursor"]}
    low = {(a, b): round(_ratio(texts[a], grounds[b]), 2) for a, b in product(texts, grounds) if _ratio(texts[a], grounds[b]) < least}
    assert low == {}


def test_the_formula_is_the_standards() -> None:
    assert round(_ratio("#000000", "#ffffff"), 2) == 21
    assert round(_ratio("#777777", "#ffffff"), 2) == 4.48
