"""The price book as a person keeps it: list, check, import quotes, put an own price in the place of another, export.

Places, later ones win by id: the shipped book, the user's folder `pricing`, folders that are named for this time, the site's own file.
"""

import csv
import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, Literal

from advisor.base import places
from advisor.base.content import load
from advisor.base.errors import UsageError
from advisor.cost.currency import CURRENCIES
from advisor.cost.model import Price, PriceState, Range, Replaced
from advisor.cost.prices import price_book
from advisor.cost.quotes import Defaults, quotes
from advisor.cost.sheet import read_table
from advisor.usecases.money import write_whole

KEY = "price:"  # before the item, in the site's settings
OWN_DAYS = 90  # how long a price that a person sets holds, unless said otherwise
Finding = Literal["expired", "missing", "unverified"]


@dataclass(frozen=True, slots=True)
class Entry:
    """A price of the book on a day. where: shipped, user, folder or site; findings: what is wrong with it, worst first."""

    price: Price
    state: PriceState
    days_left: int
    where: str
    findings: tuple[Finding, ...]


def user_folder() -> Path:
    return places.user_config() / "pricing"


def book(own: Mapping[str, str] | None = None, folders: Iterable[Path] = ()) -> Mapping[str, Price]:
    """All prices by id. `own`: what the site's file keeps. Raises ContentError for a file, UsageError for a folder that holds no prices."""
    return {name: price for name, (price, _) in _placed(own, folders).items()}


def _placed(own: Mapping[str, str] | None, folders: Iterable[Path]) -> dict[str, tuple[Price, str]]:
    found: dict[str, tuple[Price, str]] = {}
    for folder in folders:
        if not folder.is_dir() or not any(folder.rglob("*.yaml")):
            raise UsageError("no-pricing-dir", path=str(folder))
    for where, root in (("shipped", places.pricing()), ("user", user_folder()), *(("folder", folder) for folder in folders)):
        found |= {name: (price, where) for name, price in price_book(root).items()}
    for key, text in (own or {}).items():
        if key.startswith(KEY):
            price = Price.model_validate(json.loads(text))
            found[price.id] = (price, "site")
    return dict(sorted(found.items()))


def listing(today: date, own: Mapping[str, str] | None = None, folders: Iterable[Path] = ()) -> tuple[Entry, ...]:
    """Every price with its state on a day and where it comes from."""
    return tuple(
        Entry(price, price.state(today), price.days_left(today), where, _findings(price, today))
        for price, where in _placed(own, tuple(folders)).values()
    )


def check(today: date, own: Mapping[str, str] | None = None, folders: Iterable[Path] = ()) -> tuple[Entry, ...]:
    """The prices that must not be signed as they are: missing, expired, or resting on nothing that still holds."""
    return tuple(entry for entry in listing(today, own, folders) if entry.findings)


def _findings(price: Price, today: date) -> tuple[Finding, ...]:
    found: list[Finding] = []
    state = price.state(today)
    if state != "current":
        found.append("missing" if state == "missing" else "expired")
    if price.kind in ("estimate", "evidence") and all(seen.is_old(today) or seen.grade == "low" for seen in price.evidence):
        found.append("unverified")
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Change:
    """A price in the place of another; `before` is None where there was none."""

    before: Price | None
    after: Price


def import_quotes(
    path: Path,
    today: date,
    site: Path | None = None,
    defaults: Defaults | None = None,
    sheet: str | None = None,
    by: str = "",
    why: str = "",
) -> tuple[Change, ...]:
    """Quotes out of a CSV or XLSX list, into the site's file or the user's folder; what they replace is kept with them.

    Raises UsageError, with file, row and column, for anything in the list that cannot be; then nothing is changed.
    """
    changes = quoted(path, book(kept_by(site)), today, defaults, sheet, by, why)
    _store([change.after for change in changes], site)
    return changes


def quoted(
    path: Path,
    known: Mapping[str, Price],
    today: date,
    defaults: Defaults | None = None,
    sheet: str | None = None,
    by: str = "",
    why: str = "",
) -> tuple[Change, ...]:
    """What `import_quotes` would change of the prices in `known`, kept nowhere."""
    taken = quotes(read_table(path, sheet), path.name, known, today, defaults)
    return tuple(Change(known.get(price.id), _keeping(known.get(price.id), price, today, by, why or path.name)) for price in taken)


def override(
    item: str,
    amounts: tuple[str, ...],
    today: date,
    site: Path | None = None,
    currency: str | None = None,
    source: str = "",
    valid_days: int = OWN_DAYS,
    tax: Literal["", "excluded", "included"] = "",
    by: str = "",
    why: str = "",
) -> Change:
    """An own price in the place of the book's: one amount, or low, likely and high. The old one is kept, with who changed it and why.

    Raises UsageError for an item that is not there, amounts or a currency that cannot be.
    """
    change = own_price(book(kept_by(site)), item, amounts, today, currency, source, valid_days, tax, by, why)
    _store([change.after], site)
    return change


def own_price(
    known: Mapping[str, Price],
    item: str,
    amounts: tuple[str, ...],
    today: date,
    currency: str | None = None,
    source: str = "",
    valid_days: int = OWN_DAYS,
    tax: Literal["", "excluded", "included"] = "",
    by: str = "",
    why: str = "",
) -> Change:
    """What `override` would change of the prices in `known`, kept nowhere."""
    if item not in known:
        raise UsageError("no-such-price", item=item)
    before = known[item]
    code = before.currency if currency is None else currency
    if code not in CURRENCIES:
        raise UsageError("no-such-currency", currency=code)
    values: dict[str, Any] = {
        "price": _range(amounts),
        "currency": code,
        "compiled_on": today,
        "valid_days": valid_days,
        "kind": "quote",
        "source": source or by or "own",
        "source_url": "",
        "note": why,
        "evidence": (),
        "tax": tax or before.tax,
    }
    return Change(before, _keeping(before, before.model_copy(update={**values, "history": ()}), today, by, why))


def _range(amounts: tuple[str, ...]) -> Range:
    said = " ".join(amounts)
    try:
        figures = [Decimal(amount.replace(",", "")) for amount in amounts]
    except InvalidOperation:
        raise UsageError("price-amounts", value=said) from None
    if (
        len(figures) not in (1, 3)
        or not all(figure.is_finite() and 0 <= figure <= 10**9 for figure in figures)
        or figures != sorted(figures)
    ):
        raise UsageError("price-amounts", value=said)
    return Range(low=figures[0], likely=figures[len(figures) // 2], high=figures[-1])


def _keeping(before: Price | None, after: Price, today: date, by: str, why: str) -> Price:
    if before is None:
        return after
    old = Replaced(
        price=before.price,
        currency=before.currency,
        compiled_on=before.compiled_on,
        kind=before.kind,
        source=before.source,
        replaced_on=today,
        by=by,
        why=why,
    )
    return after.model_copy(update={"history": (old, *before.history)})


def restore(item: str, site: Path | None = None) -> Price | None:
    """Takes an own price away; gives the one that holds again, None where there is none. Raises UsageError where there was no own price."""
    if site is not None:
        from advisor.store.file import opened

        with opened(site) as file:
            if KEY + item not in file.settings():
                raise UsageError("no-override", item=item)
            file.drop_setting(KEY + item)
        return book(kept_by(site)).get(item)
    own = [path for path in user_folder().rglob("*.yaml") if path.stem == item] if user_folder().is_dir() else []
    if not own:
        raise UsageError("no-override", item=item)
    for path in own:
        load(Price, path)  # never take away what is no price of ours
        path.unlink()
    return book().get(item)


def kept_by(site: Path | None) -> Mapping[str, str]:
    """What a site's file keeps."""
    if site is None:
        return {}
    from advisor.store.file import opened

    with opened(site) as file:
        return dict(file.settings())


def _store(prices: list[Price], site: Path | None) -> None:
    if site is not None:
        from advisor.store.file import opened

        with opened(site) as file:
            file.put_settings({KEY + price.id: price.model_dump_json(exclude_defaults=True) for price in prices})
        return
    import yaml

    for price in prices:
        tree = json.loads(price.model_dump_json(exclude_defaults=True))
        flat = any(user_folder().glob("*.yaml"))  # a folder of prices without the two below it
        folder = user_folder() if flat else user_folder() / ("labour" if price.roles else "catalogue")
        write_whole(folder / f"{price.id}.yaml", yaml.safe_dump(tree, allow_unicode=True, sort_keys=False))


EXPORTED = (
    "item",
    "name",
    "name_zh",
    "unit",
    "currency",
    "low",
    "price",
    "high",
    "date",
    "valid_days",
    "kind",
    "state",
    "source",
    "url",
    "region",
    "tax",
    "note",
)


def export_csv(entries: Iterable[Entry]) -> str:
    """A table for a spreadsheet, in the form that `import_quotes` takes; missing prices are empty, never 0."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(EXPORTED)
    for entry in entries:
        price = entry.price
        amounts = ("", "", "") if price.price is None else tuple(f"{value:f}" for _, value in price.price)
        about = (
            price.compiled_on,
            price.valid_days,
            price.kind,
            entry.state,
            price.source,
            price.source_url,
            price.region,
            price.tax,
            price.note,
        )
        cells = (price.id, price.name.en, price.name.zh, price.unit, price.currency, *amounts, *about)
        writer.writerow([_harmless(str(cell)) for cell in cells])
    return out.getvalue()


def _harmless(cell: str) -> str:
    """Text that a spreadsheet does not take for a formula."""
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell
