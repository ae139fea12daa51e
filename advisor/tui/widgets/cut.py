"""Names that have no room: cut so that what tells them apart stays."""

from collections.abc import Iterator, Sequence

from rich.cells import cell_len

_BEGIN = 2  # letters that tell apart what differs from its beginning on

Piece = tuple[int, int]  # first place and end


def told_apart(name: str, others: Sequence[str], width: int) -> str:
    """A name in at most `width` cells.

    Of every other name that it could be taken for, the piece that differs stays, short pieces first; what room is left goes to the
    ending (.txt), to the beginning, and to the end where nothing within is kept. What is left out stands as one …
    """
    if cell_len(name) <= width or width < 5:
        return name
    kept = [False] * len(name)
    for tries in sorted({_pieces(name, other) for other in others if other != name}, key=lambda tries: (tries[0][1] - tries[0][0], tries)):
        kept = next((more for piece in tries if (more := _with(name, kept, piece, width))), kept)
    within = any(kept[_BEGIN:])  # then letters of the end would say nothing
    point = name.rfind(".")
    ended = _with(name, kept, (point, len(name)), width) if point > 0 else kept
    kept = ended or kept
    for place in _ends(len(name), both=ended is not None and not within):
        kept = _with(name, kept, (place, place + 1), width) or kept
    return _cut(name, kept)


def _pieces(name: str, other: str) -> tuple[Piece, ...]:
    """The piece of a name that another one has not, in the forms to try: as whole words, to the end of its word, and bare."""
    most = min(len(name), len(other))
    begin = next((i for i in range(most) if name[i] != other[i]), most)
    tail = next((i for i in range(most - begin) if name[-1 - i] != other[-1 - i]), most - begin)
    begin, end = min(begin, len(name) - 1), max(len(name) - tail, min(begin, len(name) - 1) + 1)
    first, last = begin, end
    while first and name[first - 1].isalnum():
        first -= 1
    while last < len(name) and name[last].isalnum():
        last += 1
    if first == 0:  # another first word: its letters up to the one that differs
        return ((0, max(begin + 1, _BEGIN)), (begin, end))
    return ((first, last), (begin, last), (begin, end))


def _ends(count: int, both: bool) -> Iterator[int]:
    """Places in the order in which they get what room is left."""
    for place in range(count):
        if both:
            yield count - 1 - place
        yield place


def _with(name: str, kept: list[bool], piece: Piece, width: int) -> list[bool] | None:
    """What stays with one more piece; None where there is no room for it."""
    first, last = piece
    more = [*kept[:first], *[True] * (last - first), *kept[last:]]
    return more if cell_len(_cut(name, more)) <= width else None


def _cut(name: str, kept: list[bool]) -> str:
    pieces: list[str] = []
    for char, stays in zip(name, kept, strict=True):
        if stays:
            pieces.append(char)
        elif not pieces or pieces[-1] != "…":
            pieces.append("…")
    return "".join(pieces)
