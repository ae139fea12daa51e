"""The short pattern finds what the long one finds: the longest words first, in capitals or not."""

import re

from hypothesis import given
from hypothesis import strategies as st

from advisor.capture.alternatives import alternatives

WORDS = st.sets(st.text(alphabet="abAB.-1[é", min_size=1, max_size=6), min_size=1, max_size=12)


@given(WORDS, st.text(alphabet="abAB.-1[é ", max_size=40))
def test_it_finds_what_all_the_words_find(words: set[str], text: str) -> None:
    plain = "|".join(map(re.escape, sorted(words, key=lambda word: (-len(word), word))))
    for behind in ("", "(?![A-Za-z0-9])", r"(?=\[|\d)"):
        long, short = (re.compile(f"(?<![A-Za-z0-9])(?:{one}){behind}", re.IGNORECASE) for one in (plain, alternatives(words)))
        assert [found.span() for found in short.finditer(text)] == [found.span() for found in long.finditer(text)]


def test_a_long_chain_of_words_can_be_compiled() -> None:
    words = ["a" * n for n in range(1, 200)]
    assert re.fullmatch(alternatives(words), "a" * 199, re.IGNORECASE)
