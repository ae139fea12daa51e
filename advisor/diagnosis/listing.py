"""Every measure with what it says, what it needs, how it degrades, and who asks for it: made from the registry and knowledge/measures.yaml.

What a measure needs is told by its group, because measures of one group look at the same captures.
"""

from collections.abc import Mapping
from functools import cache
from typing import Literal

from pydantic import Field

from advisor.base import places
from advisor.base.content import check, parse
from advisor.base.errors import ContentError
from advisor.base.model import Model
from advisor.base.text import Text, text_of
from advisor.diagnosis.library import Library
from advisor.diagnosis.measured import measures
from advisor.diagnosis.verdicts import Layer

# How a measure degrades: see `degrades.*` of knowledge/text/measures.yaml.
Way = Literal["unknown", "fewer", "stated", "peers", "total"]


class Group(Model):
    """What the measures of one group need, and what happens where a part of it is missing."""

    needs: Text
    without: tuple[Way, ...] = Field(min_length=1)


class Listed(Model):
    """One measure.

    doc         how it is computed, in the words of the code
    signatures  ids of those that ask for it; of those too that ask for a sign of the form that follows from it
    """

    name: str
    group: str
    layer: Layer
    unit: str
    says: Text
    doc: str
    needs: Text
    degrades: tuple[Text, ...]
    signatures: tuple[str, ...]


@cache
def groups() -> Mapping[str, Group]:
    """What each group of measures needs. Raises ContentError."""
    path = places.knowledge() / "measures.yaml"
    tree, lines = parse(path.read_text(encoding="utf-8"), str(path))
    found = {name: check(Group, entry, lines, str(path), (name,)) for name, entry in tree.items()}
    lacking = {one.group for one in measures().values()} - found.keys()
    if lacking:
        raise ContentError("content", file=str(path), line=1, field="(all)", why=f"no group is named {', '.join(sorted(lacking))}")
    return found


def listed(known: Library) -> tuple[Listed, ...]:
    """All measures, by name."""
    asked: dict[str, list[str]] = {}
    for signature, names in known.asks.items():
        for name in names:
            asked.setdefault(name, []).append(signature)
    for sign, following in known.signs.items():
        for part in (part for rule in (following.yes, following.no) if rule for part in rule.parts()):
            asked.setdefault(part.measure or "", []).extend(asked.get(sign, ()))
    found = []
    for name, one in measures().items():
        group = groups()[one.group]
        docs = [" ".join((provider.__doc__ or "").split()) for provider in one.providers]
        found.append(
            Listed(
                name=name,
                group=one.group,
                layer=one.layer,
                unit=one.unit,
                says=text_of(f"measure.{name}") or Text(en=name, zh=name),
                doc=" ".join(filter(None, docs)),
                needs=group.needs,
                degrades=tuple(text for way in group.without if (text := text_of(f"measures.{way}"))),
                signatures=tuple(sorted(set(asked.get(name, ())))),
            )
        )
    return tuple(found)
