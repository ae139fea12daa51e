"""What to ask next: every probe with its exact command, ranked by what it tells for its time and risk."""

from advisor.base.text import Lang, say
from advisor.diagnosis.verdict import Diagnosis, Probe
from advisor.tui.views.figures import UNKNOWN, seconds
from advisor.tui.views.words import Column, Para, Row, Table, Tone, joined, word

_RISKS: dict[str, tuple[str, Tone]] = {"none": ("✓", "good"), "load": ("!", "warn"), "jobs": ("✗", "bad")}


def table(diagnosis: Diagnosis, lang: Lang) -> Table:
    rows = [_row(i, probe, lang) for i, probe in enumerate(diagnosis.probes or _next(diagnosis))]
    columns = (
        Column("", right=True),
        Column(say("tui.probe.command", lang), flex=True),
        Column(say("tui.probe.where", lang), most=24, drop=1),
        Column(say("tui.probe.settles", lang), right=True),
        Column(say("tui.probe.time", lang), right=True),
        Column(say("tui.probe.risk", lang), most=22, drop=2),
    )
    return Table(columns, tuple(rows), empty=say("tui.probe.none", lang))


def _next(diagnosis: Diagnosis) -> tuple[Probe, ...]:
    return (diagnosis.next_probe,) if diagnosis.next_probe else ()


def _row(i: int, probe: Probe, lang: Lang) -> Row:
    sign, tone = _RISKS[probe.risk]
    minutes = None if probe.minutes is None else probe.minutes * 60
    cells = (
        word(i + 1, "dim"),
        word(probe.run.say(lang), "strong"),
        word(probe.where, "info"),
        word(f"{probe.gain:.2f}" if probe.gain else UNKNOWN),
        word(seconds(minutes, lang), "dim"),
        word(f"{sign} {say(f'tui.probe.risk-{probe.risk}', lang)}", tone),
    )
    return Row(f"probe:{i}", cells, (float(i), probe.run.say(lang), probe.where, probe.gain, probe.minutes, probe.risk))


def probe_of(diagnosis: Diagnosis, key: str) -> Probe | None:
    found = diagnosis.probes or _next(diagnosis)
    place = int(key.removeprefix("probe:"))
    return found[place] if place < len(found) else None


def detail(diagnosis: Diagnosis, key: str, lang: Lang) -> tuple[Para, ...]:
    """The whole command, where it runs, and what it would decide."""
    probe = probe_of(diagnosis, key)
    if probe is None:
        return ()
    about = joined(
        word(say(f"tui.probe.at-{probe.at}", lang), "dim"),
        word(probe.where, "info") if probe.where else (),
        word(say(f"tui.probe.risk-{probe.risk}", lang), _RISKS[probe.risk][1]),
        between=" · ",
    )
    return (Para(word(probe.run.say(lang), "strong"), hang=2), Para(about), Para(word(probe.decides.say(lang))))
