"""What leaves the site: the report in its forms. The ending of the file's name says which."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from advisor.base.errors import UsageError
from advisor.base.files import write_whole
from advisor.base.text import LANGS, Lang, say
from advisor.report import markdown
from advisor.report.document import Document
from advisor.report.whole import Subject, report
from advisor.usecases.assess import Assessment
from advisor.usecases.compare import compare
from advisor.usecases.originals import Quotes
from advisor.usecases.progress import Pace, Progress, never, silent
from advisor.usecases.seal import kept_seal


def report_documents(assessment: Assessment, langs: Sequence[Lang], pace: Pace | None = None) -> dict[Lang, Document]:
    """The whole report as a tree, in each language; a step each. Raises Cancelled."""
    site = assessment
    found = compare(site)
    subject = Subject(
        name=site.name,
        bundle=site.bundle,
        passed=site.passed,
        fabric=site.fabric,
        diagnosis=site.diagnosis,
        plan=site.plan,
        today=site.today,
        masked=site.masked,
        compared=found.pairs,
        prediction=found.prediction,
        sealed=kept_seal(site),
    )
    quotes = Quotes(site, (origin for cause in site.diagnosis.causes for e in cause.evidence for origin in e.origins))
    made: dict[Lang, Document] = {}
    for lang in langs:
        made[lang] = report(subject, quotes, lang)
        if pace:
            pace.step(site.name)
    return made


def report_markdown(assessment: Assessment, *langs: Lang, pace: Pace | None = None) -> str:
    """The whole report as Markdown; several languages one after the other."""
    return "\n".join(markdown.render(document) for document in report_documents(assessment, langs, pace).values())


def report_html(assessment: Assessment, *langs: Lang, pace: Pace | None = None) -> str:
    """The whole report as one page that stands alone; several languages with a switch."""
    from advisor.report import html

    return html.render(report_documents(assessment, langs, pace), _title(assessment, langs[0]))


def report_pdf(assessment: Assessment, *langs: Lang, pace: Pace | None = None) -> bytes:
    """The whole report as PDF; several languages one after the other."""
    from advisor.report import pdf

    documents = report_documents(assessment, langs, pace)
    return pdf.render(tuple(block for document in documents.values() for block in document), _title(assessment, langs[0]), langs[0])


def report_json(assessment: Assessment, *langs: Lang, pace: Pace | None = None) -> str:
    """Diagnosis, plan and captures as one JSON tree; texts in the first language. Schema: `advisor template report-schema`."""
    from advisor.report.as_json import report_tree

    site = assessment
    tree = report_tree(site.name, site.today, site.bundle, site.passed, site.diagnosis, site.plan, langs[0], site.masked)
    return json.dumps(tree, ensure_ascii=False, indent=2) + "\n"


def _title(assessment: Assessment, lang: Lang) -> str:
    return say("report.title", lang, name=assessment.name)


def costs_workbook(assessment: Assessment, *langs: Lang, pace: Pace | None = None) -> bytes:
    """Bill, scenarios and cash flow with live formulas; in the first language."""
    from advisor.report import workbook

    return workbook.render(assessment.plan, assessment.settings, assessment.name, assessment.today, langs[0])


FORMS: dict[str, Callable[..., str | bytes]] = {
    ".html": report_html,
    ".pdf": report_pdf,
    ".xlsx": costs_workbook,
    ".md": report_markdown,
    ".json": report_json,
}


def write_report(
    assessment: Assessment, to: Path, *langs: Lang, progress: Progress = silent, cancelled: Callable[[], bool] = never
) -> None:
    """The report into a file, whole or not at all. Raises UsageError for a form or a place that cannot be, and Cancelled."""
    form = FORMS.get(to.suffix.lower())
    if form is None:
        raise UsageError("no-such-form", path=str(to), forms=", ".join(FORMS))
    told = langs or LANGS
    pace = Pace(progress, cancelled, len(told) + 1)
    pace.begin(to.name)
    made = form(assessment, *told, pace=pace)
    pace.check()
    try:
        write_whole(to, made, private=False)  # made to be handed over
    except OSError as error:
        raise UsageError("cannot-write", path=str(to), why=error.strerror) from None
