"""Commands of money: the price book, single sums, and what a plan is given of prices, rates and a budget."""

import argparse
import sys
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from advisor.base.errors import UsageError
from advisor.base.plain import plain
from advisor.base.text import say
from advisor.cli.output import print_json, show
from advisor.cli.parser import Adding, Given, language


def register(adding: Adding) -> None:
    lang = adding.lang
    prices = adding.within(adding.command("prices", as_json=False), "prices_command", "COMMAND", "cli.prices")

    def command(name: str, run: Callable[[Given], int], *, as_json: bool = True, kept: bool = True) -> argparse.ArgumentParser:
        one = prices.command(name, run, as_json=as_json)
        one.add_argument("--site", metavar="SITE.advisor", help=say("cli.prices.site", lang))
        if not kept:
            one.add_argument("--pricing", action="append", default=[], metavar="DIR", help=say("cli.prices.pricing", lang))
        return one

    command("list", _list, kept=False)
    command("check", _check, kept=False)
    one = command("import", _import)
    one.add_argument("file", metavar="FILE.csv|FILE.xlsx", help=say("cli.prices.file", lang))
    one.add_argument("--sheet", metavar="NAME", help=say("cli.prices.sheet", lang))
    for name, metavar in (("currency", "CODE"), ("date", "YYYY-MM-DD"), ("valid-days", "N"), ("source", "TEXT")):
        one.add_argument(f"--{name}", metavar=metavar, help=say(f"cli.prices.{name}", lang))
    _reasons(one, adding)
    one = command("override", _override)
    one.add_argument("item", metavar="ITEM", help=say("cli.prices.item", lang))
    one.add_argument("amounts", nargs="+", metavar="AMOUNT", help=say("cli.prices.amounts", lang))
    for name, metavar in (("currency", "CODE"), ("valid-days", "N"), ("source", "TEXT")):
        one.add_argument(f"--{name}", metavar=metavar, help=say(f"cli.prices.{name}", lang))
    one.add_argument("--tax", choices=("excluded", "included"), default="", help=say("cli.prices.tax", lang))
    _reasons(one, adding)
    one = command("restore", _restore)
    one.add_argument("item", metavar="ITEM", help=say("cli.prices.item", lang))
    one = command("set", _set, as_json=False)
    one.add_argument("name", metavar="NAME", help=say("cli.prices.name", lang))
    one.add_argument("value", nargs="?", metavar="VALUE", help=say("cli.prices.value", lang))
    one = command("export", _export, as_json=False, kept=False)
    one.add_argument("--to", metavar="FILE.csv", help=say("cli.prices.to", lang))
    one = adding.command("cost", _cost)
    one.add_argument("kind", nargs="?", metavar="KIND", help=say("cli.cost.kind", lang))
    one.add_argument("--input", required=True, metavar="FILE.yaml", help=say("cli.cost.input", lang))


def _reasons(one: argparse.ArgumentParser, adding: Adding) -> None:
    one.add_argument("--by", default="", metavar="WHO", help=say("cli.prices.by", adding.lang))
    one.add_argument("--why", default="", metavar="TEXT", help=say("cli.prices.why", adding.lang))


def plan_options(one: argparse.ArgumentParser, adding: Adding) -> None:
    """What `advisor plan` is given of money."""
    lang = adding.lang
    one.add_argument("--budget", metavar="AMOUNT", help=say("cli.plan.budget", lang))
    one.add_argument("--currency", metavar="CODE", help=say("cli.plan.currency", lang))
    one.add_argument("--rate", action="append", default=[], metavar="CODE=RATE", help=say("cli.plan.rate", lang))
    one.add_argument("--set", action="append", default=[], dest="money", metavar="NAME=VALUE", help=say("cli.plan.set", lang))
    one.add_argument("--frontier", action="store_true", help=say("cli.plan.frontier", lang))
    one.add_argument("--pricing", action="append", default=[], metavar="DIR", help=say("cli.prices.pricing", lang))


def priced(site: Any, given: Given) -> Any:
    """The site with the prices and settings that a command was given. Raises UsageError for a value that cannot be."""
    from advisor.usecases.assess import repriced

    stated: dict[str, Any] = {}
    for word in given.money:
        name, equals, value = word.partition("=")
        head, _, key = name.partition(".")
        if not equals:
            raise UsageError("no-such-setting", name=name, value="", why="NAME=VALUE")
        if key:
            stated.setdefault(head, {})[key] = value
        else:
            stated[head] = value
    for word in given.rate:
        code, equals, rate = word.partition("=")
        if not equals:
            raise UsageError("no-such-setting", name="rate", value=word, why="CODE=RATE")
        stated.setdefault("rates", {})[code] = rate
    stated |= {name: value for name, value in (("currency", given.currency), ("budget", given.budget)) if value is not None}
    made = repriced(site, pricing=tuple(map(Path, given.pricing)), stated=stated)
    _ = made.settings, made.prices  # what cannot be is said before the long work
    return made


def frontier_of(site: Any, lang: Any) -> tuple[dict[str, Any], Any]:
    """What every amount of money buys at best at a site, as JSON and as a document."""
    from advisor.report.money import frontier_document, frontier_json
    from advisor.usecases.budget import efficient_frontier

    found = efficient_frontier(site)
    titles = {rung.proposal.remedy.id: rung.proposal.remedy.title for rung in site.plan.rungs}
    return frontier_json(found.points, found.left_out, lang), frontier_document(found.points, titles, lang)


def _own(given: Given) -> Any:
    from advisor.usecases.prices import kept_by

    return kept_by(_site(given))


def _site(given: Given) -> Path | None:
    return Path(given.site) if given.site else None


def _list(given: Given) -> int:
    from advisor.usecases.prices import listing

    return _show_entries(given, listing(date.today(), _own(given), tuple(map(Path, given.pricing))))


def _check(given: Given) -> int:
    from advisor.usecases.prices import check

    return _show_entries(given, check(date.today(), _own(given), tuple(map(Path, given.pricing))))


def _show_entries(given: Given, entries: Any) -> int:
    from advisor.report.money import price_json, prices_document

    lang = language(given)
    tree = [
        {**price_json(e.price, lang), "state": e.state, "days_left": e.days_left, "where": e.where, "findings": list(e.findings)}
        for e in entries
    ]
    rows = [(e.price, e.state, e.days_left, e.where, e.findings) for e in entries]
    show(given, {"prices": tree}, lambda: prices_document(rows, lang))
    return 0


def _import(given: Given) -> int:
    from advisor.cost.quotes import Defaults
    from advisor.usecases.prices import import_quotes

    try:
        quoted_on = date.fromisoformat(given.date) if given.date else None
    except ValueError:
        raise UsageError("usage", why=f"--date {given.date}", command="advisor prices import") from None
    defaults = Defaults(given.currency or "", quoted_on, _days(given), given.source or "")
    changes = import_quotes(Path(given.file), date.today(), _site(given), defaults, given.sheet, given.by, given.why)
    return _show_changes(given, changes)


def _days(given: Given) -> int | None:
    if given.valid_days is None:
        return None
    if not given.valid_days.isdecimal() or int(given.valid_days) > 3660:
        raise UsageError("usage", why=f"--valid-days {given.valid_days}", command="advisor prices")
    return int(given.valid_days)


def _override(given: Given) -> int:
    from advisor.usecases.prices import OWN_DAYS, override

    days = _days(given)
    change = override(
        given.item,
        tuple(given.amounts),
        date.today(),
        _site(given),
        given.currency,
        given.source or "",
        OWN_DAYS if days is None else days,
        given.tax,
        given.by,
        given.why,
    )
    return _show_changes(given, (change,))


def _show_changes(given: Given, changes: Any) -> int:
    from advisor.report.money import price_json, price_words

    lang = language(given)
    if given.json:
        print_json({"prices": [price_json(change.after, lang) for change in changes]})
        return 0
    for change in changes:
        after = price_words(change.after, lang)
        before = price_words(change.before, lang) if change.before else ""
        print(plain(say("money.taken" if before else "money.added", lang, item=change.after.id, after=after, before=before)))
    return 0


def _restore(given: Given) -> int:
    from advisor.report.money import price_json, price_words
    from advisor.usecases.prices import restore

    lang = language(given)
    price = restore(given.item, _site(given))
    if given.json:
        print_json({"prices": [price_json(price, lang)] if price else []})
    elif price:
        print(plain(say("money.restored", lang, item=given.item, price=price_words(price, lang))))
    else:
        print(plain(say("money.restored-none", lang, item=given.item)))
    return 0


def _set(given: Given) -> int:
    from advisor.usecases.money import change

    change(given.name, given.value, _site(given))
    key = "money.unset" if given.value is None else "money.set"
    print(plain(say(key, language(given), name=given.name, value=given.value)))
    return 0


def _export(given: Given) -> int:
    from advisor.usecases.money import write_whole
    from advisor.usecases.prices import export_csv, listing

    text = export_csv(listing(date.today(), _own(given), tuple(map(Path, given.pricing))))
    if given.to:
        write_whole(Path(given.to), "\ufeff" + text)  # the mark tells spreadsheets that it is UTF-8
        print(say("cli.written", language(given), path=plain(given.to)), file=sys.stderr)
    else:
        sys.stdout.write(text)
    return 0


def _numbers(tree: Any) -> Any:
    """Decimals as numbers of JSON."""
    if isinstance(tree, dict):
        return {name: _numbers(value) for name, value in tree.items()}
    return float(tree) if isinstance(tree, Decimal) else tree


def _cost(given: Given) -> int:
    from advisor.report.money import answer_document
    from advisor.usecases.sums import work_out

    answer = work_out(given.kind, Path(given.input))
    show(given, _numbers(answer), lambda: answer_document(answer, language(given)))
    return 0
