"""A file whose name spells a command: the name stands for the command line where the text has none."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

from advisor.capture import whence
from advisor.readers._runs import Run, tool_of
from advisor.readers.contract import Reader


@dataclass(frozen=True, slots=True)
class Named:
    """The command line that a file's name spells, and its reader.

    is_sure: an option in the name or its folder says that it is a command line; else it counts only for a text that nothing else knows.
    """

    command: str
    reader: Reader
    is_sure: bool


def named(name: str | None) -> Named | None:
    """What a file's name spells, if a reader knows the command. `_` may stand for a blank or for itself: the shortest program counts."""
    spelt = whence.command(name) if name else None
    return _named(spelt) if spelt else None


@lru_cache(maxsize=4096)
def _named(spelt: whence.Spelt) -> Named | None:
    """The same files come from every machine of a site."""
    for line in spelt.lines:
        tool = tool_of(line)
        if tool:
            return Named(tool[1], tool[0], spelt.is_sure)
    return None


def commanded(runs: Iterable[Run], by_name: Named | None) -> Iterable[Run]:
    """The runs as they are if the text has a command line; else each as the output of the named command."""
    if by_name is None:
        return runs
    found = list(runs)
    if any(run.command for run in found):
        return found
    return [replace(run, command=by_name.command, reader=by_name.reader) for run in found]
