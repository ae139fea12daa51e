"""Reads a text that must give one part."""

from advisor.evidence.reading import Part
from advisor.readers.recognise import read


def one(text: str) -> Part:
    (part,) = read(text.encode()).parts
    return part


def whys(part: Part) -> list[tuple[int, str]]:
    return [(problem.line, problem.why) for problem in part.problems]
