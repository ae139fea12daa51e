"""An assessment from captures to plan: opened from a file, a folder or an archive; each stage is a pure function of the ones before."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advisor.base import places
from advisor.base.content import folder
from advisor.base.errors import NothingRead, UsageError
from advisor.capture import intake
from advisor.capture.lines import decode
from advisor.cost.model import Price
from advisor.cost.settings import Settings
from advisor.diagnosis.diagnose import Overrule, diagnose
from advisor.diagnosis.library import library
from advisor.diagnosis.verdict import Diagnosis
from advisor.diagnosis.verdicts import VERDICTS, Verdict
from advisor.evidence.bundle import Bundle, Capture
from advisor.fabric.build import build
from advisor.fabric.model import Fabric
from advisor.plan.make import make_plan
from advisor.plan.plan import Choice, Decision, Plan, excludes
from advisor.remedy.ladder import ladder
from advisor.remedy.remedy import Remedy
from advisor.remedy.vendor import Vendor
from advisor.traffic.predict import Prediction, predict
from advisor.usecases.import_ import read_waiting
from advisor.usecases.look import look
from advisor.usecases.money import settings
from advisor.usecases.prices import book
from advisor.usecases.progress import Progress, never, silent
from advisor.usecases.reading import READERS, SUFFIX

if TYPE_CHECKING:
    from advisor.store.file import AssessmentFile
    from advisor.store.kept import Kept


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
    overrule: Overrule | None = None  # a person's own verdict
    knowledge: tuple[Path, ...] = ()  # folders of a person's own knowledge, later ones win
    own: Mapping[str, str] = field(default_factory=dict)  # prices and settings that the site's file keeps
    pricing: tuple[Path, ...] = ()  # folders of prices named for this time, later ones win
    stated: Mapping[str, Any] = field(default_factory=dict)  # settings of money stated for this time
    kept: "Kept | None" = None  # what its file held when it was last looked at
    elsewhere: tuple[str, ...] = ()  # what another program had changed in the file before the last step (names of Kept.differs)

    @property
    def masked(self) -> bool:
        """Whether it is a masked copy: names and addresses are pseudonyms."""
        return self.own.get("masked") == "yes"

    @cached_property
    def fabric(self) -> Fabric:
        return build(self.bundle)

    @cached_property
    def prediction(self) -> Prediction:
        """What the model says of the site as it is."""
        return predict(self.fabric)

    @cached_property
    def diagnosis(self) -> Diagnosis:
        return diagnose(self.bundle, self.fabric, self.set_aside, self.overrule, library(*self.knowledge))

    @cached_property
    def prices(self) -> Mapping[str, Price]:
        """The price book: shipped, the user's, folders named for this time, the site's own."""
        return book(self.own, self.pricing)

    @cached_property
    def settings(self) -> Settings:
        """What is set of money: the user's, the site's, what was stated for this time."""
        return settings(self.own, self.stated)

    @cached_property
    def plan(self) -> Plan:
        proposals = ladder(self.bundle, self.fabric, self.diagnosis, remedies(*self.knowledge), _vendors(*self.knowledge), self.prediction)
        return make_plan(self.fabric, self.diagnosis, proposals, self.decisions, self.prices, self.settings, self.today)


def remedies(*more: Path) -> dict[str, Remedy]:
    """The shipped remedies, and over them by id the user's own and those of further folders of knowledge. Raises ContentError."""
    return folder(Remedy, *_layers("remedies", more))


def _vendors(*more: Path) -> dict[str, Vendor]:
    """What to type on a vendor's gear, layered in the same way. Raises ContentError."""
    return folder(Vendor, *_layers("vendors", more))


def _layers(name: str, more: tuple[Path, ...]) -> list[Path]:
    roots = (places.knowledge(), places.user_config() / "knowledge", *more)
    return [root / name for root in roots if (root / name).is_dir()]


def example() -> str:
    """The folder of the built-in example site."""
    return str(places.example_site())


def open_site(
    target: str,
    progress: Progress = silent,
    cancelled: Callable[[], bool] = never,
    today: date | None = None,
    knowledge: tuple[Path, ...] = (),
) -> Assessment:
    """The assessment of a file NAME.advisor, or of a folder or archive that is read and not kept.

    `knowledge`: folders in the form of the shipped knowledge (signatures, thresholds, remedies, vendors, ...) that are laid over it by id.

    Raises UsageError for a path that is not there or holds no file, NothingRead if nothing in it is a capture, AssessmentError, Cancelled.
    """
    _require_knowledge(knowledge)
    return replace(_opened(target, progress, cancelled, today), knowledge=knowledge)


_KNOWN_PARTS = (
    *("signatures", "thresholds", "remedies", "vendors"),
    *("causes.yaml", "probes.yaml", "sources.yaml", "signs.yaml", "gates.yaml"),
)


def _require_knowledge(folders: tuple[Path, ...]) -> None:
    """Raises UsageError for a folder that is not there or holds nothing to lay over, ContentError for a file in it that is wrong."""
    for root in folders:
        if not root.is_dir():
            raise UsageError("no-such-path", path=str(root))
        if not any((root / part).exists() for part in _KNOWN_PARTS):
            raise UsageError("no-knowledge", path=str(root), parts=", ".join(_KNOWN_PARTS))
    if folders:
        library(*folders)
        remedies(*folders)
        _vendors(*folders)


def _opened(target: str, progress: Progress, cancelled: Callable[[], bool], today: date | None) -> Assessment:
    path = Path(target)
    if path.suffix == SUFFIX and not path.is_dir():
        from advisor.usecases.recent import remember

        assessment = from_file(path, progress, cancelled, today or date.today())
        remember(path)
        return assessment
    looked = look(target, progress, cancelled)
    found, passed = looked.captures(), tuple(looked.passed)
    require_read(found, len(passed), target)
    return Assessment(path.name or path.resolve().name, None, Bundle.of(found), today or date.today(), {}, frozenset(), target, passed)


def from_file(path: Path, progress: Progress, cancelled: Callable[[], bool], today: date) -> Assessment:
    """The assessment of a file, without putting it on the list of those opened last."""
    from advisor.store.file import opened

    with opened(path) as file:
        waiting = file.unread(READERS)
        if waiting:  # an import that was cut short, or better readers
            read_waiting(file, waiting, progress, cancelled)
        with file.reading():
            made = Assessment(path.stem, path, file.bundle(), today, {}, frozenset(), passed=file.passed())
            return _as_kept(made, file.kept())


def _as_kept(assessment: Assessment, kept: "Kept") -> Assessment:
    """The assessment with what its file keeps of a person's decisions."""
    return replace(
        assessment,
        decisions={
            remedy: Decision(remedy=remedy, choice=_choice(choice), reason=reason) for remedy, (choice, reason) in kept.decisions.items()
        },
        set_aside=kept.set_aside,
        overrule=Overrule(_verdict(kept.overrule[0]), kept.overrule[1]) if kept.overrule else None,
        own=kept.settings,
        kept=kept,
    )


def written(assessment: Assessment, after: Assessment, write: "Callable[[AssessmentFile, Kept], None]") -> Assessment:
    """`after`, once `write` has put into the file what sets it apart from `assessment`; what another program wrote since is in it as well.

    All in one transaction: `write` is given what the file keeps now, and what it raises leaves the file as it was. `elsewhere` of the
    result says what had changed. Without a file, `after` as it is.
    """
    if assessment.path is None:
        return after
    from advisor.store.file import opened

    with opened(assessment.path) as file, file.writing():
        found = file.kept()
        elsewhere = tuple(found.differs(assessment.kept)) if assessment.kept else ()
        write(file, found)
        if "captures" in elsewhere:
            after = replace(after, bundle=file.bundle(), passed=file.passed())
        return replace(_as_kept(after, file.kept()), elsewhere=elsewhere)


def _choice(word: str) -> Choice:
    return word if word in ("take", "skip", "later") else "open"  # type: ignore[return-value]


def require_read(captures: list[Capture], passed: int, target: str) -> None:
    """Raises UsageError where there was no file at all, NothingRead where no file is a capture."""
    if not captures and not passed:
        raise UsageError("no-files", path=target)
    if not any(capture.state in ("read", "read-in-part") for capture in captures):
        raise NothingRead("nothing-read", count=len(captures) + passed)


def decide(assessment: Assessment, remedy: str, choice: Choice, reason: str = "") -> Assessment:
    """The assessment with a decision on a remedy, kept in its file with its reason.

    Raises UsageError for a remedy that is not there, and where one is taken that conflicts with what is taken already.
    """
    known = remedies(*assessment.knowledge)
    if remedy not in known:
        raise UsageError("no-such-remedy", remedy=remedy)

    def check(taken: Iterable[str]) -> None:
        other = next((name for name in taken if choice == "take" and excludes(known[remedy], known[name])), None)
        if other is not None:
            raise UsageError("conflicting-remedy", remedy=remedy, other=other)

    def write(file: "AssessmentFile", kept: "Kept") -> None:
        check(name for name, (made, _) in kept.decisions.items() if made == "take" and name in known and name != remedy)
        file.decide(remedy, choice, reason)

    check(name for name, made in assessment.decisions.items() if made.choice == "take" and name in known and name != remedy)
    decision = Decision(remedy=remedy, choice=choice, reason=reason)
    after = replace(assessment, decisions={**assessment.decisions, remedy: decision})
    return _keeping(("fabric", "prediction", "diagnosis"), assessment, written(assessment, after, write))


def repriced(assessment: Assessment, pricing: tuple[Path, ...] | None = None, stated: Mapping[str, Any] | None = None) -> Assessment:
    """The assessment with the prices and settings that hold now: after a change of them, or with others named for this time."""
    own, kept = assessment.own, assessment.kept
    if assessment.path:
        from advisor.store.file import opened

        with opened(assessment.path) as file:
            own = file.settings()
        kept = replace(kept, settings=own) if kept else None
    after = replace(
        assessment,
        own=own,
        kept=kept,
        elsewhere=(),
        pricing=assessment.pricing if pricing is None else pricing,
        stated=assessment.stated if stated is None else stated,
    )
    return _keeping(("fabric", "prediction", "diagnosis"), assessment, after)


def with_own(assessment: Assessment, values: Mapping[str, str | None]) -> Assessment:
    """The assessment with prices and settings of its own, kept in its file; None takes one away."""

    def write(file: "AssessmentFile", _: "Kept") -> None:
        for key, value in values.items():
            if value is None:
                file.drop_setting(key)
        file.put_settings({key: value for key, value in values.items() if value is not None})

    own = {key: value for key, value in {**assessment.own, **values}.items() if value is not None}
    return _keeping(("fabric", "prediction", "diagnosis"), assessment, written(assessment, replace(assessment, own=own), write))


def set_aside(assessment: Assessment, measures: frozenset[str]) -> Assessment:
    """The assessment without these measures: what if this evidence were wrong? What another program set aside since stays set aside."""

    def write(file: "AssessmentFile", kept: "Kept") -> None:
        file.put_aside(kept.set_aside - (assessment.set_aside - measures) | measures - assessment.set_aside)

    return _keeping(("fabric", "prediction"), assessment, written(assessment, replace(assessment, set_aside=measures), write))


def overrule(assessment: Assessment, verdict: str, reason: str) -> Assessment:
    """The assessment with a person's own verdict in place of the evidence's, kept in its file with the reason.

    Raises UsageError for a verdict that there is not, or without a reason.
    """
    if not reason.strip():
        raise UsageError("no-reason")
    person = Overrule(_verdict(verdict), reason.strip())
    return _overruled(assessment, person)


def undo_overrule(assessment: Assessment) -> Assessment:
    """The assessment with the verdict of the evidence again."""
    return _overruled(assessment, None)


def _overruled(assessment: Assessment, person: Overrule | None) -> Assessment:
    def write(file: "AssessmentFile", _: "Kept") -> None:
        file.put_overrule((person.verdict, person.reason) if person else None)

    return _keeping(("fabric",), assessment, written(assessment, replace(assessment, overrule=person), write))


def _verdict(word: str) -> Verdict:
    if word not in VERDICTS:
        raise UsageError("no-such-verdict", verdict=word, verdicts=", ".join(VERDICTS))
    return word  # type: ignore[return-value]


_RESTS_ON = {  # what a stage takes from an assessment beside its captures
    "fabric": (),
    "prediction": (),
    "diagnosis": ("set_aside", "overrule", "knowledge"),
}


def _keeping(stages: tuple[str, ...], before: Assessment, after: Assessment) -> Assessment:
    """The changed assessment with the stages that the change does not touch, where they are worked out already.

    Stages that rest on what another program changed are worked out anew.
    """
    if after.bundle is before.bundle:
        same = (name for name in stages if all(getattr(after, part) == getattr(before, part) for part in _RESTS_ON[name]))
        after.__dict__.update({name: before.__dict__[name] for name in same if name in before.__dict__})
    return after


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
