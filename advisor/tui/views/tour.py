"""The steps of the tour: which stage shows, and what is said of it."""

from advisor.base.text import Lang, say
from advisor.tui.views.words import Para, joined, word

STEPS = ("start", "evidence", "fabric", "diagnosis", "remedies", "costs", "compare", "report")


def words(place: int, lang: Lang) -> tuple[Para, ...]:
    """What is said at a step: a heading, what one sees, and a key to try."""
    head, *rest = say(f"tui.tour.{STEPS[place]}", lang).splitlines()
    paras = [Para(word(head, "title"))]
    for line in rest:
        if "|" in line:  # keys to press: `x | what it does   t | what it does`
            pairs = (each.partition("|") for each in line.split("   "))
            shown = (joined(word(key.strip(), "strong"), word(" " + text.strip())) for key, _, text in pairs)
            paras.append(Para(joined(*shown, between="   ")))
        else:
            paras.append(Para(word(line)))
    return tuple(paras)
