"""How counters end (knowledge/counters.yaml), and what two figures of one counter say of its growth."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from pydantic import Field, RootModel

from advisor.base.content import load
from advisor.base.model import Model
from advisor.base.places import knowledge

# The smallest Ethernet frame with preamble and gap, in bits: no port passes more packets a second than its rate over this.
_LEAST_FRAME_BITS = 84 * 8
Unknown = Literal["reset", "no-time", "saturated", "wrapped"]


class Width(Model):
    """The keys are told in knowledge/counters.yaml."""

    tools: tuple[str, ...]
    names: tuple[str, ...]
    bits: int = Field(ge=1, lt=64)
    unit_bytes: int = 1
    at_top: Literal["stays", "wraps", "unknown"]
    sources: tuple[str, ...]

    @property
    def top(self) -> int:
        """The highest figure, in the unit of the common name."""
        return ((1 << self.bits) - 1) * self.unit_bytes

    @property
    def turn(self) -> int:
        """What the counter counts from zero to zero, in the same unit."""
        return (1 << self.bits) * self.unit_bytes


class _Widths(RootModel[dict[str, Width]]):
    pass


@dataclass(frozen=True, slots=True)
class Grown:
    """Growth between two figures. `at_least`: what is sure where the growth itself is unknown; `unknown` says why."""

    delta: float | None
    at_least: float
    unknown: Unknown | None = None


@cache
def widths() -> Mapping[tuple[str, str], Width]:
    """Tool and common name of every counter that ends below 64 bits. Raises ContentError."""
    found = load(_Widths, knowledge() / "counters.yaml").root
    return {(tool, name): width for width in found.values() for tool in width.tools for name in width.names}


def width_of(tool: str, counter: str) -> Width | None:
    """How a counter ends; None for one of 64 bits. Of a priority's or queue's counter the last word counts."""
    return widths().get((tool, counter.rsplit(".", 1)[-1]))


def grown(first: float, second: float, width: Width | None, elapsed_s: float | None = None, rate_gbps: float | None = None) -> Grown:
    """What a counter grew by from its first figure to its second; `rate_gbps` of its port.

    saturated  a counter that stays at its top has reached it: it grew at least so far
    reset      a lower figure: it was cleared in between, and grew at least from zero to it; 2^64 is never added
    wrapped    a counter that goes on from zero may have done so more than once: the port could have carried a whole turn
    """
    if width is None or first > width.top or second > width.top:
        return Grown(second - first, second - first) if second >= first else Grown(None, second, "reset")
    if width.at_top != "wraps":
        if width.top in (first, second):
            return Grown(None, max(second - first, 0), "saturated")
        return Grown(second - first, second - first) if second >= first else Grown(None, second, "reset")
    delta = (second - first) % width.turn
    most = _most(width, elapsed_s, rate_gbps)
    return Grown(delta, delta) if most is not None and most < width.turn else Grown(None, delta, "wrapped")


def _most(width: Width, elapsed_s: float | None, rate_gbps: float | None) -> float | None:
    """The most that a port could have counted in the time; None where its rate or the time is unknown."""
    if elapsed_s is None or rate_gbps is None:
        return None
    bits = rate_gbps * 1e9 * elapsed_s
    return bits / 8 if any(name.endswith("bytes") for name in width.names) else bits / _LEAST_FRAME_BITS
