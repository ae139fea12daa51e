"""What is sent for a change draws the same screen as the whole, in fewer bytes."""

import random
import re

import pytest
from rich.cells import cell_len
from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style
from textual._compositor import ChopsUpdate, LayoutUpdate
from textual.geometry import Region
from textual.strip import Strip

from advisor.tui.sent import Sent, cells_of, runs

WIDTH, HEIGHT = 24, 6
STYLES = [
    Style(),
    Style(color="#d3d9e0", bgcolor="#171c23"),
    Style(color="#83909f", bgcolor="#171c23", bold=True),
    Style(color="red", bgcolor="#2f4a5e", dim=True),
    Style(color="red", bgcolor="#2f4a5e", underline=True),
    Style(reverse=True),
    Style(italic=True, color="green"),
]
WORDS = ["leaf-1", "  ", " ", "94 %", "网络", "│", "✓", "主机 16", "  –  ", "a"]
COLOURS = ColorSystem.TRUECOLOR


def strip(dice: random.Random, like: Strip | None = None) -> Strip:
    """Some words in some styles; of `like` a part, where it is given."""
    segments = list(like)[: dice.randrange(1, 4)] if like else []
    while sum(segment.cell_length for segment in segments) < WIDTH:
        segments.append(Segment(dice.choice(WORDS), dice.choice(STYLES)))
    return Strip(segments).crop(0, WIDTH)


def whole(screen: list[Strip]) -> LayoutUpdate:
    return LayoutUpdate([[line] for line in screen], Region(0, 0, WIDTH, HEIGHT))


def changed(screen: list[Strip], lines: list[int]) -> ChopsUpdate:
    return ChopsUpdate([{0: line} for line in screen], [(y, 0, WIDTH) for y in lines], [[WIDTH]] * HEIGHT)


_PIECES = re.compile(r"\x1b\[([0-9;]*)([A-Za-z])|(\x1bM|[^\x1b])")
_OFF = {"22": {"1", "2"}, "23": {"3"}, "24": {"4"}, "27": {"7"}}


class Emulator:
    """A terminal as ECMA-48 has it: CUP, CUF, ECH and SGR (1, 2, 3, 4, 7, their ends, colours), wide characters in two cells.

    And as the VT100 scrolls: DECSTBM, which goes to the first cell, line feed at the end of the region, RI at its beginning.
    What comes in has signs of its own here, so that nothing relies on what it is.
    """

    def __init__(self) -> None:
        self.cells = [[(" ", frozenset[str](), "", "")] * WIDTH for _ in range(HEIGHT)]
        self.x = self.y = self.top = 0
        self.bottom = HEIGHT - 1
        self.attributes: set[str] = set()
        self.colours = {"3": "", "4": ""}

    def feed(self, data: str) -> "Emulator":
        for numbers, word, char in _PIECES.findall(data):
            if word == "H":
                self.y, self.x = (int(number) - 1 for number in numbers.split(";"))
            elif word == "C":
                self.x += int(numbers)
            elif word == "m":
                self.style(numbers.split(";"))
            elif word == "X":  # ECH with the background that is set (bce)
                here = self.x
                assert not self.attributes & {"4", "7"}
                for _ in range(int(numbers)):
                    self.put(" ")
                self.x = here
            elif word == "r":
                first, last = numbers.split(";") if numbers else ("1", str(HEIGHT))
                self.top, self.bottom, self.x, self.y = int(first) - 1, int(last) - 1, 0, 0
            elif char in ("\n", "\x1bM"):
                self.scroll(char == "\n")
            else:
                self.put(char)
        return self

    def style(self, codes: list[str]) -> None:
        while codes:
            code = codes.pop(0)
            if code in ("0", ""):
                self.attributes, self.colours = set(), {"3": "", "4": ""}
            elif code in ("38", "48"):
                self.colours[code[0]] = ";".join(codes.pop(0) for _ in range(4))
            elif len(code) == 2 and code[0] in "34":
                self.colours[code[0]] = code
            elif code in _OFF:
                self.attributes -= _OFF[code]
            else:
                self.attributes.add(code)

    def scroll(self, up: bool) -> None:
        assert self.y == (self.bottom if up else self.top)
        come: list[tuple[str, frozenset[str], str, str]] = [("?", frozenset(), "", "")] * WIDTH
        gone, at = (self.top, self.bottom) if up else (self.bottom, self.top)
        self.cells.pop(gone)
        self.cells.insert(at, come)

    def put(self, char: str) -> None:
        line = self.cells[self.y]
        if line[self.x][0] == "":
            line[self.x - 1] = (" ", *line[self.x - 1][1:])
        wide = cell_len(char)
        if self.x + wide < WIDTH and line[self.x + wide][0] == "":
            line[self.x + wide] = (" ", *line[self.x + wide][1:])
        look = (frozenset(self.attributes), self.colours["3"], self.colours["4"])
        if char == " " and not self.attributes & {"4", "7"}:
            look = (frozenset(), "", look[2])  # what is seen of a blank
        line[self.x : self.x + wide] = [(char, *look), *[("", *look)] * (wide - 1)]
        self.x += wide


def seen(data: str) -> list[list[tuple[str, frozenset[str], str, str]]]:
    return Emulator().feed(data).cells


@pytest.mark.parametrize("seed", range(40))
def test_changes_draw_what_the_whole_draws(seed: int) -> None:
    dice = random.Random(seed)
    screen, sent = [strip(dice) for _ in range(HEIGHT)], Sent()
    written = sent.whole(whole(screen), COLOURS)
    for _ in range(6):
        lines = sorted(dice.sample(range(HEIGHT), dice.randrange(1, HEIGHT)))
        for y in lines:
            screen[y] = strip(dice, screen[y])
        written += sent.changes(changed(screen, lines), COLOURS)
    assert seen(written) == seen(Sent().whole(whole(screen), COLOURS))


@pytest.mark.parametrize("seed", range(10))
def test_the_whole_is_what_textual_draws(seed: int) -> None:
    dice = random.Random(seed)
    screen = [strip(dice) for _ in range(HEIGHT)]
    theirs = "".join(
        f"\x1b[{y + 1};1H" + "".join(Strip.render_style(style or Style(), text, COLOURS) for text, style, _ in line)
        for y, line in enumerate(screen)
    )
    ours = Sent().whole(whole(screen), COLOURS)
    assert seen(ours) == seen(theirs)
    assert len(ours) <= len(theirs)


def test_nothing_is_sent_for_what_stands_there() -> None:
    screen = [strip(random.Random(1)) for _ in range(HEIGHT)]
    sent = Sent()
    sent.whole(whole(screen), COLOURS)
    assert sent.changes(changed(screen, list(range(HEIGHT))), COLOURS) == ""


def test_one_letter_takes_a_move_its_style_and_itself() -> None:
    style = Style(bold=True)
    before, after = (Strip([Segment(text.ljust(WIDTH), style)]) for text in ("busy 94", "busy 95"))
    sent = Sent()
    sent.whole(whole([before] * HEIGHT), COLOURS)
    assert sent.changes(changed([after] * HEIGHT, [2]), COLOURS) == "\x1b[3;7H\x1b[0;1m5\x1b[0m"


def test_wide_characters_are_not_parted() -> None:
    """A wide character that changes its style only is sent as one, from its first cell on."""
    plain, bold = (list(cells_of([Segment("网络", Style(bold=bold))], COLOURS)) for bold in (False, True))
    assert len(plain) == 4
    assert runs(list(plain), [*plain[:2], *bold[2:]]) == [(2, 4)]


def test_a_long_blank_is_erased_where_the_terminal_erases_to_the_background() -> None:
    full, empty = Strip([Segment("x" * WIDTH, STYLES[1])]), Strip([Segment("y" + " " * (WIDTH - 1), STYLES[1])])
    texts = []
    for erases in (True, False):
        sent = Sent(erases=erases)
        before = sent.whole(whole([full] * HEIGHT), COLOURS)
        text = sent.changes(changed([empty] * HEIGHT, list(range(HEIGHT))), COLOURS)
        assert seen(before + text) == seen(Sent().whole(whole([empty] * HEIGHT), COLOURS))
        texts.append(text)
    assert "X" in texts[0]
    assert "X" not in texts[1]
    assert len(texts[0]) < 0.7 * len(texts[1])


@pytest.mark.parametrize("seed", range(40))
def test_lines_that_went_on_are_moved_by_the_terminal(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A list between a rail and a heading that stay: it goes on by some lines, and its cursor stands elsewhere."""
    monkeypatch.setattr("advisor.tui.sent._MUCH", 0)
    dice = random.Random(seed)
    rows, rail = [strip(dice) for _ in range(40)], [strip(dice) for _ in range(HEIGHT)]

    def screen(first: int) -> list[Strip]:
        body = [rows[first + y] if y else rows[0] for y in range(HEIGHT)]
        return [Strip.join([rail[y].crop(0, 5), body[y].crop(5, WIDTH)]) for y in range(HEIGHT)]

    first, sent, without = 10, Sent(), Sent(scrolls=False)
    written = sent.whole(whole(screen(first)), COLOURS)
    without.whole(whole(screen(first)), COLOURS)
    for _ in range(6):
        first += dice.choice((1, -1, 2, 1))
        drawn = screen(first)
        update = changed(drawn, list(range(HEIGHT)))
        text = sent.changes(update, COLOURS)
        assert len(text) <= len(without.changes(update, COLOURS))
        written += text
    assert "r\x1b[" in written or seed, "the region is used"
    assert seen(written) == seen(Sent().whole(whole(screen(first)), COLOURS))


def test_a_long_list_that_goes_on_by_a_line_takes_a_line_and_what_is_mended() -> None:
    rows = [Strip([Segment(f"{i * 7919 % 9973:>4} leaf-{i * 31 % 97:>2} {i * i % 1009:>4}".ljust(WIDTH), STYLES[1])]) for i in range(40)]
    sent, without = Sent(), Sent(scrolls=False)
    for each in (sent, without):
        each.whole(whole(rows[:HEIGHT]), COLOURS)
    update = changed(rows[1 : HEIGHT + 1], list(range(HEIGHT)))
    assert len(sent.changes(update, COLOURS)) <= len(without.changes(update, COLOURS))
