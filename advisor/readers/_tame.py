"""Digits that no counter, address or size can have: a text that has them is damaged or hostile, and is read without them."""

import re

# 2^64 has 20 digits. Python converts no text of more than 4,300 (sys.get_int_max_str_digits), and no float holds more than 309.
_ENDLESS = re.compile(rb"\d{21,}|(?<=[eE])\+?\d{3,}(?!\d)")


def tamed(data: bytes) -> bytes | None:
    """The text with question marks in place of such numbers; None where it has none, so that what broke its reader is another matter."""
    tame = _ENDLESS.sub(lambda found: b"?" * len(found[0]), data)
    return None if tame == data else tame
