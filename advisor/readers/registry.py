"""All readers, found by their module: nobody keeps a list."""

import pkgutil
from functools import cache
from importlib import import_module

import advisor.readers
from advisor.readers.contract import Reader

_NOT_READERS = {"contract", "named", "registry", "recognise", "shapes"}


@cache
def readers() -> tuple[Reader, ...]:
    """Every reader, in order of its tool id."""
    found: list[Reader] = []
    for module in pkgutil.walk_packages(advisor.readers.__path__, "advisor.readers."):
        if not module.ispkg and module.name.rsplit(".", 1)[-1] not in _NOT_READERS:
            reader = getattr(import_module(module.name), "READER", None)
            if reader is not None:
                found.append(reader)
    return tuple(sorted(found, key=lambda reader: reader.tool))


@cache
def tools() -> tuple[str, ...]:
    return tuple(reader.tool for reader in readers())
