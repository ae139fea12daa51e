"""One price in words: what it is, what it rests on, what stood there before; and prices that changed."""

from collections.abc import Iterable
from datetime import date
from typing import TYPE_CHECKING

from advisor.base.errors import UsageError
from advisor.base.text import Lang, say
from advisor.base.writing import day, day_of, span
from advisor.cost.model import Line, Price, Range, Replaced
from advisor.cost.quotes import Defaults
from advisor.tui.views.costs import unit_word
from advisor.tui.views.figures import UNKNOWN, number
from advisor.tui.views.words import Para, Phrase, Span, joined, word

if TYPE_CHECKING:
    from advisor.usecases.prices import Change

QUOTE_DAYS = 30  # how long a quote holds as proposed in the dialog; a person says otherwise


def typed(amount: Range | None) -> str:
    """An amount as a person types it: one figure, or low / likely / high."""
    if amount is None:
        return ""
    figures = [f"{value.normalize():f}" for value in (amount.low, amount.likely, amount.high)]
    return figures[1] if len(set(figures)) == 1 else " / ".join(figures)


def amounts(text: str) -> tuple[str, ...]:
    """The figures of a typed amount, without the commas of thousands."""
    return tuple(part.strip().replace(",", "").replace(" ", "") for part in text.split("/") if part.strip())


def figures(amount: Range | None, currency: str, lang: Lang) -> Phrase:
    """`GBP 550 (445–760)`."""
    if amount is None:
        return word(f"? {say('tui.costs.no-price', lang)}", "bad")
    spread = f" ({span(number(float(amount.low), 2), number(float(amount.high), 2), lang)})" if amount.low != amount.high else ""
    return joined(word(f"{currency} {number(float(amount.likely), 2)}", "strong"), word(spread, "dim") if spread else ())


def head(price: Price, today: date, lang: Lang) -> tuple[Para, ...]:
    """What it is, what it costs and until when that holds."""
    return (
        Para(joined(word(price.name.say(lang), "strong"), word(f"  {price.id}", "dim"))),
        Para(
            joined(
                joined(figures(price.price, price.currency, lang), word(f" / {unit_word(price.unit, lang, one=True)}", "dim")),
                word(say(f"tui.price.kind-{price.kind}", lang)),
                word(price.source),
                word(day(price.compiled_on, lang)),
                _holds(price, today, lang),
                between=" · ",
            ),
            hang=2,
        ),
        *_history(price, lang),
    )


def _holds(price: Price, today: date, lang: Lang) -> Phrase:
    if price.price is None:
        return ()
    left = price.days_left(today)
    if left < 0:
        return word(f"! {say('money.days-over', lang, days=-left)}", "warn")
    return word(say("money.days-left", lang, days=left), "dim")


def _history(price: Price, lang: Lang) -> list[Para]:
    return [Para(_replaced(old, lang), hang=2) for old in price.history]


def _replaced(old: Replaced, lang: Lang) -> Phrase:
    """A price that another took the place of: it stays visible."""
    said = say("tui.price.before", lang, day=day(old.replaced_on, lang))
    about = " · ".join(text for text in (old.source, day(old.compiled_on, lang), old.by, old.why) if text)
    amount = "?" if old.price is None else f"{old.currency} {number(float(old.price.likely), 2)}"
    return joined(word(said + " ", "dim"), word(amount, "warn"), word(f" · {about}", "dim"))


def whole(line: Line, today: date, lang: Lang) -> tuple[Para, ...]:
    """All of a line: how many and why, the price, and everything that the price rests on."""
    paras = [Para(word(line.what.say(lang), "title")), Para(word(line.basis.say(lang))), Para()]
    if line.quantity is not None:
        quantity = " / ".join(number(float(value)) for value in (line.quantity.low, line.quantity.likely, line.quantity.high))
        paras.append(Para(joined(word(say("tui.costs.quantity", lang) + "  ", "dim"), word(f"{quantity} {unit_word(line.unit, lang)}"))))
    if line.amount is not None:
        paras.append(Para(joined(word(say("tui.costs.amount", lang) + "  ", "dim"), figures(line.amount, line.currency, lang))))
    if line.price is None:
        return (*paras, Para(), Para(word(f"? {say('tui.costs.no-price', lang)}", "bad")))
    price = line.price
    paras += [Para(), Para(word(say("tui.costs.source", lang), "title")), *head(price, today, lang)]
    if price.note:
        paras.append(Para(word(price.note)))
    if price.evidence:
        paras += [Para(), Para(word(say("tui.price.rests-on", lang), "title"))]
    for seen in price.evidence:
        old = seen.is_old(today)
        mark = Span("! " if old else "- ", "warn" if old else "dim")
        about = joined(
            word(seen.title), word(day_of(seen.seen, lang), "dim"), word(say(f"tui.price.grade-{seen.grade}", lang), "dim"), between=" · "
        )
        paras.append(Para((mark, *word(f"{seen.currency} {number(float(seen.price), 2)} ", "strong"), *about), hang=2))
        paras += [Para(word(text, "dim"), indent=2) for text in (seen.what, seen.url, seen.note) if text]
    return tuple(paras)


def defaults(currency: str, quoted_on: str, valid_days: str, source: str) -> Defaults:
    """What a person says of all rows of a list. Raises UsageError for a day or a number that cannot be."""
    try:
        on = date.fromisoformat(quoted_on) if quoted_on else None
        days = int(valid_days) if valid_days else None
    except ValueError as error:
        raise UsageError("usage", why=str(error), command="advisor prices import") from None
    return Defaults(currency.upper(), on, days, source)


def quotes_about(lang: Lang) -> tuple[Para, ...]:
    """What a list of quotes must hold."""
    return tuple(Para(word(text)) for text in say("tui.quotes.about", lang).splitlines())


def changes(found: "Iterable[Change]", lang: Lang) -> tuple[Para, ...]:
    """Each price that changed, new and old."""
    paras = []
    for one in found:
        before = figures(one.before.price, one.before.currency, lang) if one.before else word(UNKNOWN, "dim")
        after = figures(one.after.price, one.after.currency, lang)
        title = word(one.after.name.say(lang), "strong")
        paras.append(Para(joined(title, before, word("→", "dim"), after, word(one.after.source, "dim"), between="  "), hang=2))
    return tuple(paras) or (Para(word(say("tui.quotes.none", lang), "dim")),)
