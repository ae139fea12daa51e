"""What the kill and power tests do to an assessment, and what it must hold afterwards."""

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from advisor.store.encoding import pack, squeeze
from advisor.store.file import opened
from advisor.store.migrations import APPLICATION_ID, STEPS
from advisor.usecases import import_, reading
from advisor.usecases.assess import Assessment, decide, from_file
from advisor.usecases.import_ import import_into
from advisor.usecases.progress import never, silent
from advisor.usecases.seal import seal, verify

TODAY = date(2026, 11, 30)
REMEDIES = ("jumbo-frames", "ecmp-entropy", "topology-scheduling", "tenant-limits")
CHOICES = ("take", "later", "open", "skip")
OTHER_READERS = "0.0.1"

_IBSTAT = """CA 'mlx5_0'
\tCA type: MT4129
\tNumber of ports: 1
\tFirmware version: 28.39.{host:04d}
\tPort 1:
\t\tState: Active
\t\tPhysical state: LinkUp
\t\tRate: 400
\t\tBase lid: {host}
\t\tSM lid: 1
\t\tLink layer: InfiniBand
"""


def write_site(folder: Path, hosts: int) -> None:
    """Captures of a few tools from some hosts: no two have the same bytes."""
    for host in range(1, hosts + 1):
        place = folder / f"gpu-{host:02d}"
        place.mkdir(parents=True)
        (place / "ibstat.txt").write_text(_IBSTAT.format(host=host), encoding="utf-8")
        rows = "".join(f"     rx_prio{p}_pause: {host * 1000 + p}\n" for p in range(8))
        (place / "ethtool_-S_eth0").write_text(f"NIC statistics:\n     rx_discards_phy: {host}\n{rows}", encoding="utf-8")
        (place / "notes.txt").write_text(f"host {host} stands in row {host % 4}\n", encoding="utf-8")


def assessment_of(path: Path) -> Assessment:
    return from_file(path, silent, never, TODAY)


def older(path: Path, version: int) -> None:
    """Make a file what it was when the form had so many steps: before the fifth, a capture's key was its hash, and every blob its own."""
    with opened(path) as file, closing(sqlite3.connect(path)) as conn:
        shas, readings = sorted(file.known()), {one.sha256: pack(one.reading) for one in file.bundle().captures}
        captures = {sha: squeeze(file.data(sha)) for sha in shas}
        names = [(sha, name) for sha in shas for name in file.names(sha)]
        told = {bytes(row[0]).hex(): row[1:] for row in conn.execute("select sha256, size, name, host, time, role from capture")}
        by = "select c.sha256, r.version, r.failed from reading r join capture c on c.id = r.capture"
        made = [(bytes(sha).hex(), version, readings[bytes(sha).hex()], failed) for sha, version, failed in conn.execute(by)]
        rest = {name: conn.execute(f"select * from {name}").fetchall() for name in ("decision", "set_aside", "setting", "passed")}
    path.unlink()
    with closing(sqlite3.connect(path)) as conn, conn:
        for step in STEPS[:version]:
            step(conn)
        size, name, *stated = zip(*(told[sha] for sha in shas), strict=True)
        conn.executemany("insert into capture values (?, ?, ?, ?, ?, ?, ?)", zip(shas, size, captures.values(), name, *stated, strict=True))
        conn.executemany("insert into name values (?, ?)", names)
        conn.executemany("insert into reading values (?, ?, ?, ?)", made)
        for table, rows in rest.items():
            for row in rows:
                conn.execute(f"insert into {table} values ({', '.join('?' * len(row))})", row)
        conn.execute(f"pragma application_id = {APPLICATION_ID}")
        conn.execute(f"pragma user_version = {version}")


# --- one kind of work each: what is done until it is cut off, saying what it has confirmed ---------------------------------

Say = Callable[[str], None]
_import_batch = 3


def importing(path: Path, captures: Path, say: Say, chance: random.Random) -> None:
    import_._BATCH = _import_batch  # many transactions, as a large site has
    done = import_into(str(path), [str(captures)])
    say(f"imported {done.files}")


def deciding(path: Path, _: Path, say: Say, chance: random.Random) -> None:
    site = assessment_of(path)
    for number in range(40):
        remedy, choice = chance.choice(REMEDIES), chance.choice(CHOICES)
        site = decide(site, remedy, "later" if choice == "take" else choice, f"reason {number}")
        say(f"decided {remedy} {number}")


def migrating(path: Path, _: Path, say: Say, chance: random.Random) -> None:
    with opened(path):
        say("migrated")


def rereading(path: Path, _: Path, say: Say, chance: random.Random) -> None:
    import_._BATCH = _import_batch
    assessment_of(path)
    say("read")


@dataclass(frozen=True, slots=True)
class Kind:
    """Work to be cut off, and how its file is made ready before."""

    work: Callable[[Path, Path, Say, random.Random], None]
    prepare: Callable[[Path, random.Random], None]


def _nothing(path: Path, chance: random.Random) -> None:
    path.unlink()


def _sealed(path: Path, chance: random.Random) -> None:
    with opened(path) as file:
        file.decide(REMEDIES[0], "later", "before")
    seal(assessment_of(path))


def _sealed_and_old(path: Path, chance: random.Random) -> None:
    _sealed(path, chance)
    older(path, chance.randrange(1, len(STEPS)))


def _sealed_with_other_readings(path: Path, chance: random.Random) -> None:
    _sealed(path, chance)
    conn = sqlite3.connect(path)
    with conn:
        conn.execute("update reading set version = ?", (OTHER_READERS,))
    conn.close()


KINDS = {
    "import": Kind(importing, _nothing),
    "decide": Kind(deciding, _sealed),
    "migrate": Kind(migrating, _sealed_and_old),
    "re-read": Kind(rereading, _sealed_with_other_readings),
}


# --- what must hold --------------------------------------------------------------------------------------------------------


def must_hold(kind: str, path: Path, captures: Path, said: list[str], whole: Assessment) -> None:
    """Raises AssertionError where something that was confirmed is lost, is there twice, or does not agree with the seal.

    whole: the assessment of the same captures that nobody cut off
    """
    intact(path)
    if kind in ("import", "command"):
        if any(line.startswith("imported") for line in said):
            assert _captures(assessment_of(path)) == _captures(whole)
        done = import_into(str(path), [str(captures)])  # goes on where it stopped
        assert done.files == sum(whole.bundle.files.values()) + len(whole.passed)
        seal(assessment_of(path))
    elif kind == "decide":
        _decisions_hold(path, said)
    found = assessment_of(path)
    assert _captures(found) == _captures(whole)
    with opened(path) as file:
        assert file.unread(reading.READERS) == []
        assert len(file.known()) == len(found.bundle.captures)
    if kind == "decide":
        seal(found)
        found = assessment_of(path)
    changes = verify(found).changes
    assert not changes, changes
    beside = sorted(p.name for p in path.parent.glob(f"{path.name}*"))
    assert beside == [path.name], beside


def intact(path: Path) -> None:
    """The file opens, SQLite finds nothing wrong in it, and no row is there twice."""
    if not path.exists():  # cut off before there was a file
        return
    with opened(path):
        pass
    conn = sqlite3.connect(path)
    try:
        assert conn.execute("pragma integrity_check").fetchall() == [("ok",)]
        assert conn.execute("pragma foreign_key_check").fetchall() == []
        assert conn.execute("pragma user_version").fetchone()[0] == len(STEPS)
        for table, key in (("capture", "sha256"), ("name", "capture, name"), ("reading", "capture"), ("decision", "remedy")):
            assert conn.execute(f"select {key} from {table} group by {key} having count(*) > 1").fetchall() == []
    finally:
        conn.close()


def _captures(site: Assessment) -> list[tuple[object, ...]]:
    return [(c.name, c.sha256, c.size, c.reading, c.host, c.role, c.copies) for c in site.bundle.captures]


def _decisions_hold(path: Path, said: list[str]) -> None:
    """Each remedy has its last confirmed decision, or that of the one step after it, which was under way."""
    numbers = {remedy: int(number) for _, remedy, number in (line.split() for line in said if line.startswith("decided"))}
    last = max(numbers.values(), default=-1)
    kept = assessment_of(path).decisions
    for remedy, number in numbers.items():
        assert int(kept[remedy].reason.split()[1]) in (number, last + 1), (remedy, number, kept[remedy].reason)
    late = [d.reason for d in kept.values() if d.reason.startswith("reason") and int(d.reason.split()[1]) > last]
    assert late in ([], [f"reason {last + 1}"])
