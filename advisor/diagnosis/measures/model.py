"""What the model of the fabric says of the loss, where it gives what was measured: which free measures bring it back, and what remains.

A model whose error is above half of the loss, or that nothing vouches for, says nothing here.
"""

from collections.abc import Iterator

from advisor.diagnosis.measured import Row, measure
from advisor.diagnosis.observed import Observed

PART = 0.1  # share of the loss from which a cause of the model is named


@measure("modelled_physical_part", "model", "fabric")
def physical_part(site: Observed) -> Iterator[Row]:
    """Share of the modelled loss that remains after every free measure."""
    if site.model is not None:
        lost = site.model.free_part + site.model.physical_part
        yield site.model.physical_part / lost, "", site.model_origins


@measure("modelled_loss_by", "model", "fabric")
def loss_by(site: Observed) -> Iterator[Row]:
    """Causes of the model with a tenth of the loss or more: balance, storage, tenants, placement, flow-control, capacity."""
    if site.model is not None:
        lost = site.model.free_part + site.model.physical_part
        for name, share in sorted({**site.model.shares, "capacity": site.model.physical_part}.items()):
            if share >= PART * lost:
                yield name, "", site.model_origins
