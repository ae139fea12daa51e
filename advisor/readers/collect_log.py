"""The log of the collecting script (`advisor collect`): what came of each command, and which machines were not reached.

A line is time, outcome, what, duration and detail, with tabs between. Outcomes of commands: done, failed, stopped (at its limit), missing
(no such tool), left-out (no time left); of machines: reached, not-reached. It tells why something is unknown.
"""

import re
from collections.abc import Iterator

from advisor.evidence.reading import Part
from advisor.readers.contract import Block, Notes, Reader
from advisor.readers.shapes import open_end

TOOL = "collect-log"
_START = re.compile(r"Fabric Advisor collection log, form \d+\s*\Z")
_HOST = re.compile(r"host: (?P<host>[\w.-]+)\s*\Z")
_LINE = re.compile(r"(?P<time>\d{8}T\d{6}Z)\t(?P<outcome>[a-z-]+)\t(?P<what>[^\t]+)\t(?P<seconds>\d+) s\t(?P<detail>[^\t]*)\Z")
_OF_MACHINES = {"reached", "not-reached"}


def read(block: Block) -> Iterator[Part]:
    notes = Notes(TOOL, block)
    cut = open_end(block.lines)
    for n, text in block.lines.inked():
        host, line = _HOST.match(text), _LINE.match(text)
        if _START.match(text):
            notes.put(n, 1, "form")
        elif host:
            notes.host = host["host"]
            notes.use(n)
        elif line:
            kind = "machines" if line["outcome"] in _OF_MACHINES else "probes"
            detail = None if n == cut else line["detail"].strip() or None
            values = {"outcome": line["outcome"], "duration_s": int(line["seconds"]), "detail": detail}
            notes.put_all(n, values, kind, line["what"])
            if n == cut and line["detail"]:
                notes.problem(n, "cut")
        elif n == cut:
            notes.problem(n, "cut")
        else:
            break
    if not notes.is_empty:
        yield notes.part()


READER = Reader(TOOL, read, starts=_START, stops=True)
