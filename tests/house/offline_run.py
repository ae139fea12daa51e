"""Runs every command once in this process: `python offline_run.py FOLDER`; says each command's exit code and keeps its outputs.

A process of its own, as the guard against sockets ends it, and as its environment holds secrets.
"""

import contextlib
import io
import json
import sys
from pathlib import Path

from advisor.cli import run

# Command -> words; SITE is an assessment with captures of strangers in it. A command that has none here fails test_offline.
COMMANDS: dict[str, list[list[str]]] = {
    "inspect": [["CAPTURES/env.txt"], ["CAPTURES/env.txt", "--json"]],
    "import": [["SITE", "CAPTURES"], ["SITE", "CAPTURES", "--json"]],
    "captures": [["SITE"], ["SITE", "--json"]],
    "correct": [["SITE", "env.txt", "--host", "gpu-07"], ["SITE", "env.txt", "--time", "2026-09-14T13:05:20", "--json"]],
    "collect": [["--for", "ssh", "--to", "OUT/collect.sh"]],
    "template": [["site"]],
    "demo": [[], ["--json"]],
    "diagnose": [["SITE"], ["SITE", "--json"]],
    "plan": [["SITE"], ["SITE", "--json"]],
    "decide": [["SITE", "mtu", "later", "--reason", "x"]],
    "overrule": [["SITE", "--verdict", "node-fault", "--reason", "cable"], ["SITE", "--undo"]],
    "probes": [["SITE"]],
    "measures": [["pause"]],
    "model": [["SITE", "--json"]],
    "whatif": [["SITE", "--take", "mtu"]],
    "calc": [["crossing", "4", "4"], ["collisions", "--flows", "8", "--links", "4"]],
    "size": [["--nodes", "64", "--nics-per-node", "8", "--radix", "64"]],
    "prices": [["list"], ["check"], ["set", "currency", "CNY"], ["export", "--to", "OUT/prices.csv"]],
    "cost": [["payback", "--input", "STATED"]],
    "report": [["SITE", "--to", f"OUT/r.{form}"] for form in ("md", "html", "json", "xlsx")] + [["SITE", "--to", "OUT/m.md", "--mask"]],
    "mask": [["SITE", "--to", "OUT/masked.advisor"]],
    "compare": [["SITE"]],
    "baseline": [["keep", "SITE", "--name", "first"], ["list"]],
    "since": [["SITE", "SITE"]],
    "seal": [["SITE"]],
    "verify": [["SITE"]],
}
# Commands that show screens: held by tests/tui and tests/terminal, which have the same guard. `serve` listens where it is told to.
SCREENS = {"open", "serve"}


def main(folder: Path) -> None:
    places = {
        "SITE": str(folder / "hall.advisor"),
        "CAPTURES": str(folder / "captures"),
        "OUT": str(folder / "out"),
        "STATED": str(folder / "stated.yaml"),
    }
    (folder / "stated.yaml").write_text("capex: 10\nbenefit_per_year: 5\nopex_per_year: 1\n")
    (folder / "out").mkdir()
    codes: dict[str, int] = {}
    for command, uses in COMMANDS.items():
        for words in uses:
            given = [command, *(_placed(word, places) for word in words)]
            out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
                code = _code(given)
            out.flush()
            text = out.buffer.getvalue()  # type: ignore[attr-defined]
            codes[" ".join([command, *words])] = code
            (folder / "out" / f"{len(codes):02}-{command}.txt").write_bytes(text)
    (folder / "codes.json").write_text(json.dumps(codes))


def _code(given: list[str]) -> int:
    try:
        return run(given)
    except SystemExit as end:
        return int(end.code or 0)


def _placed(word: str, places: dict[str, str]) -> str:
    first, _, rest = word.partition("/")
    return places[first] + (f"/{rest}" if rest else "") if first in places else word


if __name__ == "__main__":
    main(Path(sys.argv[1]))
