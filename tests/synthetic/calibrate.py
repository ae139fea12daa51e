"""Judges many synthetic sites and writes what came out into docs/design.md.

    python -m tests.synthetic.calibrate            sites held apart from tuning: 1,000 of any cause, 200 sound, 200 of several causes
    python -m tests.synthetic.calibrate --fit      fits knowledge/calibration.yaml on sites for tuning
    python -m tests.synthetic.calibrate --sites N  fewer, for a look (nothing is written)

Ends with 1 where a figure that must be reached is missed.
"""

import argparse
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from tests.synthetic.judge import Judged, judge_all
from tests.synthetic.score import all_named, all_near, brier, by_cause, calibration_error, false_alarms, reliability, share
from tests.synthetic.site import HELD_FROM, healthy, site
from tests.synthetic.stacks import stacked

ROOT = Path(__file__).resolve().parents[2]
DESIGN, CURVE = ROOT / "docs" / "design.md", ROOT / "knowledge" / "calibration.yaml"
BEGIN, END = "<!-- calibration: written by make calibrate -->", "<!-- end of calibration -->"
SITES, SOUND, STACKED, TUNING = 1000, 200, 200, 1200
BAR = {"calibration error": 0.05, "named": 0.90, "near": 0.80}
STEPS = 10  # points of the curve


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.synthetic.calibrate")
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--sites", type=int)
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args(arguments)
    if asked.fit:
        fit(range(asked.sites or TUNING), asked.processes)
        return 0
    count = asked.sites or SITES
    seeds = range(HELD_FROM, HELD_FROM + count)
    parts = max(count // 5, 1)
    answers = judge_all(site, seeds, asked.processes)
    sound = judge_all(healthy, range(HELD_FROM * 5, HELD_FROM * 5 + parts), asked.processes)
    stacks = judge_all(stacked, range(HELD_FROM * 3, HELD_FROM * 3 + parts), asked.processes)
    text, holds = report(answers, sound, stacks)
    print(text)
    if asked.sites is None:
        write(text)
    return 0 if holds else 1


def report(answers: list[Judged], sound: list[Judged], stacks: list[Judged]) -> tuple[str, bool]:
    """The section of docs/design.md, and whether all that must be reached is reached."""
    decided = [one for one in answers if one.is_decided]
    error, error_all = calibration_error(decided), calibration_error(answers)
    alarms = false_alarms(sound)
    named, near = share(map(all_named, stacks)), share(map(all_near, stacks))
    holds = error <= BAR["calibration error"] and not alarms and named >= BAR["named"] and near >= BAR["near"]
    lines = [
        f"{len(answers)} sites of any cause, {len(sound)} sound ones, {len(stacks)} of several causes; seeds from {HELD_FROM}, "
        "none of them used for tuning.",
        "",
        "| figure | value | must be | |",
        "| --- | --- | --- | --- |",
        _row("expected calibration error, decided verdicts", f"{error:.3f}", "at most 0.05", error <= BAR["calibration error"]),
        _row("the same, open ones too (that the likeliest verdict is not the right one)", f"{error_all:.3f}", "-", None),
        _row("Brier score, decided verdicts", f"{brier(decided):.3f}", "-", None),
        _row("decided", f"{len(decided)} of {len(answers)}", "-", None),
        _row("of these right", f"{share(one.is_right for one in decided):.1%}", "-", None),
        _row("false alarms on sound sites", f"{len(alarms)} of {len(sound)}", "none", not alarms),
        _row("several causes: all with a tenth of the loss named", f"{named:.1%}", "at least 90 %", named >= BAR["named"]),
        _row("several causes: all their shares within 10 points", f"{near:.1%}", "at least 80 %", near >= BAR["near"]),
        "",
        "| stated confidence | verdicts | mean | right | |",
        "| --- | --- | --- | --- | --- |",
    ]
    for one in reliability(decided):
        lines.append(
            f"| {one.low:.1f} to {one.low + 0.1:.1f} | {one.count} | {one.stated:.2f} | {one.right:.2f} | `{_bar(one.stated, one.right)}` |"
        )
    lines += [
        "",
        "(`=` up to how often right, `|` where the stated confidence is.)",
        "",
        "| cause | sites | verdict right | wrong | leads | named |",
    ]
    lines += ["| --- | --- | --- | --- | --- | --- |"]
    for row in by_cause(answers):
        lines.append(f"| {row.cause or 'none established'} | {row.count} | {row.right} | {row.wrong} | {row.leads} | {row.named} |")
    return "\n".join(lines), holds


def _row(figure: str, value: str, bar: str, holds: bool | None) -> str:
    return f"| {figure} | {value} | {bar} | {'' if holds is None else 'holds' if holds else 'MISSED'} |"


def _bar(stated: float, right: float, width: int = 40) -> str:
    cells = ["=" if k < round(right * width) else " " for k in range(width + 1)]
    cells[round(stated * width)] = "|"
    return "".join(cells).rstrip()


def write(text: str) -> None:
    """Puts the section between its marks."""
    whole = DESIGN.read_text(encoding="utf-8")
    before, rest = whole.split(BEGIN, 1)
    after = rest.split(END, 1)[1]
    DESIGN.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", encoding="utf-8")


def fit(seeds: range, processes: int) -> None:
    """The curve from sites for tuning: how often the class of verdicts that holds most is the right one, rising (isotonic regression)."""
    from tests.synthetic.judge import held_all

    known = [pair for pair in held_all(site, seeds, processes) if pair is not None]
    points = curve(known)
    rows = ", ".join(f"{{held: {held:.3f}, right: {right:.3f}}}" for held, right in points)
    CURVE.write_text(
        "# How often a verdict is right by the share of the odds that it holds, on synthetic sites for tuning: lowered in full, raised by\n"
        "# half (advisor/diagnosis/calibration.py). Made by: python -m tests.synthetic.calibrate --fit\n"
        f"points: [{rows}]\nsites: {len(known)}\nseeds: {seeds.start} to {seeds.stop - 1}\nmade: {date.today()}\n",
        encoding="utf-8",
    )
    print(CURVE.read_text(encoding="utf-8"))


def curve(known: Sequence[tuple[float, bool]]) -> list[tuple[float, float]]:
    """Points (share held, how sure) of pairs (share held, whether right): equal parts by share, made to rise, between 0 and 1."""
    from scipy.optimize import isotonic_regression

    ordered = sorted(known)
    size = max(len(ordered) // STEPS, 1)
    parts = [ordered[i : i + size] for i in range(0, len(ordered), size)]
    if len(parts) > 1 and len(parts[-1]) < size:
        parts[-2:] = [parts[-2] + parts[-1]]
    alike: dict[float, list[bool]] = {}
    for part in parts:
        middle_of = round(sum(one for one, _ in part) / len(part), 3)
        alike.setdefault(middle_of, []).extend(outcome for _, outcome in part)
    held = list(alike)
    right = [share(outcomes) for outcomes in alike.values()]
    risen = isotonic_regression(right, weights=[len(outcomes) for outcomes in alike.values()]).x
    sure = [low if low < at else at + (low - at) / 2 for at, low in zip(held, (float(one) for one in risen), strict=True)]
    rising: list[tuple[float, float]] = [(0.0, 0.0)]
    for at, one in zip(held, sure, strict=True):
        if rising[-1][0] < at < 1:
            rising.append((at, max(round(one, 3), rising[-1][1])))
    return [*rising, (1.0, max(rising[-1][1], 0.99))]


if __name__ == "__main__":
    sys.exit(main())
