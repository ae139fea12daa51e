"""A measured value, and the registry of measures by name.

A measure is a named function of what was observed. It gives a value for each thing that it can be told of (a host, a port, a
run), and nothing where it is unknown. Its meaning in both languages stands in the catalogue as `measure.<name>`. The signs of the
statements form are measures too: stated by a person, or following from figures by the rules of knowledge/signs.yaml.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from advisor.diagnosis.observed import Observed
from advisor.diagnosis.verdicts import Layer
from advisor.evidence.origin import Origin

Value = float | str | bool
Row = tuple[Any, str, Iterable[Origin | None]]  # value, what it is about, origins
Provider = Callable[[Observed], Iterable[Row]]


@dataclass(frozen=True, slots=True)
class Measured:
    """One value of a measure. `about` is the thing that it was measured on, empty for the site as a whole."""

    name: str
    value: Value
    about: str = ""
    origins: tuple[Origin, ...] = ()


@dataclass(frozen=True, slots=True)
class Measure:
    """A named measure.

    group      signs of one group say much the same: the strongest counts in full, further ones half (diagnosis/combine)
    layer      the layer whose coverage it adds to
    unit       as in docs/vocabulary.md: empty for a share, count, word or yes/no
    providers  each finds it in another kind of capture or statement
    """

    name: str
    group: str
    layer: Layer
    unit: str
    providers: tuple[Provider, ...] = ()

    def values(self, site: Observed) -> Iterator[Measured]:
        for provider in self.providers:
            for value, about, origins in provider(site):
                if value is not None:
                    known = tuple(dict.fromkeys(one for one in origins if one is not None))
                    yield Measured(self.name, float(value) if type(value) is int else value, about, known)


_REGISTRY: dict[str, Measure] = {}


def measure(name: str, group: str, layer: Layer, unit: str = "") -> Callable[[Provider], Provider]:
    """Registers a function of the observed site as a measure. A name stands once; `also` adds further providers."""

    def register(provider: Provider) -> Provider:
        known = _REGISTRY.get(name)
        if known is not None and known.group:
            raise ValueError(f"two measures are named {name}")
        _REGISTRY[name] = Measure(name, group, layer, unit, (provider, *(known.providers if known else ())))
        return provider

    return register


def also(name: str) -> Callable[[Provider], Provider]:
    """Registers a further provider of a measure that another module names."""

    def register(provider: Provider) -> Provider:
        known = _REGISTRY.get(name) or Measure(name, "", "none", "")
        _REGISTRY[name] = Measure(name, known.group, known.layer, known.unit, (*known.providers, provider))
        return provider

    return register


@cache
def measures() -> Mapping[str, Measure]:
    """All measures by name, sorted."""
    import advisor.diagnosis.measures as package

    for module in sorted(found.name for found in iter_modules(package.__path__, f"{package.__name__}.")):
        import_module(module)
    nameless = [name for name, one in _REGISTRY.items() if not one.group]
    if nameless:
        raise ValueError(f"no measure is named {', '.join(sorted(nameless))}")
    return dict(sorted(_REGISTRY.items()))


def ordered(values: Iterable[Measured]) -> tuple[Measured, ...]:
    """Values without repetition, in an order that does not depend on the order of import."""
    return tuple(sorted(set(values), key=lambda one: (one.about, str(one.value), tuple(map(str, one.origins)))))


def measured(site: Observed, set_aside: frozenset[str] = frozenset()) -> dict[str, tuple[Measured, ...]]:
    """All known values by measure, those of set-aside measures left out."""
    found: dict[str, tuple[Measured, ...]] = {}
    for name, one in measures().items():
        values = () if name in set_aside else ordered(one.values(site))
        if values:
            found[name] = values
    return found
