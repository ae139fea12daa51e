"""Commands that compare: before and after, baselines, two assessments, an assessment with its seal."""

from typing import Any

from advisor.base.plain import plain
from advisor.base.text import Lang, say
from advisor.cli.output import opened, print_json, progress, show
from advisor.cli.parser import Adding, Given, knowledge_of, language


def register(adding: Adding) -> None:
    lang = adding.lang
    one = adding.command("compare", _compare)
    adding.site(one)
    for side in ("before", "after", "baseline"):
        one.add_argument(f"--{side}", metavar="NAME" if side == "baseline" else side[0].upper(), help=say(f"cli.compare.{side}", lang))
    one = adding.command("baseline")
    inner = adding.within(one, "act", "ACT", "cli.baseline")
    keep = inner.command("keep", _keep)
    inner.site(keep)
    keep.add_argument("--name", required=True, help=say("cli.baseline.name", lang))
    inner.command("list", _list)
    one = adding.command("since", _since)
    for word in ("old", "new"):
        one.add_argument(word, metavar=word.upper(), help=say(f"cli.since.{word}", lang))
    for name, run in (("seal", _seal), ("verify", _verify)):
        one = adding.command(name, run)
        adding.site(one)
        adding.knowledge(one)


def _compare(given: Given) -> int:
    from advisor.report.compared import compared_document, compared_json, prediction_document, prediction_json
    from advisor.usecases.compare import compare

    lang = language(given)
    found = compare(opened(given.target, lang), given.before, given.after, given.baseline, progress(lang))
    held = found.prediction
    tree: dict[str, Any] = compared_json(found.pairs, found.alone, lang)
    titles = found.titles
    tree["prediction"] = prediction_json(held, titles, found.after, lang) if held else None
    show(
        given,
        tree,
        lambda: (
            *compared_document(found.pairs, found.alone, lang),
            *(prediction_document(held, titles, found.after, lang) if held else ()),
        ),
    )
    return 0


def _keep(given: Given) -> int:
    from advisor.usecases.baseline import keep

    lang = language(given)
    kept = keep(opened(given.target, lang), given.name)
    if given.json:
        print_json(_tree(kept))
    else:
        print(say("compare.baseline-kept", lang, count=len(kept.runs), name=kept.name))
    return 0


def _list(given: Given) -> int:
    from advisor.usecases.baseline import baselines

    lang = language(given)
    kept = baselines()
    show(given, {"baselines": [_tree(one) for one in kept]}, lambda: _listed(kept, lang))
    return 0


def _tree(kept: Any) -> dict[str, Any]:
    return {"name": kept.name, "site": kept.site, "kept_on": kept.kept_on, "runs": len(kept.runs), "conditions": kept.conditions}


def _listed(kept: list[Any], lang: Lang) -> Any:
    from advisor.report.document import Paragraph, Table

    if not kept:
        return (Paragraph(say("compare.baseline-none", lang)),)
    words = ("baseline-name", "baseline-site", "baseline-date", "baseline-runs", "conditions")
    header = tuple(say(f"compare.{word}", lang) for word in words)
    rows = tuple(
        (
            one.name,
            plain(one.site),
            one.kept_on,
            str(len(one.runs)),
            "; ".join(f"{key}: {', '.join(values)}" for key, values in one.conditions.items()) or "-",
        )
        for one in kept
    )
    return (Table(header, rows, ("left", "left", "left", "right")),)


def _since(given: Given) -> int:
    from advisor.report.history import since_document, since_json
    from advisor.usecases.since import changed_since, titles

    lang = language(given)
    new = opened(given.new, lang)
    found = changed_since(opened(given.old, lang), new)
    show(given, since_json(found), lambda: since_document(found, titles(new), lang))
    return 0


def _seal(given: Given) -> int:
    from advisor.report.history import seal_document, seal_json
    from advisor.usecases.seal import seal

    lang = language(given)
    made = seal(opened(given.target, lang, knowledge_of(given)))
    show(given, seal_json(made), lambda: seal_document(made, lang))
    return 0


def _verify(given: Given) -> int:
    from advisor.report.history import verified_document, verified_json
    from advisor.usecases.seal import verify

    lang = language(given)
    found = verify(opened(given.target, lang, knowledge_of(given)))
    show(given, verified_json(found), lambda: verified_document(found, lang))
    return 0 if found.same_answer and not any(change.how == "damaged" for change in found.changes) else 1
