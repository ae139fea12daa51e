"""When the output of a command was taken, as the lines in front of it tell: a prompt with the time in it, the output of `date`, `watch`.

A line tells a time only if nothing else stands in it, so that the times of a log are never taken for it. Time zones are left out: takes
of one machine have one.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace

from advisor.base.ranges import ranges
from advisor.capture.lines import Lines
from advisor.capture.prompt import prompt
from advisor.evidence.reading import Part

_LOOKED_BACK = 4  # inked lines from the first fact back: a blank form, the command, `date` before it
_LONGEST = 400
_MONTHS = {name: n for n, name in enumerate(("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"), 1)}
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})"
_DAY = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_CLOCK = r"(?P<h>\d\d?):(?P<m>\d\d):(?P<s>\d\d)(?:[.,]\d+)?(?: (?P<half>[AP]M))?"
_ZONE = r"(?:\s?(?:[A-Z]{1,5}|[+-]\d\d(?::?\d\d)?))?"
_FORMS = (
    rf"(?P<y>20\d\d)-(?P<mo>\d\d)-(?P<d>\d\d)[T ]{_CLOCK}{_ZONE}",  # date -Is, --rfc-3339, +%F %T
    rf"{_DAY} {_MONTH} +(?P<d>\d\d?) {_CLOCK}{_ZONE} (?P<y>20\d\d)",  # Mon Sep 14 10:00:00 UTC 2026
    rf"{_DAY},? (?P<d>\d\d?) {_MONTH} (?P<y>20\d\d) {_CLOCK}{_ZONE}",  # Mon 14 Sep 2026 10:00:00 AM UTC; date -R
    rf"(?P<y>20\d\d)年 ?(?P<mo>\d\d?)月 ?(?P<d>\d\d?)日 (?:星期.|周.) {_CLOCK}{_ZONE}",
    rf"(?P<y>20\d\d)年 ?(?P<mo>\d\d?)月 ?(?P<d>\d\d?)日 (?:星期.|周.) (?P<h>\d\d?)时(?P<m>\d\d)分(?P<s>\d\d)秒{_ZONE}",
)
_ALONE = tuple(
    re.compile(
        rf"(?:Every [\d.]+s: .*? (?:\S+: )?|\W{{0,40}}(?:(?:date|time|timestamp|时间|日期)\s?[:=]\s?)?)(?:{form})\W{{0,40}}\Z",
        re.IGNORECASE,
    )
    for form in _FORMS
)
_IN_PROMPT = re.compile(rf"\s*\[?{_FORMS[0]}\]?\s")


def taken(lines: Lines, parts: Sequence[Part]) -> list[Part]:
    """The parts, ordered by their lines, each with the time that stands in front of it; the line that tells it belongs to the part."""
    found, end = [], 0
    for part in parts:
        where = _before(lines, part, end) if part.facts else None
        found.append(_timed(lines, part, *where) if where else part)
        end = max(end, part.lines[1])
    return found


def _before(lines: Lines, part: Part, end: int) -> tuple[int, str] | None:
    """The time in the last lines in front of the part's first fact that no other part has, and the place of its line."""
    looked = 0
    for i in range(bisect_left(lines.numbers, min(part.at.values(), default=part.lines[0])), -1, -1):
        if i >= len(lines) or lines.numbers[i] <= end or looked > _LOOKED_BACK:
            break
        text = lines.texts[i]
        if text and not text.isspace():
            looked += 1
            if len(text) <= _LONGEST and (time := time_of(text)):
                return i, time
    return None


def _timed(lines: Lines, part: Part, at: int, time: str) -> Part:
    line, (first, last) = lines.numbers[at], part.lines
    between = lines[at + 1 : bisect_left(lines.numbers, first)]
    unread = {n for a, b in part.unread for n in range(a, b + 1)} | {n for n, _ in between.inked()}
    return replace(part, time=time, lines=(min(line, first), last), unread=tuple(ranges(unread - {line})))


def time_of(text: str) -> str | None:
    """The time that a line tells and nothing else, or that a prompt begins with, as ISO 8601 without a zone."""
    match = next((match for form in _ALONE if (match := form.match(text))), None)
    if match is None:
        match = _IN_PROMPT.match(text)
        if match is None or prompt(text) is None:
            return None
    say = match.groupdict()
    month = int(say["mo"]) if say.get("mo") else _MONTHS[say["month"].capitalize()]
    hour = int(say["h"])
    if say.get("half"):
        hour = hour % 12 + (12 if say["half"].upper() == "PM" else 0)
    return f"{say['y']}-{month:02}-{int(say['d']):02}T{hour:02}:{say['m']}:{say['s']}"
