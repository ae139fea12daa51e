"""Text in English and Chinese: beside the data that it describes, and in the catalogue for what the program says."""

from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Literal, get_args

Lang = Literal["en", "zh"]
LANGS: tuple[Lang, ...] = get_args(Lang)


@dataclass(frozen=True, kw_only=True)
class Text:
    """One text in both languages. No pydantic model: the first screen need not wait for pydantic, and models hold and check it alike."""

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}

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
    from advisor.base.places import knowledge

    found: dict[str, Text] = {}
    for path in sorted((knowledge() / "text").glob("*.yaml")):
        found |= _file(path.stem)
    return found


@cache
def _file(stem: str) -> dict[str, Text]:
    """The texts of one file; none where there is no such file. Only the files that are asked for are read."""
    from advisor.base.content import texts
    from advisor.base.places import knowledge

    path = knowledge() / "text" / f"{stem}.yaml"
    return texts(path) if path.is_file() else {}


def text_of(key: str) -> Text | None:
    """The catalogue's text for a key, or None."""
    return _file(key.partition(".")[0]).get(key)


def say(key: str, lang: Lang, **values: object) -> str:
    """The catalogue's text for a key; the key itself where there is none, so that a gap is seen and never ends the program."""
    text = text_of(key)
    return text.say(lang, **values) if text else f"{key} {values}" if values else key


def value_word(value: str, lang: Lang) -> str:
    """A value that is a word of ours in the reader's language; any other value as it is."""
    text = _file("value").get(f"value.{value}")
    return text.say(lang) if text else value
