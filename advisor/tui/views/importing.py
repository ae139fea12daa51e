"""Words of the import: where it goes, and what became of each file."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from advisor.base.text import Lang, say
from advisor.tui.views.evidence import STATE_SIGNS
from advisor.tui.views.words import Para, Span, word

if TYPE_CHECKING:
    from advisor.usecases.assess import Assessment
    from advisor.usecases.import_ import Imported

_MOST = 200  # files passed over that are named


def target_of(assessment: "Assessment | None") -> str:
    """The file that an import goes into, as proposed."""
    if assessment is None:
        return "site.advisor"
    return str(assessment.path) if assessment.path else f"{assessment.name}.advisor"


def paths_of(text: str) -> list[str]:
    """Paths as typed or dropped onto a terminal: blanks part them, quotes and backslashes keep them together."""
    text = text.strip()
    if not text:
        return []
    if Path(text).expanduser().exists():
        return [str(Path(text).expanduser())]
    try:
        words = shlex.split(text)
    except ValueError:
        words = [text]
    return [str(Path(word).expanduser()) for word in words]


def imported_words(found: "Imported", lang: Lang) -> list[Para]:
    """What an import did, file by file where something was passed over."""
    paras = [
        Para(word(say("tui.import.done", lang, files=found.files, new=found.new, again=found.again, passed=len(found.passed)), "strong"))
    ]
    for state, count in found.states.items():
        sign, tone = STATE_SIGNS[state]  # type: ignore[index]
        paras.append(Para((Span(f"{sign} {count} ", tone), Span(say(f"tui.state.{state}", lang)))))
    if found.passed:
        paras += [Para(), Para(word(say("tui.import.passed", lang), "title"))]
        for name, why, detail in found.passed[:_MOST]:
            reason = say(f"refused.{why}", lang)
            paras.append(Para((Span(f"· {name}  ", "dim"), Span(f"{reason} ({detail})" if detail else reason)), hang=2))
        if len(found.passed) > _MOST:
            paras.append(Para(word(f"+{len(found.passed) - _MOST}", "dim")))
    return paras
