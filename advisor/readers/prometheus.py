"""Prometheus: answers to queries (JSON), and the exposition text of node_exporter (InfiniBand, networks) and snmp_exporter (IF-MIB)."""

import re
from collections.abc import Iterator

from advisor.capture.lines import Lines, is_ordinary, plain
from advisor.evidence.reading import Part
from advisor.readers._arrays import samples_apart
from advisor.readers._exposition import exposition, whole_scrape
from advisor.readers._promtool import INSTANT, RANGE, promtool
from advisor.readers._series import Answer, answer, plain_answer, put_series
from advisor.readers.contract import Block, Notes, Reader, command


def read(block: Block) -> Iterator[Part]:
    first = next((text for _, text in block.lines.inked()), "")
    if INSTANT.match(first) or RANGE.match(first):
        yield from (notes.part() for notes in promtool(block))
    elif first.lstrip()[:1] in ("{", "["):
        yield from _answers(block)
    else:
        yield from exposition(block)


# --- answers --------------------------------------------------------------------------------------------------


def _answers(block: Block) -> Iterator[Part]:
    found = answer(block.lines)
    if found is not None:
        yield _told(found, block, next(n for n, _ in block.lines.inked())).part()


def _told(found: Answer, block: Block, first: int) -> Notes:
    """The facts of an answer that starts at a line."""
    notes = Notes("prometheus", block)
    notes.use_range(block.first, found.last)
    if found.error is not None:
        notes.problem(first, "tool-error", found.error)
        return notes
    notes.put(first, found.result_type, "result_type")
    put_series(notes, found.series)
    if found.broken is not None:
        notes.problem(found.broken, "cut")
        del notes.facts["series_count"]  # more series followed
    return notes


# --- in bulk --------------------------------------------------------------------------------------------------

_PLAIN_HEAD = re.compile(rb'\{"status":"success",(?:"isPartial":(?:false|true),)?"data":\{"resultType":"matrix",')
_COMMENTS = (b"# HELP ", b"# TYPE ")


def bulk(data: bytes, command: str | None = None, before: int = 0) -> Part | None:
    """The part of a whole capture that is one answer with ranges on one line, or one scrape of one target; None else."""
    if command or before:  # the part names it
        return None
    if data.startswith(_COMMENTS):
        return _scrape_in_bulk(data)
    return _answer_in_bulk(data) if _PLAIN_HEAD.match(data) else None


def _scrape_in_bulk(data: bytes) -> Part | None:
    text = data.decode() if is_ordinary(data) else plain(data)
    return whole_scrape(text) if text is not None and data.endswith(b"\n") else None


def _answer_in_bulk(data: bytes) -> Part | None:
    if data.find(b"\n") not in (-1, len(data) - 1):
        return None
    apart = samples_apart(data)
    if apart is None or plain(apart[0]) is None:
        return None
    found = plain_answer(*apart, first=1, last=1)
    return _told(found, Block(Lines((), (), ())), first=1).part() if found else None


_STARTS = re.compile(
    r"\s*(?:# (?:HELP|TYPE) (?:node_(?:infiniband|network|arp|boot|cpu|uname)|"
    r"if(?:HC|In|Out|Oper|Admin|High|Mtu|Speed|Alias|Last|Type|Phys))\w* |"
    r"[A-Za-z_:][\w:]*\{[^}]{0,2000}\} =>(?: [-+]?[\d.]|\s*\Z)|"
    r"(?:node_(?:infiniband|network)_\w+|if(?:HC|In|Out|Oper|Admin|High|Mtu|Speed)\w+)\{[^}]*\} [\d.])"
)
_HEAD = re.compile(r'"resultType"\s*:\s*"(?:matrix|vector|scalar|string|streams)"|"status"\s*:\s*"error"\s*,\s*"errorType"')
_RESULT = re.compile(r'\s*\[\s*\{\s*"metric"\s*:\s*\{[^}]*\}\s*,\s*"values?"\s*:\s*\[')


def _recognises(head: str) -> bool:
    start = head.lstrip()[:1]
    return (start == "{" and _HEAD.search(head, 0, 4096) is not None) or (start == "[" and _RESULT.match(head) is not None)


READER = Reader(
    "prometheus",
    read,
    commands=command("curl", "wget", "promtool", options=r"(?:/api/v1/query|query (?:instant|range)\b|:9100/metrics\b|/snmp\?)"),
    starts=_STARTS,
    recognises=_recognises,
    bulk=bulk,
)
