"""From lost bandwidth to GPU-hours and money: worked cases with fixed inputs."""

from decimal import Decimal

import pytest

from advisor.cost.hours import gpu_hours_per_year, owned_gpu_hour
from advisor.cost.returns import net_present_value, payback_months
from advisor.cost.settings import Settings
from advisor.cost.step import dip_share, saved_bounds, saved_share, speed_up
from advisor.cost.worth import worth
from advisor.fabric.model import Fabric, HostKind, Job
from advisor.remedy.relief import Span


@pytest.mark.parametrize(
    ("communication", "exposed", "loss", "factor", "saved", "low", "high"),
    [
        (0.40, 0.25, 0.31, 1.4493, 0.1240, 0.0775, 0.25),
        (0.25, 0.25, 0.31, 1.4493, 0.0775, 0.0775, 0.25),
        (0.20, 0.00, 0.31, 1.4493, 0.0, 0.0, 0.0),  # a slow fabric that costs nothing
        (0.50, 0.30, 0.50, 2.0, 0.25, 0.15, 0.30),
        (0.30, 0.05, 0.40, 1.6667, 0.05, 0.02, 0.05),
    ],
)
def test_step_model(communication: float, exposed: float, loss: float, factor: float, saved: float, low: float, high: float) -> None:
    assert speed_up(loss) == pytest.approx(factor, abs=5e-5)
    assert saved_share(communication, exposed, speed_up(loss)) == pytest.approx(saved, abs=5e-5)
    assert saved_bounds(exposed, speed_up(loss)) == pytest.approx((low, high), abs=5e-5)


def test_no_speed_up_from_a_whole_loss() -> None:
    with pytest.raises(ValueError, match="below 1"):
        speed_up(1.0)


def test_doing_nothing() -> None:
    hours = gpu_hours_per_year(512, Decimal("0.7"), Decimal("0.6"), Decimal("0.1240"))
    assert round(hours) == pytest.approx(233585, abs=2)
    assert round(hours * Decimal("2.35")) == pytest.approx(548925, abs=2)


def test_checkpoint_dips() -> None:
    share = dip_share(0.40, 6, 1)
    assert share == pytest.approx(0.04)
    hours = gpu_hours_per_year(512, Decimal("0.7"), Decimal("0.6"), Decimal(str(share)))
    assert round(hours) == pytest.approx(75350, abs=2)
    assert round(hours * Decimal("2.35")) == pytest.approx(177073, abs=2)


def test_owned_gpu_hour() -> None:
    hour = owned_gpu_hour(
        Decimal(315000),
        8,
        Decimal(4),
        Decimal("0.95"),
        network_capex_per_gpu=Decimal(4000),
        kw_per_gpu=Decimal("1.275"),
        pue=Decimal("1.3"),
        kwh=Decimal("0.11"),
        opex_share_per_year=Decimal("0.08"),
    )
    assert float(hour.total) == pytest.approx(1.9023, abs=5e-4)


def test_payback_and_present_value() -> None:
    months = payback_months(Decimal(499752), Decimal(548925), Decimal(50848))
    assert float(months or 0) == pytest.approx(12.04, abs=0.005)
    value = net_present_value(Decimal(499752), Decimal(548925), Decimal(50848), 3, Decimal("0.1"))
    assert float(value) == pytest.approx(738892, abs=60)
    assert payback_months(Decimal(1), Decimal(5), Decimal(5)) is None


SITE = Fabric(host_kinds=(HostKind(count=64, gpus_per_host=8),), jobs=(Job(name="a", communication_share=0.40),))
STATED = Settings(
    gpu_hour=Decimal("2.35"),
    utilisation=Decimal("0.7"),
    share_affected=Decimal("0.6"),
    exposed_communication=Decimal("0.25"),
    horizon_months=12,
)


def test_worth_of_a_loss() -> None:
    found = worth(Span(0.31, 0.31, 0.31), SITE, STATED)
    assert found.gpu_hours is not None
    assert found.money is not None
    assert float(found.gpu_hours.likely) == pytest.approx(233585, rel=1e-3)  # the case rounds the saved share to 0.1240
    assert float(found.money.likely) == pytest.approx(548925, rel=1e-3)


def test_unknown_overlap_gives_bounds_from_nothing_to_all() -> None:
    found = worth(Span(0.31, 0.31, 0.31), SITE, STATED.model_copy(update={"exposed_communication": None}))
    assert found.gpu_hours is not None
    assert found.gpu_hours.low == 0
    assert float(found.gpu_hours.high) == pytest.approx(512 * 8760 * 0.7 * 0.6 * 0.40 * 0.31, rel=1e-3)


def test_worth_says_what_it_lacks() -> None:
    found = worth(Span(0.31, 0.31, 0.31), Fabric(), Settings())
    assert found.gpu_hours is None
    assert found.money is None
    assert {text.en for text in found.unknown} >= {"the number of GPUs", "the share of communication in a step"}


def test_gpu_hours_without_a_price_stay_gpu_hours() -> None:
    found = worth(Span(0.31, 0.31, 0.31), SITE, STATED.model_copy(update={"gpu_hour": None}))
    assert found.gpu_hours is not None
    assert found.money is None
    assert [text.en for text in found.unknown] == ["what a GPU-hour is worth"]
