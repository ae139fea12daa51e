"""The quiet and busy bandwidth of pairs, and how uplinks are loaded, by hand."""

from collections.abc import Callable

import pytest

from advisor.diagnosis.findings import findings
from advisor.diagnosis.library import library
from advisor.diagnosis.observed import Observed

Site = Callable[..., Observed]
RUN = "  - {label: %s, what: ib_write_bw, placement: %s, load: %s, hosts: %d, rate_gbps: %g}\n"


def one(site: Observed, name: str) -> object:
    found = findings(site, library()).values.get(name, ())
    assert len(found) <= 1, found
    return found[0].value if found else None


def runs(*rows: tuple[str, str, str, int, float]) -> str:
    return "form: 1\nhosts: [{nics_per_host: 8, nic_rate_gbps: 200}]\nruns:\n" + "".join(RUN % row for row in rows)


def test_the_four_figures_of_a_pair(site: Site) -> None:
    form = runs(
        ("qs", "same-leaf", "quiet", 2, 190),
        ("bs", "same-leaf", "busy", 2, 171),
        ("qc", "cross-leaf", "quiet", 2, 180.5),
        ("bc", "cross-leaf", "busy", 2, 90.25),
    )
    observed = site(site_yaml=form)
    assert one(observed, "quiet_same_leaf_share") == pytest.approx(0.95)
    assert one(observed, "busy_over_quiet_same_leaf") == pytest.approx(0.9)
    assert one(observed, "busy_over_quiet_cross_leaf") == pytest.approx(0.5)
    assert one(observed, "quiet_cross_over_same") == pytest.approx(0.95)


def test_a_leaf_that_sends_whole_against_one_pair(site: Site) -> None:
    observed = site(site_yaml=runs(("one", "cross-leaf", "quiet", 2, 190), ("all", "cross-leaf", "quiet", 32, 47.5)))
    assert one(observed, "full_over_single_pair") == pytest.approx(0.25)


def test_what_must_cross_over_the_uplinks(site: Site) -> None:
    """A job of 24 hosts on leaves of 16: packed, its ring leaves a leaf with the 1600 Gb/s of one host, over 4 uplinks of 200 Gb/s."""
    form = """form: 1
hosts: [{nics_per_host: 8, nic_rate_gbps: 200}]
fabric: {topology: leaf-spine, leaf_count: 2, hosts_per_leaf: 16, uplinks_per_leaf: 4, uplink_rate_gbps: 200}
jobs: [{name: llm, kind: training, hosts: 24, leaves: 2, leaves_needed: 2}]
"""
    assert one(site(site_yaml=form), "need_over_uplinks") == pytest.approx(1600 / 800)


def test_spread_over_uplinks_against_a_fair_hash(site: Site) -> None:
    """A ring over two leaves leaves each with one host's 8 flows: over 4 links a fair hash scatters by sqrt(3 / 8) of the mean."""
    form = """form: 1
hosts: [{nics_per_host: 8, nic_rate_gbps: 200}]
leaves: [{name: la, hosts: "a[1-2]"}, {name: lb, hosts: "b[1-2]"}]
jobs: [{name: llm, between: [a1, a2, b1, b2]}]
links: [{tier: leaf-uplink, used_percent: [80, 20, 20, 20]}]
"""
    spread = ((0.45**2 + 3 * 0.15**2) / 4) ** 0.5 / 0.35  # deviations from the mean of 0.35
    assert one(site(site_yaml=form), "uplink_cv_over_hash") == pytest.approx(spread / (3 / 8) ** 0.5)


def test_fec_that_differs_between_ports_of_one_rate(site: Site) -> None:
    def port(device: str, fec: str) -> str:
        head = f"[root@h1 ~]# mlxlink -d {device}\n\nOperational Info\n----------------\n"
        return f"{head}State : Active\nPhysical state : LinkUp\nSpeed : 200G\nWidth : 4x\nFEC : {fec}\n"

    alike = site(mlxlink_txt=port("mlx5_0", "Standard_RS-FEC - (544,514)") + port("mlx5_1", "Standard_RS-FEC - (544,514)"))
    apart = site(mlxlink_txt=port("mlx5_0", "Standard_RS-FEC - (544,514)") + port("mlx5_1", "No FEC"))
    assert (one(alike, "fec_differs"), one(apart, "fec_differs")) == (False, True)
