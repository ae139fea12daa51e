"""Input that was made to do harm: nothing of it acts, hangs, fills the memory or gets lost without a word."""

import gzip
import io
import os
import tarfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from advisor.base.plain import plain
from advisor.capture.intake import Bounds, Item, items
from advisor.readers.recognise import read

IBSTAT = b"CA 'mlx5_0'\n\tCA type: MT4129\n\tNumber of ports: 1\n\tPort 1:\n\t\tState: Active\n\t\tRate: 400\n\t\tBase lid: 17\n"


def _found(place: Path) -> list[Item]:
    return list(items([str(place)]))


def _zip(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


# --- names and links ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["../../etc/cron.d/x", "/etc/passwd", "a/../../b", "..\\..\\windows\\x", "C:\\windows\\x", "./.././x", "a//b/./c"]
)
def test_names_of_a_zip_and_a_tar_stay_inside(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.zip").write_bytes(_zip({name: b"x"}))
    with tarfile.open(tmp_path / "b.tar", "w") as tar:
        info = tarfile.TarInfo(name)
        info.size = 1
        tar.addfile(info, io.BytesIO(b"x"))
    for item in _found(tmp_path):
        inner = item.name.split("!", 1)[1]
        assert not inner.startswith(("/", "\\"))
        assert ".." not in inner.replace("\\", "/").split("/")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.zip", "b.tar"]


def test_hard_links_and_links_out_of_a_tar_give_no_bytes(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("S3CR")
    with tarfile.open(tmp_path / "x.tar", "w") as tar:
        for kind in (tarfile.LNKTYPE, tarfile.SYMTYPE):
            for target in (str(secret), "../secret", "secret", "x.tar"):
                info = tarfile.TarInfo(f"link-{kind.decode()}")
                info.type, info.linkname = kind, target
                tar.addfile(info)
        info = tarfile.TarInfo("dir")  # a link to a folder, then a file "in" it
        info.type, info.linkname = tarfile.SYMTYPE, "/tmp"
        tar.addfile(info)
        info = tarfile.TarInfo("dir/planted")
        info.size = 1
        tar.addfile(info, io.BytesIO(b"x"))
    found = _found(tmp_path / "x.tar")
    assert all(item.passed in ("link", None) for item in found)
    assert [(item.name, item.data) for item in found if not item.passed] == [("x.tar!dir/planted", b"x")]


def test_a_hard_link_on_the_disk_is_the_file_that_it_is(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(IBSTAT)
    os.link(tmp_path / "a.txt", tmp_path / "b.txt")
    assert [item.data for item in _found(tmp_path)] == [IBSTAT, IBSTAT]


def test_a_zip_with_a_link_gives_its_target_as_no_path(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        info = zipfile.ZipInfo("link")
        info.external_attr = 0o120777 << 16
        archive.writestr(info, "/etc/passwd")
    (item,) = _found(tmp_path / "x.zip")
    assert item.passed == "link"


@pytest.mark.parametrize("name", ["a\x1b[2Jb.txt", "a\nb.txt", "a\x07b.txt", "a\u202eb.txt", "a\x7fb.txt", "a\u2028b.txt", "\x9b31m.txt"])
def test_control_codes_in_names_act_on_no_terminal(tmp_path: Path, name: str) -> None:
    (tmp_path / "x.zip").write_bytes(_zip({name: IBSTAT}))
    (item,) = _found(tmp_path / "x.zip")
    told = plain(item.name)
    assert not any(ord(char) < 32 or 0x7F <= ord(char) < 0xA0 or char in "\u202e\u2028" for char in told)


# --- bombs ----------------------------------------------------------------------------------------------------------------


def _in_time(work: Callable[[], object], most_s: float = 20) -> None:
    begun = time.process_time()
    work()
    assert time.process_time() - begun < most_s


def test_nested_bombs_end_at_the_bound_of_what_was_given(tmp_path: Path) -> None:
    """Gzip in gzip in zip: 200 kB that would become 200 GB."""
    data = b"\0" * 2**24
    for _ in range(3):
        data = gzip.compress(data)
    inner = _zip({f"{i}.gz": data for i in range(100)})
    (tmp_path / "bomb.zip").write_bytes(_zip({f"{i}.zip": inner for i in range(20)}))
    bounds = Bounds(total_bytes=2**28, archive_free_bytes=2**26)
    found: list[Item] = []
    _in_time(lambda: found.extend(items([str(tmp_path)], bounds)))
    assert sum(len(item.data) for item in found) <= bounds.archive_free_bytes
    assert any(item.passed in ("too-large", "too-many", "too-deep") for item in found)


def test_members_that_lie_upon_one_another_are_counted_each(tmp_path: Path) -> None:
    """The better zip bomb: many entries of the directory that point at the same packed bytes."""
    whole = bytearray(_zip({"a.txt": b"\0" * 2**22}))
    start, end = whole.index(b"PK\x01\x02"), whole.index(b"PK\x05\x06")
    entry, count = bytes(whole[start:end]), 500
    tail = bytearray(whole[end:])
    tail[8:10] = tail[10:12] = count.to_bytes(2, "little")
    tail[12:16] = (len(entry) * count).to_bytes(4, "little")
    (tmp_path / "overlap.zip").write_bytes(bytes(whole[:start]) + entry * count + bytes(tail))
    bounds = Bounds(archive_free_bytes=2**25)
    found: list[Item] = []
    _in_time(lambda: found.extend(items([str(tmp_path)], bounds)))
    assert sum(len(item.data) for item in found) <= 2**25 + 2**22


def test_an_archive_in_itself_ends(tmp_path: Path) -> None:
    data = b"PK\x03\x04"
    for _ in range(30):
        data = _zip({"r.zip": data})
    (tmp_path / "r.zip").write_bytes(data)
    assert [item.passed for item in _found(tmp_path)] == ["too-deep"]


def test_a_tar_that_claims_more_than_there_is(tmp_path: Path) -> None:
    info = tarfile.TarInfo("huge.txt")
    info.size = 2**40
    (tmp_path / "x.tar").write_bytes(info.tobuf(tarfile.GNU_FORMAT) + b"x" * 512)
    assert {item.passed for item in _found(tmp_path)} <= {"too-large", "damaged-archive"}


# --- texts ----------------------------------------------------------------------------------------------------------------

_ENTITIES = (
    b'<!DOCTYPE a [<!ENTITY b "'
    + b"x" * 1000
    + b'">'
    + b"".join(b'<!ENTITY %c "%b">' % (99 + i, b"&%c;" % (98 + i) * 10) for i in range(9))
    + b"]><system version='1'><cpu>&k;</cpu></system>"
)
_OUTSIDE = b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><system version="1"><cpu numaid="&x;"><pci busid="&x;"/></cpu></system>'
TEXTS = {
    "entities": _ENTITIES,
    "outside": _OUTSIDE,
    "deep-json": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "deep-list": b"[" * 200_000,
    "deep-xml": b"<a>" * 100_000,
    "deep-yaml": b"a: " + b"[" * 50_000,
    "aliases": b"a: &a [x,x,x,x,x,x,x,x,x]\n"
    + b"".join(b"%c: &%c [%b]\n" % (98 + i, 98 + i, b",".join([b"*%c" % (97 + i)] * 9)) for i in range(9)),
    "wide-csv": b",".join(b"c%d" % i for i in range(10**6)) + b"\n" + b",".join(b"1" for _ in range(10**6)) + b"\n",
    "wide-table": b"  ".join(b"C%d" % i for i in range(10**6)) + b"\n" + b"  ".join(b"1" for _ in range(10**6)) + b"\n",
    "wide-time": b'"Time",'
    + b",".join(b'"s%d"' % i for i in range(10**6))
    + b"\n2026-01-01 00:00:00,"
    + b",".join(b"1" for _ in range(10**6))
    + b"\n",
    "nul": IBSTAT.replace(b"400", b"4\x0000") * 50,
    "all-nul": b"\x00" * 10**6,
    "not-utf-8": IBSTAT.replace(b"Active", b"\xff\xfe\xc3\x28 Active") * 50,
    "surrogates": IBSTAT.replace(b"Active", b"\xed\xa0\x80Active") * 50,
    "control": IBSTAT.replace(b"Active", b"\x1b[31m\x1b]0;x\x07Active\x1b[0m\x9b") * 50,
    "one-line": b"root@gpu-01:~# ibstat " * 100_000,
    "backspaces": b"a\x08" * 500_000 + b"\n" + IBSTAT,
    "returns": b"x\r" * 500_000 + b"\n" + IBSTAT,
    "ranges": b"root@a:~# sinfo\nPARTITION AVAIL NODES STATE NODELIST\nall up 1 idle n[0-999999999],m[0-9][0-9][0-9][0-9][0-9]\n",
    "exposition": b"a{" + b'l="x",' * 200_000 + b"} 1\n",
    "prompts": b"root@gpu-01:~# " * 50_000 + b"\n",
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_hostile_text_is_read_in_time_and_accounted_for(name: str) -> None:
    data = TEXTS[name]
    begun = time.process_time()
    reading = read(data)
    took = time.process_time() - begun
    assert took < 5 + len(data) * 4e-6, f"{took:.1f} s"
    if reading.refused is None:
        assert reading.line_count >= data.count(b"\n")
    told = repr(reading)
    assert "root:x:" not in told  # nothing from outside came in
    assert len(told) < 40 * len(data) + 10_000  # nor did it grow
