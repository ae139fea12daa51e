"""The patterns of all readers as one: most lines match none, and one pattern says so sooner than sixty."""

import re
from collections.abc import Iterable

_NAME = re.compile(r"\(\?P<\w+>")


def joined(patterns: Iterable[re.Pattern[str]], before: str = "", without: str = "") -> re.Pattern[str]:
    """A pattern that matches wherever one of the patterns does; it may match a little more.

    before   a pattern in front of all of them
    without  text to leave out of each, where `before` holds it already
    """
    bodies = [_body(pattern, without) for pattern in patterns]
    return re.compile(f"{before}(?:{'|'.join(bodies)})" if bodies else r"(?!)")


def _body(pattern: re.Pattern[str], without: str) -> str:
    text = pattern.pattern.replace(without, "") if without else pattern.pattern
    flags = "".join(
        letter for letter, flag in (("i", re.IGNORECASE), ("m", re.MULTILINE), ("s", re.DOTALL), ("x", re.VERBOSE)) if pattern.flags & flag
    )
    return f"(?{flags}:{_NAME.sub('(?:', text)})"
