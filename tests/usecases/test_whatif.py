"""What jobs reach after remedies: the quick answer is that of the whole model."""

import pytest

from advisor.base.errors import UsageError
from advisor.usecases.assess import decide, example, open_site
from advisor.usecases.model import model
from advisor.usecases.whatif import reached_with, whatif


def test_the_quick_answer_is_that_of_the_whole_model() -> None:
    site = open_site(example())
    for take in ([], ["topology-scheduling"], ["storage-priority", "uplink-expansion"]):
        assert reached_with(site, take) == whatif(site, take).after
    with pytest.raises(UsageError):
        reached_with(site, ["no-such-remedy"])


def test_the_model_of_a_site_is_worked_out_once() -> None:
    site = open_site(example())
    assert whatif(site, []).now is model(site)
    assert model(decide(site, "topology-scheduling", "take")) is model(site)
