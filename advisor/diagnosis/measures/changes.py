"""What was tried or happened before this visit: what helped, what made it worse, what did nothing."""

from collections.abc import Iterator

from advisor.diagnosis.contrasts import contrasts
from advisor.diagnosis.measured import Row, measure
from advisor.diagnosis.observed import Entry, Observed
from advisor.diagnosis.topics import topics

_BETTER, _WORSE = 1.05, 0.95  # ratios of speed within 5 % are no effect: repeats scatter by as much


def _effect(site: Observed, change: Entry) -> str | None:
    """better, worse or none: as a person says, else as the two runs of the change show."""
    if change.get("effect") in ("better", "worse", "none"):
        return str(change.get("effect"))
    for contrast in contrasts(site):
        if (contrast.first.label, contrast.second.label) == (str(change.get("run_before")), str(change.get("run_after"))):
            return "better" if contrast.ratio > _BETTER else "worse" if contrast.ratio < _WORSE else "none"
    return None


def _rows(site: Observed, effect: str, alone: bool = False) -> Iterator[Row]:
    """What each change with this effect was about, else its kind. Of a change that was not alone nothing is known."""
    for change in site.entries("changes"):
        if _effect(site, change) == effect and change.get("only_change") is not False and (not alone or change.get("only_change")):
            where = (change.origin("what", "kind"),)
            about = str(change.get("what") or "")
            named = topics(about)
            for topic in named or (str(change.get("kind") or "unknown"),):
                yield topic, about, where


@measure("helped_by", "experiment", "none")
def helped_by(site: Observed) -> Iterator[Row]:
    """Topic, else kind, of a change that made it better."""
    yield from _rows(site, "better")


@measure("helped_by_alone", "experiment-alone", "none")
def helped_by_alone(site: Observed) -> Iterator[Row]:
    """The same of a change of which a person says that nothing else differed: an experiment, not a coincidence."""
    yield from _rows(site, "better", alone=True)


@measure("a_change_alone_helped", "experiment-alone", "none")
def any_change_helped(site: Observed) -> Iterator[Row]:
    """Whether a change of which a person says that nothing else differed made it better: then something was wrong, whatever it was."""
    tried = [(_effect(site, change), change) for change in site.entries("changes") if change.get("only_change") is True]
    for effect, change in tried:
        if effect is not None:
            yield effect == "better", str(change.get("what") or ""), (change.origin("what", "kind"),)


@measure("worsened_by", "experiment", "none")
def worsened_by(site: Observed) -> Iterator[Row]:
    """Topic, else kind, of a change after which it was worse."""
    yield from _rows(site, "worse")


@measure("unmoved_by", "experiment-without-effect", "none")
def unmoved_by(site: Observed) -> Iterator[Row]:
    """Topic, else kind, of a change that did nothing."""
    yield from _rows(site, "none")


@measure("only_version_changed", "version", "host-software")
def only_version(site: Observed) -> Iterator[Row]:
    """Whether a change of version alone moved the figure."""
    for change in site.entries("changes"):
        if change.get("kind") == "library-version":
            moved = _effect(site, change)
            if moved is not None and change.get("only_change") is True:
                yield moved != "none", str(change.get("what") or ""), (change.origin("kind"),)
