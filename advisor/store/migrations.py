"""The form of the file, step by step. A file of an older form is brought up when it is opened; of a newer one it is left alone.

Plain SQL: sqlite-utils, which made these tables before, loads pandas whenever it is installed, 0.4 s of each command.
"""

from collections.abc import Callable
from typing import Any

# "FADV": tells our file from any other SQLite database.
APPLICATION_ID = 0x46414456


def _first(db: Any) -> None:
    for table in (
        "capture (sha256 text primary key, size integer, data blob, name text, host text, time text, role text)",
        "name (sha256 text references capture (sha256), name text, primary key (sha256, name)) without rowid",
        "reading (sha256 text primary key references capture (sha256), version text, data blob, failed text)",
        "passed (name text primary key, why text, detail text)",
        "decision (remedy text primary key, choice text, reason text)",
        "set_aside (measure text primary key)",
        "setting (key text primary key, value text)",
    ):
        db.execute(f"create table {table}")


def _overrule(db: Any) -> None:
    db.execute("create table overrule (verdict text, reason text)")


def _turns(db: Any) -> None:
    """How often something was written that programs hold in memory: one number tells them that it is no longer what they read."""
    db.execute("create table turn (what text primary key, times integer)")


def _zstandard(db: Any) -> None:
    """New blobs are Zstandard and MessagePack (store/encoding): older programs must leave the file alone. Blobs that are there stay."""


STEPS: tuple[Callable[[Any], None], ...] = (_first, _overrule, _turns, _zstandard)
