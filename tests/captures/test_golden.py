"""Every golden capture gives the facts that a person read in it. Beside each capture stands NAME.golden.yaml:

parts      tool, host (null: the text names none), facts (these, and further ones are welcome), unknown (paths that must hold nothing)
problems   at_least, at_most, and lines that must each be a problem or unread
refused    the text is no capture; may_be_refused: it may be, else it must be right
kind       where the text is from: real-paste, documentation-example, composed, ...
"""

import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from advisor.evidence.reading import Part, Reading
from advisor.readers.recognise import read

HERE = Path(__file__).parent
GOLDEN = sorted(HERE.glob("*/*.golden.yaml"))
_NUMERIC = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def _holds(value: Any) -> bool:
    """Whether anything is known in a value."""
    if isinstance(value, Mapping):
        return any(map(_holds, value.values()))
    return value is not None and (not isinstance(value, list) or any(map(_holds, value)))


def _alike(wanted: Any, given: Any) -> bool:
    if isinstance(wanted, bool) or isinstance(given, bool):
        return wanted is given
    numbers = [float(v) if _NUMERIC.fullmatch(str(v).strip()) else None for v in (wanted, given)]
    if None not in numbers:
        exact = all(re.fullmatch(r"[+-]?\d+", str(v).strip()) for v in (wanted, given))
        return int(str(wanted)) == int(str(given)) if exact else math.isclose(*numbers, rel_tol=1e-3, abs_tol=1e-200)
    return isinstance(given, str) and str(wanted).strip().casefold() == given.strip().casefold()


def _gaps(wanted: Any, given: Any, path: str) -> Iterator[str]:
    """Where what is given is not what is wanted."""
    if wanted is None:
        if _holds(given):
            yield f"{path}: must be unknown, is {given!r}"
    elif isinstance(wanted, dict):
        given = {str(k).strip(): v for k, v in given.items()} if isinstance(given, Mapping) else {}
        for key, value in wanted.items():
            yield from _gaps(value, given.get(str(key).strip()), f"{path}.{key}")
    elif isinstance(wanted, list):
        if not isinstance(given, list) or len(given) != len(wanted):
            yield f"{path}: {wanted!r} wanted, {given!r} given"
        elif any(isinstance(item, dict | list) for item in wanted):
            for i, (a, b) in enumerate(zip(wanted, given, strict=True)):
                yield from _gaps(a, b, f"{path}[{i}]")
        else:
            left = list(given)
            for item in wanted:
                found = next((i for i, other in enumerate(left) if _alike(item, other)), None)
                if found is None:
                    yield f"{path}: {item!r} is not among {given!r}"
                else:
                    del left[found]
    elif not _alike(wanted, given):
        yield f"{path}: {wanted!r} wanted, {given!r} given"


def _known(tree: Any, path: str) -> bool:
    """Whether something is known at a dotted path; * stands for any name, and names may hold dots."""
    if not path:
        return _holds(tree)
    if not isinstance(tree, Mapping):
        return False
    for key, value in tree.items():
        for name in (str(key), "*"):
            if path == name and _holds(value):
                return True
            if path.startswith(f"{name}.") and _known(value, path[len(name) + 1 :]):
                return True
    return False


def _joined(parts: list[Part]) -> dict[str, Any]:
    """The runs of one tool as one tree, the numbers of entries taken anew."""

    def into(tree: dict[str, Any], more: Mapping[str, Any]) -> None:
        for key, value in more.items():
            if isinstance(value, Mapping):
                here = tree.setdefault(key, {})
                if isinstance(here, dict):
                    into(here, value)
                    continue
            tree[key] = value

    tree: dict[str, Any] = {}
    for part in parts:
        into(tree, part.facts)
    for name in list(tree):
        if isinstance(tree[name], dict) and f"{name[:-1]}_count" in tree:
            tree[f"{name[:-1]}_count"] = len(tree[name])
    return tree


def _part_gaps(wanted: Mapping[str, Any], facts: Mapping[str, Any], host: str | None) -> list[str]:
    gaps = list(_gaps(wanted["facts"], facts, wanted["tool"]))
    gaps += [f"{wanted['tool']}.{path}: must be unknown" for path in wanted.get("unknown", ()) if _known(facts, path)]
    if "host" in wanted and wanted["host"] != host:
        gaps.append(f"host: {wanted['host']!r} wanted, {host!r} given")
    return gaps


def _parts_gaps(wanted: list[Mapping[str, Any]], reading: Reading) -> list[str]:
    for tool in dict.fromkeys(part["tool"] for part in wanted):
        of_tool = [part for part in wanted if part["tool"] == tool]
        runs = [part for part in reading.parts if part.tool == tool]
        if not runs:
            return [f"no part of {tool}, only {[part.tool for part in reading.parts]}"]
        if len(of_tool) == 1:
            hosts = {run.host for run in runs}
            tries = [_part_gaps(of_tool[0], _joined(runs), hosts.pop() if len(hosts) == 1 else None)]
            tries += [_part_gaps(of_tool[0], run.facts, run.host) for run in runs]
            if all(tries):
                return tries[0]
            continue
        rest = iter(runs)
        for part in of_tool:
            gaps = [f"fewer runs of {tool} than {len(of_tool)}"]
            for run in rest:
                gaps = _part_gaps(part, run.facts, run.host)
                if not gaps:
                    break
            if gaps:
                return gaps
    return []


def _account_gaps(reading: Reading, lines: list[str]) -> list[str]:
    """Every inked line is in a part or unread."""
    spans = [*reading.unread, *(part.lines for part in reading.parts)]
    covered = {n for first, last in spans for n in range(first, last + 1)}
    return [f"line {n} is lost" for n, text in enumerate(lines, 1) if text.strip("\ufeff \t\r") and n not in covered]


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda path: f"{path.parent.name}/{path.name.split('.')[0]}")
def test_golden(golden: Path) -> None:
    wanted = yaml.safe_load(golden.read_text(encoding="utf-8"))
    data = (golden.parent / wanted["capture"]).read_bytes()
    reading = read(data)
    if wanted.get("refused"):
        assert reading.refused
        return
    if reading.refused:
        assert wanted.get("may_be_refused"), reading.refused
        return
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = data.decode("utf-16" if wide else "utf-8-sig", errors="replace")
    assert _account_gaps(reading, text.split("\n")) == []
    assert _parts_gaps(wanted["parts"], reading) == []
    problems = [problem for part in reading.parts for problem in part.problems]
    asked = wanted.get("problems", {})
    assert asked.get("at_least", 0) <= len(problems) <= asked.get("at_most", math.inf)
    flagged = {problem.line for problem in problems} | {n for a, b in reading.unread for n in range(a, b + 1)}
    assert set(asked.get("lines", ())) <= flagged


def test_there_are_golden_captures() -> None:
    assert len(GOLDEN) > 150
