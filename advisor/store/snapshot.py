"""A copy of an assessment's file as it is at one moment, also while another program writes into it."""

import os
import sqlite3
from pathlib import Path

from advisor.base.errors import AssessmentError


def snapshot(path: Path, to: Path) -> None:
    """Copy a file without changing it: it is opened for reading only. The copy can be read by its owner alone.

    Raises AssessmentError: not there, not an assessment, damaged.
    """
    if not path.is_file():
        raise AssessmentError("no-such-path", path=str(path))
    os.close(os.open(to, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        source = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        try:
            copy = sqlite3.connect(to)
            try:
                source.backup(copy)
            finally:
                copy.close()
        finally:
            source.close()
    except sqlite3.DatabaseError as error:
        raise AssessmentError("damaged-file", path=str(path), why=str(error)) from error
