"""Settings of money as rows: what each is, what it stands at, and where that is from."""

import json
from collections.abc import Mapping
from decimal import Decimal

from advisor.base.text import Lang, say
from advisor.cost.model import Range
from advisor.cost.settings import Settings
from advisor.plan.plan import Plan
from advisor.tui.views.figures import UNKNOWN
from advisor.tui.views.words import Column, Row, Table, word

NAMES = (
    *("currency", "budget", "tax_percent", "labour_tax_percent", "contingency_percent", "discount_percent", "spares_percent"),
    *("support_percent", "horizon_months", "discount_rate_percent", "region", "gpu_hour", "gpus", "utilisation", "share_affected"),
    *("communication", "exposed_communication", "mfu", "pue", "kwh_price", "module_watts", "target_ratio"),
)


def table(settings: Settings, own: Mapping[str, str], plan: Plan, lang: Lang) -> Table:
    """Every setting; rates for each currency that the plan has amounts in, day rates for each role that it pays."""
    kept = json.loads(own.get("money", "{}"))
    rows = [_row(name, getattr(settings, name), name in kept, lang) for name in NAMES[:2]]
    for code in currencies(settings, plan):
        rows.append(_row(f"rates.{code}", settings.rates.get(code), code in kept.get("rates", {}), lang))
    rows += [_row(name, getattr(settings, name), name in kept, lang) for name in NAMES[2:]]
    for role in roles(settings, plan):
        rows.append(_row(f"day_rates.{role}", settings.day_rates.get(role), role in kept.get("day_rates", {}), lang))
    columns = (
        Column(say("tui.money-set.name", lang), most=34),
        Column(say("tui.money-set.value", lang), right=True, most=20),
        Column(say("tui.money-set.what", lang), flex=True),
    )
    return Table(columns, tuple(rows))


def currencies(settings: Settings, plan: Plan) -> tuple[str, ...]:
    """Currencies that a rate is of use for: those of prices in the plan, and those that have one."""
    found = {line.price.currency for scenario in plan.scenarios for line in scenario.estimate.lines if line.price}
    return tuple(sorted((found | set(settings.rates)) - {settings.currency}))


def roles(settings: Settings, plan: Plan) -> tuple[str, ...]:
    """Who the plan pays, and who has a day rate."""
    found = {line.item for scenario in plan.scenarios for line in scenario.estimate.lines if line.group == "labour" and line.unit == "day"}
    return tuple(sorted(found | set(settings.day_rates)))


def _row(name: str, value: object, here: bool, lang: Lang) -> Row:
    head, _, key = name.partition(".")
    title = say(f"tui.setting.{head}", lang)
    if key:
        title += say(f"tui.who.{key}", lang) if head == "day_rates" else f" {key}"
    about = say(f"tui.setting-about.{head}", lang)
    shown = text_of_value(value)
    return Row(name, (word(title, "strong" if here else "plain"), word(shown or UNKNOWN, "info" if shown else "dim"), word(about, "dim")))


def text_of_value(value: object) -> str:
    """A value as it is typed; empty where it is not set."""
    if isinstance(value, Range):
        return _plain(value.likely) if value.low == value.high else " / ".join(map(_plain, (value.low, value.likely, value.high)))
    if isinstance(value, Decimal):
        return _plain(value)
    return "" if value is None else str(value)


def _plain(value: Decimal) -> str:
    return f"{value.normalize():f}"


def value_of(settings: Settings, name: str) -> str:
    """What a setting stands at, to begin typing from."""
    head, _, key = name.partition(".")
    value = getattr(settings, head)
    return text_of_value(value.get(key) if key else value)
