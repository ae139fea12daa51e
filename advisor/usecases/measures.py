"""The measures that verdicts rest on, as a person looks them up."""

from advisor.base.errors import UsageError
from advisor.diagnosis.library import library
from advisor.diagnosis.listing import Listed, listed


def measures(name: str | None = None) -> tuple[Listed, ...]:
    """All measures by name, or those whose name holds `name`. Raises UsageError where none does."""
    found = tuple(one for one in listed(library()) if not name or name in one.name)
    if not found:
        raise UsageError("no-such-measure", measure=name)
    return found
