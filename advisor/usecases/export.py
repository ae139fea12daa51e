"""What leaves the site: the report in its forms."""

import os
from pathlib import Path

from advisor.base.errors import UsageError
from advisor.base.text import Lang
from advisor.report import markdown
from advisor.report.document import Document
from advisor.report.whole import report
from advisor.usecases.assess import Assessment

FORMS = {".md": "markdown"}


def report_markdown(assessment: Assessment, lang: Lang) -> str:
    """The whole report as Markdown."""
    return markdown.render(_document(assessment, lang))


def _document(assessment: Assessment, lang: Lang) -> Document:
    """The whole report as one tree."""
    site = assessment
    return report(site.name, site.bundle, site.passed, site.diagnosis, site.plan, site.today, lang)


def write_report(assessment: Assessment, to: Path, lang: Lang) -> None:
    """The report into a file, whole or not at all. Raises UsageError for a form or a place that cannot be."""
    if to.suffix.lower() not in FORMS:
        raise UsageError("no-such-form", path=str(to), forms=", ".join(FORMS))
    text = report_markdown(assessment, lang)
    part = to.with_name(f".{to.name}.{os.getpid()}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(to)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise UsageError("cannot-write", path=str(to), why=error.strerror) from None
