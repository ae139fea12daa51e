"""The price book: one file per price, in the folders catalogue/ and labour/ of each place; later places win by id."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from advisor.base.content import folder
from advisor.cost.model import Price
from advisor.cost.settings import Settings

_PARTS = ("catalogue", "labour")


def price_book(*folders: Path) -> Mapping[str, Price]:
    """All prices by id. A place without the two folders is taken as a folder of prices itself; one that is not there holds none.

    Raises ContentError, with file, line and field, for a price without date, currency or source.
    """
    places: list[Path] = []
    for root in folders:
        parts = [root / part for part in _PARTS if (root / part).is_dir()]
        places += parts or ([root] if root.is_dir() else [])
    return folder(Price, *places)


def day_rate(role: str, prices: Mapping[str, Price], settings: Settings) -> Price | None:
    """The book's day rate of a role: the settings' region if there is one, else what was seen anywhere; evidence before estimates."""
    return _best(price for price in prices.values() if role in price.roles and settings.region in ("", price.region))


def regional(stem: str, prices: Mapping[str, Price], settings: Settings) -> Price | None:
    """The price `<stem>-<region>` of the settings' region; None where no region is set."""
    return prices.get(f"{stem}-{settings.region}") if settings.region else None


def _best(found: Iterable[Price]) -> Price | None:
    order = ("quote", "evidence", "estimate", "ask")
    return min(found, key=lambda price: (order.index(price.kind), price.id), default=None)
