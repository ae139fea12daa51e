"""`advisor size`: a fabric by a file or by options; each field of the request is an option."""

import argparse
from typing import Any

from advisor.base.errors import UsageError
from advisor.base.text import Lang, say
from advisor.cli.output import show
from advisor.cli.parser import Adding, Given, language


def register(adding: Adding) -> None:
    one = adding.command("size", _size)
    one.add_argument("--input", metavar="FILE.yaml", help=say("cli.size.input", adding.lang))
    adding.late(one, lambda: _options(one, adding.lang))


def _options(one: argparse.ArgumentParser, lang: Lang) -> None:
    from advisor.cost.sizing.request import InstalledGear, Request, bounds

    for prefix, form in (("", Request), ("installed_", InstalledGear)):
        for field, takes in bounds(form).items():
            name, asked = prefix + field, say(f"size.key.{prefix}{field}", lang)
            if takes.kind == "truth":
                one.add_argument(option(name), dest=f"key_{name}", action="store_const", const="true", help=asked)
            elif takes.kind != "map":
                metavar = "|".join(takes.choices) if takes.choices else "N"
                one.add_argument(option(name), dest=f"key_{name}", metavar=metavar, help=asked)


def option(field: str) -> str:
    return "--" + field.replace("_", "-")


def _size(given: Given) -> int:
    from advisor.report.sizing import size_document, size_json
    from advisor.usecases.size import read_file, size

    lang = language(given)
    stated: dict[str, Any] = {}
    places: dict[str, str] = {}
    if given.input:
        from_file, where = read_file(given.input)
        stated, places = dict(from_file), dict(where)
    for dest, value in vars(given).items():
        if dest.startswith("key_") and value is not None:
            _state(stated, places, dest.removeprefix("key_"), value)
    if not stated:
        raise UsageError("size-nothing", where="--input, --nodes")
    found = size(stated, places)
    show(given, size_json(found, lang), lambda: size_document(found, lang))
    return 0


def _state(stated: dict[str, Any], places: dict[str, str], name: str, value: str) -> None:
    """An option goes before the same field of a file."""
    part = name.removeprefix("installed_")
    if part == name:
        stated[name], places[name] = value, option(name)
        return
    there = stated.get("installed")
    stated["installed"] = {**(there if isinstance(there, dict) else {}), part: value}
    places.setdefault("installed", "--installed-leaves")
    places[f"installed.{part}"] = option(name)
