"""The form of the file: that of a new one, and the steps from older ones. A file of a newer form is left alone.

Steps are made with sqlite-utils, which loads pandas where it is installed (0.3 s): a step imports it, so only a file of an older form
does. Whoever opens a file of this form asks it through sqlite3. A new file gets the form at once; a test holds that steps lead to the same.
"""

from collections.abc import Callable
from sqlite3 import Connection
from typing import Any

# "FADV": tells our file from any other SQLite database.
APPLICATION_ID = 0x46414456


# A capture has a number, by which its names and its reading are found.
FORM = (
    "create table capture (id integer primary key, sha256 blob, size integer, data blob, name text, host text, time text, role text)",
    "create unique index idx_capture_sha256 on capture (sha256)",
    "create table name (capture integer references capture (id), name text, primary key (capture, name)) without rowid",
    "create table reading (capture integer primary key references capture (id), version text, data blob, failed text)",
    "create table shared (id blob primary key, data blob)",
    "create table passed (name text primary key, why text, detail text)",
    "create table decision (remedy text primary key, choice text, reason text)",
    "create table set_aside (measure text primary key)",
    "create table setting (key text primary key, value text)",
    "create table overrule (verdict text, reason text)",
    "create table turn (what text primary key, times integer)",
)


def _tables(conn: Connection) -> Any:
    """The file as sqlite-utils sees it; what it makes belongs to the transaction that is open."""
    from sqlite_utils import Database

    return Database(conn)


def _first(conn: Connection) -> None:
    db = _tables(conn)
    db["capture"].create({"sha256": str, "size": int, "data": bytes, "name": str, "host": str, "time": str, "role": str}, pk="sha256")
    # without a row id, which sqlite-utils does not make: the key is the whole row
    db.execute("create table name (sha256 text references capture (sha256), name text, primary key (sha256, name)) without rowid")
    db["reading"].create(
        {"sha256": str, "version": str, "data": bytes, "failed": str}, pk="sha256", foreign_keys=[("sha256", "capture", "sha256")]
    )
    db["passed"].create({"name": str, "why": str, "detail": str}, pk="name")
    db["decision"].create({"remedy": str, "choice": str, "reason": str}, pk="remedy")
    db["set_aside"].create({"measure": str}, pk="measure")
    db["setting"].create({"key": str, "value": str}, pk="key")


def _overrule(conn: Connection) -> None:
    _tables(conn)["overrule"].create({"verdict": str, "reason": str})


def _turns(conn: Connection) -> None:
    """How often something was written that programs hold in memory: one number tells them that it is no longer what they read."""
    _tables(conn)["turn"].create({"what": str, "times": int}, pk="what")


def _zstandard(conn: Connection) -> None:
    """New blobs are Zstandard and MessagePack (store/encoding): older programs must leave the file alone. Blobs that are there stay."""


def _numbered(conn: Connection) -> None:
    """A capture has a number, by which its names and its reading are found: in the order in which they came, where a hash is anywhere.

    The hash is kept as its 32 bytes. What many captures and readings have alike stands in `shared` (store/encoding).
    """
    db = _tables(conn)
    conn.create_function("bytes_of", 1, bytes.fromhex, deterministic=True)
    for table in ("capture", "name", "reading"):
        conn.execute(f"alter table {table} rename to old_{table}")
    db["capture"].create(
        {"id": int, "sha256": bytes, "size": int, "data": bytes, "name": str, "host": str, "time": str, "role": str}, pk="id"
    )
    db["capture"].create_index(["sha256"], unique=True)
    db.execute("create table name (capture integer references capture (id), name text, primary key (capture, name)) without rowid")
    db["reading"].create(
        {"capture": int, "version": str, "data": bytes, "failed": str}, pk="capture", foreign_keys=[("capture", "capture", "id")]
    )
    db["shared"].create({"id": bytes, "data": bytes}, pk="id")
    conn.execute(
        "insert into capture (sha256, size, data, name, host, time, role) "
        "select bytes_of(sha256), size, data, name, host, time, role from old_capture order by rowid"
    )
    number = "(select c.id from capture c where c.sha256 = bytes_of(o.sha256))"
    conn.execute(f"insert into name select {number}, o.name from old_name o")
    conn.execute(f"insert into reading select {number}, o.version, o.data, o.failed from old_reading o")
    for table in ("reading", "name", "capture"):
        conn.execute(f"drop table old_{table}")


STEPS: tuple[Callable[[Connection], None], ...] = (_first, _overrule, _turns, _zstandard, _numbered)
