"""Clos arithmetic: how the ports of a leaf are split, how many leaves, spines and cores follow. Pure counting of one plane.

R is the radix, d and u the ports of a leaf towards hosts and spines. Source of the rules: Clos networks as folded into fat trees
(Al-Fares et al., SIGCOMM 2008), and the tables of NVIDIA's DGX SuperPOD reference architectures (H100, B200, B300), which they give.
"""

from fractions import Fraction
from math import ceil

Number = int | float | Fraction


def exact(value: object) -> Fraction:
    """A number as it is written: 1.4 is 14/10, not the nearest float."""
    return value if isinstance(value, Fraction) else Fraction(str(value))


def uplink_ports(radix: int, ratio: Number, speed: Number = 1) -> int:
    """The least u for which d = R - u ports fit the ratio: u = ceil(R / (ratio * speed + 1)). `speed`: rate of an uplink over a host's."""
    return ceil(Fraction(radix) / (exact(ratio) * exact(speed) + 1))


def uplinks_for(down: int, ratio: Number, speed: Number = 1) -> int:
    """The least u that carries `down` host ports at a ratio: d / (u * speed) <= ratio."""
    return ceil(Fraction(down) / (exact(ratio) * exact(speed)))


def even_spines(leaves: int, uplinks: int, radix: int, at_least: int = 1) -> int:
    """The least number of spines that has ports for all uplinks and divides the uplinks of a leaf: each leaf has as many links to each.

    At least ceil(leaves * u / R). With more leaves than a spine has ports no divisor is large enough; that least number is returned.
    """
    least = max(at_least, ceil(leaves * uplinks / radix), 1)
    return next((n for n in range(least, uplinks + 1) if uplinks % n == 0), least)


def rounded_to_spines(uplinks: int, spines: int) -> int:
    """u rounded up to what divides evenly over a given number of spines."""
    return ceil(uplinks / spines) * spines


def leaves_for(ports_by_rail: int, rails: int, down: int) -> int:
    """Rail-optimised: rails * ceil(ports of a rail / d), each rail on leaves of its own. Without rails (1): ceil(endpoints / d)."""
    return rails * ceil(ports_by_rail / down)


def most_leaves(radix: int, tiers: int, spine_down: int | None = None) -> int:
    """Leaves that so many tiers hold: 1; R, as a spine has a port for each; R * R/2: R pods of as many leaves as a spine has ports down.

    Endpoints are d times that: R*R/2 in two tiers and R^3/4 in three at 1:1.
    """
    return {1: 1, 2: radix}.get(tiers, radix * (radix // 2 if spine_down is None else spine_down))


def spines_of_pods(leaves: int, uplinks: int, spine_down: int) -> int:
    """Spines under a core tier: each has `spine_down` ports towards leaves. At 1:1 as many as leaves."""
    return ceil(leaves * uplinks / spine_down)


def cores_for(spines: int, spine_up: int, radix: int) -> int:
    """Cores for all uplinks of the spines. At 1:1 half as many as spines."""
    return ceil(spines * spine_up / radix)


def links_moved(leaves: int, uplinks: int, spines: int, then_uplinks: int, then_spines: int) -> int:
    """Links between installed leaves and spines that must land elsewhere when the spread changes.

    A pair of leaf and spine keeps as many links as the new even spread gives it; the rest moves. Links that are given up do not count.
    """
    if not spines or not then_spines:
        return 0
    kept = then_uplinks // then_spines
    each, over = divmod(uplinks, spines)  # the first `over` spines have one link more than the others
    staying = min(spines, then_spines)
    first = min(over, staying)
    leaving = first * max(0, each + 1 - kept) + (over - first) * (each + 1)
    leaving += (staying - first) * max(0, each - kept) + (spines - over - staying + first) * each
    return leaves * max(0, leaving - max(0, uplinks - then_uplinks))
