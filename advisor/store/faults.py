"""What goes wrong with a file, as SQLite says it and as this program does."""

import sqlite3
from pathlib import Path

from advisor.base.errors import AssessmentError

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


def named(error: sqlite3.DatabaseError, path: Path) -> AssessmentError:
    """What SQLite says in the program's own words."""
    code = getattr(error, "sqlite_errorname", "")
    key = next((key for start, key in _CODES if code.startswith(start)), "damaged-file")
    return AssessmentError(key, path=str(path), why=str(error))
