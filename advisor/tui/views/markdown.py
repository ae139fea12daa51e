"""The Markdown that a report is written in, as paragraphs: headings, lists, tables, quotes, code. Text stays text."""

import re

from advisor.tui.views.words import Para, Phrase, Span, cells

_INLINE = re.compile(r"\*\*(?P<bold>[^*]+)\*\*|`(?P<code>[^`]+)`")
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+\-.!|<>])")
_HEADING = re.compile(r"(#{1,6}) (.*)")
_ITEM = re.compile(r"(\s*)([-*+]|\d+[.)]) (.*)")
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
    """A table with columns in line. What is too wide for its column is cut; the widest columns give first."""
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
        spans: list[Span] = []
        for i in range(count):
            cell = row[i] if i < len(row) else ""
            words = (Span(_bare(cell), "strong"),) if ruled and n == 0 else inline(cell)
            if cells(_bare(cell)) > widths[i]:
                words = _cut(words, widths[i])
            pad = " " * max(widths[i] - sum(cells(span.text) for span in words), 0)
            spans += [Span(pad), *words] if i < len(right) and right[i] else [*words, Span(pad)]
            spans.append(Span("  "))
        found.append(Para(tuple(spans[:-1]), hang=2))
    return found


def _cut(words: Phrase, width: int) -> Phrase:
    """The beginning of a phrase in `width` cells, with an ellipsis."""
    spans: list[Span] = []
    room = width - 1
    for text, tone in words:
        kept = ""
        for char in text:
            wide = cells(char)
            if wide > room:
                return (*spans, Span(kept + "…", tone))
            kept += char
            room -= wide
        spans.append(Span(kept, tone))
    return tuple(spans)


def _bare(text: str) -> str:
    return _plain(_INLINE.sub(lambda m: m["bold"] or m["code"], text))
