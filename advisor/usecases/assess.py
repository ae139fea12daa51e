"""An assessment from captures to plan: opened from a file, a folder or an archive; each stage is a pure function of the ones before."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from advisor.base import places
from advisor.base.content import folder
from advisor.base.errors import NothingRead, UsageError
from advisor.capture import intake, whence
from advisor.capture.lines import decode
from advisor.cost.prices import price_book
from advisor.cost.settings import read_settings
from advisor.diagnosis.diagnose import diagnose
from advisor.diagnosis.verdict import Diagnosis
from advisor.evidence.bundle import Bundle, Capture, Role
from advisor.evidence.reading import Reading
from advisor.fabric.build import build
from advisor.fabric.model import Fabric
from advisor.plan.make import make_plan
from advisor.plan.plan import Choice, Decision, Plan
from advisor.remedy.ladder import ladder
from advisor.remedy.remedy import Remedy
from advisor.usecases.progress import Pace, Progress, never, silent
from advisor.usecases.reading import READERS, SUFFIX, safely_read


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
    captures: dict[str, Capture] = {}
    names: dict[str, list[str]] = {}
    passed: list[tuple[str, str, str]] = []
    pace = Pace(progress, cancelled, intake.extent([target]).files if path.is_dir() else None)
    for item in intake.items([target]):
        pace.step(item.name)
        if item.passed:
            passed.append((item.name, item.passed, item.detail))
            continue
        sha = sha256(item.data).hexdigest()
        names.setdefault(sha, []).append(item.name)
        if sha not in captures:  # one capture, however many names it comes under
            captures[sha] = captured(sha, item.name, item.data)
    found = [_named(capture, sorted(names[sha])) for sha, capture in captures.items()]
    require_read(found, len(passed), target)
    return Assessment(
        path.name or path.resolve().name, None, Bundle.of(found), today or date.today(), {}, frozenset(), target, tuple(passed)
    )


def _from_file(path: Path, progress: Progress, cancelled: Callable[[], bool], today: date) -> Assessment:
    from advisor.store.file import opened

    with opened(path) as file:
        waiting = file.unread(READERS)
        if waiting:  # an import that was cut short, or better readers
            pace = Pace(progress, cancelled, len(waiting))
            file.add_readings(_readings(waiting, file.data, pace), READERS)
        decisions = {
            remedy: Decision(remedy=remedy, choice=_choice(choice), reason=reason) for remedy, (choice, reason) in file.decisions().items()
        }
        return Assessment(path.stem, path, file.bundle(), today, decisions, file.set_aside(), passed=file.passed())


def _choice(word: str) -> Choice:
    return word if word in ("take", "skip", "later") else "open"  # type: ignore[return-value]


def _readings(shas: list[str], data: Callable[[str], bytes], pace: Pace) -> Iterator[tuple[str, Reading, str | None]]:
    for sha in shas:
        pace.step(sha)
        reading, failed = safely_read(data(sha))
        yield sha, reading, failed


def captured(sha: str, name: str, data: bytes) -> Capture:
    """A capture with its reading."""
    reading, failed = safely_read(data)
    return Capture(sha, name, len(data), reading, failed=failed)


def _named(capture: Capture, names: list[str]) -> Capture:
    """The capture under the first of its names, with host, time and role by the rules of capture/whence."""
    name = names[0]
    return replace(
        capture, name=name, path_host=whence.host(name), time=whence.time(name), role=whence.role(name), copies=whence.copies(names)
    )


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
