"""Single sums of the money engine out of a file of inputs: what an estimate is made of, to be checked by hand."""

from pathlib import Path
from typing import Any

from advisor.base.content import check, parse
from advisor.base.errors import UsageError
from advisor.cost.worked import CASES, Answer

_ABOUT = ("id", "note", "kind", "expected", "tolerance")  # of a case in a table of cases: not inputs


def work_out(kind: str, path: Path) -> Answer:
    """The results of one kind of sum for the inputs of a YAML file: a map, or one with the maps `inputs` and `prices`.

    Raises UsageError for a kind that is not there, ContentError with file, line and field for inputs that cannot be.
    """
    if kind not in CASES:
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
    return check(CASES[kind], {**inputs, **nested}, lines, str(path)).answer()
