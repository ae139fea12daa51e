"""The registry of mechanisms: what each cause of the closed set does to a world. Modules `causes_*` fill it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from tests.synthetic.world import World

Act = Callable[[World, float], None]
RDMA = ("ib", "roce")


@dataclass(frozen=True, slots=True)
class Mechanism:
    """technologies: of sites that can have it. also: causes that fair experts may name for the same state of a site."""

    cause: str
    act: Act
    technologies: tuple[str, ...]
    also: tuple[str, ...] = ()


MECHANISMS: dict[str, Mechanism] = {}


def mechanism(cause: str, technologies: tuple[str, ...] = RDMA, also: Iterable[str] = ()) -> Callable[[Act], Act]:
    """Registers what a cause does: `act(world, lost)` makes the jobs of the world lose about the share `lost`."""

    def register(act: Act) -> Act:
        MECHANISMS[cause] = Mechanism(cause, act, technologies, tuple(also))
        return act

    return register
