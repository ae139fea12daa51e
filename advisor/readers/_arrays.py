"""Samples of a Prometheus answer from its bytes into arrays, without an object for each sample.

Prometheus prints `"values":[[TIME,"VALUE"],[TIME,"VALUE"]]`. Such bodies are taken out and read as plain lists of numbers; what is left of
the answer, its labels above all, is small. A quote inside a JSON string is escaped, so no label can look like a body's begin.
"""

import re
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

_BODY = re.compile(rb'"values": ?\[\[')
_END = b'"]]}'
_MARKS = b'[]"'


@dataclass(frozen=True, slots=True)
class Samples:
    """Times and values of one series, eight bytes each. `all_finite`: none of them is NaN or infinite."""

    times: "array[float]"
    values: "array[float]"
    all_finite: bool


def samples_apart(text: bytes) -> tuple[bytes, list[Samples]] | None:
    """The text with the number of its samples in the place of each body, and the samples; None if a body is not in the plain form."""
    rest: list[bytes] = []
    found: list[Samples] = []
    at = 0
    view = memoryview(text)
    while body := _BODY.search(text, at):
        end = text.find(_END, body.end()) + 1  # behind the quote of the last value
        samples = _samples(bytes(view[body.end() : end])) if end else None
        if samples is None:
            return None
        rest += (bytes(view[at : body.end() - 2]), str(len(found)).encode())
        found.append(samples)
        at = end + 2
    rest.append(bytes(view[at:]))
    return b"".join(rest), found


def _samples(body: bytes) -> Samples | None:
    """The samples of a body: `TIME,"VALUE"],[TIME,"VALUE"`. None if a time or value is missing or no number."""
    bare = body.translate(None, _MARKS)
    all_finite = True
    try:
        numbers = array("d", _numbers()(b"[%b]" % bare))
    except ValueError:  # NaN, +Inf and -Inf are no numbers to JSON
        all_finite = False
        try:
            numbers = array("d", map(float, bare.split(b",")))
        except ValueError:
            return None
    # Two brackets between two samples, two quotes at each value.
    is_whole = len(numbers) % 2 == 0 and len(body) - len(bare) == 2 * len(numbers) - 2
    return Samples(numbers[::2], numbers[1::2], all_finite) if is_whole else None


@cache
def _numbers() -> Callable[[bytes], Any]:
    """A decoder of lists of numbers; a list of floats is read in one pass. Its errors are ValueErrors."""
    import msgspec

    return msgspec.json.Decoder(list[float]).decode
