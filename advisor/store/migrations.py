"""The form of the file, step by step. A file of an older form is brought up when it is opened; of a newer one it is left alone."""

from collections.abc import Callable
from typing import Any

# "FADV": tells our file from any other SQLite database.
APPLICATION_ID = 0x46414456


def _first(db: Any) -> None:
    db["capture"].create({"sha256": str, "size": int, "data": bytes, "name": str, "host": str, "time": str, "role": str}, pk="sha256")
    db["name"].create({"sha256": str, "name": str}, pk=("sha256", "name"), foreign_keys=[("sha256", "capture", "sha256")])
    db["reading"].create(
        {"sha256": str, "version": str, "data": bytes, "failed": str}, pk="sha256", foreign_keys=[("sha256", "capture", "sha256")]
    )
    db["passed"].create({"name": str, "why": str, "detail": str}, pk="name")
    db["decision"].create({"remedy": str, "choice": str, "reason": str}, pk="remedy")
    db["set_aside"].create({"measure": str}, pk="measure")
    db["setting"].create({"key": str, "value": str}, pk="key")


def _overrule(db: Any) -> None:
    db["overrule"].create({"verdict": str, "reason": str})


def _turns(db: Any) -> None:
    """How often something was written that programs hold in memory: one number tells them that it is no longer what they read."""
    db["turn"].create({"what": str, "times": int}, pk="what")


def _zstandard(db: Any) -> None:
    """New blobs are Zstandard and MessagePack (store/encoding): older programs must leave the file alone. Blobs that are there stay."""


STEPS: tuple[Callable[[Any], None], ...] = (_first, _overrule, _turns, _zstandard)
