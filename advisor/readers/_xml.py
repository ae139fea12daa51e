"""XML with line numbers, safely: no entity is declared or fetched, and a text that ends early gives the elements that are whole."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

_DEPTH = 200


@dataclass(slots=True)
class Element:
    """An element: `line` from 1 within the text, `end` where it closes (0: it never does)."""

    name: str
    line: int
    attributes: dict[str, str] = field(default_factory=dict)
    children: list["Element"] = field(default_factory=list)
    text: str = ""
    end: int = 0

    def find(self, *names: str) -> "Element | None":
        """The first element down a path of names."""
        here: Element | None = self
        for name in names:
            here = next((child for child in here.children if child.name == name), None) if here else None
        return here

    def value(self, *names: str) -> str:
        found = self.find(*names)
        return found.text.strip() if found else ""

    def walk(self) -> Iterator["Element"]:
        """This element and all below, in order of the text."""
        stack = [self]
        while stack:
            here = stack.pop()
            yield here
            stack.extend(reversed(here.children))


class _Stop(Exception):
    """The first element has closed."""


@dataclass(slots=True)
class Document:
    """`error_line` is where the text stops being well-formed; None where the first element closes as it should."""

    root: Element | None
    error_line: int | None = None


def parse(text: str) -> Document:
    """The first element of a text, as far as it goes. Never raises for content."""
    parser = expat.ParserCreate()
    document = Document(None)
    stack: list[Element] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        element = Element(name, parser.CurrentLineNumber, attributes)
        if len(stack) >= _DEPTH:
            raise _Stop
        if stack:
            stack[-1].children.append(element)
        else:
            document.root = element
        stack.append(element)

    def end(_: str) -> None:
        stack.pop().end = parser.CurrentLineNumber
        if not stack:
            raise _Stop

    def characters(piece: str) -> None:
        if stack and not stack[-1].children:
            stack[-1].text += piece

    def refuse(*_: object) -> None:
        raise _Stop

    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, characters
    parser.EntityDeclHandler = refuse
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    try:
        parser.Parse(text.lstrip("\ufeff"), True)
    except _Stop:
        if stack or document.root is None:
            document.error_line = parser.CurrentLineNumber
    except expat.ExpatError:
        document.error_line = parser.CurrentLineNumber
    return document
