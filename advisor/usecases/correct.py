"""Host, time and role of a capture as a person states them: what captures and their names say of it gives way."""

from dataclasses import replace
from datetime import datetime

from advisor.base.errors import UsageError
from advisor.evidence.bundle import Bundle, Capture, Role
from advisor.usecases.assess import Assessment, written


def correct(assessment: Assessment, sha: str, host: str | None, role: Role | None, time: str | None) -> Assessment:
    """The assessment with all three as stated; None is unknown. Raises UsageError for a capture that is not there, and as `stated_time`."""
    if sha not in assessment.bundle.by_sha:
        raise UsageError("no-such-capture", capture=sha)
    if time != assessment.bundle.by_sha[sha].time:
        time = stated_time(time or "")
    captures = [replace(c, host=host, role=role, time=time) if c.sha256 == sha else c for c in assessment.bundle.captures]
    after = replace(assessment, bundle=Bundle.of(captures))
    return written(assessment, after, lambda file, _: file.correct(sha, host=host, role=role, time=time))


def stated_time(text: str) -> str | None:
    """ISO 8601 of a date, or of a date with hours, as people write it; None of an empty text. Without a zone it counts as UTC.

    A date alone stays one: it orders captures, and gives no rates. A zone stays too, so that nothing is said of another clock than it was.
    Raises UsageError for what is neither.
    """
    clean = " ".join(text.replace("/", "-").split())
    if not clean:
        return None
    try:
        when = datetime.fromisoformat(clean)
    except ValueError:
        raise UsageError("no-time", given=text.strip()) from None
    return when.isoformat(timespec="seconds") if any(sign in clean for sign in ":T") or " " in clean else when.date().isoformat()


def capture_of(assessment: Assessment, given: str) -> Capture:
    """The capture that a person means: by its name, the end of its name behind a slash, or the first letters of its sha256.

    Raises UsageError where there is none, or more than one.
    """
    captures = assessment.bundle.captures
    ways = (
        [c for c in captures if given in (c.name, *(name for name, _ in c.copies))],
        [c for c in captures if c.name.endswith(f"/{given}")],
        [c for c in captures if len(given) >= 6 and c.sha256.startswith(given.lower())],
    )
    found = next((some for some in ways if some), [])
    if not found:
        raise UsageError("no-such-capture", capture=given)
    if len(found) > 1:
        raise UsageError("several-captures", capture=given, names=", ".join(c.name for c in found[:5]))
    return found[0]
