"""What a person sets before money is counted: for all sites (settings.yaml of the user) or for one (in its file)."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from advisor.base import files, places
from advisor.base.content import parse
from advisor.base.errors import UsageError
from advisor.cost.currency import CURRENCIES
from advisor.cost.settings import Settings, read_settings

KEY = "money"  # of the site's settings
_MAPS = ("rates", "day_rates", "discounts")


def user_file() -> Path:
    return places.user_config() / "settings.yaml"


def settings(own: Mapping[str, str] | None = None, stated: Mapping[str, Any] | None = None) -> Settings:
    """The user's settings, over them those of the site (`own`: what its file keeps), over them what was stated for this time.

    Where a layer names another currency, amounts of the layers below are converted, or unknown again where no rate is set.
    Raises ContentError for the user's file, UsageError for a value that cannot be.
    """
    made = read_settings(user_file())
    for layer in (json.loads((own or {}).get(KEY, "{}")), stated or {}):
        made = _over(made, layer)
    return made


def _over(made: Settings, layer: Mapping[str, Any]) -> Settings:
    from pydantic import ValidationError

    for code in (layer.get("currency"), *layer.get("rates", {})):
        if code is not None and code not in CURRENCIES:
            raise UsageError("no-such-currency", currency=code)
    tree = made.in_currency(layer["currency"]).model_dump() if "currency" in layer else made.model_dump()
    for name, value in layer.items():
        tree[name] = {**tree.get(name, {}), **value} if name in _MAPS else value
    try:
        return Settings.model_validate(tree)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"])) or "-"
        raise UsageError("no-such-setting", name=name, value=first["input"], why=first["msg"]) from None


def change(name: str, value: str | None, site: Path | None = None) -> Settings:
    """One setting, written `name` or `map.key` (rates.GBP, day_rates.network-engineer: one amount or low/likely/high), set or taken away.

    Gives the settings that hold from now on. Raises UsageError for a name or value that cannot be; then nothing is changed.
    """
    layer, made = changed(_stored(site), name, value, Settings() if site is None else read_settings(user_file()))
    _store(layer, site)
    return made


def changed(kept: Mapping[str, Any], name: str, value: str | None, base: Settings) -> tuple[dict[str, Any], Settings]:
    """A layer of settings with one of them changed, and what holds with it over `base`; kept nowhere. Raises as `change` does."""
    layer = dict(kept)
    head, _, key = name.partition(".")
    said = _value(head, value)
    if key:
        inner = {other: old for other, old in layer.get(head, {}).items() if other != key}
        layer[head] = inner if said is None else {**inner, key: said}
    elif said is None:
        layer.pop(head, None)
    else:
        layer[head] = said
    return layer, _over(base, layer)


def _value(name: str, value: str | None) -> Any:
    if value is None or name != "day_rates":
        return value
    parts = value.split("/")
    low, likely, high = parts if len(parts) == 3 else parts[:1] * 3
    return {"low": low, "likely": likely, "high": high}


def _stored(site: Path | None) -> dict[str, Any]:
    if site is not None:
        from advisor.store.file import opened

        with opened(site) as file:
            return dict(json.loads(file.settings().get(KEY, "{}")))
    path = user_file()
    if not path.is_file():
        return {}
    read_settings(path)  # a file that is broken is mended by its owner, not by us
    tree, _ = parse(path.read_text(encoding="utf-8"), str(path))
    return dict(tree or {})


def _store(layer: dict[str, Any], site: Path | None) -> None:
    if site is not None:
        from advisor.store.file import opened

        with opened(site) as file:
            file.put_setting(KEY, json.dumps(layer, sort_keys=True))
        return
    import yaml

    write_whole(user_file(), yaml.safe_dump(layer, allow_unicode=True, sort_keys=True))


def write_whole(path: Path, text: str) -> None:
    """A file of the user's, whole or not at all, for nobody else to read. Raises UsageError where it cannot be written."""
    try:
        files.write_whole(path, text)
    except OSError as error:
        raise UsageError("cannot-write", path=str(path), why=error.strerror or str(error)) from None
