"""Rows of an import into the three tables of an assessment, against sqlite-utils' `insert_all` of dicts into the same tables."""

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
_BLOB = 120  # bytes: what a small file takes, so that rows and not bytes are compared


def compare() -> list[Row]:
    rows = list(_rows())
    dicts = {table: [dict.fromkeys(keys) | _of(row, table) for row in rows] for table, keys in _TABLES.items()}
    with TemporaryDirectory() as folder:
        ours, theirs = Path(folder) / "ours.advisor", Path(folder) / "theirs.db"
        agree(_kept(_ours(ours, rows)), _kept(_theirs(theirs, dicts)), "rows of the tables")
        seconds = rounds({"ours": lambda: _ours(ours, rows), "insert_all": lambda: _theirs(theirs, dicts)}, ROUNDS)
    text = f"storing {ROWS:,} files with their readings, 3 rows each, in batches of {BATCH}"
    return [Row(text, "add_rows", "sqlite-utils insert_all of dicts", ratios(seconds, "ours", "insert_all"), 5.0)]


def _rows() -> Iterator[Stored]:
    rng = random.Random(SEED)
    for n in range(ROWS):
        yield Stored(rng.randbytes(32).hex(), f"gpu-{n // 47:04}/{n % 47:02}.txt", 400, rng.randbytes(_BLOB), rng.randbytes(_BLOB))


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
        for step in STEPS:
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
        return {"sha256": row.sha256, "size": row.size, "data": row.data, "name": row.name}
    return {"sha256": row.sha256, **({"name": row.name} if table == "name" else {"version": "1", "data": row.reading})}


def _kept(path: Path) -> list[list[tuple[object, ...]]]:
    with closing(sqlite3.connect(path)) as conn:
        return [sorted(conn.execute(f"select * from {table}").fetchall()) for table in ("capture", "name", "reading")]
