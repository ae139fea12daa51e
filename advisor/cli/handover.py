"""Commands about what leaves the site: the report, and a masked copy."""

import sys
from pathlib import Path

from advisor.base.plain import plain
from advisor.base.text import LANGS, Lang, say
from advisor.cli.output import opened, print_json, progress
from advisor.cli.parser import Adding, Given, knowledge_of, language


def register(adding: Adding) -> None:
    lang = adding.lang
    one = adding.command("report", _report, as_json=False)
    adding.site(one)
    adding.knowledge(one)
    one.add_argument("--to", required=True, metavar="FILE", help=say("cli.to", lang))
    one.add_argument("--in", dest="tongues", choices=(*LANGS, "both"), help=say("cli.report.in", lang))
    one.add_argument("--mask", action="store_true", help=say("cli.report.mask", lang))
    one.add_argument("--mapping", metavar="FILE", help=say("cli.mask.mapping", lang))
    one.add_argument("--also", nargs="+", default=[], metavar="WORD", help=say("cli.mask.also", lang))
    one = adding.command("mask", _mask)
    adding.site(one)
    one.add_argument("--to", required=True, metavar="COPY.advisor", help=say("cli.mask.to", lang))
    one.add_argument("--mapping", metavar="FILE", help=say("cli.mask.mapping", lang))
    one.add_argument("--also", nargs="+", default=[], metavar="WORD", help=say("cli.mask.also", lang))


def _report(given: Given) -> int:
    from advisor.usecases.export import write_report
    from advisor.usecases.masking import masked_assessment

    lang = language(given)
    tongues: tuple[Lang, ...] = LANGS if given.tongues == "both" else (given.tongues or lang,)
    site = opened(given.target, lang, knowledge_of(given))
    if given.mask:
        with masked_assessment(site, _mapping(given), given.also, progress(lang)) as (masked, done):
            write_report(masked, Path(given.to), *tongues)
        print(say("cli.mask.kept", lang, mapping=plain(str(done.mapping)), count=done.names), file=sys.stderr)
    else:
        write_report(site, Path(given.to), *tongues)
    print(say("cli.written", lang, path=plain(given.to)), file=sys.stderr)
    return 0


def _mask(given: Given) -> int:
    from advisor.usecases.masking import mask

    lang = language(given)
    done = mask(opened(given.target, lang), Path(given.to), _mapping(given), given.also, progress(lang))
    if given.json:
        print_json({"site": str(done.site), "mapping": str(done.mapping), "names": done.names, "left_out": list(done.left_out)})
        return 0
    print(say("cli.written", lang, path=plain(given.to)))
    print(say("cli.mask.kept", lang, mapping=plain(str(done.mapping)), count=done.names))
    for name in done.left_out:
        print(say("cli.mask.left-out", lang, name=plain(name)), file=sys.stderr)
    return 0


def _mapping(given: Given) -> Path:
    """Where the pairs are kept: as said, else beside the site, never in what is handed over."""
    from advisor.usecases.masking import mapping_of

    return Path(given.mapping) if given.mapping else mapping_of(given.target)
