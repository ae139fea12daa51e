"""The rule that combines signs, held to worked cases of the money question (four digits each, computed apart from this code)."""

import pytest

from advisor.diagnosis.combine import factor, posterior

PRIOR = {"Hc": 0.40, "Hp": 0.15, "Hn": 0.25, "Hl": 0.10, "none": 0.10}
SIGNS = {
    "V01": ("baseline", {"Hn": 0.1, "Hl": 0.3}),
    "V02": ("baseline", {"Hn": 6.0, "Hl": 3.0, "Hc": 0.5, "Hp": 0.3}),
    "V03": ("load", {"Hc": 4.0, "Hp": 3.0, "Hn": 0.2, "Hl": 0.3}),
    "V04": ("load", {"Hl": 5.0, "Hc": 0.4, "Hp": 0.5}),
    "V05": ("bisection", {"Hp": 8.0, "Hc": 0.3}),
    "V06": ("bisection", {"Hc": 6.0, "Hp": 0.6}),
    "V10": ("uplinks", {"Hc": 8.0, "Hp": 0.2}),
    "V11": ("uplinks", {"Hp": 5.0, "Hc": 1.5}),
    "V12": ("uplinks", {"Hp": 0.1, "Hc": 0.2, "Hn": 3.0}),
    "V14": ("uplinks", {"Hc": 3.0, "Hp": 0.3}),
    "V15": ("uplinks", {"Hp": 4.0, "Hc": 0.8}),
    "V20": ("placement", {"Hc": 6.0, "Hp": 0.5}),
    "V21": ("placement", {"Hp": 8.0, "Hc": 0.4}),
    "V22": ("storage", {"Hc": 6.0}),
    "V25": ("tenants", {"Hp": 6.0, "Hc": 0.3}),
    "V31": ("flowcontrol", {"Hc": 4.0}),
    "V32": ("flowcontrol", {"Hn": 10.0, "Hc": 0.5}),
    "V40": ("link", {"Hl": 12.0}),
    "V50": ("experiment", {"Hc": 15.0, "Hp": 0.3}),
}
CASES = {
    "hash imbalance, scattered": (["V01", "V03", "V06", "V10", "V20"], (0.9997, 0.0001, 0.0, 0.0, 0.0002)),
    "even and full, job larger than a leaf": (["V01", "V03", "V05", "V11", "V15", "V21", "V25"], (0.0, 0.9999, 0.0, 0.0, 0.0001)),
    "checkpoint dips, shared queue": (["V01", "V03", "V14", "V22", "V31"], (0.9978, 0.0012, 0.0, 0.0001, 0.0009)),
    "cross-NUMA host": (["V02", "V12", "V32"], (0.0004, 0.0001, 0.9907, 0.0066, 0.0022)),
    "only busy against quiet": (["V01", "V03"], (0.7394, 0.2079, 0.0023, 0.0042, 0.0462)),
    "bad cable": (["V04", "V40"], (0.0286, 0.0134, 0.0448, 0.8953, 0.0179)),
    "scattered, storage, full uplinks": (["V01", "V03", "V05", "V11", "V20", "V22"], (0.7399, 0.2569, 0.0001, 0.0003, 0.0029)),
    "after a free fix brought what was predicted": (["V01", "V03", "V50"], (0.9847, 0.0083, 0.0003, 0.0006, 0.0062)),
}


@pytest.mark.parametrize("name", CASES)
def test_worked_cases(name: str) -> None:
    signs, expected = CASES[name]
    found = posterior(PRIOR, [SIGNS[sign] for sign in signs])
    assert [round(value, 4) for value in found.values()] == pytest.approx(expected, abs=0.005)


def test_no_sign_counts_more_than_ten_and_no_group_more_than_thirty() -> None:
    assert factor([("a", 1000)]) == pytest.approx(10)
    assert factor([("a", 10)] * 9) == pytest.approx(30)
    assert factor([("a", 10), ("b", 10)]) == pytest.approx(100)


def test_a_further_sign_of_a_group_counts_half() -> None:
    assert factor([("a", 4), ("a", 9)]) == pytest.approx(9 * 2)
    assert factor([("a", 4), ("a", 0.25)]) == pytest.approx(0.25 * 2)  # equally strong: the one against leads


def test_nothing_seen_moves_nothing() -> None:
    assert factor([]) == 1
    assert posterior({"x": 0.2, "y": 0.8}, []) == {"x": 0.2, "y": 0.8}
