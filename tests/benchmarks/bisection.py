"""The bisection of a fat tree of 4,394 hosts (k = 26) against the minimum cut of networkx on the same links.

Both have their graph ready, and are asked for the value alone. networkx takes its default, preflow-push.
"""

import random

import networkx as nx

from advisor.traffic.bisection import tree, worst_half
from advisor.traffic.maxflow import wiring
from tests.benchmarks import inputs
from tests.benchmarks.rounds import Row, agree, ratios, rounds

K = 26
DOWN = 100  # of 8,788 links between switches
HALVES = 5  # the worst, and others by chance
ROUNDS = 5


def compare() -> list[Row]:
    return [_row(0, "all links up"), _row(DOWN, f"{DOWN} links down")]


def _row(down: int, state: str) -> Row:
    wires = inputs.fat_tree(K, down)
    hosts = sorted({wire[0] for wire in wires if wire[0].startswith("h")})
    edges, cores = ({wire[1] for wire in wires if wire[1].startswith(letter)} for letter in "ec")
    dice = random.Random(inputs.SEED)
    halves = [worst_half(tree(wires, set(hosts), edges, cores)), *(set(dice.sample(hosts, len(hosts) // 2)) for _ in range(HALVES - 1))]
    sides = [(half, set(hosts) - half) for half in halves]
    net, graphs = wiring(wires, hosts), [_graph(wires, *side) for side in sides]

    def ours() -> list[float]:
        return [net.flow(*side) for side in sides]

    def theirs() -> list[float]:
        return [nx.minimum_cut_value(graph, "source", "sink") for graph in graphs]

    agree(ours(), theirs(), f"bisections, {state}")
    seconds = rounds({"ours": ours, "networkx": theirs}, ROUNDS)
    text = f"bisection of {len(hosts):,} hosts, {HALVES} ways, {state}"
    return Row(text, "largest flow", "networkx minimum_cut_value", ratios(seconds, "ours", "networkx"), 100)


def _graph(wires: list[inputs.Wire], half: set[str], other: set[str]) -> nx.DiGraph:
    graph = nx.DiGraph()
    for a, b, rate in wires:
        graph.add_edge(a, b, capacity=rate)
        graph.add_edge(b, a, capacity=rate)
    graph.add_edges_from(("source", host) for host in half)  # without a capacity: endless
    graph.add_edges_from((host, "sink") for host in other)
    return graph
