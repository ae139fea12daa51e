"""Size a fabric: from a file, or from fields one by one, to the figures. What does not fit is told with its place and what to change."""

import sys
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from advisor.base.content import Place, line_of, parse
from advisor.base.errors import UsageError
from advisor.cost.sizing.answer import Sizing
from advisor.cost.sizing.answer import size as sized
from advisor.cost.sizing.impossible import Impossible
from advisor.cost.sizing.request import Bounds, InstalledGear, Request, bounds

Places = Mapping[str, str]  # field -> where it was stated, as a person reads it
MOST_BYTES = 1_000_000  # a request has some fifty lines
# A file may be a whole case of a collection; what stands beside its inputs says nothing of the fabric.
_BESIDE = frozenset({"id", "kind", "sure", "source", "document", "note", "explain", "expected"})


def size(stated: Mapping[str, Any], places: Places | None = None) -> Sizing:
    """The sizing of what is stated: fields of advisor.cost.sizing.request.Request, as text or as values.

    `places` names where a field was stated, for messages. Raises UsageError for what is unknown, of a wrong kind, out of bounds,
    contradicts itself or cannot be built.
    """
    known = places or {}
    request = _request(stated, known)
    try:
        return sized(request)
    except Impossible as impossible:
        raise impossible.at(_place(impossible.field, known)) from None


def read_file(path: str) -> tuple[Mapping[str, Any], Places]:
    """What a YAML or JSON file states (`-`: standard input), and where: at the top or under `inputs`. Raises UsageError."""
    tree, lines = parse(_text(path), path)
    at: Place = ()
    if isinstance(tree, dict) and isinstance(tree.get("inputs"), dict):
        beside = next((key for key in tree if key not in _BESIDE and key != "inputs"), None)
        if beside is not None:
            raise UsageError("size-beside", where=f"{path}:{line_of((beside,), lines)}: {beside}")
        tree, at = tree["inputs"], ("inputs",)
    if not isinstance(tree, dict) or not tree:
        raise UsageError("size-no-map", where=f"{path}:{line_of(at, lines)}")
    places: dict[str, str] = {}
    for key, value in tree.items():
        places[key] = f"{path}:{line_of((*at, key), lines)}: {key}"
        for inner in value if isinstance(value, dict) else ():
            places[f"{key}.{inner}"] = f"{path}:{line_of((*at, key, inner), lines)}: {key}.{inner}"
    return tree, places


def _text(path: str) -> str:
    try:
        if path == "-":
            return sys.stdin.read(MOST_BYTES)
        if Path(path).stat().st_size > MOST_BYTES:
            raise UsageError("size-too-large", where=path)
        return Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError("size-no-map", where=path) from None
    except (OSError, ValueError) as error:
        raise UsageError("cannot-read", path=path, why=getattr(error, "strerror", None) or str(error)) from None


def _request(stated: Mapping[str, Any], places: Places) -> Request:
    from pydantic import ValidationError

    try:
        return Request.model_validate(dict(stated))
    except ValidationError as error:
        first = error.errors()[0]
        names = tuple(map(str, first["loc"]))
        inside = names[0] == "installed" and len(names) > 1
        name = names[1] if inside else names[0]
        field = f"installed.{name}" if inside else name
        takes = bounds(InstalledGear if inside else Request)
        where = _place(field, places)
        if first["type"] == "extra_forbidden":
            near = get_close_matches(name, takes, n=3, cutoff=0.5) or sorted(takes)
            raise UsageError("size-unknown", where=where, known=", ".join(near)) from None
        if first["type"] == "missing":
            raise UsageError("size-needs", where=_place("installed", places), other=field) from None
        raise _misfit(takes[name], where, first["input"]) from None


def _misfit(takes: Bounds, where: str, value: object) -> UsageError:
    shown = str(value)[:60]
    if takes.kind == "choice":
        return UsageError("size-choice", where=where, value=shown, choices=", ".join(takes.choices))
    if takes.kind in ("truth", "map"):
        return UsageError(f"size-{takes.kind}", where=where, value=shown)
    low, high = (f"{bound:g}" if bound != int(bound) else f"{int(bound)}" for bound in (takes.low or 0, takes.high or 0))
    return UsageError(f"size-{takes.kind}", where=where, value=shown, low=low, high=high)


def _place(field: str, places: Places) -> str:
    return places.get(field, field)
