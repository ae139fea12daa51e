"""Any network that a person may write builds, whatever it says; nothing of it is dropped without a word."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from advisor.fabric.build import build
from advisor.fabric.oddities import oddities
from tests.fabric.bundles import bundle, capture, typed

NAMES = st.sampled_from(
    ["h1", "h2", "gpu-3", "leaf-1", "leaf-2", "spine-1", "core-1", "x", "h[1-3]", "leaf-[1-2]", "h[1-", "", "*", "主机"]
)
FIGURES = st.sampled_from(["", "0", "1", "4", "-2", "400", "1e400", "many", "0.5"])
ROWS = st.lists(st.tuples(NAMES, NAMES, FIGURES, FIGURES, st.sampled_from(["", "up", "down", "odd"])), max_size=12)
SLOW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@SLOW
@given(ROWS, st.lists(st.tuples(st.sampled_from(["a", "b", ""]), NAMES), max_size=6))
def test_any_tables_build_and_every_row_is_accounted_for(rows: list[tuple[str, ...]], jobs: list[tuple[str, ...]]) -> None:
    text = "from,to,rate_gbps,count,state\n" + "".join(",".join(row) + "\n" for row in rows)
    links = typed("links.csv", text)
    fabric = build(bundle(links, typed("jobs.csv", "job,hosts\n" + "".join(",".join(job) + "\n" for job in jobs))))
    found = oddities(fabric)
    assert all(leaf.ratio is None or leaf.ratio > 0 for leaf in fabric.leaves)
    assert all(set(leaf.hosts) <= fabric.hosts.keys() for leaf in fabric.leaves)
    # Each row is a link, or somebody says why not.
    spoken = {odd.origin.line for odd in found if odd.origin and odd.origin.name == "links.csv"}
    spoken |= {problem.line for part in links.reading.parts for problem in part.problems}
    told = {link.origin.line for link in fabric.links if link.origin and link.origin.name == "links.csv"}
    for line, row in enumerate(rows, start=2):
        if any(row):
            assert line in spoken | told or row[3] == "0", row


@SLOW
@given(st.dictionaries(st.sampled_from("abcdef"), st.lists(st.sampled_from("abcdefxyz"), max_size=4), max_size=6), st.integers(0, 3))
def test_any_tree_of_switches_builds_and_circles_are_named(children: dict[str, list[str]], level: int) -> None:
    switches = {
        name: {
            "children": [c for c in below if c in "abcdef"],
            "hosts": [c for c in below if c in "xyz"],
            "level": level if name == "a" else None,
        }
        for name, below in children.items()
    }
    hosts = {host: {"leaf": name} for name, below in children.items() for host in below if host in "xyz"}
    fabric = build(bundle(capture("topology", ("slurm-topology", {"switches": switches, "hosts": hosts}))))
    found = {odd.thing for odd in oddities(fabric) if odd.kind == "cycle"}
    loops = {name for name in children if name in _reach(name, children)}
    assert bool(found) == bool(loops)
    assert found <= loops


def _reach(start: str, children: dict[str, list[str]]) -> set[str]:
    seen: set[str] = set()
    ways = list(children.get(start, ()))
    while ways:
        name = ways.pop()
        if name not in seen:
            seen.add(name)
            ways.extend(children.get(name, ()))
    return seen
