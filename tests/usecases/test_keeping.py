"""What a person changes works out anew only what depends on it."""

from pathlib import Path

from advisor.usecases import assess


def test_a_decision_keeps_what_it_does_not_touch(captures: Path) -> None:
    """A key pressed on the ladder must not cost a diagnosis."""
    site = assess.open_site(str(captures))
    fabric, found = site.fabric, site.diagnosis
    decided = assess.decide(site, next(iter(assess.remedies())), "later")
    assert decided.fabric is fabric
    assert decided.diagnosis is found
    aside = assess.set_aside(site, frozenset({"gdr_used"}))
    assert aside.fabric is fabric
    assert aside.diagnosis is not found
