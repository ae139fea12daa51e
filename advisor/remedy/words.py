"""Texts in both languages with values in them. A value is data: braces in it are not looked at again, and no character of it acts."""

import re
from collections.abc import Iterable

from advisor.base.plain import plain
from advisor.base.text import Text, text_of

_SEAM = re.compile(r"(.?)( ?)\{(\w+)\}( ?)(?=(.?))")
SHOWN = 6  # names of a list that are written out


def filled(text: Text, **values: object) -> Text:
    """The text with its {names} filled; a value that is a Text is filled in by language, any other is taken as captured data."""
    chinese = _of("zh", values)
    return Text(en=text.say("en", **_of("en", values)), zh=seamed(text, chinese).say("zh", **chinese))


def seamed(text: Text, values: dict[str, object]) -> Text:
    """The text with the blanks around its {names} as Chinese is set: one between a Latin letter or figure and a Chinese character, none
    between two Chinese characters. What stands inside a value is data and stays."""

    def blanks(found: re.Match[str]) -> str:
        before, left, name, right, after = found.groups()
        value = str(values.get(name, ""))
        if not value:
            return found.group()
        return f"{before}{_gap(before, value[0], left)}{{{name}}}{_gap(value[-1], after, right)}"

    return Text(en=text.en, zh=_SEAM.sub(blanks, text.zh))


def _gap(one: str, other: str, now: str) -> str:
    """The blank between two characters of which at least one is Chinese; as it is where none is, or where one is a sign."""
    kinds = sorted(_kind(char) for char in (one, other))
    return "" if kinds == ["zh", "zh"] else " " if kinds == ["latin", "zh"] else now


def _kind(char: str) -> str:
    return "zh" if "\u4e00" <= char <= "\u9fff" else "latin" if char.isascii() and char.isalnum() else ""


def both(key: str, **values: object) -> Text:
    """The catalogue's text of a key in both languages, filled; the key itself where there is none."""
    return filled(text_of(key) or Text(en=key, zh=key), **values)


def names(things: Iterable[str], instead: Text) -> Text:
    """Names as a list, the first ones written out; `instead` where there are none."""
    known = [plain(thing) for thing in things]
    if not known:
        return instead
    shown, rest = known[:SHOWN], len(known) - SHOWN
    if rest <= 0:
        return Text(en=", ".join(shown), zh="、".join(shown))
    more = both("plan.more", count=rest)
    return Text(en=f"{', '.join(shown)} {more.en}", zh=f"{'、'.join(shown)}{more.zh}")


def joined(texts: Iterable[Text]) -> Text:
    """Texts as one list in each language."""
    all_of = list(texts)
    return Text(en=", ".join(text.en for text in all_of), zh="、".join(text.zh for text in all_of))


def sentences(texts: Iterable[Text]) -> Text:
    """Texts one after the other: with blanks between them in English, without in Chinese."""
    all_of = list(texts)
    return Text(en=" ".join(text.en for text in all_of), zh="".join(text.zh for text in all_of))


def _of(lang: str, values: dict[str, object]) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in values.items():
        if isinstance(value, Text):
            found[name] = value.zh if lang == "zh" else value.en
        else:
            found[name] = plain(value) if isinstance(value, str) else value
    return found
