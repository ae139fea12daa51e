"""What an import stores, against sqlite-utils' `insert_all` of the same as dicts, into tables that have the hash of a capture as their key.

These were the tables of an assessment before captures had numbers, which a caller of `insert_all` could not know beforehand.
"""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlite_utils import Database

from advisor.store.file import opened
from advisor.store.migrations import STEPS
from advisor.store.row import Row as Stored
from tests.benchmarks.inputs import SEED
from tests.benchmarks.rounds import Row, agree, ratios, rounds

ROWS, BATCH, ROUNDS = 60_000, 4_000, 3
_BY_HASH = 4  # steps after which captures are found by their hash
_BLOB = 120  # bytes: what a small file takes, so that rows and not bytes are compared


def compare() -> list[Row]:
    rows = list(_rows())
    dicts = {table: [dict.fromkeys(keys) | _of(row, table) for row in rows] for table, keys in _TABLES.items()}
    with TemporaryDirectory() as folder:
        ours, theirs = Path(folder) / "ours.advisor", Path(folder) / "theirs.db"
        agree(_kept(_ours(ours, rows), _BY_NUMBER), _kept(_theirs(theirs, dicts), _BY_SHA), "rows of the tables")
        seconds = rounds({"ours": lambda: _ours(ours, rows), "insert_all": lambda: _theirs(theirs, dicts)}, ROUNDS)
    text = f"storing {ROWS:,} files with their readings, 3 rows each, in batches of {BATCH}"
    return [Row(text, "add_rows", "sqlite-utils insert_all of dicts", ratios(seconds, "ours", "insert_all"), 5.0)]


def _rows() -> Iterator[Stored]:
    rng = random.Random(SEED)
    for n in range(ROWS):
        yield Stored(rng.randbytes(32), f"gpu-{n // 47:04}/{n % 47:02}.txt", 400, rng.randbytes(_BLOB), rng.randbytes(_BLOB))


def _ours(path: Path, rows: list[Stored]) -> Path:
    path.unlink(missing_ok=True)
    with opened(path, create=True) as file:
        for at in range(0, len(rows), BATCH):
            file.add_rows(rows[at : at + BATCH], "1")
    return path


def _theirs(path: Path, dicts: dict[str, list[dict[str, object]]]) -> Path:
    """As its documentation shows: dicts, one call for each table, in the same batches and with the same care for the disk."""
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as conn:
        for step in STEPS[:_BY_HASH]:
            step(conn)
        conn.commit()
        db = Database(conn)
        db.enable_wal()
        conn.execute("pragma synchronous = full")
        for at in range(0, ROWS, BATCH):
            with conn:
                for table, keys in _TABLES.items():
                    db[table].insert_all(dicts[table][at : at + BATCH], pk=keys[0], batch_size=BATCH)
        conn.execute("pragma journal_mode = delete")
    return path


_TABLES = {
    "capture": ("sha256", "size", "data", "name", "host", "time", "role"),
    "name": ("sha256", "name"),
    "reading": ("sha256", "version", "data", "failed"),
}


def _of(row: Stored, table: str) -> dict[str, object]:
    if table == "capture":
        return {"sha256": row.digest.hex(), "size": row.size, "data": row.data, "name": row.name}
    return {"sha256": row.digest.hex(), **({"name": row.name} if table == "name" else {"version": "1", "data": row.reading})}


_BY_SHA = (
    "select sha256, size, data, name, host, time, role from capture",
    "select sha256, name from name",
    "select sha256, version, data, failed from reading",
)
_BY_NUMBER = (
    "select lower(hex(sha256)), size, data, name, host, time, role from capture",
    "select lower(hex(c.sha256)), n.name from name n join capture c on c.id = n.capture",
    "select lower(hex(c.sha256)), r.version, r.data, r.failed from reading r join capture c on c.id = r.capture",
)


def _kept(path: Path, questions: tuple[str, ...]) -> list[list[tuple[object, ...]]]:
    with closing(sqlite3.connect(path)) as conn:
        return [sorted(conn.execute(question).fetchall()) for question in questions]
