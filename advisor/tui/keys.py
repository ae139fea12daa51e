"""The key map: every binding has the name of what it does, and a person's own file gives names other keys.

~/.config/advisor/keys.yaml
    take: x
    skip: [s, delete]
    stage-costs: f5
"""

import pkgutil
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

from textual.app import App
from textual.binding import Binding
from textual.keys import KEY_NAME_REPLACEMENTS, Keys, _character_to_key
from textual.screen import ModalScreen, Screen

from advisor.base.errors import UsageError
from advisor.base.places import user_config
from advisor.tui import screens

_MODIFIERS = {"ctrl", "shift", "alt", "super", "meta", "hyper"}
_NAMED = {key.value for key in Keys} | set(KEY_NAME_REPLACEMENTS.values())


class Keyed:
    """A class whose bindings are named by their descriptions: `tui.key.take` is `take`, `tui.stage.costs` is `stage-costs`."""

    BINDINGS: ClassVar[list[Any]] = []

    def __init_subclass__(cls, **given: Any) -> None:
        if "BINDINGS" in cls.__dict__:
            cls.BINDINGS = [_named(binding) if isinstance(binding, Binding) else binding for binding in cls.__dict__["BINDINGS"]]
        super().__init_subclass__(**given)


def said(node: object, binding: Binding) -> str:
    """Key of the words for what a binding does here. A widget may say it closer than its class does (`labels`: action -> key of words);
    an empty one is said for a key that does nothing there."""
    labels: Mapping[str, str] = getattr(node, "labels", {})
    return labels.get(binding.action, binding.description)


def name_of(description: str) -> str:
    return description.removeprefix("tui.").removeprefix("key.").replace(".", "-")


def _named(binding: Binding) -> Binding:
    return binding if binding.id or not binding.description.startswith("tui.") else replace(binding, id=name_of(binding.description))


def file() -> Path:
    return user_config() / "keys.yaml"


def own_keys(path: Path | None = None) -> dict[str, str]:
    """The person's own keys by name of what they do; empty where there is no file.

    Raises UsageError with file and line: not YAML, a name or key that there is not, two things on one key of one screen.
    """
    path = path or file()
    if not path.is_file():
        return {}
    from advisor.base.content import line_of, parse

    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError("keys-unreadable", file=str(path), why=str(error)) from None
    tree, lines = parse(text, str(path))
    if tree is None:
        return {}
    if not isinstance(tree, dict):
        raise UsageError("keys-form", file=str(path), line=1)
    places = bound()
    known = {name for keys in places.values() for name in keys}
    found: dict[str, str] = {}
    for name, value in tree.items():
        line = line_of((name,), lines)
        if name not in known:
            raise UsageError("keys-no-such-name", file=str(path), line=line, name=name)
        given = value if isinstance(value, list) else [value]
        if not given or not all(isinstance(key, str) for key in given):
            raise UsageError("keys-form", file=str(path), line=line)
        wrong = next((key for key in given if not is_key(key)), None)
        if wrong is not None:
            raise UsageError("keys-no-such-key", file=str(path), line=line, pressed=wrong)
        found[name] = ",".join(map(normal, given))
    for name, other, key in clashes(places, found):
        line = line_of((name,), lines)
        raise UsageError("keys-clash", file=str(path), line=line, pressed=key, name=name, other=other)
    return found


def normal(key: str) -> str:
    """A key as Textual names it: `?` is question_mark, `ctrl+a` stays."""
    *modifiers, last = key.split("+") if len(key) > 1 else [key]
    return "+".join([*(word.lower() for word in modifiers), _character_to_key(last) if len(last) == 1 else last.lower()])


def is_key(key: str) -> bool:
    """Whether there is such a key."""
    *modifiers, last = normal(key).split("+") if key else [""]
    if not set(modifiers) <= _MODIFIERS:
        return False
    if last in _NAMED or len(last) == 1:
        return True
    try:
        unicodedata.lookup(last.replace("_", " ").upper())
    except KeyError:
        return False
    return True


# ---- what is bound where


def bound() -> dict[str, dict[str, str]]:
    """Keys by name of what they do, for every place where they work together: each screen with the widgets on it and the program's own."""
    for module in pkgutil.iter_modules(screens.__path__):
        import_module(f"{screens.__name__}.{module.name}")
    import_module("advisor.tui.app")
    kinds = list(_below(Keyed))
    everywhere = _keys(kind for kind in kinds if issubclass(kind, App))
    widgets = {kind: _keys([kind]) for kind in kinds if not issubclass(kind, App | Screen)}
    places: dict[str, dict[str, str]] = {"everywhere": everywhere}
    for kind in kinds:
        if issubclass(kind, Screen):
            own = _keys(base for base in reversed(kind.__mro__) if base in kinds)
            around = {} if issubclass(kind, ModalScreen) else everywhere
            places[kind.__name__] = {**around, **own}
            used = [widget for widget in widgets if widget in vars(sys.modules[kind.__module__]).values()]  # a screen imports what is on it
            places |= {f"{kind.__name__} {widget.__name__}": {**around, **own, **widgets[widget]} for widget in used}
    return places


def clashes(places: Mapping[str, Mapping[str, str]], own: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """A name that got a key of one's own, the other name that this key has in the same place already, and the key."""
    for keys in places.values():
        taken: dict[str, str] = {}
        for name, usual in sorted(keys.items(), key=lambda item: item[0] in own):  # the usual ones first: a new key is what is wrong
            for key in own.get(name, usual).split(","):
                if key in taken and name in own:
                    yield name, taken[key], key
                taken[key] = name


def _keys(kinds: Iterable[type]) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    for kind in kinds:
        for binding in kind.__dict__.get("BINDINGS", ()):
            if isinstance(binding, Binding) and binding.id:
                found.setdefault(binding.id, []).extend(normal(key) for key in binding.key.split(","))
    return {name: ",".join(dict.fromkeys(keys)) for name, keys in found.items()}


def _below(kind: type[Any]) -> Iterator[type[Any]]:
    for child in kind.__subclasses__():
        yield child
        yield from _below(child)
