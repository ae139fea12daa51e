"""Captured text is hostile: nothing of it may act on a terminal, a browser or a spreadsheet."""

import re

# C0 and C1 controls (but tab), bidirectional controls, zero-width characters, line and paragraph separators, lone surrogates.
_ACTING = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]"
)


def plain(text: str, replacement: str = "\N{REPLACEMENT CHARACTER}") -> str:
    """One line of text without characters that act: each becomes `replacement`. A tab stays."""
    return _ACTING.sub(replacement, text)
