"""A connection to an assessment's file: made, brought to the newest form, closed. What is in the file is asked in store/file.py."""

import os
import sqlite3
from contextlib import suppress
from pathlib import Path

from advisor.base.errors import AssessmentError
from advisor.base.files import sync_folder
from advisor.store.faults import named
from advisor.store.migrations import APPLICATION_ID, FORM, STEPS

_LOCK_S = 5.0


def connected(path: Path) -> tuple[sqlite3.Connection, AssessmentError | None]:
    """A connection that may write; else one that can only read, and why. Raises AssessmentError, DatabaseError where not even that can be.

    A stick that is write-protected and a disk that is full still show what they hold.
    """
    conn = sqlite3.connect(path, timeout=_LOCK_S)
    try:
        _bring_up(conn, path)
    except sqlite3.DatabaseError as error:
        conn.close()
        why = named(error, path)
        if why.key not in ("not-writable", "disk-full"):
            raise
        conn = _only_reading(path)
        if _version(conn) != len(STEPS):
            conn.close()
            raise
        return conn, why
    except BaseException:
        conn.close()
        raise
    return conn, None


def _only_reading(path: Path) -> sqlite3.Connection:
    """A connection that writes nothing, not even beside the file. Raises DatabaseError."""
    beside = [path.with_name(path.name + end) for end in ("-wal", "-journal")]
    if not any(one.exists() and one.stat().st_size for one in beside):
        return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
    conn = sqlite3.connect(path, timeout=_LOCK_S)
    conn.execute("pragma locking_mode = exclusive")  # the index of the log is then held in memory: there may be no room for it beside
    conn.execute("pragma query_only = on")
    return conn


def _bring_up(conn: sqlite3.Connection, path: Path) -> None:
    _check(conn, path)
    _outlast_power(conn)
    _migrate(conn, path)
    conn.execute("pragma journal_mode = wal")
    conn.execute("select count(*) from turn").fetchone()  # the log is opened by the first question


def make_private(path: Path) -> None:
    """An empty file that only its owner may read: captures hold names of customers' machines."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return  # another program was faster
    except OSError as error:
        raise AssessmentError("not-writable", path=str(path), why=error.strerror) from None
    sync_folder(path.parent)


def _outlast_power(conn: sqlite3.Connection) -> None:
    """Every commit reaches the disk before it returns. Some builds of SQLite ask for less by default; macOS has a sync of its own."""
    for pragma in ("synchronous = full", "fullfsync = on", "checkpoint_fullfsync = on"):
        conn.execute(f"pragma {pragma}")


def _version(conn: sqlite3.Connection) -> int:
    return int(conn.execute("pragma user_version").fetchone()[0])


def _check(conn: sqlite3.Connection, path: Path) -> None:
    """Raises AssessmentError for a file of another program or of a newer version, before anything is written to it."""
    application = conn.execute("pragma application_id").fetchone()[0]
    tables = conn.execute("select count(*) from sqlite_master").fetchone()[0]
    if application != APPLICATION_ID and (tables or _version(conn)):
        raise AssessmentError("not-assessment", path=str(path))
    if (version := _version(conn)) > len(STEPS):
        raise AssessmentError("newer-version", path=str(path), version=version, ours=len(STEPS))


def _migrate(conn: sqlite3.Connection, path: Path) -> None:
    """Bring the file up, each step whole or not at all. What another program does in the meantime is looked at again."""
    while (version := _version(conn)) < len(STEPS):
        with conn:
            conn.execute("begin immediate")
            _check(conn, path)
            if _version(conn) != version:
                continue
            if version:
                STEPS[version](conn)
            else:
                for statement in FORM:
                    conn.execute(statement)
            conn.execute(f"pragma application_id = {APPLICATION_ID}")
            conn.execute(f"pragma user_version = {version + 1 if version else len(STEPS)}")


def close(conn: sqlite3.Connection) -> None:
    try:
        if conn.in_transaction:
            conn.rollback()
        conn.execute("pragma busy_timeout = 0")  # nobody waits for another program only to tidy up
        conn.execute("pragma journal_mode = delete")  # one file, without side files
    except sqlite3.DatabaseError:
        pass  # another program has it open: the side files are its own
    finally:
        with suppress(sqlite3.DatabaseError):
            conn.close()
