"""Text in English and Chinese: beside the data that it describes, and in the catalogue for what the program says."""

from functools import cache
from typing import Literal, get_args

from advisor.base.model import Model

Lang = Literal["en", "zh"]
LANGS: tuple[Lang, ...] = get_args(Lang)


class Text(Model):
    """One text in both languages."""

    en: str
    zh: str

    def say(self, lang: Lang, **values: object) -> str:
        """The text in a language, its {names} filled. A value is data: braces in it are not looked at again."""
        text = self.zh if lang == "zh" else self.en
        return text.format_map(_Filled(values)) if values else text


class _Filled(dict[str, object]):
    def __missing__(self, name: str) -> str:
        return "{" + name + "}"


@cache
def catalogue() -> dict[str, Text]:
    """All texts of the program by key, from knowledge/text/*.yaml: file `error.yaml` with the key `x` gives `error.x`.

    Raises ContentError for a text that lacks a language, or a key that stands twice.
    """
    from advisor.base.content import texts
    from advisor.base.places import knowledge

    return texts(knowledge() / "text")


def say(key: str, lang: Lang, **values: object) -> str:
    """The catalogue's text for a key; the key itself where there is none, so that a gap is seen and never ends the program."""
    text = catalogue().get(key)
    return text.say(lang, **values) if text else f"{key} {values}" if values else key
