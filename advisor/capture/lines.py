"""Bytes become clean lines. Each keeps the number of the line that it was, so evidence can show the original.

What goes: byte order marks, carriage returns, ANSI and cursor codes, HTML entities and tags, mail quotes, markdown fences,
prefixes that a launcher, kubectl, journald or syslog puts before every line. What is mapped: full-width digits, letters,
colons, commas and brackets. A line is never joined with another here, so numbers stay true.
"""

import codecs
import html
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

# Full-width forms of ASCII (U+FF01-FF5E) and the ideographic blank. Two columns wide, so a blank becomes two.
_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: "  ", 0xA0: " ", 0x2007: " ", 0x202F: " "}
_HAS_WIDE = re.compile("[\uff01-\uff5e\u3000\xa0\u2007\u202f]")
_ANSI = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[PX^_][^\x1b]*(?:\x1b\\)?|[ -/]*[0-~])|\x9b[0-?]*[ -/]*[@-~]"
)
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_ENTITY = re.compile(r"&(?:lt|gt|amp|quot|apos|nbsp|#\d{1,6}|#x[0-9a-fA-F]{1,5});")
_TAG = re.compile(r"</?(?:pre|code|br|p|div|span|tt|b|i|em|strong|blockquote)(?:\s[^<>]*)?/?>", re.IGNORECASE)
_FENCE = re.compile(r"\s*(?:```|~~~)[\w+-]*\s*\Z")


@dataclass(frozen=True, slots=True)
class Prefix:
    """A family of prefixes: what a launcher or logger puts before each line. Group `host`, if any, names the machine."""

    name: str
    pattern: re.Pattern[str]


# Order matters: the outer wrapping comes first, and each round strips one layer.
PREFIXES: tuple[Prefix, ...] = (
    Prefix("mail quote", re.compile(r"(?:> ?)+|>$")),
    Prefix("mpirun --tag-output", re.compile(r"\[\d+,\d+\](?:\[[^\]]*\])?<std(?:out|err|diag)>: ?")),
    Prefix("srun --label", re.compile(r"\s{0,3}\d{1,5}: ")),
    Prefix("kubectl logs --prefix", re.compile(r"\[pod/(?P<pod>[\w.-]+)/[\w.-]+\] ")),
    Prefix("container log", re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d) std(?:out|err) [FP] ")),
    Prefix("kubectl logs --timestamps", re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d) ")),
    Prefix("journald", re.compile(r"[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d (?P<host>[\w.-]+) [\w./@-]+(?:\[\d+\])?: ")),
    Prefix("compose", re.compile(r"[\w.-]+\s+\| ")),
)
# Prefixes with a host's name in front ("gpu-07: text", pdsh and clush): taken off only where one line in all has it and few names recur.
_NAMED = re.compile(r"(?P<host>[A-Za-z][\w.-]*\d[\w.-]*): ?")
_SHARE = 0.8  # of the inked lines that must carry a prefix before it is one


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
    """Text and the encoding's name. UTF-16 and UTF-32 by byte order mark, UTF-8, else GB18030 where it decodes to the letter, else UTF-8 with replacement."""
    for mark, name in (
        (codecs.BOM_UTF32_LE, "utf-32"),
        (codecs.BOM_UTF32_BE, "utf-32"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if data.startswith(mark):
            return data.decode(name, errors="replace"), name
    try:
        return data.decode("utf-8-sig"), "utf-8"
    except UnicodeDecodeError:
        pass
    try:
        return data.decode("gb18030"), "gb18030"
    except UnicodeDecodeError:
        return data.decode("utf-8-sig", errors="replace"), "utf-8, damaged"


def is_binary(data: bytes) -> bool:
    """Whether bytes are no text: NUL bytes without a UTF-16 or UTF-32 mark, or mostly control characters."""
    head = data[:65536]
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return False
    if b"\x00" in head:
        return True
    controls = sum(head.count(bytes([code])) for code in (*range(1, 8), *range(14, 27), *range(28, 32)))
    return controls > 0.1 * max(len(head), 1)


def clean(data: bytes) -> Lines:
    """The lines of a capture without decoration."""
    text, encoding = decode(data)
    raw = text.split("\n")
    texts = raw if _is_clean(text) else [_undecorated(line) for line in raw]
    texts, hosts = _without_prefixes(list(texts))
    return Lines(texts, range(1, len(texts) + 1), raw, encoding, hosts)


def _is_clean(text: str) -> bool:
    return not (
        "\r" in text
        or "\x08" in text
        or "```" in text
        or _CONTROL.search(text)
        or _HAS_WIDE.search(text)
        or _ENTITY.search(text)
        or _TAG.search(text)
    )


def _undecorated(line: str) -> str:
    line = _ANSI.sub("", line)
    line = line.rstrip("\r")
    if "\r" in line:  # a progress line written over itself: what was left on the screen counts
        line = next((piece for piece in reversed(line.split("\r")) if piece.strip()), "")
    while "\x08" in line:
        shorter = re.sub("[^\x08]\x08", "", line)
        line = shorter if shorter != line else line.replace("\x08", "")
    line = _CONTROL.sub("", line)
    if "&" in line:
        line = _ENTITY.sub(lambda m: html.unescape(m.group()), line)
    if "<" in line:
        line = _TAG.sub("", line)
    if _FENCE.match(line):
        return ""
    return line.translate(_WIDE) if _HAS_WIDE.search(line) else line


def _without_prefixes(texts: list[str]) -> tuple[list[str], dict[int, str]]:
    hosts: dict[int, str] = {}
    for _ in range(4):  # wrappings of wrappings
        inked = [i for i, text in enumerate(texts) if text and not text.isspace()]
        if not inked:
            break
        for prefix in PREFIXES:
            if _shared(prefix.pattern.match, [texts[i] for i in inked[:2000]]):
                _strip(prefix.pattern, texts, inked, hosts)
                break
        else:
            if not _named(texts, inked):
                break
            _strip(_NAMED, texts, inked, hosts)
    return texts, hosts


def _shared(match: Callable[[str], object], texts: list[str]) -> bool:
    return len(texts) >= 3 and sum(1 for text in texts if match(text)) >= _SHARE * len(texts)


def _named(texts: list[str], inked: list[int]) -> bool:
    sample = [texts[i] for i in inked[:2000]]
    if not _shared(_NAMED.match, sample):
        return False
    names = Counter(m["host"] for m in map(_NAMED.match, sample) if m)
    return min(names.values()) >= 3 or len(names) == 1


def _strip(pattern: re.Pattern[str], texts: list[str], inked: list[int], hosts: dict[int, str]) -> None:
    for i in inked:
        match = pattern.match(texts[i])
        if match and match.end():
            host = match.groupdict().get("host")
            if host:
                hosts[i + 1] = host
            texts[i] = texts[i][match.end() :]
