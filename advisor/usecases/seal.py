"""A sealed assessment: hashes of all that an answer rests on and of the answer itself, and what has changed since.

The same captures, knowledge, prices, settings and decisions give the same answer, byte for byte; a seal lets anybody check that it does.
"""

import json
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advisor import __version__
from advisor.base import places
from advisor.base.errors import AssessmentError, UsageError
from advisor.evidence.seal import PARTS, Change, Seal, Verified, changes
from advisor.report.as_json import diagnosis_json, plan_json
from advisor.usecases.assess import Assessment

if TYPE_CHECKING:
    from advisor.store.file import AssessmentFile

_KEY = "seal"
_DATA = {".yaml", ".csv"}


def seal(assessment: Assessment) -> Seal:
    """Seal an assessment: keep the hashes in its file. Raises UsageError for a folder or archive, which keeps nothing."""
    if assessment.path is None:
        raise UsageError("seal-needs-file", path=assessment.source)
    made = seal_of(assessment)
    from advisor.store.file import opened

    with opened(assessment.path) as file:
        tree = {"made_on": made.made_on, "version": made.version, "parts": made.parts}
        file.put_setting(_KEY, json.dumps(tree, ensure_ascii=False, sort_keys=True))
    return made


def verify(assessment: Assessment) -> Verified:
    """Hold an assessment against its seal. Raises UsageError where it was never sealed."""
    sealed = kept_seal(assessment)
    if sealed is None:
        raise UsageError("not-sealed", path=str(assessment.path or assessment.source))
    now = seal_of(assessment)
    found = [change for part in PARTS for change in changes(part, sealed.parts.get(part, {}), now.parts[part])]
    found += [Change("captures", name, "damaged") for name in _damaged(assessment)]
    return Verified(sealed, now, tuple(found))


def kept_seal(assessment: Assessment) -> Seal | None:
    """The seal that the assessment holds; None where it was never sealed."""
    kept = assessment.own.get(_KEY)
    if kept is None:
        return None
    tree = json.loads(kept)
    return Seal(tree["made_on"], tree["version"], tree["parts"])


def seal_of(assessment: Assessment) -> Seal:
    """The hashes as they are now. What a person set in the file counts, the seal itself does not."""
    decisions = {remedy: _text([decision.choice, decision.reason]) for remedy, decision in assessment.decisions.items()}
    decisions |= {f"without {measure}": "yes" for measure in assessment.set_aside}
    if assessment.overrule:
        decisions["overruled"] = _text([assessment.overrule.verdict, assessment.overrule.reason])
    answer = {"diagnosis": diagnosis_json(assessment.diagnosis, "en"), "plan": plan_json(assessment.plan, "en")}
    return Seal(
        assessment.today.isoformat(),
        __version__,
        {
            "captures": {capture.name: capture.sha256 for capture in assessment.bundle.captures},
            "knowledge": _files(places.knowledge(), *assessment.knowledge, places.user_config() / "knowledge"),
            "pricing": _files(places.pricing(), places.user_config() / "pricing"),
            "own": {name: _hash(value.encode()) for name, value in assessment.own.items() if name != _KEY},
            "decisions": decisions,
            "answer": {name: _text(tree) for name, tree in answer.items()},
        },
    )


def _files(*roots: Path) -> dict[str, str]:
    """Hashes of the data files below the folders, by their place; what belongs to the example site is evidence, not knowledge."""
    found: dict[str, str] = {}
    for number, root in enumerate(roots):
        for path in sorted(root.rglob("*")) if root.is_dir() else []:
            if path.suffix in _DATA and path.is_file() and "example" not in path.relative_to(root).parts[:1]:
                name = path.relative_to(root).as_posix()
                found[name if number == 0 else f"{number}: {name}"] = _hash(path.read_bytes())
    return found


def _damaged(assessment: Assessment) -> list[str]:
    """Captures whose bytes are not those that their hash was taken of, or cannot be had any more."""
    if assessment.path is None:
        return []
    from advisor.store.file import opened

    with opened(assessment.path) as file:
        return [capture.name for capture in assessment.bundle.captures if not _is_whole(file, capture.sha256)]


def _is_whole(file: "AssessmentFile", sha: str) -> bool:
    try:
        return _hash(file.data(sha)) == sha
    except AssessmentError:
        return False


def _text(tree: Any) -> str:
    return _hash(json.dumps(tree, ensure_ascii=False, sort_keys=True).encode())


def _hash(data: bytes) -> str:
    return sha256(data).hexdigest()
