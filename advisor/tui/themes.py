"""Two calm themes, three levels of background each, and one for terminals with 16 colours or none."""

from textual.theme import BUILTIN_THEMES, Theme

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
    error="#e57f76",
    variables={
        "cursor": "#2f4a5e",
        "shade": "#3b3524",
        "border": "#5d87a1",
        "border-blurred": "#38424f",
        "text-muted": "#8390a0",
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
    primary="#1f6391",
    secondary="#3d5f86",
    accent="#7a4fa3",
    foreground="#1f262d",
    background="#e6e9ec",
    surface="#f6f7f8",
    panel="#d5dce3",
    success="#22703a",
    warning="#8a5800",
    error="#ac2f26",
    variables={
        "cursor": "#b9d3e6",
        "shade": "#ead9b4",
        "border": "#5d87a1",
        "border-blurred": "#b4bec8",
        "text-muted": "#5b6773",
        "scrollbar": "#b4bec8",
        "scrollbar-background": "#f6f7f8",
        "scrollbar-background-hover": "#f6f7f8",
        "scrollbar-background-active": "#f6f7f8",
        "scrollbar-corner-color": "#f6f7f8",
    },
)
PLAIN = BUILTIN_THEMES["ansi-dark"]
ORDER = (DARK.name, LIGHT.name, PLAIN.name)
DEFAULTS = {"cursor": "ansi_default", "shade": "ansi_default"}  # what a theme that is not ours lacks
