"""Bisections against counts by hand, the formula of fat trees (k^3/8 links), and every even split of small trees."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.fabric.model import End, Fabric, Leaf, Link, Switch
from advisor.traffic.bisection import Part, bisection, tree, worst_half
from advisor.traffic.maxflow import Wire, wiring
from tests.traffic.sites import clos


def fat_tree(k: int) -> list[Wire]:
    """Three tiers of switches with k ports of 400 (Al-Fares, Loukissas and Vahdat, 2008): k^3/4 hosts."""
    half, found = range(k // 2), []
    for pod in range(k):
        for edge in half:
            found += [(f"h{pod}.{edge}.{i}", f"e{pod}.{edge}", 400.0) for i in half]
            found += [(f"e{pod}.{edge}", f"a{pod}.{up}", 400.0) for up in half]
        found += [(f"a{pod}.{up}", f"c{up}.{core}", 400.0) for up in half for core in half]
    return found


def _names(wires: list[Wire], letter: str) -> set[str]:
    return {end for wire in wires for end in wire[:2] if end.startswith(letter)}


@pytest.mark.parametrize("k", [4, 6, 8])
def test_a_fat_tree_has_full_bisection_bandwidth(k: int) -> None:
    wires = fat_tree(k)
    hosts = _names(wires, "h")
    worst = worst_half(tree(wires, hosts, _names(wires, "e"), _names(wires, "c")))
    assert len(worst) == k**3 // 8
    assert wiring(wires, hosts).flow(worst, hosts - worst) == k**3 / 8 * 400


def test_every_link_of_a_core_that_is_down_counts() -> None:
    wires = [wire for wire in fat_tree(4) if wire[0] != "a0.0"]  # half of the way up of pod 0: 2 of 4 links
    hosts = _names(wires, "h")
    net = wiring(wires, hosts)
    first = {host for host in hosts if host[1] in "01"}
    assert net.flow(first, hosts - first) == (2 + 4) * 400
    assert net.flow({"h0.0.0"}, {"h1.0.0"}) == 400


@pytest.mark.parametrize(
    ("leaves", "uplinks", "gbps", "share"),
    [
        ("ab", 32, 12_800, 1.0),  # 4 hosts with 8 ports of 400 a leaf
        ("ab", 16, 6_400, 0.5),
        ("abcd", 16, 12_800, 0.5),
        ("abc", 16, 12_800, 2 / 3),  # one leaf up, and two hosts of another, whose own leaf carries them
    ],
)
def test_leaves_below_spines(leaves: str, uplinks: int, gbps: float, share: float) -> None:
    found = bisection(clos({}, leaves=leaves, uplinks=uplinks))
    assert found is not None
    assert (found.gbps, found.share) == pytest.approx((gbps, share))


def test_the_worst_half_is_behind_the_tightest_leaves() -> None:
    rates = {"a": 12_800, "b": 1_600, "c": 12_800, "d": 3_200}
    leaves = tuple(
        Leaf(name=name, hosts=tuple(f"{name}{i}" for i in range(4)), down_gbps=12_800, up_gbps=up, uplinks=4) for name, up in rates.items()
    )
    found = bisection(Fabric(leaves=leaves))
    assert found is not None
    assert found.gbps == 1_600 + 3_200
    assert found.hosts == (8, 8)


def _two_spines(*joined: tuple[str, str]) -> Fabric:
    hosts = {leaf: tuple(f"{leaf}{i}" for i in range(2)) for leaf in "ab"}
    leaves = tuple(Leaf(name=leaf, hosts=on, down_gbps=800, up_gbps=400, uplinks=1) for leaf, on in hosts.items())
    tiers = {"a": "leaf", "b": "leaf", "s": "spine", "t": "spine"}
    links = tuple(
        Link(a=End(device=leaf), b=End(device=spine), rate_gbps=400, state="active" if (leaf, spine) in joined else "down")
        for leaf in "ab"
        for spine in "st"
    )
    return Fabric(leaves=leaves, links=links, switches={name: Switch(name=name, tier=tier) for name, tier in tiers.items()})


def test_single_links_tell_more_than_their_sums() -> None:
    """Each leaf has lost another uplink: one link of 400 is left up of both, and none of them meets."""
    apart, same = bisection(_two_spines(("a", "s"), ("b", "t"))), bisection(_two_spines(("a", "s"), ("b", "s")))
    assert apart is not None
    assert same is not None
    assert (apart.gbps, same.gbps) == (0, 400)


def test_hosts_on_several_leaves_are_joined_by_them() -> None:
    """Rails: every host has a port on each of two leaves, so that neither half needs what lies above."""
    hosts = tuple(f"h{i}" for i in range(4))
    leaves = tuple(Leaf(name=f"rail{r}", hosts=hosts, down_gbps=1600, up_gbps=400, uplinks=1) for r in range(2))
    found = bisection(Fabric(leaves=leaves))
    assert found is not None
    assert (found.gbps, found.share) == (2 * 2 * 400, 1.0)


def test_what_is_not_known_has_no_bisection() -> None:
    known = clos({}, leaves="ab")
    assert bisection(Fabric()) is None
    assert bisection(clos({}, leaves="a", hosts=1)) is None
    for figure in ("down_gbps", "up_gbps"):
        leaves = (known.leaves[0].model_copy(update={figure: None}), *known.leaves[1:])
        assert bisection(known.model_copy(update={"leaves": leaves})) is None


def test_a_host_in_both_sets_is_an_error() -> None:
    with pytest.raises(ValueError, match="both"):
        wiring(fat_tree(4), {"h0.0.0", "h0.0.1"}).flow({"h0.0.0"}, {"h0.0.0"})
    with pytest.raises(ValueError, match="without a switch"):
        wiring([("x", "y", 1.0)], {"x", "y"})


@st.composite
def trees(draw: st.DrawFn) -> list[Wire]:
    """Up to nine hosts in leaves, in up to two pods, with whole rates."""
    found: list[Wire] = []
    hosts = 0
    for pod in range(draw(st.integers(1, 2))):
        for leaf in range(draw(st.integers(1, 3))):
            port = draw(st.integers(1, 4))
            for _ in range(draw(st.integers(1, 3))):
                if hosts < 9:
                    found.append((f"h{hosts}", f"e{pod}.{leaf}", float(port)))
                    hosts += 1
            found.append((f"e{pod}.{leaf}", f"a{pod}", float(draw(st.integers(1, 9)))))
        found.append((f"a{pod}", "c", float(draw(st.integers(1, 9)))))
    return found


@settings(max_examples=60, deadline=None)
@given(trees())
def test_no_even_split_of_a_tree_is_worse(wires: list[Wire]) -> None:
    hosts = _names(wires, "h")
    if len(hosts) < 2:
        return
    net = wiring(wires, hosts)
    worst = worst_half(tree(wires, hosts, _names(wires, "e"), {"c"}))
    assert abs(2 * len(worst) - len(hosts)) <= 1
    every = (set(one) for one in combinations(sorted(hosts), len(hosts) // 2))
    assert net.flow(worst, hosts - worst) == min(net.flow(one, hosts - one) for one in every)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_folding_what_is_alike_changes_no_flow(data: st.DataObject) -> None:
    """Any graph of switches, regular or not, against a plain search for augmenting paths."""
    switches = data.draw(st.integers(1, 7))
    pairs = st.tuples(st.integers(0, switches - 1), st.integers(0, switches - 1)).filter(lambda pair: pair[0] != pair[1])
    between = data.draw(st.lists(pairs, max_size=14)) if switches > 1 else []
    places = data.draw(st.lists(st.integers(0, switches - 1), min_size=2, max_size=6))
    wires = [(f"s{a}", f"s{b}", float(data.draw(st.sampled_from([1, 1, 2, 3])))) for a, b in between]
    wires += [(f"h{i}", f"s{place}", 2.0) for i, place in enumerate(places)]
    hosts = _names(wires, "h")
    one = {host for host in hosts if data.draw(st.booleans())}
    assert wiring(wires, hosts).flow(one, hosts - one) == plain_flow(wires, one, hosts - one)


def plain_flow(wires: list[Wire], one: set[str], other: set[str]) -> float:
    """Augmenting paths of one unit each, until there is none (Ford and Fulkerson)."""
    left: dict[tuple[str, str], float] = {}
    for a, b, rate in wires:
        for ends in ((a, b), (b, a)):
            left[ends] = left.get(ends, 0.0) + rate
    total = 0.0
    while True:
        came: dict[str, str] = dict.fromkeys(one, "")
        todo = sorted(one)
        for here in todo:
            for (a, b), room in left.items():
                if a == here and room > 0 and b not in came:
                    came[b] = here
                    todo.append(b)
        end = next((host for host in sorted(other) if host in came), None)
        if end is None:
            return total
        total += 1
        while came[end]:
            left[came[end], end] -= 1
            left[end, came[end]] = left.get((end, came[end]), 0.0) + 1
            end = came[end]


def test_a_part_without_a_way_up_is_cut_for_nothing() -> None:
    islands = Part(0.0, parts=(Part(0.0, ("a", "b"), 1.0), Part(0.0, ("c", "d"), 1.0)))
    assert worst_half(islands) in ({"a", "b"}, {"c", "d"})
