"""Slow for a reason outside the closed set, or that nothing shows: symptoms without a trace. The right answer is that it is open."""

from tests.synthetic.world import World


def unknown(w: World, lost: float) -> None:
    """One of the patterns in which reports without an established cause come."""
    pattern = w.dice.choice(("everywhere", "across", "scatter", "scaling"))
    w.signs["one_host_slow"] = w.dice.choice((False, None))
    if pattern == "everywhere":
        w.collective = 1 - lost
        w.signs["depends_on_load"] = w.dice.choice((False, None))
    elif pattern == "across":
        w.crossing = 1 - lost
        w.signs["slow_only_across_leaves"] = True
    elif pattern == "scatter":
        w.collective, w.scatter = 1 - lost / 2, 0.15
        w.signs["varies_between_runs"] = True
    else:
        w.by_hosts = 1 - lost / 2
        w.facts["host_runs"] = True
        w.signs["scales_down_with_hosts"] = True
