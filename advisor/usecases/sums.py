"""Single sums of the money engine out of a file of inputs: what an estimate is made of, to be checked by hand."""

from pathlib import Path
from typing import Any

from advisor.base.content import check, parse
from advisor.base.errors import UsageError
from advisor.cost.worked import CASES, Answer

_ABOUT = ("id", "note", "kind", "expected", "tolerance")  # of a case in a table of cases: not inputs


def work_out(kind: str | None, path: Path) -> Answer:
    """The results of one kind of sum for the inputs of a YAML file: a map, or one with the maps `inputs` and `prices`.

    Without a kind the names of the inputs tell it: each kind has names of its own.

    Raises UsageError for a kind that is not there, ContentError with file, line and field for inputs that cannot be.
    """
    if kind is not None and kind not in CASES:
        raise UsageError("no-such-sum", kind=kind, kinds=", ".join(CASES))
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise UsageError("no-such-path", path=str(path)) from None
    tree, lines = parse(text, str(path))
    given: dict[str, Any] = dict(tree) if isinstance(tree, dict) else {}
    inputs = {name: value for name, value in given.items() if name not in (*_ABOUT, "inputs")}
    inner = given.get("inputs")
    nested = inner if isinstance(inner, dict) else {}
    whole = {**inputs, **nested}
    return check(CASES[kind or _kind(whole)], whole, lines, str(path), ("inputs",) if nested else ()).answer()


def _kind(inputs: dict[str, Any]) -> str:
    """The kind whose inputs these are: it knows most of the names, and needs fewest that are not there."""

    def fit(name: str) -> tuple[int, int]:
        fields = CASES[name].model_fields
        needed = sum(field.is_required() and key not in inputs for key, field in fields.items())
        return sum(key in fields for key in inputs), -needed

    return max(CASES, key=fit)
