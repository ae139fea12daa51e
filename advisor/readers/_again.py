"""Several runs of one tool in one block: what is told again begins a new part, so before and after stay apart."""

from collections.abc import Callable
from dataclasses import dataclass, field

from advisor.evidence.reading import Part
from advisor.readers.contract import Block, Notes


@dataclass(slots=True)
class Runs:
    """The parts of a block.

    counts  maps of things and the keys of their number, as ("ports", "port_count"); a number that the text gave stays
    finish  what is derived when a part is complete
    """

    tool: str
    block: Block
    counts: tuple[tuple[str, str], ...]
    finish: Callable[[Notes], None] = lambda notes: None
    notes: Notes = field(init=False)
    _start: int = 0
    _parts: list[Part] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.notes = Notes(self.tool, self.block)

    def begin(self, index: int) -> None:
        """Close the part in front of a line, by its index among the block's lines; the next part begins with that line."""
        self._close(index)
        self._start = index
        self.notes = Notes(self.tool, self.block)

    def parts(self) -> list[Part]:
        """All parts, the last one closed."""
        self._close(len(self.block.lines))
        return self._parts

    def _close(self, end: int) -> None:
        notes, block = self.notes, self.block
        self.finish(notes)
        for things, key in self.counts:
            if notes.get(key) is None:
                notes.count(things, key)
        if notes.is_empty:
            return
        lines = block.lines[self._start : max(end, self._start + 1)]  # a line in which one part ends and the next begins is of both
        first = block.first if self._start == 0 else lines.numbers[0]
        notes.block = Block(lines, block.command, block.host, first)
        self._parts.append(notes.part())
