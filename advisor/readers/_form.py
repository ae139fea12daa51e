"""Values of the statements form (knowledge/form.yaml), as its YAML and its tables write them."""

import math
import re
from collections.abc import Iterator
from typing import Any

from advisor.evidence.form import Key
from advisor.evidence.reading import Why
from advisor.readers._hostlist import expand
from advisor.readers.shapes import number

_UNKNOWN = {"", "unknown", "null", "~", "n/a"}
_YES, _NO = {"yes", "true", "on"}, {"no", "false", "off"}
_BETWEEN = re.compile(r"[\s;]+(?![^\[]*\])")  # names may be parted by blanks or semicolons too, outside brackets


def is_unknown(raw: Any) -> bool:
    return raw is None or (isinstance(raw, str) and raw.strip().lower() in _UNKNOWN)


def value(key: Key, raw: Any) -> Any:
    """A value as the key takes it, None where it is unknown or none. An empty list is a known nothing."""
    if is_unknown(raw):
        return None
    if key.type == "map":
        return _free(raw) or None
    if key.type == "names":
        return names(raw)
    if isinstance(raw, list):
        known = [found for item in raw if (found := value(key, item)) is not None]
        return known if known or not raw else None
    if isinstance(raw, dict):
        return None
    word = str(raw).strip()
    if key.type == "sign":
        return True if word.lower() in _YES else False if word.lower() in _NO else None
    if key.type == "number":
        found = number(word)
        return found if found is not None and 0 <= found < math.inf else None
    return word


def names(raw: Any) -> list[str] | None:
    """Names in order, each once, out of a list or of text (`gpu[01-04], gpu07`); None where a list of them is damaged."""
    found: dict[str, None] = {}
    for item in raw if isinstance(raw, list) else [raw]:
        expanded = expand(_BETWEEN.sub(",", str(item).strip().strip(",;")).replace(",,", ","))
        if expanded is None:
            return None
        found.update(dict.fromkeys(expanded))
    return list(found) or None


def complaints(key: Key, raw: Any) -> Iterator[tuple[Why, str]]:
    """What is wrong with a value, of which `value` takes less than was written."""
    for item in raw if isinstance(raw, list) else [raw]:
        if is_unknown(item) or isinstance(item, dict | list) or key.type == "map":
            continue
        word = str(item).strip()
        if key.type == "number" and (found := number(word)) is not None and found < 0:
            yield "negative", word
        elif key.type == "names":
            if names(item) is None:
                yield "bad-list", word
        elif value(key, item) is None:
            yield ("not-a-number" if key.type == "number" else "doubtful"), word


def _free(raw: Any) -> Any:
    """A free map or list with numbers where they are some."""
    if isinstance(raw, dict):
        return {name: found for name, item in raw.items() if (found := _free(item)) is not None}
    if isinstance(raw, list):
        return [_free(item) for item in raw]
    return None if is_unknown(raw) else raw if (found := number(str(raw))) is None else found
