"""Peers of 1,000 nodes with 64 metrics against the data diagnosis of SuperBench (github.com/microsoft/superbenchmark).

Its rule is written anew here from its documentation (data diagnosis), and works as it does: a pandas frame of nodes and metrics, and for
each node every rule in turn; a `variance` rule takes (value - baseline) / baseline of each of its metrics and asks a criterion, the
text of a lambda; what violates it gives the rule's category and a line of detail; a node with any is defective. Its baselines are
the medians of the frame; ours are medians and scatter of the peers.
"""

import random
from collections.abc import Mapping
from typing import Any

import pandas as pd

from advisor.diagnosis.peers import Deviation, outliers
from tests.benchmarks.inputs import SEED
from tests.benchmarks.rounds import Row, agree, ratios, rounds

NODES, METRICS = 1_000, 64
ROUNDS = 3
LIMIT = 0.05
Rules = Mapping[str, Mapping[str, Any]]


def compare() -> list[Row]:
    values = _values()
    frame = pd.DataFrame.from_dict(values, orient="index")
    metrics = list(frame.columns)
    better = {metric: "lower" if metric.startswith("latency") else "higher" for metric in metrics}
    baseline = frame.median()
    rules = {
        "throughput": _rule("Bandwidth", f"lambda x:x<=-{LIMIT}", baseline[[m for m in metrics if better[m] == "higher"]]),
        "latency": _rule("Latency", f"lambda x:x>={LIMIT}", baseline[[m for m in metrics if better[m] == "lower"]]),
    }
    alike = dict.fromkeys(values, "all")

    def ours() -> tuple[Deviation, ...]:
        return outliers(values, alike, better, least=LIMIT)  # type: ignore[arg-type]

    def theirs() -> tuple[pd.DataFrame, pd.DataFrame]:
        return _diagnosed(frame, rules)

    defective, labels = theirs()
    found = ours()
    agree(sorted({one.name for one in found}), sorted(labels.index[labels["label"] == 1]), "nodes that stand out")
    told = sorted(f"{one.name} {one.metric}" for one in found)
    agree(
        told,
        sorted(f"{node} {text.split('(')[0]}" for node, all_ in defective["Defective Details"].items() for text in all_.split(",")),
        "metrics",
    )
    seconds = rounds({"ours": ours, "superbench": theirs}, ROUNDS)
    text = f"{NODES:,} nodes with {METRICS} metrics, {len(set(labels.index[labels['label'] == 1]))} of them defective"
    return [Row(text, "peers by median and MAD", "SuperBench data diagnosis, variance rules", ratios(seconds, "ours", "superbench"), 30)]


def _values() -> dict[str, dict[str, float]]:
    """Figures that scatter by 1 %; one node in fifty has one to four that are 8 to 40 % worse."""
    dice = random.Random(SEED)
    names = [f"{'latency' if i % 4 == 3 else 'bandwidth'}/benchmark_{i:02}:{i % 8}" for i in range(METRICS)]
    usual = {name: 10 ** dice.uniform(0, 3) for name in names}
    found = {}
    for node in range(NODES):
        row = {name: usual[name] * (1 + 0.01 * max(min(dice.gauss(0, 1), 4), -4)) for name in names}
        if dice.random() < 0.02:
            for name in dice.sample(names, dice.randint(1, 4)):
                row[name] *= 1 + dice.uniform(0.08, 0.4) * (1 if name.startswith("latency") else -1)
        found[f"node-{node:04}"] = row
    return found


# --- SuperBench's rule --------------------------------------------------------------------------------------------


def _rule(category: str, criteria: str, baseline: "pd.Series[float]") -> dict[str, Any]:
    return {"function": _variance, "categories": category, "criteria": criteria, "metrics": baseline.to_dict()}


def _variance(
    row: "pd.Series[float]", rule: Mapping[str, Any], summary: "pd.Series[float]", details: list[str], categories: set[str]
) -> int:
    violated = 0
    if not isinstance(eval(rule["criteria"])(0), bool):
        raise ValueError("a criterion gives yes or no")
    for metric in rule["metrics"]:
        if metric not in row or pd.isna(row[metric]):
            details.append(f"{metric}_miss")
            categories.add("FailedTest")
            continue
        value, baseline = row[metric], rule["metrics"][metric]
        variance = (value - baseline) / baseline
        summary[metric] = variance
        if eval(rule["criteria"])(variance):
            violated += 1
            details.append(f"{metric}(B/L: {baseline:.4f} VAL: {value:.4f} VAR: {variance * 100:.2f}% Rule:{rule['criteria']})")
            categories.add(rule["categories"])
    return violated


def _diagnosed(frame: pd.DataFrame, rules: Rules) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Defective nodes with category, details and deviations; and a label for every node."""
    columns = ["Category", "Defective Details"]
    metrics = sorted(metric for rule in rules.values() for metric in rule["metrics"])
    defective, summaries, labels = pd.DataFrame(columns=columns), pd.DataFrame(), pd.DataFrame(columns=["label"])
    for node in frame.index:
        row, details, categories, is_defective = frame.loc[node], [], set(), False
        summary = pd.Series(index=metrics, name=node, dtype=float)
        for rule in rules.values():
            if rule["function"](row, rule, summary, details, categories):
                is_defective = True
        labels.loc[node] = int(is_defective)
        if is_defective:
            defective.loc[node] = [",".join(sorted(categories)), ",".join(sorted(details))]
            summaries = pd.concat([summaries, pd.DataFrame([summary.to_dict()], index=[node])])
    if len(defective):
        defective = defective.join(summaries).sort_values(by=columns, ascending=False)
    return defective, labels
