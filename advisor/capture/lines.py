"""Bytes become clean lines. Each keeps the number of the line that it was, so evidence can show the original.

What goes: byte order marks, carriage returns, ANSI and cursor codes, HTML entities and tags, mail quotes, markdown fences, remarks behind
an arrow, frames of a terminal, prompts of a pager, prefixes that a launcher, kubectl, journald or syslog puts before every line
(capture/prefixes). What is mapped: full-width digits, letters, colons, commas and brackets, typographic quotes and dashes. Numbers stay
true: where a page or an editor put several lines into one, they come out as several with the same number; where a terminal broke its lines
at its last column, the rest of a line is put back to it and an empty line is left in its place.
"""

import codecs
import html
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import repeat

from advisor.capture.prefixes import without_prefixes
from advisor.capture.unbroken import unbroken

# Full-width forms of ASCII (U+FF01-FF5E) and the ideographic blank: two columns wide, so a blank becomes two. What word processors make of
# quotes and hyphens.
_WIDE: dict[int, int | str] = {
    **{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)},
    **dict.fromkeys((0xA0, 0x2007, 0x2009, 0x202F), " "),
    **dict.fromkeys((0x2010, 0x2011, 0x2012, 0x2013, 0x2212), "-"),
    **dict.fromkeys((0x2018, 0x2019), "'"),
    **dict.fromkeys((0x201C, 0x201D), '"'),
    0x3000: "  ",
    0x2014: "--",
}
_UNSEEN = "\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff"
_HAS_WIDE = re.compile("[\uff01-\uff5e\u3000\xa0\u2007\u2009-\u2014\u2018\u2019\u201c\u201d\u202f\u2212]")
_ANSI = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[PX^_][^\x1b]*(?:\x1b\\)?|[ -/]*[0-~])"
    r"|\x9b[0-?]*[ -/]*[@-~]|\^\[\[[\d;]*[A-Za-z]"  # also as one character, and as `cat -v` shows it
)
_FORWARD = re.compile(r"(?:\x1b\[|\x9b)(\d{0,4})C")
# What is left of a colour where the escape character was lost: only where a line has its begin and its end.
_COLOUR_REST = re.compile(r"\[\d{1,3}(?:;\d{1,3})*m(?!\])|\[m(?![\w/\]])")
_COLOUR_END = re.compile(r"\[0m(?!\])|\[m(?![\w/\]])")
_CONTROL = re.compile(f"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f{_UNSEEN}]")
_ENTITY = re.compile(r"&(?:lt|gt|amp|quot|apos|nbsp|ndash|mdash|hellip|#\d{1,6}|#x[0-9a-fA-F]{1,5});")
_TAG = re.compile(r"</?(?:pre|code|br|p|div|span|tt|b|i|u|em|strong|blockquote|font|samp|kbd|td|tr)(?:\s[^<>]{0,2000})?/?>", re.IGNORECASE)
_BREAK = re.compile(r"<br\s*/?>|</(?:p|div|tr)>", re.IGNORECASE)
_FENCE = re.compile(r"\s*(?:(?:```|~~~)[\w+-]*|\{(?:code|noformat)(?::[^}]*)?\}|\[/?code\])\s*\Z")
# A remark that whoever pasted the text put behind a line: `Current : 5  <-- not the maximum`. A tool's own arrow has one blank before it.
_ARROW = r"(?:[ \t]{2}|\t)<[-=]{1,4} "
_REMARK = re.compile(rf"(?<=\S)(?:\s+← ?|\s*{_ARROW})\s*\S.*\Z")
_BRACED = re.compile(r"\{(?:code|noformat)[:}]")
# Any sign of decoration in a line or a text; where it finds nothing, nothing is to be cleaned.
_DECORATED = re.compile(
    f"[\x00-\x08\x0b-\x1f\x7f-\x9f\xa0\uff01-\uff5e\u3000\u2007\u2009-\u2014\u2018\u2019\u201c\u201d\u2212{_UNSEEN}]"
    rf"|{_ENTITY.pattern}|(?i:{_TAG.pattern})|```|~~~|\{{code|\{{noformat|\[/?code\]|\^\[\[|\[0?m|[│┃║←]|{_ARROW}"
)
_PLAIN_BYTES = bytes([9, 10, *range(32, 127), *range(128, 256)])
# ASCII that no decoration begins with, braces apart.
_ORDINARY_BYTES = bytes([9, 10, *(code for code in range(32, 127) if chr(code) not in "&<$^[~`")])
_CONTROL_BYTES = bytes([*range(1, 8), *range(14, 27), *range(28, 32)])
_BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_HANZI_PAIR = re.compile(rb"[\xa1-\xf7][\xa1-\xfe]")
# What a pager waits with: `--More--` (Cisco, Arista), `---- More ----` (Huawei, H3C), `---(more 45%)---` (Junos), `lines 1-23/40 (END)`
# (less). Where it was wiped by moving the cursor back, the next line stands behind it.
_PAGER_LINE = (
    r"[ \t]*(?:-{2,4} ?More ?-{2,4}(?:\(\d+%\))?|<-{1,4} ?More ?-{1,4}>|-{2,3}\(more(?: \d+%)?\)-{2,3}|"
    r"lines \d+-\d+(?:/\d+)?(?: \(END\)| \d+%)?|\(END\))"
)
_PAGER = re.compile(rf"{_PAGER_LINE}(?:[ \t]*\Z|(?:[ \t]*\x1b\[\d*[DK])+)")
_HAS_PAGER = re.compile(rf"^{_PAGER_LINE}[ \t]*(?:\x1b|$)", re.MULTILINE)
_PAGER_WORDS = ("More", "(more", "lines ", "(END)")
_TABLE_RULE = re.compile(r"\s*\|(?:\s*:?-{2,}:?\s*\|)+\s*\Z")
_TABLE_ROW = re.compile(r"\s*\|.*\|\s*\Z")
_FRAME = re.compile(r"\s*[│┃║] ?(.*?)\s*[│┃║]\s*\Z")


@dataclass(frozen=True, slots=True)
class Lines:
    """Clean lines with their numbers in the file.

    texts    clean text, without the line's end
    numbers  number of each line, from 1, ascending
    raw      the decoded lines of the whole file: `raw[n - 1]` is line n as it came
    hosts    number of a line -> host that its prefix named
    """

    texts: Sequence[str]
    numbers: Sequence[int]
    raw: Sequence[str]
    encoding: str = "utf-8"
    hosts: dict[int, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.texts)

    def __iter__(self) -> Iterator[tuple[int, str]]:
        return iter(zip(self.numbers, self.texts, strict=True))

    def __getitem__(self, at: slice) -> "Lines":
        return Lines(self.texts[at], self.numbers[at], self.raw, self.encoding, self.hosts)

    @property
    def text(self) -> str:
        return "\n".join(self.texts)

    def inked(self) -> Iterator[tuple[int, str]]:
        """The lines that hold more than blanks."""
        return ((n, text) for n, text in self if text and not text.isspace())


def decode(data: bytes) -> tuple[str, str]:
    """Text and the encoding's name.

    UTF-16 and UTF-32 by byte order mark (UTF-16 also by its zero bytes), UTF-8; else GB18030 if the other bytes come in pairs as Chinese
    does, Windows-1252 if they stand alone, and UTF-8 with replacement where most of it is UTF-8.
    """
    for mark, name in _BOMS:
        if data.startswith(mark):
            return data.decode(name, errors="replace"), name
    unmarked = _unmarked_utf16(data)
    if unmarked:
        return data.decode(unmarked, errors="replace"), unmarked
    try:
        return data.decode("utf-8-sig"), "utf-8"
    except UnicodeDecodeError:
        return _decode_legacy(data)


def _decode_legacy(data: bytes) -> tuple[str, str]:
    text = data.decode("utf-8-sig", errors="replace")
    whole = sum(1 for c in text[:200_000] if c > "\x7f" and c != "\ufffd")
    broken = text[:200_000].count("\ufffd")
    if whole > 3 * broken or not broken:
        return text, "utf-8, damaged"
    high = sum(1 for byte in data[:200_000] if byte > 0x7F)
    if 2 * len(_HANZI_PAIR.findall(data[:200_000])) >= 0.8 * high:
        try:
            return data.decode("gb18030"), "gb18030"
        except UnicodeDecodeError:
            return data.decode("gb18030", errors="replace"), "gb18030, damaged"
    return data.decode("cp1252", errors="replace"), "cp1252"


def _unmarked_utf16(data: bytes) -> str | None:
    """The byte order of UTF-16 without a mark: mostly ASCII letters, so every other byte is zero."""
    head = data[:4096]
    if len(head) < 8 or b"\x00" not in head:
        return None
    even, odd = head[::2].count(0), head[1::2].count(0)
    half = len(head) // 2
    if odd > 0.7 * half and even < 0.05 * half:
        return "utf-16-le"
    return "utf-16-be" if even > 0.7 * half and odd < 0.05 * half else None


def is_binary(data: bytes) -> bool:
    """Whether bytes are no text: a PDF, zero bytes that are not UTF-16 or UTF-32, or mostly control characters."""
    head = data[:65536]
    if head.startswith(b"%PDF-"):
        return True
    if any(head.startswith(mark) for mark, _ in _BOMS):
        return False
    if b"\x00" in head:
        return _unmarked_utf16(data) is None
    sample = head[:4096] + head[-2048:]
    return len(sample) - len(sample.translate(None, _CONTROL_BYTES)) > 0.1 * max(len(sample), 1)


def clean(data: bytes) -> Lines:
    """The lines of a capture without decoration."""
    text, encoding = decode(data)
    if "\r\n" in text:
        text = text.replace("\r\n", "\n")
    raw = text.split("\n")
    numbers: Sequence[int] = range(1, len(raw) + 1)
    texts = raw
    if not _is_plain(text, data):
        texts, numbers = _pieces(_unpacked(raw))
    texts, hosts = without_prefixes(_at_margin(unbroken(texts)), numbers)
    texts = _at_margin(_untabled(texts))
    return Lines(texts, numbers, raw, encoding, hosts)


def _untabled(texts: list[str]) -> list[str]:
    """The lines without the bars of markdown tables: cells stay two blanks apart."""
    rules = [i for i, text in enumerate(texts) if i and text.lstrip()[:1] == "|" and _is_rule(text, texts[i - 1])]
    if not rules:
        return texts
    texts = list(texts)
    for rule in rules:
        rows, below = [rule - 1], rule + 1
        while below < len(texts) and _TABLE_ROW.match(texts[below]):
            rows.append(below)
            below += 1
        for i in rows:
            texts[i] = "  ".join(cell.strip(" `*") for cell in texts[i].strip().strip("|").split("|"))
        texts[rule] = ""
    return texts


def _is_rule(text: str, header: str) -> bool:
    """Whether a line of dashes between bars is a markdown table's: its header stands above it, with as many bars."""
    return _TABLE_RULE.match(text) is not None and text.count("|") > 2 and header.count("|") == text.count("|")


def _at_margin(texts: list[str]) -> list[str]:
    """The lines without the blanks that all of them begin with: a paste that was indented as a whole."""
    margin: str | None = None
    for text in texts:
        bare = text.lstrip(" \t")
        if not bare:
            continue
        own = text[: len(text) - len(bare)]
        margin = own if margin is None else margin
        while not own.startswith(margin):
            margin = margin[:-1]
        if not margin:
            return texts
    return [text[len(margin) :] for text in texts] if margin else texts


def is_ordinary(data: bytes) -> bool:
    """Whether bytes are ASCII in which no decoration can begin, but for a line that starts with a brace."""
    return not data.translate(None, _ORDINARY_BYTES)


def plain(data: bytes) -> str | None:
    """The text of a capture that needs no cleaning, prefixes apart; None for any other."""
    if data.startswith(tuple(mark for mark, _ in _BOMS)) or b"\x00" in data:
        return None
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    return text if _is_plain(text, data) else None


def _is_plain(text: str, data: bytes) -> bool:
    if not text.isascii():
        return not ("$\n" in text or '{"log":' in text or _is_paged(text) or _DECORATED.search(text))
    if _is_paged(text):
        return False
    odd = data.translate(None, _ORDINARY_BYTES)
    return not (
        (odd.translate(None, _PLAIN_BYTES) and _CONTROL.search(text))
        or b"\r" in odd
        or (b"&" in odd and _ENTITY.search(text))
        or (b"<" in odd and (_TAG.search(text) or re.search(_ARROW, text)))
        or (b"`" in odd and "```" in text)
        or (b"~" in odd and "~~~" in text)
        or (b"[" in odd and ("[code]" in text or "[/code]" in text or _COLOUR_END.search(text)))
        or (b"$" in odd and "$\n" in text)
        or (b"^" in odd and "^[[" in text)
        or ("{" in text and ('{"log":' in text or any(mark in text and _BRACED.search(text) for mark in ("{code", "{noformat"))))
    )


def _is_paged(text: str) -> bool:
    return any(word in text for word in _PAGER_WORDS) and _HAS_PAGER.search(text) is not None


def _unpacked(raw: list[str]) -> list[str]:
    """Lines out of what holds them one by one: a container's JSON log, `cat -A`, the frame of a terminal."""
    inked = [line for line in raw[:2000] if line.strip()]
    if not inked:
        return raw
    if all(line.startswith('{"log":') for line in inked):
        return [_log_entry(line) for line in raw]
    if _share(inked, lambda line: line.endswith("$")):
        return [line.removesuffix("$").replace("^I", "\t").removesuffix("^M") for line in raw]
    if _share(inked, lambda line: _FRAME.match(line) is not None, 0.6):
        return [match[1] if (match := _FRAME.match(line)) else line for line in raw]
    return raw


def _share(lines: list[str], has: Callable[[str], bool], least: float = 0.95) -> bool:
    return len(lines) >= 3 and sum(map(has, lines)) >= least * len(lines)


def _log_entry(line: str) -> str:
    try:
        entry = json.loads(line)
        return str(entry["log"]).rstrip("\r\n")
    except (ValueError, KeyError, TypeError):
        return line


def _pieces(raw: list[str]) -> tuple[list[str], Sequence[int]]:
    """Clean lines and their numbers. A text without line ends but with carriage returns ends its lines with those."""
    ends_with_cr = sum(1 for line in raw if line.strip()) == 1 and any(line.count("\r") > 1 for line in raw)
    if ends_with_cr:
        raw = [line.replace("\r", "\n") for line in raw]
    texts = [_undecorated(line) if _DECORATED.search(line) or _PAGER.match(line) else line for line in raw]
    if not any("\n" in text for text in texts):
        return texts, range(1, len(texts) + 1)
    numbers: list[int] = []
    split: list[str] = []
    for n, text in enumerate(texts, 1):
        pieces = text.split("\n")
        split += pieces
        numbers += repeat(n, len(pieces))
    return split, numbers


def _undecorated(line: str) -> str:
    line = _PAGER.sub("", line, count=1) if _PAGER.match(line) else line
    if "\x1b" in line or "\x9b" in line or "^[[" in line:
        line = _ANSI.sub("", _FORWARD.sub(lambda m: " " * min(int(m[1] or 1), 1000), line))
    elif _COLOUR_END.search(line) and len(_COLOUR_REST.findall(line)) > 1:
        line = _COLOUR_REST.sub("", line)
    line = line.rstrip("\r")
    if "\r" in line:  # a progress line written over itself: what was left on the screen counts
        line = next((piece for piece in reversed(line.split("\r")) if piece.strip()), "")
    if "\x08" in line:
        line = _overstruck(line)
    line = _CONTROL.sub("", line)
    for _ in range(2):  # entities of entities
        if "&" in line:
            line = _ENTITY.sub(lambda m: html.unescape(m.group()), line)
    if "<" in line:
        line = _TAG.sub("", _BREAK.sub("\n", line)).removesuffix("\n")
    if _FENCE.match(line):
        return ""
    line = line.translate(_WIDE) if _HAS_WIDE.search(line) else line
    return _REMARK.sub("", line) if "<" in line or "←" in line else line


def _overstruck(line: str) -> str:
    """A line with backspaces as it looked: each takes back the character before it."""
    kept: list[str] = []
    for piece in line.split("\x08"):
        if kept:
            kept.pop()
        kept.extend(piece)
    return "".join(kept)
