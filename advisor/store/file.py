"""The assessment file: opened, filled and asked here, and nowhere else."""

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from advisor.base.errors import AssessmentError
from advisor.base.files import sync_folder
from advisor.capture import whence
from advisor.evidence.bundle import Bundle, Capture, Role
from advisor.evidence.reading import Reading
from advisor.store.encoding import pack, squeeze, unpack, unsqueeze
from advisor.store.kept import Kept
from advisor.store.migrations import APPLICATION_ID, STEPS
from advisor.store.row import Row

_LOCK_S = 5.0


class AssessmentFile:
    """An open assessment. Use `opened`; every method that writes is one transaction."""

    def __init__(self, path: Path, db: sqlite3.Connection) -> None:
        self.path = path
        self._db = db

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction: all of it or nothing, and no other program writes in between. Inside another one it is a part of that."""
        conn = self._db
        if conn.in_transaction:
            yield
            return
        with conn:
            conn.execute("begin immediate")
            yield

    @contextmanager
    def reading(self) -> Iterator[None]:
        """What is asked inside is of one moment, whatever other programs write meanwhile."""
        conn = self._db
        if conn.in_transaction:
            yield
            return
        conn.execute("begin")
        try:
            yield
        finally:
            conn.rollback()

    def _turn(self) -> None:
        """Captures are not what they were: programs that hold them in memory will see it."""
        self._db.execute("insert into turn values ('captures', 1) on conflict (what) do update set times = times + 1")

    # --- captures ---

    def known(self) -> set[str]:
        """The sha256 of every capture in the file."""
        return {row[0] for row in self._db.execute("select sha256 from capture")}

    def add(self, captures: Iterable[tuple[Capture, bytes]]) -> None:
        """Bytes of captures, without readings. Bytes that are there already are one capture with one name more."""
        with self.writing():
            for capture, data in captures:
                row = (capture.sha256, capture.size, squeeze(data), capture.name, capture.host, capture.time, capture.role)
                self._db.execute("insert or ignore into capture values (?, ?, ?, ?, ?, ?, ?)", row)
                self._db.execute("insert or ignore into name values (?, ?)", (capture.sha256, capture.name))
                self._db.execute("delete from passed where name = ?", (capture.name,))  # an earlier import could not take it
            self._turn()

    def add_rows(self, rows: Iterable[Row], version: str, unread: Iterable[str] = ()) -> None:
        """Bytes and readings of captures, and further names of those that are there. `unread`: captures whose reading no longer holds."""
        rows = sorted(rows)  # in the order of the indexes, which are written page by page
        new = [row for row in rows if row.data is not None]
        conn = self._db
        with self.writing():
            conn.executemany(
                "insert or ignore into capture values (?, ?, ?, ?, ?, ?, ?)",
                [(row.sha256, row.size, row.data, row.name, row.host, None, row.role) for row in new],
            )
            conn.executemany("insert or ignore into name values (?, ?)", [(row.sha256, row.name) for row in rows])
            if conn.execute("select exists (select 1 from passed)").fetchone()[0]:
                conn.executemany("delete from passed where name = ?", [(row.name,) for row in rows])
            conn.executemany(
                "insert or replace into reading values (?, ?, ?, ?)", [(row.sha256, version, row.reading, row.failed) for row in new]
            )
            conn.executemany("delete from reading where sha256 = ?", [(sha256,) for sha256 in unread])
            self._turn()

    def add_readings(self, readings: Iterable[tuple[str, Reading, str | None]], version: str) -> None:
        """Readings by sha256, each with why its reader failed, if it did. A better reader's reading takes the place of an older one."""
        self.add_packed(((sha256, pack(reading), failed) for sha256, reading, failed in readings), version)

    def add_packed(self, readings: Iterable[tuple[str, bytes, str | None]], version: str) -> None:
        """The same for readings that are packed already (store/encoding)."""
        with self.writing():
            rows = [(sha256, version, packed, failed) for sha256, packed, failed in readings]
            self._db.executemany("insert or replace into reading values (?, ?, ?, ?)", rows)
            self._turn()

    def add_passed(self, passed: Iterable[tuple[str, str, str]]) -> None:
        """Files that were passed over: name, why, detail."""
        with self.writing():
            self._db.executemany("insert or replace into passed values (?, ?, ?)", passed)

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
        try:
            return unsqueeze(row[0])
        except ValueError as error:
            raise AssessmentError("damaged-file", path=str(self.path), why=f"{sha256[:12]}: {error}") from None

    def bundle(self) -> Bundle:
        """All captures that were read, with their readings. A capture that came under several names has the first of them by spelling."""
        rows = self._db.execute(
            "select c.sha256, json_group_array(n.name), c.size, r.data, c.host, c.time, c.role, r.failed "
            "from capture c join reading r using (sha256) join name n using (sha256) group by c.sha256"
        )
        try:
            return Bundle.of([_capture(*row) for row in rows])
        except (ValueError, LookupError, TypeError) as error:  # bytes that were right when they were written
            raise AssessmentError("damaged-file", path=str(self.path), why=f"{type(error).__name__}: {error}") from None

    def correct(self, sha256: str, **values: str | None) -> None:
        """Host, time or role of a capture as a person states it."""
        with self.writing():
            for column in ("host", "time", "role"):
                if column in values:
                    self._db.execute(f"update capture set {column} = ? where sha256 = ?", (values[column], sha256))
            self._turn()

    # --- what a person decided ---

    def kept(self) -> Kept:
        """All that a person decided, as of this moment."""
        with self.reading():
            row = self._db.execute("select times from turn where what = 'captures'").fetchone()
            return Kept(self.decisions(), self.set_aside(), self.overrule(), dict(self.settings()), row[0] if row else 0)

    def decisions(self) -> dict[str, tuple[str, str]]:
        """Choice and reason by remedy."""
        return {remedy: (choice, reason) for remedy, choice, reason in self._db.execute("select remedy, choice, reason from decision")}

    def decide(self, remedy: str, choice: str, reason: str) -> None:
        with self.writing():
            self._db.execute("insert or replace into decision values (?, ?, ?)", (remedy, choice, reason))

    def set_aside(self) -> frozenset[str]:
        return frozenset(row[0] for row in self._db.execute("select measure from set_aside"))

    def put_aside(self, measures: Iterable[str]) -> None:
        with self.writing():
            self._db.execute("delete from set_aside")
            self._db.executemany("insert into set_aside values (?)", [(measure,) for measure in sorted(measures)])

    def overrule(self) -> tuple[str, str] | None:
        """A person's own verdict with its reason; None where nobody overruled."""
        row = self._db.execute("select verdict, reason from overrule").fetchone()
        return (row[0], row[1]) if row else None

    def put_overrule(self, said: tuple[str, str] | None) -> None:
        """Keep a verdict and its reason in place of any before; None takes it back."""
        with self.writing():
            self._db.execute("delete from overrule")
            if said is not None:
                self._db.execute("insert into overrule values (?, ?)", said)

    def settings(self) -> Mapping[str, str]:
        return dict(self._db.execute("select key, value from setting"))

    def put_setting(self, key: str, value: str) -> None:
        self.put_settings({key: value})

    def put_settings(self, values: Mapping[str, str]) -> None:
        """All of them, or none."""
        with self.writing():
            self._db.executemany("insert or replace into setting values (?, ?)", list(values.items()))

    def drop_setting(self, key: str) -> None:
        with self.writing():
            self._db.execute("delete from setting where key = ?", (key,))


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

    What a method has written when it returns outlasts a crash of the program and a loss of power. Several programs may have the file open:
    each write waits for the other's.

    Raises AssessmentError: not there, of another program, of a newer version, locked, not writable, disk full, damaged.
    """
    if not create and not path.is_file():
        raise AssessmentError("no-such-path", path=str(path))
    if create and not path.exists():
        _make_private(path)
    conn, closed = None, None
    try:
        conn, closed = _connected(path)
        yield AssessmentFile(path, conn)
    except sqlite3.DatabaseError as error:
        raise (closed if closed and error.sqlite_errorname.startswith("SQLITE_READONLY") else _named(error, path)) from error
    finally:
        if conn is not None:
            _close(conn)


def _connected(path: Path) -> tuple[sqlite3.Connection, AssessmentError | None]:
    """A connection that may write; else one that can only read, and why. Raises AssessmentError, DatabaseError where not even that can be.

    A stick that is write-protected and a disk that is full still show what they hold.
    """
    conn = sqlite3.connect(path, timeout=_LOCK_S)
    try:
        _bring_up(conn, path)
    except sqlite3.DatabaseError as error:
        conn.close()
        why = _named(error, path)
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


def _make_private(path: Path) -> None:
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
            if _version(conn) == version:
                STEPS[version](conn)
                conn.execute(f"pragma application_id = {APPLICATION_ID}")
                conn.execute(f"pragma user_version = {version + 1}")


def _close(conn: sqlite3.Connection) -> None:
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


# By the first word of SQLite's own code (https://www.sqlite.org/rescode.html), longer ones first.
_CODES = (
    ("SQLITE_IOERR_WRITE", "disk-full"),  # a quota, or a limit of the file's size
    ("SQLITE_IOERR_SHMSIZE", "disk-full"),  # no room for the index beside the file
    ("SQLITE_FULL", "disk-full"),
    ("SQLITE_BUSY", "locked"),
    ("SQLITE_LOCKED", "locked"),
    ("SQLITE_READONLY", "not-writable"),
    ("SQLITE_CANTOPEN", "not-writable"),
    ("SQLITE_PERM", "not-writable"),
    ("SQLITE_NOTADB", "not-assessment"),
)


def _named(error: sqlite3.DatabaseError, path: Path) -> AssessmentError:
    """What SQLite says in the program's own words."""
    code = getattr(error, "sqlite_errorname", "")
    key = next((key for start, key in _CODES if code.startswith(start)), "damaged-file")
    return AssessmentError(key, path=str(path), why=str(error))
