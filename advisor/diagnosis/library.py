"""What the diagnosis knows, as data: causes, probes, sources, thresholds and signatures; checked against each other when loaded."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import BeforeValidator, Field

from advisor.base import places
from advisor.base.content import Place, check, folder, line_of, parse
from advisor.base.errors import ContentError
from advisor.base.model import Model
from advisor.base.text import Text
from advisor.diagnosis.condition import Condition, Threshold
from advisor.diagnosis.measured import measures
from advisor.diagnosis.signature import Signature, find, trial_values
from advisor.diagnosis.verdicts import Layer, Verdict

M = TypeVar("M", bound=Model)
UNVERIFIED = {"memory", "unverified"}


class KnownCause(Model):
    """A cause of the closed set. `odds`: that it is at work before any evidence, against nothing that we know of."""

    layers: tuple[Layer, ...] = Field(min_length=1)
    verdict: Verdict
    odds: float = Field(gt=0, lt=1)
    title: Text


def _same_in_both(run: object) -> object:
    return {"en": run, "zh": run} if isinstance(run, str) else run


class KnownProbe(Model):
    """A probe of the closed set. `run` holds names in braces that the site's own fill; a bare command is the same in every language."""

    run: Annotated[Text, BeforeValidator(_same_in_both)]
    decides: Text
    minutes: float = Field(gt=0)
    at: Literal["host", "pair", "job", "switch", "scheduler", "storage"] = "host"
    risk: Literal["none", "load", "jobs"] = "none"
    gear: Mapping[str, str] = {}  # what to type there, by the tool whose captures show such gear
    gives: tuple[str, ...] = ()  # measures that it would give: with all of them known it need not be asked


class Source(Model):
    title: str
    url: str
    read: str


class FollowingSign(Model):
    """When a sign of the form follows from figures: `yes` is asked first."""

    yes: Condition | None = None
    no: Condition | None = None


class KnownGate(Model):
    """A stop on an expert's walk: the groups of measures that it looks at, the causes that it may find, and what to bring for it."""

    groups: tuple[str, ...]
    causes: tuple[str, ...]
    needs: Text


class Library(Model):
    """`folders`: those of a person that were laid over the shipped knowledge."""

    causes: Mapping[str, KnownCause]
    probes: Mapping[str, KnownProbe]
    sources: Mapping[str, Source]
    thresholds: Mapping[str, Threshold]
    signs: Mapping[str, FollowingSign]
    gates: Mapping[str, KnownGate]
    signatures: Mapping[str, Signature]
    folders: tuple[str, ...] = ()

    @cached_property
    def asks(self) -> Mapping[str, frozenset[str]]:
        """The measures that each signature asks for."""
        return {name: frozenset(part.measure or "" for sign in one.signs for part in sign.parts()) for name, one in self.signatures.items()}

    @cached_property
    def signs_asked(self) -> frozenset[str]:
        """Measures that some signature holds against yes or no."""
        parts = (part for one in self.signatures.values() for sign in one.signs for part in sign.parts())
        return frozenset(part.measure or "" for part in parts if part.equals in ("yes", "no"))


@cache
def library(*more: Path) -> Library:
    """The shipped knowledge and, over it by id, that of further folders of the same form. Raises ContentError with file, line and field."""
    own = places.user_config() / "knowledge"
    roots = [places.knowledge(), *([own] if own.is_dir() else []), *more]
    causes = _entries(KnownCause, "causes.yaml", roots)
    probes = _entries(KnownProbe, "probes.yaml", roots)
    sources = _entries(Source, "sources.yaml", roots)
    thresholds = folder(Threshold, *(root / "thresholds" for root in roots))
    for root in roots:
        for path in sorted((root / "thresholds").glob("**/*.yaml")):
            threshold_stands(path, thresholds[path.stem], sources)
    signs = _entries(FollowingSign, "signs.yaml", roots)
    signatures: dict[str, Signature] = {}
    for root in roots:
        for path in sorted((root / "signatures").rglob("*.yaml")):
            signatures[path.stem] = signature(path, causes, probes, sources, thresholds)
    return Library(
        causes=causes,
        probes=probes,
        sources=sources,
        thresholds=thresholds,
        signs=signs,
        gates=_entries(KnownGate, "gates.yaml", roots),
        signatures=dict(sorted(signatures.items())),
        folders=tuple(map(str, more)),
    )


def _entries(model: type[M], name: str, roots: Iterable[Path]) -> dict[str, M]:
    found: dict[str, M] = {}
    for path in (root / name for root in roots):
        if path.is_file():
            tree, lines = parse(path.read_text(encoding="utf-8"), str(path))
            for key, entry in (tree or {}).items():
                found[key] = check(model, entry, {place[1:]: line for place, line in lines.items() if place[:1] == (key,)}, str(path))
    return found


def threshold_stands(path: Path, threshold: Threshold, sources: Mapping[str, Source]) -> None:
    """Raises ContentError for a threshold that nobody checked, or whose source nobody knows."""
    if threshold.status in UNVERIFIED:
        raise ContentError(
            "content", file=str(path), line=1, field="status", why=f"{threshold.status}: check the figure against a source first"
        )
    if threshold.source not in sources:
        raise ContentError("content", file=str(path), line=1, field="source", why=f"no source is named {threshold.source}")


def signature(
    path: Path,
    causes: Mapping[str, KnownCause],
    probes: Mapping[str, KnownProbe],
    sources: Mapping[str, Source],
    thresholds: Mapping[str, Threshold],
) -> Signature:
    """One signature, with all that it names checked and its own tests run. Raises ContentError with file, line and field."""
    tree, lines = parse(path.read_text(encoding="utf-8"), str(path))
    found = check(Signature, tree, lines, str(path))

    def wrong(place: Place, why: str) -> ContentError:
        return ContentError("content", file=str(path), line=line_of(place, lines), field=".".join(map(str, place)), why=why)

    if found.id != path.stem:
        raise wrong(("id",), f"must be {path.stem}, as the file is named")
    if found.cause not in causes:
        raise wrong(("cause",), f"no cause is named {found.cause}")
    if found.layer not in causes[found.cause].layers:
        raise wrong(("layer",), f"{found.cause} sits in {', '.join(causes[found.cause].layers)}")
    for field, names, known in (("sources", found.sources, sources), ("probes", found.probes, probes)):
        for i, name in enumerate(names):
            if name not in known:
                raise wrong((field, i), f"no entry is named {name}")
    for field, signs in (("for", found.supports), ("against", found.against)):
        for i, sign in enumerate(signs):
            for part in sign.parts():
                _part_stands(part, sources, thresholds, partial(wrong, (field, i)))
    for i, case in enumerate(found.cases):
        for name in case.values:
            if name not in measures():
                raise wrong(("cases", i, "values", name), f"no measure is named {name}")
        if find(found, trial_values(case), thresholds, measures()).fires != case.fires:
            raise wrong(("cases", i), f"it {'does not fire' if case.fires else 'fires'} on these values")
    return found


def _part_stands(
    part: Condition, sources: Mapping[str, Source], thresholds: Mapping[str, Threshold], wrong: Callable[[str], ContentError]
) -> None:
    if part.measure not in measures():
        raise wrong(f"no measure is named {part.measure}")
    if part.source and part.source not in sources:
        raise wrong(f"no source is named {part.source}")
    for limit in part.limits:
        if isinstance(limit, str) and not _is_figure(limit) and limit not in thresholds:
            raise wrong(f"no threshold is named {limit}")


def _is_figure(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
