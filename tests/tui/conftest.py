"""The site of the screens keeps its fabric, diagnosis and plan when a person decides: nothing is worked out from captures here."""

from dataclasses import replace

import pytest

from advisor.plan.plan import Choice, Decision
from advisor.usecases import assess
from advisor.usecases.assess import Assessment
from tui.site import made


@pytest.fixture(autouse=True)
def _site_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    def decide(now: Assessment, remedy: str, choice: Choice, reason: str = "") -> Assessment:
        return made(replace(now, decisions={**now.decisions, remedy: Decision(remedy=remedy, choice=choice, reason=reason)}))

    def set_aside(now: Assessment, measures: frozenset[str]) -> Assessment:
        return made(replace(now, set_aside=measures))

    monkeypatch.setattr(assess, "decide", decide)
    monkeypatch.setattr(assess, "set_aside", set_aside)
