"""The assessment file: opened, filled and asked here, and nowhere else."""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

from advisor.base.errors import AssessmentError
from advisor.capture import whence
from advisor.evidence.bundle import Bundle, Capture, Role
from advisor.evidence.reading import Reading
from advisor.store.connection import close, connected, make_private
from advisor.store.encoding import OWN, pack, restored, squeeze, unpack_with
from advisor.store.faults import named
from advisor.store.kept import Kept
from advisor.store.row import Row

_NONE: Mapping[bytes, int] = MappingProxyType({})


class AssessmentFile:
    """An open assessment. Use `opened`; every method that writes is one transaction."""

    def __init__(self, path: Path, db: sqlite3.Connection) -> None:
        self.path = path
        self._db = db
        self._met: dict[bytes, bytes] = {}  # what captures and readings share, by id

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
        return {sha.hex() for (sha,) in self._db.execute("select sha256 from capture")}

    def shared(self) -> set[bytes]:
        """The ids of what captures and readings refer to (store/encoding)."""
        return {row[0] for row in self._db.execute("select id from shared")}

    def add(self, captures: Iterable[tuple[Capture, bytes]]) -> None:
        """Bytes of captures, without readings. Bytes that are there already are one capture with one name more."""
        conn = self._db
        with self.writing():
            for one, data in captures:
                key = bytes.fromhex(one.sha256)
                row = (key, one.size, squeeze(data), one.name, one.host, one.time, one.role)
                # what is there stays in its form: its reading may refer to it
                conn.execute("insert or ignore into capture (sha256, size, data, name, host, time, role) values (?, ?, ?, ?, ?, ?, ?)", row)
                conn.execute("insert or ignore into name select id, ? from capture where sha256 = ?", (one.name, key))
                conn.execute("delete from passed where name = ?", (one.name,))  # an earlier import could not take it
            self._turn()

    def add_rows(self, rows: Iterable[Row], version: str, unread: Iterable[bytes] = ()) -> None:
        """Bytes and readings of captures, and further names of those that are there. `unread`: captures whose reading no longer holds."""
        rows = list(rows)
        with self.writing():
            new = self._put_captures(rows)
            self._put_readings([(row.digest, row.reading, row.failed) for row in rows if row.reading is not None], version, new)
            self._db.executemany(
                "delete from reading where capture = (select id from capture where sha256 = ?)", [(digest,) for digest in unread]
            )
            self._turn()

    def _put_captures(self, rows: list[Row]) -> Mapping[bytes, int]:
        """Their numbers, of those that were not there. Bytes that are there take this form: the reading beside them may refer to it."""
        conn = self._db
        last = conn.execute("select max(id) from capture").fetchone()[0] or 0
        conn.executemany("insert or ignore into shared values (?, ?)", {one for row in rows for one in row.shared})
        conn.executemany(
            "insert into capture (sha256, size, data, name, host, role) values (?, ?, ?, ?, ?, ?) "
            "on conflict (sha256) do update set data = excluded.data",
            # in the order of the index, which is written page by page
            sorted((row.digest, row.size, row.data, row.name, row.host, row.role) for row in rows if row.data is not None),
        )
        new: dict[bytes, int] = dict(conn.execute("select sha256, id from capture where id > ?", (last,)))
        conn.executemany("insert or ignore into name values (?, ?)", [(new[row.digest], row.name) for row in rows if row.digest in new])
        others = [(row.name, row.digest) for row in rows if row.digest not in new]
        conn.executemany("insert or ignore into name select id, ? from capture where sha256 = ?", others)
        if conn.execute("select exists (select 1 from passed)").fetchone()[0]:  # an earlier import could not take it
            conn.executemany("delete from passed where name = ?", [(row.name,) for row in rows])
        return new

    def _put_readings(self, readings: Iterable[tuple[bytes, bytes, str | None]], version: str, new: Mapping[bytes, int] = _NONE) -> None:
        """`new`: the numbers of captures that are known."""
        mine, others = [], []
        for digest, data, failed in readings:
            if digest in new:
                mine.append((new[digest], version, data, failed))
            else:
                others.append((version, data, failed, digest))
        self._db.executemany("insert or replace into reading values (?, ?, ?, ?)", mine)
        self._db.executemany("insert or replace into reading select id, ?, ?, ? from capture where sha256 = ?", others)

    def add_readings(self, readings: Iterable[tuple[str, Reading, str | None]], version: str) -> None:
        """Readings by sha256, each with why its reader failed, if it did. A better reader's reading takes the place of an older one."""
        self.add_packed(((sha256, pack(reading), failed) for sha256, reading, failed in readings), version)

    def add_packed(self, readings: Iterable[tuple[str, bytes, str | None]], version: str) -> None:
        """The same for readings that are packed already (store/encoding)."""
        with self.writing():
            self._put_readings(((bytes.fromhex(sha256), data, failed) for sha256, data, failed in readings), version)
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
            "select c.sha256 from capture c left join reading r on r.capture = c.id where r.version is not ? order by c.name, c.sha256",
            (version,),
        )
        return [sha.hex() for (sha,) in rows]

    def sizes(self) -> dict[str, int]:
        """The bytes of every capture, by sha256."""
        return {sha.hex(): size for sha, size in self._db.execute("select sha256, size from capture")}

    def names(self, sha256: str) -> tuple[str, ...]:
        """The names that a capture came under, by spelling."""
        rows = self._db.execute(
            "select n.name from name n join capture c on n.capture = c.id where c.sha256 = ? order by n.name", _key(sha256)
        )
        return tuple(row[0] for row in rows)

    def data(self, sha256: str) -> bytes:
        """A capture's bytes. Raises AssessmentError if there is no such capture."""
        row = self._db.execute("select data from capture where sha256 = ?", _key(sha256)).fetchone()
        if row is None:
            raise AssessmentError("no-such-capture", capture=sha256)
        try:
            return restored(row[0], self._shared)
        except ValueError as error:
            raise AssessmentError("damaged-file", path=str(self.path), why=f"{sha256[:12]}: {error}") from None

    def _shared(self, name: bytes) -> bytes:
        if name not in self._met:
            self._load_shared()
        if name not in self._met:
            raise ValueError(f"{name.hex()[:12]} is not there")
        return self._met[name]

    def _load_shared(self) -> None:
        self._met |= self._db.execute("select id, data from shared").fetchall()

    def bundle(self) -> Bundle:
        """All captures that were read, with their readings. A capture that came under several names has the first of them by spelling."""
        self._load_shared()  # nothing else is asked while rows come: a question that fails meanwhile would keep the file open
        rows = self._db.execute(
            "select c.sha256, json_group_array(n.name), c.size, r.data, c.host, c.time, c.role, r.failed, "
            "case when substr(r.data, 1, 2) = ? then c.data end "
            "from capture c join reading r on r.capture = c.id join name n on n.capture = c.id group by c.id order by c.sha256",
            (OWN,),
        )
        try:
            return Bundle.of([self._capture(*row) for row in rows])
        except (ValueError, LookupError, TypeError) as error:  # bytes that were right when they were written
            raise AssessmentError("damaged-file", path=str(self.path), why=f"{type(error).__name__}: {error}") from None

    def _capture(
        self,
        sha: bytes,
        names: str,
        size: int,
        data: bytes,
        host: str | None,
        time: str | None,
        role: Role | None,
        failed: str | None,
        own: bytes | None,
    ) -> Capture:
        """A row as a capture: what a person stated, and for the rest what its names tell."""
        spelt = sorted(json.loads(names))
        name = spelt[0]
        time, role = time or whence.time(name), role or whence.role(name)
        reading = unpack_with(data, own, self._shared)
        return Capture(sha.hex(), name, size, reading, host, whence.host(name), time, role, whence.copies(spelt), failed, len(spelt))

    def correct(self, sha256: str, **values: str | None) -> None:
        """Host, time or role of a capture as a person states it."""
        with self.writing():
            for column in ("host", "time", "role"):
                if column in values:
                    self._db.execute(f"update capture set {column} = ? where sha256 = ?", (values[column], *_key(sha256)))
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


def _key(sha256: str) -> tuple[bytes]:
    """A capture's sha256 as its column has it. A word that is none finds nothing."""
    try:
        return (bytes.fromhex(sha256),)
    except ValueError:
        return (b"",)


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
        make_private(path)
    conn, closed = None, None
    try:
        conn, closed = connected(path)
        yield AssessmentFile(path, conn)
    except sqlite3.DatabaseError as error:
        raise (closed if closed and error.sqlite_errorname.startswith("SQLITE_READONLY") else named(error, path)) from error
    finally:
        if conn is not None:
            close(conn)
