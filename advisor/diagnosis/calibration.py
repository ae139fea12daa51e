"""How sure a verdict may call itself: the share of the odds that it holds, put right by what that share was worth on sites of known truth.

The curve is data (knowledge/calibration.yaml), made by `python -m tests.synthetic.calibrate --fit`. Where sites of known truth say that a
share promises too much, it is lowered in full; where it promises too little, it is raised by half of the way, because synthetic sites are
kinder than real ones.
"""

from functools import cache
from typing import Annotated

from pydantic import Field, model_validator

from advisor.base import places
from advisor.base.content import load
from advisor.base.model import Model

Share = Annotated[float, Field(ge=0, le=1)]


class Point(Model):
    """held: share of all odds that a verdict holds. right: how sure that is."""

    held: Share
    right: Share


class Calibration(Model):
    """points: of the curve, from 0 to 1, straight between. sites, seeds, made: of what it was made, and when."""

    points: tuple[Point, ...] = Field(min_length=2)
    sites: int
    seeds: str
    made: str

    @model_validator(mode="after")
    def _rises(self) -> "Calibration":
        held, right = [one.held for one in self.points], [one.right for one in self.points]
        if held != sorted(set(held)) or right != sorted(right) or (held[0], held[-1]) != (0, 1):
            raise ValueError("points run from 0 to 1, and being surer never means being less often right")
        return self

    def of(self, held: float) -> float:
        """How sure a verdict is that holds this share of the odds."""
        for low, high in zip(self.points, self.points[1:], strict=False):
            if held <= high.held:
                return low.right + (held - low.held) / (high.held - low.held) * (high.right - low.right)
        return self.points[-1].right


@cache
def calibration() -> Calibration:
    """The shipped curve. Raises ContentError where its file does not fit the form."""
    return load(Calibration, places.knowledge() / "calibration.yaml")
