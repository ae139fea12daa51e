"""Baselines: measurements of one assessment that are kept for later ones, with the conditions that they were taken under."""

import json
import re
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from advisor.base import files, places
from advisor.base.errors import UsageError
from advisor.diagnosis.comparison import FIGURES, step_runs
from advisor.evidence.bundle import Bundle
from advisor.fabric.model import Run
from advisor.usecases.assess import Assessment

_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,63}\Z")
_CONDITIONS = (
    "gpus.*.driver_version",
    "driver_version",
    "cuda_version",
    "nccl_version",
    "version",
    "ports.*.firmware",
    "gpus.*.sm_clock_mhz",
)
_MOST_VALUES = 8


@dataclass(frozen=True, slots=True)
class Baseline:
    """A kept baseline: measurements, and versions, firmware and clocks as the captures told them, by the fact's name."""

    name: str
    site: str
    kept_on: str
    runs: tuple[Run, ...]
    conditions: dict[str, list[str]]


def _folder() -> Path:
    return places.user_config() / "baselines"


def keep(assessment: Assessment, name: str, today: date | None = None) -> Baseline:
    """Keep the runs of a site under a name; runs of role after and busy ones too, as they are. Raises UsageError for a name that cannot be
    a file's, or a site without runs."""
    if not _NAME.match(name):
        raise UsageError("baseline-name", name=name)
    runs = tuple(run for run in (*assessment.fabric.runs, *step_runs(assessment.fabric.logs, "log")) if FIGURES.keys() & run.figures.keys())
    if not runs:
        raise UsageError("baseline-no-runs", site=assessment.name)
    kept = Baseline(name, assessment.name, (today or assessment.today).isoformat(), runs, conditions(assessment.bundle))
    tree = {
        "form": 1,
        "name": name,
        "site": kept.site,
        "kept_on": kept.kept_on,
        "conditions": kept.conditions,
        "runs": [run.model_dump(mode="json") for run in runs],
    }
    path = _folder() / f"{name}.json"
    try:
        files.write_whole(path, json.dumps(tree, ensure_ascii=False, indent=1))
    except OSError as error:
        raise UsageError("cannot-write", path=str(path), why=error.strerror) from None
    return kept


def conditions(bundle: Bundle) -> dict[str, list[str]]:
    """Versions, firmware and clocks that the captures tell: a baseline holds under these."""
    found: dict[str, list[str]] = {}
    for pattern in _CONDITIONS:
        values = sorted({f"{known.tool} {known.value}" for known in bundle.find(pattern) if known.value is not None})
        if values:
            found[pattern.rpartition(".")[2]] = values[:_MOST_VALUES]
    return found


def baselines() -> list[Baseline]:
    """All kept baselines by name; a file that is none is left out."""
    found = []
    for path in sorted(_folder().glob("*.json")) if _folder().is_dir() else []:
        try:
            found.append(_read(path))
        except (OSError, ValueError, KeyError, TypeError):
            continue
    return found


def baseline_runs(name: str) -> list[Run]:
    """The runs of a kept baseline. Raises UsageError where there is none of this name."""
    path = _folder() / f"{name}.json"
    try:
        if not _NAME.match(name):
            raise FileNotFoundError
        return list(_read(path).runs)
    except (OSError, ValueError, KeyError, TypeError):
        known = ", ".join(one.name for one in baselines()) or "-"
        raise UsageError("no-such-baseline", name=name, known=known) from None


def _read(path: Path) -> Baseline:
    tree = json.loads(path.read_text(encoding="utf-8"))
    runs = tuple(Run.model_validate(run) for run in tree["runs"])
    return Baseline(tree["name"], tree["site"], tree["kept_on"], runs, tree["conditions"])
