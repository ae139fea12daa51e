"""Texts in both languages with values in them. A value is data: braces in it are not looked at again, and no character of it acts."""

from collections.abc import Iterable

from advisor.base.plain import plain
from advisor.base.text import Text, text_of

SHOWN = 6  # names of a list that are written out


def filled(text: Text, **values: object) -> Text:
    """The text with its {names} filled; a value that is a Text is filled in by language, any other is taken as captured data."""
    return Text(en=text.say("en", **_of("en", values)), zh=text.say("zh", **_of("zh", values)))


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
