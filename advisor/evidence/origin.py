"""Where a figure comes from. Every number that a person reads leads back to one of these."""

from typing import Literal

from advisor.base.model import Model


class Origin(Model):
    """A line of a capture, or what a person stated.

    kind     capture: `line` of the capture `capture` (sha256; `name` is its name for people).
             stated: a person said so, in site.yaml or on the screen.
    """

    kind: Literal["capture", "stated"] = "capture"
    capture: str = ""
    name: str = ""
    line: int | None = None

    def __str__(self) -> str:
        return f"{self.name}:{self.line}" if self.line else self.name
