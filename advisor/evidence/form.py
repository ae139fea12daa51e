"""The statements form (site.yaml) as data: knowledge/form.yaml says which sections and keys there are, and what each takes."""

from functools import cache
from typing import Literal

from advisor.base.content import check, parse
from advisor.base.model import Model
from advisor.base.places import knowledge
from advisor.base.text import Text

Takes = Literal["text", "number", "sign", "words", "names", "map"]
# Keys that may stand anywhere: a remark for people, how exact a number is, and how far it is to be trusted.
ANYWHERE = {"note", "bound", "trust"}


class Key(Model):
    """One key: what it takes, the words that are meant where they are few, and what it asks for."""

    type: Takes
    one_of: tuple[str, ...] = ()
    en: str
    zh: str


class Section(Model):
    about: Text
    list: bool  # several entries
    keys: dict[str, Key]


class Form(Model):
    sections: dict[str, Section]


@cache
def form() -> Form:
    """The shipped form. Raises ContentError."""
    path = knowledge() / "form.yaml"
    tree, lines = parse(path.read_text(encoding="utf-8"), str(path))
    return check(Form, {"sections": tree}, {("sections", *place): line for place, line in lines.items()}, str(path))
