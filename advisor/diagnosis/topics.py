"""What a change was about, told from its words by the patterns of knowledge/topics.yaml."""

import re
from functools import cache

from advisor.base import places
from advisor.base.content import parse


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    path = places.knowledge() / "topics.yaml"
    tree, _ = parse(path.read_text(encoding="utf-8"), str(path))
    return {topic: re.compile("|".join(patterns)) for topic, patterns in sorted(tree.items())}


def topics(*texts: str) -> tuple[str, ...]:
    """The topics that any of the texts touches, sorted."""
    whole = " | ".join(texts).lower()
    return tuple(topic for topic, pattern in _patterns().items() if pattern.search(whole))
