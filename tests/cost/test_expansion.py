"""An expansion of a site is sized by the same engine as `advisor size`."""

from decimal import Decimal
from types import MappingProxyType

import pytest

from advisor.base.text import Text
from advisor.cost.expansion import expansion, installed
from advisor.cost.model import Price
from advisor.cost.quantities import RULES, Site
from advisor.cost.settings import Settings
from advisor.cost.sizing.growth import Installed
from advisor.fabric.model import Fabric, Leaf, Switch
from advisor.remedy.remedy import Proposal

SPINES = {f"spine{n}": Switch(name=f"spine{n}", tier="spine") for n in range(4)}


def site(down: int, uplinks: int = 16, leaves: int = 16, **of_leaf: object) -> Fabric:
    made = [
        Leaf(name=f"leaf{n}", down_gbps=down * 400, up_gbps=uplinks * 400, ratio=down / uplinks, uplinks=uplinks, uplink_gbps=400)
        for n in range(leaves)
    ]
    return Fabric(leaves=tuple(leaf.model_copy(update=of_leaf) for leaf in made), switches=MappingProxyType(SPINES))


def count(rule: str, fabric: Fabric, ratio: str = "1", radix: int = 64) -> int:
    switch = Price.model_construct(radix=radix)
    found = RULES[rule](Site(Proposal.model_construct(where=()), fabric, Settings(target_ratio=Decimal(ratio)), switch))
    assert found.amount is not None
    return int(found.amount.likely)


@pytest.mark.parametrize(
    ("down", "ratio", "switches", "links"),
    [
        (32, "1", 4, 256),  # free leaf ports are enough
        (48, "1", 20, 512),  # 8 leaves and 12 spines
        (32, "2", 0, 0),  # as it is
        (24, "1", 2, 128),  # 24 uplinks are 4 to each of 6 spines
    ],
)
def test_switches_and_links_of_an_expansion(down: int, ratio: str, switches: int, links: int) -> None:
    assert (count("spines-to-add", site(down), ratio), count("new-uplinks", site(down), ratio)) == (switches, links)
    assert count("uplink-twin-modules", site(down), ratio) == links


def test_what_is_installed_is_told_by_leaves_that_are_alike() -> None:
    assert installed(site(32)) == Installed(16, 4, 16, 32)
    assert installed(site(32, uplinks_down=1)) is None
    assert installed(site(32, uplink_gbps=300)) is None
    assert installed(site(32).model_copy(update={"spines": None, "switches": {}})) is None


def test_smaller_switches_than_the_installed_ones_are_counted_apart() -> None:
    """Leaves of 48 ports in use are no switches of 32: only spines are counted, 256 links on 32 ports each."""
    assert expansion(site(32), Settings(), 32) is None
    assert count("new-uplinks", site(32), radix=32) == 256


def test_the_basis_says_what_grows() -> None:
    switch = Price.model_construct(radix=64)
    found = RULES["spines-to-add"](Site(Proposal.model_construct(where=()), site(48), Settings(), switch))
    assert isinstance(found.basis, Text)
    assert "8 leaves" in found.basis.en
    assert "384 cables move" in found.basis.en
