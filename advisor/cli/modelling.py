"""Commands that ask the model: the site as it is, after changes, and calculators that need no captures."""

import argparse
import sys
from collections.abc import Callable
from typing import Any

from advisor.base.plain import plain
from advisor.base.text import say
from advisor.cli.output import opened, show
from advisor.cli.parser import Adding, Given, language


def register(adding: Adding) -> None:
    lang = adding.lang
    adding.site(adding.command("model", _model))
    one = adding.command("whatif", _whatif)
    adding.site(one)
    one.add_argument("--take", required=True, nargs="+", action="extend", metavar="REMEDY", help=say("cli.whatif.take", lang))
    one = adding.command("calc")
    _add_calculators(adding.within(one, "calculator", "CALCULATOR", "cli.calc"))


def _add_calculators(adding: Adding) -> None:
    lang = adding.lang

    def number(one: argparse.ArgumentParser, name: str, kind: Callable[[str], float], default: float | None = None, said: str = "") -> None:
        asked = say(f"cli.calc.{said or name}", lang)
        one.add_argument(f"--{name}", type=kind, required=default is None, default=default, metavar="N", help=asked)

    one = adding.command("collisions", _calc)
    number(one, "flows", int)
    number(one, "links", int)
    number(one, "speed", float, 1.0)
    number(one, "queue-pairs", int, 1)
    one.add_argument("--pairs-not-hashed", action="store_true", help=say("cli.calc.pairs-not-hashed", lang))
    one = adding.command("crossing", _calc)
    one.add_argument("hosts", type=int, nargs="+", metavar="HOSTS", help=say("cli.calc.hosts", lang))
    one.add_argument("--leaf-size", type=int, metavar="N", help=say("cli.calc.leaf-size", lang))
    one = adding.command("gpu-hours", _calc)
    number(one, "gpus", int)
    number(one, "hours", float, 24.0)
    number(one, "loss", float)
    number(one, "communication", float)
    one = adding.command("wire", _calc)
    number(one, "busbw", float)
    number(one, "ranks", int)
    number(one, "hosts", int, said="host-count")
    number(one, "nics", int)
    number(one, "nic-gbps", float, 0.0)
    one = adding.command("rail-only", _calc)
    number(one, "nic-gbps", float)
    number(one, "inside-gbps", float)
    number(one, "rails", int)
    number(adding.command("phases", _calc), "communication", float)
    one = adding.command("line", _calc)
    number(one, "hosts", int, said="host-count")
    number(one, "nics", int)
    number(one, "nic-gbps", float)
    one.add_argument("--measured-tib", type=float, metavar="N", help=say("cli.calc.measured-tib", lang))


def _model(given: Given) -> int:
    from advisor.report.model_json import model_document, model_json
    from advisor.usecases.model import model

    lang = language(given)
    found = model(opened(given.target, lang))
    show(given, model_json(found, lang), lambda: model_document(found, lang))
    return 0


def _whatif(given: Given) -> int:
    from advisor.report.model_json import whatif_document, whatif_json
    from advisor.usecases.whatif import whatif

    lang = language(given)
    found = whatif(opened(given.target, lang), given.take)
    for remedy in found.silent:
        print(f"{plain(remedy)}: {say('model.silent', lang)}", file=sys.stderr)
    whole = (found.now, found.then, found.taken, lang)
    show(given, whatif_json(*whole), lambda: whatif_document(*whole))
    return 0


def _calc(given: Given) -> int:
    from dataclasses import asdict

    from advisor.report.model_json import calculator_document
    from advisor.usecases import calculators

    lang = language(given)
    ask: dict[str, Callable[[], Any]] = {
        "collisions": lambda: calculators.collisions(given.flows, given.links, given.speed, given.queue_pairs, not given.pairs_not_hashed),
        "crossing": lambda: calculators.crossing(given.hosts, given.leaf_size),
        "gpu-hours": lambda: calculators.gpu_hours(given.gpus, given.hours, given.loss / 100, given.communication / 100),
        "wire": lambda: calculators.wire(given.busbw, given.ranks, given.hosts, given.nics, given.nic_gbps / 8 or None),
        "rail-only": lambda: calculators.rail_only(given.nic_gbps, given.inside_gbps, given.rails),
        "phases": lambda: calculators.phases(given.communication / 100),
        "line": lambda: calculators.line(given.hosts, given.nics, given.nic_gbps, given.measured_tib),
    }
    found = ask[given.calculator]()
    show(given, asdict(found), lambda: calculator_document(given.calculator, asdict(found), lang))
    return 0
