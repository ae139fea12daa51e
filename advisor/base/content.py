"""Data files: YAML read as text, so that `1:20` stays `1:20`, checked by a model, with file, line and field of what is wrong."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import yaml

from advisor.base.errors import ContentError
from advisor.base.text import Text

if TYPE_CHECKING:
    from pydantic import BaseModel  # texts are read before pydantic is needed: the first screen does not wait for it

M = TypeVar("M", bound="BaseModel")
Place = tuple[str | int, ...]
_Loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def parse(text: str, name: str) -> tuple[Any, dict[Place, int]]:
    """The tree of a YAML text, all scalars as str, and the line (from 1) of every place in it.

    Raises ContentError for text that is not YAML, that holds a key twice, or an alias (a small file can make a huge tree).
    """
    try:
        node = yaml.compose(text, Loader=_Loader)
    except (yaml.YAMLError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        why = getattr(error, "problem", None) or str(error)
        raise ContentError("yaml", file=name, line=mark.line + 1 if mark else 1, why=why) from None
    lines: dict[Place, int] = {}
    return (_tree(node, (), lines, name, set()) if node is not None else None), lines


def _tree(node: Any, place: Place, lines: dict[Place, int], name: str, seen: set[int]) -> Any:
    line = node.start_mark.line + 1
    lines.setdefault(place, line)
    if isinstance(node, yaml.ScalarNode):
        empty = not node.style and node.value in ("", "~", "null")
        return None if empty else node.value
    if id(node) in seen:
        raise ContentError("yaml", file=name, line=line, why="an alias: write it out")
    seen.add(id(node))
    if isinstance(node, yaml.SequenceNode):
        return [_tree(item, (*place, i), lines, name, seen) for i, item in enumerate(node.value)]
    tree: dict[str, Any] = {}
    for key, value in node.value:
        word = str(key.value)
        if word in tree:
            raise ContentError("yaml", file=name, line=key.start_mark.line + 1, why=f"{word} stands twice")
        lines[(*place, word)] = key.start_mark.line + 1
        tree[word] = _tree(value, (*place, word), lines, name, seen)
    return tree


def line_of(place: Place, lines: Mapping[Place, int]) -> int:
    """The line of the nearest part of a place that stands in the file."""
    while place and place not in lines:
        place = place[:-1]
    return lines.get(place, 1)


def check(model: type[M], tree: Any, lines: Mapping[Place, int], name: str, at: Place = ()) -> M:
    """The tree, which stands at the place `at` of its file, as a model.

    Raises ContentError with the file, line and field of the first thing that does not fit.
    """
    from pydantic import ValidationError

    try:
        return model.model_validate(tree)
    except ValidationError as error:
        first = error.errors()[0]
        place = tuple(first["loc"])
        field = ".".join(map(str, place)) or "(all)"
        raise ContentError("content", file=name, line=line_of((*at, *place), lines), field=field, why=first["msg"]) from None


def load(model: type[M], path: Path) -> M:
    """One data file as a model. Raises ContentError."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ContentError("yaml", file=str(path), line=1, why=str(error)) from None
    tree, lines = parse(text, str(path))
    return check(model, tree, lines, str(path))


def folder(model: type[M], *folders: Path) -> dict[str, M]:
    """All data files below the folders, by id, sorted; the file's name is the id. Later folders win.

    Raises ContentError, also where a model has an `id` that is not its file's name or that stands twice in one folder.
    """
    found: dict[str, M] = {}
    for root in folders:
        here: dict[str, Path] = {}
        for path in sorted(root.rglob("*.yaml")):
            entry = load(model, path)
            if getattr(entry, "id", path.stem) != path.stem:
                raise ContentError("content", file=str(path), line=1, field="id", why=f"must be {path.stem}, as the file is named")
            if path.stem in here:
                raise ContentError("content", file=str(path), line=1, field="id", why=f"stands in {here[path.stem]} too")
            here[path.stem] = path
            found[path.stem] = entry
    return dict(sorted(found.items()))


def texts(path: Path) -> dict[str, Text]:
    """A file of the catalogue: every `key: {en, zh}` as `stem.key`; maps may nest. Raises ContentError."""
    tree, lines = parse(path.read_text(encoding="utf-8"), str(path))
    return {".".join((path.stem, *map(str, place))): _text(leaf, place, lines, str(path)) for place, leaf in _leaves(tree, ())}


def _text(leaf: Any, place: Place, lines: Mapping[Place, int], name: str) -> Text:
    """A leaf as a text: both languages and nothing else."""
    words = leaf if isinstance(leaf, dict) else {}
    for field in ("en", "zh", *words):
        if field not in ("en", "zh") or not isinstance(words.get(field), str):
            raise ContentError("content", file=name, line=line_of((*place, field), lines), field=field, why="a text has en and zh")
    return Text(en=words["en"], zh=words["zh"])


def _leaves(tree: Any, place: Place) -> Iterator[tuple[Place, Any]]:
    if isinstance(tree, dict) and not (tree.keys() & {"en", "zh"}):
        for key, value in tree.items():
            yield from _leaves(value, (*place, key))
    else:
        yield place, tree
