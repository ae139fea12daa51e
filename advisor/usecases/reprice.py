"""Prices and settings of money of one open assessment, changed in place. Its file keeps them with what they replace, so they can be undone.

An assessment that was only read from a folder or archive keeps them as long as it is open.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from advisor.base.errors import UsageError
from advisor.cost.quotes import Defaults
from advisor.cost.settings import read_settings
from advisor.usecases.assess import Assessment, with_own
from advisor.usecases.money import KEY as MONEY
from advisor.usecases.money import changed, user_file
from advisor.usecases.prices import KEY, Change, own_price, quoted


@dataclass(frozen=True, slots=True)
class Repriced:
    """The assessment with its new prices, and what they were before."""

    assessment: Assessment
    changes: tuple[Change, ...]


def set_price(
    assessment: Assessment, item: str, amounts: tuple[str, ...], currency: str | None = None, source: str = "", why: str = ""
) -> Repriced:
    """An own price in the place of another; the old one is kept with it. Raises UsageError as `advisor prices override` does."""
    change = own_price(assessment.prices, item, amounts, assessment.today, currency, source, why=why)
    return _with(assessment, (change,))


def take_quotes(assessment: Assessment, path: Path, defaults: Defaults | None = None) -> Repriced:
    """Quotes out of a CSV or XLSX list. Raises UsageError with file, row and column; then nothing is changed."""
    found = quoted(path, assessment.prices, assessment.today, defaults)
    return _with(assessment, found)


def _with(assessment: Assessment, changes: tuple[Change, ...]) -> Repriced:
    values: dict[str, str | None] = {KEY + change.after.id: change.after.model_dump_json(exclude_defaults=True) for change in changes}
    return Repriced(with_own(assessment, values), changes)


def drop_price(assessment: Assessment, item: str) -> Assessment:
    """The price of the book again in the place of an own one. Raises UsageError where there is no own price."""
    if KEY + item not in assessment.own:
        raise UsageError("no-override", item=item)
    return with_own(assessment, {KEY + item: None})


def set_money(assessment: Assessment, name: str, value: str | None) -> Assessment:
    """One setting of money, or none where `value` is None. Raises UsageError for a name or a value that cannot be."""
    kept: dict[str, Any] = json.loads(assessment.own.get(MONEY, "{}"))
    layer, _ = changed(kept, name, value, read_settings(user_file()))
    return with_own(assessment, {MONEY: json.dumps(layer, sort_keys=True) if layer else None})
