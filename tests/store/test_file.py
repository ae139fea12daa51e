import json
import os
import sqlite3
import stat
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from advisor.base.errors import AssessmentError
from advisor.evidence.bundle import Capture
from advisor.evidence.reading import Part, Problem, Reading
from advisor.store.encoding import pack, unpack
from advisor.store.file import opened
from advisor.store.migrations import FORM, STEPS

READING = Reading(
    parts=(
        Part(
            "ibstat",
            (1, 12),
            "gpu-07",
            "ibstat",
            {"ports": {"mlx5_0/1": {"rate_gbps": 400, "lid": 17}}, "port_count": 1},
            {("ports", "mlx5_0/1"): 6, ("ports", "mlx5_0/1", "rate_gbps"): 9},
            (Problem(12, "ibpanic", "tool-error", "x"),),
            ((3, 4),),
            {"no fact of ours": 2},
        ),
    ),
    unread=((14, 15),),
    line_count=15,
)
CAPTURE = Capture("a" * 64, "gpu-07/ibstat.txt", 3, Reading())


def test_a_reading_comes_back_as_it_was() -> None:
    assert unpack(pack(READING)) == READING


def test_bytes_first_then_readings(tmp_path: Path) -> None:
    path = tmp_path / "hall.advisor"
    with opened(path, create=True) as file:
        file.add([(CAPTURE, b"abc")])
        assert file.unread("1") == [CAPTURE.sha256]
        assert file.bundle().captures == ()
        file.add_readings([(CAPTURE.sha256, READING, None)], "1")
        assert file.unread("1") == []
    with opened(path) as file:
        (capture,) = file.bundle().captures
        assert (capture.name, capture.path_host, capture.reading, file.data(capture.sha256)) == (
            "gpu-07/ibstat.txt",
            "gpu-07",
            READING,
            b"abc",
        )
        assert file.unread("2") == [CAPTURE.sha256]  # better readers read it again


def test_the_same_bytes_twice_are_one_capture(tmp_path: Path) -> None:
    other = Capture(CAPTURE.sha256, "a-copy.txt", 3, Reading())
    names = set()
    for order in ((CAPTURE, other), (other, CAPTURE)):
        path = tmp_path / f"{order[0].name.replace('/', '-')}.advisor"
        with opened(path, create=True) as file:
            file.add([(capture, b"abc") for capture in order])
            file.add_readings([(CAPTURE.sha256, READING, None)], "1")
            (capture,) = file.bundle().captures
            names.add(capture.name)
    assert names == {"a-copy.txt"}  # whatever came first


def test_one_file_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "hall.advisor"
    with opened(path, create=True) as file:
        file.add([(CAPTURE, b"abc")])
    assert [p.name for p in tmp_path.iterdir()] == ["hall.advisor"]
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_decisions_and_what_is_set_aside_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "hall.advisor"
    with opened(path, create=True) as file:
        file.decide("m1", "take", "")
        file.decide("m1", "skip", "no window until May")
        file.put_aside({"b", "a"})
        file.put_setting("currency", "CNY")
    with opened(path) as file:
        assert file.decisions() == {"m1": ("skip", "no window until May")}
        assert file.set_aside() == {"a", "b"}
        assert file.settings() == {"currency": "CNY"}


def test_a_person_corrects_a_capture(tmp_path: Path) -> None:
    with opened(tmp_path / "hall.advisor", create=True) as file:
        file.add([(CAPTURE, b"abc")])
        file.add_readings([(CAPTURE.sha256, READING, None)], "1")
        file.correct(CAPTURE.sha256, host="gpu-09", role="busy")
        (capture,) = file.bundle().captures
        assert (capture.host, capture.role) == ("gpu-09", "busy")


def test_a_file_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.advisor"
    db = sqlite3.connect(path)
    db.execute("create table songs (title)")
    db.commit()
    db.close()
    before = path.read_bytes()
    with pytest.raises(AssessmentError, match="another program"), opened(path):
        pass
    assert path.read_bytes() == before


def test_a_text_is_no_assessment(tmp_path: Path) -> None:
    path = tmp_path / "text.advisor"
    path.write_text("no database\n" * 20)
    with pytest.raises(AssessmentError, match="another program"), opened(path):
        pass
    assert path.read_text() == "no database\n" * 20


def test_a_newer_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "hall.advisor"
    with opened(path, create=True):
        pass
    db = sqlite3.connect(path)
    db.execute("pragma user_version = 99")
    db.close()
    before = path.read_bytes()
    with pytest.raises(AssessmentError, match="newer"), opened(path):
        pass
    assert path.read_bytes() == before


def test_a_locked_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("advisor.store.connection._LOCK_S", 0.05)
    path = tmp_path / "hall.advisor"
    with opened(path, create=True) as file:
        file.add([(CAPTURE, b"abc")])
    other = sqlite3.connect(path)
    other.execute("begin exclusive")
    with pytest.raises(AssessmentError, match="in use"), opened(path) as file:
        file.decide("m", "take", "")
    other.rollback()
    other.close()


def test_a_place_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(AssessmentError, match="cannot be written"), opened(tmp_path / "no" / "hall.advisor", create=True):
        pass


def _with_facts(facts: dict[str, object]) -> Reading:
    return Reading(parts=(Part("ethtool-S", (1, 300), facts=facts),), line_count=300)


def test_long_tables_come_back_as_they_were() -> None:
    """Names in front once, values of every kind; a table that holds trees, a whole number too large, and two tables of other names."""
    counters = {f"rx{i}_packets": i * 10**12 for i in range(300)}
    mixed = {f"k{i}": (i, i / 3, f"v{i}", i % 2 == 0, None)[i % 5] for i in range(70)}
    trees = {f"port{i}": {"rate_gbps": 400, "names": ["a", "b"]} for i in range(100)}
    for facts in (
        {"interfaces": {"eth0": {"counters": counters}, "eth1": {"counters": {**counters, "rx0_packets": 7}}}},
        {"a": mixed, "b": counters, "c": trees},
        {"a": {**counters, "huge": 2**70}},
        {"a": {f"空{i}\n\x00": float("inf") for i in range(80)}},
    ):
        reading = _with_facts(facts)
        assert unpack(pack(reading)) == reading
        assert list(unpack(pack(reading)).parts[0].facts) == list(facts)
        assert pack(reading) == pack(_with_facts(facts))


def test_readings_of_before_are_read() -> None:
    """zlib and JSON, as the store kept them at first."""
    tree = {"refused": None, "unread": [[14, 15]], "line_count": 15, "encoding": "utf-8"}
    part = {"tool": "ibstat", "lines": [1, 12], "host": None, "command": None, "facts": {"port_count": 1}, "at": [[3, "port_count"]]}
    part |= {"problems": [], "unread": [], "ignored": {}}
    old = unpack(zlib.compress(json.dumps({**tree, "parts": [part]}).encode()))
    assert (old.unread, old.line_count, old.parts[0].facts, old.parts[0].at) == (((14, 15),), 15, {"port_count": 1}, {("port_count",): 3})


@pytest.mark.parametrize("damage", [b"", b"\x00N\xff", b"\x00N\x01\x00\x00\x00\x04abcd", b"\x28\xb5\x2f\xfd\x00"])
def test_damaged_blobs_are_errors_that_are_caught(damage: bytes) -> None:
    with pytest.raises((ValueError, LookupError, TypeError)):
        unpack(damage)


def test_every_cut_of_a_blob_is_an_error() -> None:
    whole = pack(_with_facts({"counters": {f"rx{i}": i for i in range(80)}}))
    for end in range(len(whole)):
        with pytest.raises((ValueError, LookupError, TypeError)):
            unpack(whole[:end])


def test_the_steps_lead_to_the_form_of_a_new_file() -> None:
    def form(make: Callable[[sqlite3.Connection], object]) -> object:
        with closing(sqlite3.connect(":memory:")) as conn:
            make(conn)
            tables = conn.execute(
                "select name, ncol, wr from pragma_table_list where schema = 'main' and name not like 'sqlite%'"
            ).fetchall()
            about = ("table_info", "index_list", "foreign_key_list")
            return {table: [conn.execute(f"pragma {one}({table[0]})").fetchall() for one in about] for table in sorted(tables)}

    assert form(lambda conn: [step(conn) for step in STEPS]) == form(lambda conn: [conn.execute(one) for one in FORM])
