"""The assessment file: opened, filled and asked here, and nowhere else."""

import json
import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from advisor.base.errors import AssessmentError
from advisor.capture import whence
from advisor.evidence.bundle import Bundle, Capture, Role
from advisor.evidence.reading import Reading
from advisor.store.encoding import pack, unpack
from advisor.store.migrations import APPLICATION_ID, STEPS

_LOCK_S = 5.0


class AssessmentFile:
    """An open assessment. Use `opened`; every method that writes is one transaction."""

    def __init__(self, path: Path, db: Any) -> None:
        self.path = path
        self._db = db

    # --- captures ---

    def known(self) -> set[str]:
        """The sha256 of every capture in the file."""
        return {row[0] for row in self._db.execute("select sha256 from capture")}

    def add(self, captures: Iterable[tuple[Capture, bytes]]) -> None:
        """Bytes of captures, without readings. Bytes that are there already are one capture with one name more."""
        with self._db.conn:
            for capture, data in captures:
                row = (capture.sha256, capture.size, zlib.compress(data, 6), capture.name, capture.host, capture.time, capture.role)
                self._db.conn.execute("insert or ignore into capture values (?, ?, ?, ?, ?, ?, ?)", row)
                self._db.conn.execute("insert or ignore into name values (?, ?)", (capture.sha256, capture.name))
                self._db.conn.execute("delete from passed where name = ?", (capture.name,))  # an earlier import could not take it

    def add_readings(self, readings: Iterable[tuple[str, Reading, str | None]], version: str) -> None:
        """Readings by sha256, each with why its reader failed, if it did. A better reader's reading takes the place of an older one."""
        self.add_packed(((sha256, pack(reading), failed) for sha256, reading, failed in readings), version)

    def add_packed(self, readings: Iterable[tuple[str, bytes, str | None]], version: str) -> None:
        """The same for readings that are packed already (store/encoding)."""
        with self._db.conn:
            rows = [(sha256, version, packed, failed) for sha256, packed, failed in readings]
            self._db.conn.executemany("insert or replace into reading values (?, ?, ?, ?)", rows)

    def add_passed(self, passed: Iterable[tuple[str, str, str]]) -> None:
        """Files that were passed over: name, why, detail."""
        with self._db.conn:
            self._db.conn.executemany("insert or replace into passed values (?, ?, ?)", passed)

    def passed(self) -> tuple[tuple[str, str, str], ...]:
        return tuple(self._db.execute("select name, why, detail from passed order by name"))

    def unread(self, version: str) -> list[str]:
        """Captures without a reading of this version of the readers."""
        rows = self._db.execute(
            "select c.sha256 from capture c left join reading r using (sha256) where r.version is not ? order by c.name, c.sha256",
            (version,),
        )
        return [row[0] for row in rows]

    def sizes(self) -> dict[str, int]:
        """The bytes of every capture, by sha256."""
        return dict(self._db.execute("select sha256, size from capture"))

    def names(self, sha256: str) -> tuple[str, ...]:
        """The names that a capture came under, by spelling."""
        return tuple(row[0] for row in self._db.execute("select name from name where sha256 = ? order by name", (sha256,)))

    def data(self, sha256: str) -> bytes:
        """A capture's bytes. Raises AssessmentError if there is no such capture."""
        row = self._db.execute("select data from capture where sha256 = ?", (sha256,)).fetchone()
        if row is None:
            raise AssessmentError("no-such-capture", capture=sha256)
        return zlib.decompress(row[0])

    def bundle(self) -> Bundle:
        """All captures that were read, with their readings. A capture that came under several names has the first of them by spelling."""
        rows = self._db.execute(
            "select c.sha256, json_group_array(n.name), c.size, r.data, c.host, c.time, c.role, r.failed "
            "from capture c join reading r using (sha256) join name n using (sha256) group by c.sha256"
        )
        return Bundle.of([_capture(*row) for row in rows])

    def correct(self, sha256: str, **values: str | None) -> None:
        """Host, time or role of a capture as a person states it."""
        with self._db.conn:
            for column in ("host", "time", "role"):
                if column in values:
                    self._db.conn.execute(f"update capture set {column} = ? where sha256 = ?", (values[column], sha256))

    # --- what a person decided ---

    def decisions(self) -> dict[str, tuple[str, str]]:
        """Choice and reason by remedy."""
        return {remedy: (choice, reason) for remedy, choice, reason in self._db.execute("select remedy, choice, reason from decision")}

    def decide(self, remedy: str, choice: str, reason: str) -> None:
        with self._db.conn:
            self._db.conn.execute("insert or replace into decision values (?, ?, ?)", (remedy, choice, reason))

    def set_aside(self) -> frozenset[str]:
        return frozenset(row[0] for row in self._db.execute("select measure from set_aside"))

    def put_aside(self, measures: Iterable[str]) -> None:
        with self._db.conn:
            self._db.conn.execute("delete from set_aside")
            self._db.conn.executemany("insert into set_aside values (?)", [(measure,) for measure in sorted(measures)])

    def overrule(self) -> tuple[str, str] | None:
        """A person's own verdict with its reason; None where nobody overruled."""
        row = self._db.execute("select verdict, reason from overrule").fetchone()
        return (row[0], row[1]) if row else None

    def put_overrule(self, said: tuple[str, str] | None) -> None:
        """Keep a verdict and its reason in place of any before; None takes it back."""
        with self._db.conn:
            self._db.conn.execute("delete from overrule")
            if said is not None:
                self._db.conn.execute("insert into overrule values (?, ?)", said)

    def settings(self) -> Mapping[str, str]:
        return dict(self._db.execute("select key, value from setting"))

    def put_setting(self, key: str, value: str) -> None:
        self.put_settings({key: value})

    def put_settings(self, values: Mapping[str, str]) -> None:
        """All of them, or none."""
        with self._db.conn:
            self._db.conn.executemany("insert or replace into setting values (?, ?)", list(values.items()))

    def drop_setting(self, key: str) -> None:
        with self._db.conn:
            self._db.conn.execute("delete from setting where key = ?", (key,))


def _capture(
    sha: str, names: str, size: int, data: bytes, host: str | None, time: str | None, role: Role | None, failed: str | None
) -> Capture:
    """A row as a capture: what a person stated, and for the rest what its names tell."""
    spelt = sorted(json.loads(names))
    name = spelt[0]
    time, role = time or whence.time(name), role or whence.role(name)
    return Capture(sha, name, size, unpack(data), host, whence.host(name), time, role, whence.copies(spelt), failed, len(spelt))


@contextmanager
def opened(path: Path, create: bool = False) -> Iterator[AssessmentFile]:
    """The assessment at a path, brought to the newest form; closed at the end, with no side files left.

    Raises AssessmentError: not there, of another program, of a newer version, locked, not writable, damaged.
    """
    if not create and not path.is_file():
        raise AssessmentError("no-such-path", path=str(path))
    if create and not path.exists():
        _make_private(path)
    from sqlite_utils import Database

    conn = None
    try:
        conn = sqlite3.connect(path, timeout=_LOCK_S)
        db = Database(conn)
        _migrate(db, path)
        db.enable_wal()
        yield AssessmentFile(path, db)
    except sqlite3.DatabaseError as error:
        raise _named(error, path) from error
    finally:
        if conn is not None:
            _close(conn)


def _make_private(path: Path) -> None:
    """An empty file that only its owner may read: captures hold names of customers' machines."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except OSError as error:
        raise AssessmentError("not-writable", path=str(path), why=error.strerror) from None


def _migrate(db: Any, path: Path) -> None:
    version = db.conn.execute("pragma user_version").fetchone()[0]
    application = db.conn.execute("pragma application_id").fetchone()[0]
    tables = db.conn.execute("select count(*) from sqlite_master").fetchone()[0]
    if application != APPLICATION_ID and (tables or version):
        raise AssessmentError("not-assessment", path=str(path))
    if version > len(STEPS):
        raise AssessmentError("newer-version", path=str(path), version=version, ours=len(STEPS))
    for number, step in enumerate(STEPS[version:], version + 1):
        with db.conn:
            db.conn.execute("begin immediate")
            step(db)
            db.conn.execute(f"pragma application_id = {APPLICATION_ID}")
            db.conn.execute(f"pragma user_version = {number}")


def _close(conn: sqlite3.Connection) -> None:
    try:
        conn.execute("pragma journal_mode = delete")  # one file, without side files
    except sqlite3.DatabaseError:
        pass  # another program has it open: the side files are its own
    finally:
        conn.close()


def _named(error: sqlite3.DatabaseError, path: Path) -> AssessmentError:
    text = str(error)
    if "locked" in text or "busy" in text:
        return AssessmentError("locked", path=str(path))
    if "readonly" in text or "unable to open" in text:
        return AssessmentError("not-writable", path=str(path), why=text)
    if "disk" in text and "full" in text:
        return AssessmentError("disk-full", path=str(path))
    if "not a database" in text:
        return AssessmentError("not-assessment", path=str(path))
    return AssessmentError("damaged-file", path=str(path), why=text)
