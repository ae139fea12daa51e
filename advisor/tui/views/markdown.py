"""The Markdown that a report is written in, as paragraphs: headings, lists, tables, quotes, code. Text stays text."""

import re

from advisor.tui.views.words import Para, Phrase, Span, cells

_INLINE = re.compile(r"\*\*(?P<bold>[^*]+)\*\*|`(?P<code>[^`]+)`")
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+\-.!|<>])")
_HEADING = re.compile(r"(#{1,6}) (.*)")
_ITEM = re.compile(r"(\s*)([-*+]|\d+[.)]) (.*)")
_PIECES = re.compile(r"[\u2e80-\U0010ffff][，。；：！？、）》】”’%]*\s*|[^\s\u2e80-\U0010ffff]+\s*|\s+")  # what a line is not parted in
_LEAST = 6  # cells that a column of a table keeps


def paragraphs(text: str, width: int = 100) -> tuple[Para, ...]:
    """A Markdown text as paragraphs; tables fit into `width` cells."""
    paras: list[Para] = []
    table: list[list[str]] = []
    fenced = False
    for raw in [*text.splitlines(), ""]:
        if raw.startswith("|") and not fenced:
            table.append([cell.strip() for cell in re.split(r"(?<!\\)\|", raw.strip().strip("|"))])
            continue
        if table:
            paras += _table(table, width)
            table = []
        if raw.lstrip().startswith("```"):
            fenced = not fenced
        elif fenced:
            paras.append(Para((Span(raw, "info"),), indent=2))
        else:
            paras.append(_line(raw))
    while paras and not paras[-1].phrase:
        paras.pop()
    return tuple(paras)


def _line(raw: str) -> Para:
    heading, item = _HEADING.match(raw), _ITEM.match(raw)
    if heading:
        return Para((Span(_plain(heading[2]), "title" if len(heading[1]) <= 2 else "strong"),))
    if item:
        mark = "• " if item[2] in "-*+" else f"{item[2]} "
        return Para((Span(mark, "dim"), *inline(item[3])), indent=len(item[1]), hang=len(mark))
    if raw.startswith(">"):
        return Para((Span("▏ ", "dim"), *inline(raw.lstrip("> "))), hang=2)
    if re.fullmatch(r"\s*([-*_])(\s*\1){2,}\s*", raw):
        return Para((Span("─" * 40, "dim"),))
    return Para(inline(raw)) if raw.strip() else Para()


def inline(text: str) -> Phrase:
    """Bold and code within a line."""
    spans: list[Span] = []
    end = 0
    for match in _INLINE.finditer(text):
        if match.start() > end:
            spans.append(Span(_plain(text[end : match.start()])))
        spans.append(Span(_plain(match["bold"]), "strong") if match["bold"] else Span(match["code"], "info"))
        end = match.end()
    if end < len(text):
        spans.append(Span(_plain(text[end:])))
    return tuple(spans)


def _plain(text: str) -> str:
    return _ESCAPE.sub(r"\1", text)


def _table(rows: list[list[str]], width: int) -> list[Para]:
    """A table with columns in line. What is too wide for its column goes on below; the widest columns give first."""
    ruled = len(rows) > 1 and all(re.fullmatch(r":?-+:?", cell) for cell in rows[1])
    right = [cell.endswith(":") for cell in rows[1]] if ruled else []
    body = [row for i, row in enumerate(rows) if not (ruled and i == 1)]
    count = max(len(row) for row in body)
    widths = [max((cells(_bare(row[i])) for row in body if i < len(row)), default=0) for i in range(count)]
    over = sum(widths) + 2 * (count - 1) - width
    while over > 0 and max(widths) > _LEAST:
        widths[widths.index(max(widths))] -= 1
        over -= 1
    found: list[Para] = []
    for n, row in enumerate(body):
        columns: list[list[Phrase]] = []
        for i in range(count):
            cell = row[i] if i < len(row) else ""
            words = (Span(_bare(cell), "strong"),) if ruled and n == 0 else inline(cell)
            columns.append(_wrapped(words, widths[i]))
        for at in range(max(map(len, columns))):
            spans: list[Span] = []
            for i, lines in enumerate(columns):
                piece = lines[at] if at < len(lines) else ()
                pad = Span(" " * max(widths[i] - sum(cells(span.text) for span in piece), 0))
                spans += [pad, *piece] if i < len(right) and right[i] else [*piece, pad]
                spans.append(Span("  "))
            found.append(Para(tuple(spans[:-1]), hang=2))
    return found


def _wrapped(words: Phrase, width: int) -> list[Phrase]:
    """A phrase in lines of at most `width` cells: parted at blanks and between wide characters, what is longer anywhere."""
    lines: list[list[Span]] = [[]]
    room = width
    for text, tone in words:
        for piece in _PIECES.findall(text):
            if cells(piece.rstrip()) > room and room < width:
                lines.append([])
                room = width
            piece = piece.rstrip() if cells(piece) > room >= cells(piece.rstrip()) else piece
            while cells(piece) > room:
                kept = _start(piece, room)
                lines[-1].append(Span(kept, tone))
                lines.append([])
                piece, room = piece[len(kept) :], width
            lines[-1].append(Span(piece, tone))
            room -= cells(piece)
    ended = [[*line[:-1], Span(line[-1].text.rstrip(), line[-1].tone)] for line in lines if line]
    return [tuple(line) for line in ended] or [()]


def _start(text: str, width: int) -> str:
    """As much of the beginning of a text as fits, at least one character."""
    at = 1
    while at < len(text) and cells(text[: at + 1]) <= width:
        at += 1
    return text[:at]


def _bare(text: str) -> str:
    return _plain(_INLINE.sub(lambda m: m["bold"] or m["code"], text))
