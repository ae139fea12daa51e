"""Back to an assessment of before: the file keeps again what a person had decided then."""

from typing import TYPE_CHECKING

from advisor.usecases.assess import Assessment, written

if TYPE_CHECKING:
    from advisor.store.file import AssessmentFile
    from advisor.store.kept import Kept


def put_back(now: Assessment, before: Assessment) -> Assessment:
    """`before`, with its file as it was: decisions, what is set aside, an own verdict, what was stated of captures, settings and prices.

    Both are of the same site with the same captures; an import between them is not taken back, nor is what another program wrote
    meanwhile. Raises AssessmentError.
    """

    def write(file: "AssessmentFile", kept: "Kept") -> None:
        for remedy in sorted({*now.decisions, *before.decisions}):
            if now.decisions.get(remedy) != (old := before.decisions.get(remedy)):
                file.decide(remedy, old.choice if old else "open", old.reason if old else "")
        if now.set_aside != before.set_aside:
            file.put_aside(kept.set_aside - (now.set_aside - before.set_aside) | before.set_aside - now.set_aside)
        if now.overrule != before.overrule:
            file.put_overrule((before.overrule.verdict, before.overrule.reason) if before.overrule else None)
        for sha, capture in before.bundle.by_sha.items():
            other = now.bundle.by_sha.get(sha)
            if other and (other.host, other.role, other.time) != (capture.host, capture.role, capture.time):
                file.correct(sha, host=capture.host, role=capture.role, time=capture.time)
        for key in {*now.own, *before.own}:
            if key not in before.own:
                file.drop_setting(key)
            elif now.own.get(key) != before.own[key]:
                file.put_setting(key, before.own[key])

    after = written(now, before, write)
    same = (after.bundle, after.decisions, after.set_aside, after.overrule, after.own) == (
        before.bundle,
        before.decisions,
        before.set_aside,
        before.overrule,
        before.own,
    )
    return _with_stages(before, after) if same else after


def _with_stages(before: Assessment, after: Assessment) -> Assessment:
    """What was worked out for the same captures and decisions is not worked out again."""
    after.__dict__.update({name: value for name, value in before.__dict__.items() if name not in ("kept", "elsewhere")})
    return after
