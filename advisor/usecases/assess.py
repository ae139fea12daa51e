"""An assessment from captures to plan: opened from a file, a folder or an archive; each stage is a pure function of the ones before."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from advisor.base import places
from advisor.base.content import folder
from advisor.base.errors import NothingRead, UsageError
from advisor.capture import intake
from advisor.capture.lines import decode
from advisor.cost.prices import price_book
from advisor.cost.settings import read_settings
from advisor.diagnosis.diagnose import diagnose
from advisor.diagnosis.verdict import Diagnosis
from advisor.evidence.bundle import Bundle, Capture, Role
from advisor.fabric.build import build
from advisor.fabric.model import Fabric
from advisor.plan.make import make_plan
from advisor.plan.plan import Choice, Decision, Plan
from advisor.remedy.ladder import ladder
from advisor.remedy.remedy import Remedy
from advisor.usecases.import_ import read_waiting
from advisor.usecases.look import look
from advisor.usecases.progress import Progress, never, silent
from advisor.usecases.reading import READERS, SUFFIX


@dataclass(frozen=True)
class Assessment:
    """Everything that is known of one site. `path` is None where it was read from a folder or archive and is not kept."""

    name: str
    path: Path | None
    bundle: Bundle
    today: date
    decisions: Mapping[str, Decision]
    set_aside: frozenset[str]
    source: str = ""  # folder or archive that it was read from
    passed: tuple[tuple[str, str, str], ...] = ()  # files that were passed over: name, why (a key of refused.yaml), detail

    @cached_property
    def fabric(self) -> Fabric:
        return build(self.bundle)

    @cached_property
    def diagnosis(self) -> Diagnosis:
        return diagnose(self.bundle, self.fabric, self.set_aside)

    @cached_property
    def plan(self) -> Plan:
        proposals = ladder(self.bundle, self.fabric, self.diagnosis, remedies())
        prices = price_book(places.pricing(), places.user_config() / "pricing")
        return make_plan(
            self.fabric,
            self.diagnosis,
            proposals,
            self.decisions,
            prices,
            read_settings(places.user_config() / "settings.yaml"),
            self.today,
        )


def remedies() -> dict[str, Remedy]:
    """The shipped remedies, and over them the user's own by id. Raises ContentError."""
    own = places.user_config() / "knowledge" / "remedies"
    return folder(Remedy, places.knowledge() / "remedies", *([own] if own.is_dir() else []))


def example() -> str:
    """The folder of the built-in example site."""
    return str(places.example_site())


def open_site(target: str, progress: Progress = silent, cancelled: Callable[[], bool] = never, today: date | None = None) -> Assessment:
    """The assessment of a file NAME.advisor, or of a folder or archive that is read and not kept.

    Raises UsageError for a path that is not there or holds no file, NothingRead if nothing in it is a capture, AssessmentError, Cancelled.
    """
    path = Path(target)
    if path.suffix == SUFFIX and not path.is_dir():
        from advisor.usecases.recent import remember

        assessment = _from_file(path, progress, cancelled, today or date.today())
        remember(path)
        return assessment
    looked = look(target, progress, cancelled)
    found, passed = looked.captures(), tuple(looked.passed)
    require_read(found, len(passed), target)
    return Assessment(path.name or path.resolve().name, None, Bundle.of(found), today or date.today(), {}, frozenset(), target, passed)


def _from_file(path: Path, progress: Progress, cancelled: Callable[[], bool], today: date) -> Assessment:
    from advisor.store.file import opened

    with opened(path) as file:
        waiting = file.unread(READERS)
        if waiting:  # an import that was cut short, or better readers
            read_waiting(file, waiting, progress, cancelled)
        decisions = {
            remedy: Decision(remedy=remedy, choice=_choice(choice), reason=reason) for remedy, (choice, reason) in file.decisions().items()
        }
        return Assessment(path.stem, path, file.bundle(), today, decisions, file.set_aside(), passed=file.passed())


def _choice(word: str) -> Choice:
    return word if word in ("take", "skip", "later") else "open"  # type: ignore[return-value]


def require_read(captures: list[Capture], passed: int, target: str) -> None:
    """Raises UsageError where there was no file at all, NothingRead where no file is a capture."""
    if not captures and not passed:
        raise UsageError("no-files", path=target)
    if not any(capture.state in ("read", "read-in-part") for capture in captures):
        raise NothingRead("nothing-read", count=len(captures) + passed)


def decide(assessment: Assessment, remedy: str, choice: Choice, reason: str = "") -> Assessment:
    """The assessment with a decision on a remedy, kept in its file. Raises UsageError for a remedy that is not there."""
    if remedy not in remedies():
        raise UsageError("no-such-remedy", remedy=remedy)
    if assessment.path:
        from advisor.store.file import opened

        with opened(assessment.path) as file:
            file.decide(remedy, choice, reason)
    decision = Decision(remedy=remedy, choice=choice, reason=reason)
    return _keeping(("fabric", "diagnosis"), assessment, replace(assessment, decisions={**assessment.decisions, remedy: decision}))


def set_aside(assessment: Assessment, measures: frozenset[str]) -> Assessment:
    """The assessment without these measures: what if this evidence were wrong?"""
    if assessment.path:
        from advisor.store.file import opened

        with opened(assessment.path) as file:
            file.put_aside(measures)
    return _keeping(("fabric",), assessment, replace(assessment, set_aside=measures))


def _keeping(stages: tuple[str, ...], before: Assessment, after: Assessment) -> Assessment:
    """The changed assessment with the stages that the change does not touch, where they are worked out already."""
    after.__dict__.update({name: before.__dict__[name] for name in stages if name in before.__dict__})
    return after


def correct(assessment: Assessment, sha: str, host: str | None, role: Role | None) -> Assessment:
    """The assessment with host and role of a capture as a person states them. Raises UsageError for a capture that is not there."""
    if sha not in assessment.bundle.by_sha:
        raise UsageError("no-such-capture", capture=sha)
    if assessment.path:
        from advisor.store.file import opened

        with opened(assessment.path) as file:
            file.correct(sha, host=host, role=role)
    captures = [replace(c, host=host, role=role) if c.sha256 == sha else c for c in assessment.bundle.captures]
    return replace(assessment, bundle=Bundle.of(captures))


def original_lines(assessment: Assessment, sha: str) -> list[str]:
    """The lines of a capture as they came. Line n is at n - 1. Raises UsageError for a capture that is not there."""
    if assessment.path:
        from advisor.store.file import opened

        with opened(assessment.path) as file:
            return decode(file.data(sha))[0].split("\n")
    for item in intake.items([assessment.source]):
        if not item.passed and sha256(item.data).hexdigest() == sha:
            return decode(item.data)[0].split("\n")
    raise UsageError("no-such-capture", capture=sha)
