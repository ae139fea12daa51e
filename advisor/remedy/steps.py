"""The steps of a remedy in the site's own words, each with what to type under it."""

import re
from collections.abc import Mapping, Sequence

from advisor.base.text import Text
from advisor.remedy.fills import is_safe
from advisor.remedy.remedy import Step
from advisor.remedy.siting import Sited
from advisor.remedy.typed import Typed, switches_unknown, typed, way_back, with_lines
from advisor.remedy.vendor import acts
from advisor.remedy.words import filled

_LISTED = re.compile(r"[,、]\s*")


def with_commands(
    steps: Sequence[Step], rollback: Text, words: Mapping[str, Text], sited: Sited
) -> tuple[tuple[Text, ...], Text, tuple[Typed, ...]]:
    """The steps and the way back with their lines to type, and these lines one by one."""
    known, told = acts(), set[str]()
    commands = [list(typed(number, step.acts, step.open, known, sited)) for number, step in enumerate(steps, 1)]
    said = [with_lines(in_words(step, words), mine, told, sited) for step, mine in zip(steps, commands, strict=True)]
    on_switches = [
        i for i, step in enumerate(steps) if any(known[act.rpartition(":")[2].partition(".")[0]].domain == "switch" for act in step.acts)
    ]
    if on_switches and not sited.systems.get("switch") and sited.fabric.technology != "ib":
        first, note = on_switches[0], switches_unknown(sited.vendors)
        said[first] = Text(en=f"{said[first].en}\n# {note.en}", zh=f"{said[first].zh}\n# {note.zh}")
    done = [each for mine in commands for each in mine]
    undone = list(way_back(done, sited))
    return tuple(said), with_lines(in_words(rollback, words), undone, told, sited), (*done, *undone)


def in_words(text: Text, words: Mapping[str, Text]) -> Text:
    """The text with the site's names. Between backticks, where a reader copies from, a name that could act stays a marked place."""
    return Text(en=_said(text, "en", words), zh=_said(text, "zh", words))


def _said(text: Text, lang: str, words: Mapping[str, Text]) -> str:
    prose = {name: Text(en=value.en.replace("`", "'"), zh=value.zh.replace("`", "'")) for name, value in words.items()}
    typed_words = {name: value if _is_typable(value) else Text(en=f"<{name}>", zh=f"<{name}>") for name, value in words.items()}
    parts = (text.zh if lang == "zh" else text.en).split("`")
    said = [filled(Text(en=part, zh=part), **(typed_words if i % 2 else prose)) for i, part in enumerate(parts)]
    return "`".join(part.zh if lang == "zh" else part.en for part in said)


def _is_typable(value: Text) -> bool:
    return all(map(is_safe, _LISTED.split(value.en)))
