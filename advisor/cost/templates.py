"""What goes together (pricing/templates/<id>.yaml): the parts of a purchase by technology and rate of the site's links."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

from advisor.base.content import folder
from advisor.base.model import Model
from advisor.base.places import pricing
from advisor.base.text import Text
from advisor.remedy.remedy import Part


class Choice(Model):
    """Parts for links of a technology and rate; an empty condition fits every site. `switch` is the item whose radix counts."""

    technology: tuple[str, ...] = ()
    rate_gbps: tuple[float, ...] = ()
    switch: str = ""
    parts: tuple[Part, ...]


class Template(Model):
    id: str
    title: Text
    rate_of: Literal["uplink", "host-port"] = "uplink"  # the links whose rate chooses
    choices: tuple[Choice, ...]  # the first that fits is taken

    def choice(self, technology: str | None, rate_gbps: float | None) -> Choice | None:
        """The parts for a site; None where it is of a kind that no choice knows, or where what decides is unknown."""
        return next(
            (
                choice
                for choice in self.choices
                if (not choice.technology or technology in choice.technology) and (not choice.rate_gbps or rate_gbps in choice.rate_gbps)
            ),
            None,
        )


@cache
def shipped_templates() -> Mapping[str, Template]:
    """The templates of pricing/templates. Raises ContentError."""
    return load_templates(pricing())


def load_templates(*folders: Path) -> Mapping[str, Template]:
    """Templates of the places' folders `templates`, later ones win by id. Raises ContentError."""
    return folder(Template, *(root / "templates" for root in folders if (root / "templates").is_dir()))
