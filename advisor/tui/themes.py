"""Two calm themes with three levels of background each, one of high contrast, and one of the terminal's own sixteen colours."""

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter
from textual.theme import BUILTIN_THEMES, Theme

from advisor.base.plain import plain

# Every text of these two at least 4.5:1 on every background, the cursor's row too (WCAG 2.2, 1.4.3).
DARK = Theme(
    name="advisor-dark",
    dark=True,
    primary="#7cb7d9",
    secondary="#8fa9c9",
    accent="#c3a6e0",
    foreground="#d3d9e0",
    background="#11151a",
    surface="#171c23",
    panel="#252d38",
    success="#86c28b",
    warning="#e0b062",
    error="#ec8b82",
    variables={
        "cursor": "#20394b",
        "shade": "#3b3524",
        "border": "#5d87a1",
        "border-blurred": "#38424f",
        "text-muted": "#97a3b1",
        "scrollbar": "#3a4552",
        "scrollbar-background": "#171c23",
        "scrollbar-background-hover": "#171c23",
        "scrollbar-background-active": "#171c23",
        "scrollbar-corner-color": "#171c23",
    },
)
LIGHT = Theme(
    name="advisor-light",
    dark=False,
    primary="#1c5d89",
    secondary="#3d5f86",
    accent="#71469a",
    foreground="#1f262d",
    background="#e6e9ec",
    surface="#f6f7f8",
    panel="#d5dce3",
    success="#1b6531",
    warning="#7d4f00",
    error="#a52b22",
    variables={
        "cursor": "#c6dcec",
        "shade": "#ead9b4",
        "border": "#5d87a1",
        "border-blurred": "#b4bec8",
        "text-muted": "#4f5a66",
        "scrollbar": "#b4bec8",
        "scrollbar-background": "#f6f7f8",
        "scrollbar-background-hover": "#f6f7f8",
        "scrollbar-background-active": "#f6f7f8",
        "scrollbar-corner-color": "#f6f7f8",
    },
)
# Every text at least 7:1 on every background (WCAG 2.2, 1.4.6); no level of grey carries a meaning.
CONTRAST = Theme(
    name="advisor-contrast",
    dark=True,
    primary="#7fd7ff",
    secondary="#9ecbff",
    accent="#e3b5ff",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#262626",
    success="#7dff8a",
    warning="#ffd75f",
    error="#ffa9a1",
    variables={
        "cursor": "#00315f",
        "shade": "#4a3c00",
        "border": "#ffffff",
        "border-blurred": "#a8a8a8",
        "text-muted": "#d0d0d0",
        "scrollbar": "#d0d0d0",
        "scrollbar-background": "#000000",
        "scrollbar-background-hover": "#000000",
        "scrollbar-background-active": "#000000",
        "scrollbar-corner-color": "#000000",
    },
)
_ANSI = BUILTIN_THEMES["ansi-dark"]
# Text and background stay the terminal's own, so that it is right on dark and on light ones.
ANSI = Theme(
    name="advisor-ansi",
    dark=True,
    ansi=True,
    primary="ansi_blue",
    secondary="ansi_cyan",
    accent="ansi_magenta",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    boost="ansi_default",
    success="ansi_green",
    warning="ansi_yellow",
    error="ansi_red",
    variables={
        **_ANSI.variables,
        "cursor": "ansi_default",
        "shade": "ansi_default",
        "border": "ansi_cyan",
        "border-blurred": "ansi_default",
        "text-muted": "ansi_default",
        "scrollbar": "ansi_default",
    },
)
THEMES = (DARK, LIGHT, CONTRAST, ANSI)
ORDER = tuple(theme.name for theme in THEMES)
DEFAULTS = {"cursor": "ansi_default", "shade": "ansi_default"}  # what a theme that is not ours lacks


class LastDoor(LineFilter):
    """Nothing that acts leaves for the terminal, also from a field that somebody pasted into: such characters have no width and go."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [
            segment if segment.control or (segment.text.isascii() and segment.text.isprintable()) else _plain(segment)
            for segment in segments
        ]


def _plain(segment: Segment) -> Segment:
    return Segment(plain(segment.text, ""), segment.style, segment.control)


class Colourless(LineFilter):
    """No colour at all, grey included (no-color.org): bold, underline and reverse stay."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [Segment(text, style.without_color if style else None, control) for text, style, control in segments]
