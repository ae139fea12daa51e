"""Two assessments of one site over time."""

from collections.abc import Mapping

from advisor.base.text import Text
from advisor.diagnosis.library import library
from advisor.plan.since import Difference, since
from advisor.usecases.assess import Assessment, remedies


def changed_since(old: Assessment, new: Assessment) -> tuple[Difference, ...]:
    """What changed from the old assessment to the new one: fabric, verdict, plan, prices."""
    return since((old.fabric, old.diagnosis, old.plan), (new.fabric, new.diagnosis, new.plan))


def titles(new: Assessment) -> Mapping[str, Text]:
    """Titles of causes and remedies by id."""
    causes = {name: cause.title for name, cause in library(*new.knowledge).causes.items()}
    return causes | {name: remedy.title for name, remedy in remedies(*new.knowledge).items()}
