"""JSON that keeps the line of each value, also where the text ends early or holds what is no JSON."""

import pytest

from advisor.capture.lines import clean
from advisor.readers._json import parse


@pytest.mark.parametrize(
    ("text", "tree", "broken"),
    [
        ('{"a": 1,\n "b": [2, 3]}\n', {"a": 1, "b": [2, 3]}, None),
        ('{"a": 1,\n "b": [2,\n', {"a": 1, "b": [2]}, 2),
        ('{"a": 06}\n', {}, 1),
        ("[1, 2.5,\n 1e999]\n", [1, 2.5], 2),
        ("[" + "9" * 5000 + "]\n", [], 1),
        ('{"a": 12', {}, 1),
        ('{"a": tru', {}, 1),
    ],
)
def test_what_is_whole_is_kept_and_the_rest_is_broken(text: str, tree: object, broken: int | None) -> None:
    found = parse(clean(text.encode()))
    assert found is not None
    assert (found.tree, found.broken) == (tree, broken)


def test_values_know_their_lines() -> None:
    found = parse(clean(b'title\n{"a": 1,\n "b": {\n  "c": [5,\n 6]}}\n'))
    assert found is not None
    assert (found.line("a"), found.line("b", "c"), found.line("b", "c", 1), found.line("b", "unknown")) == (2, 4, 5, 3)
