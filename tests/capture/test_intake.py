import bz2
import gzip
import io
import os
import tarfile
import zipfile
from pathlib import Path

import pytest

from advisor.base.errors import UsageError
from advisor.capture.intake import Bounds, Item, items


def _by_name(found: list[Item]) -> dict[str, Item]:
    return {item.name: item for item in found}


def _tar(members: dict[str, bytes], mode: str = "w:gz") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as tar:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return out.getvalue()


def test_a_folder_in_order_of_name(tmp_path: Path) -> None:
    for name in ("b.txt", "a/2.txt", "a/1.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(name.encode())
    assert [(item.name, item.data) for item in items([str(tmp_path)])] == [(n, n.encode()) for n in ("b.txt", "a/1.txt", "a/2.txt")]


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_tar(tmp_path: Path, mode: str) -> None:
    path = tmp_path / "site.archive"
    path.write_bytes(_tar({"gpu-07/ibstat.txt": b"x" * 10}, mode))
    assert [(item.name, item.data) for item in items([str(path)])] == [("site.archive!gpu-07/ibstat.txt", b"x" * 10)]


def test_archives_in_archives_and_packed_files(tmp_path: Path) -> None:
    inner = _tar({"ibstat.txt": b"inner"})
    with zipfile.ZipFile(tmp_path / "site.zip", "w") as archive:
        archive.writestr("host.tar.gz", inner)
        archive.writestr("log.gz", gzip.compress(b"packed"))
        archive.writestr("log.bz2", bz2.compress(b"packed too"))
    found = _by_name(list(items([str(tmp_path / "site.zip")])))
    assert found["site.zip!host.tar.gz!ibstat.txt"].data == b"inner"
    assert found["site.zip!log"].data in (b"packed", b"packed too")


def test_no_name_leaves_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "evil.tar"
    path.write_bytes(_tar({"../../etc/passwd": b"x", "/abs": b"y"}, "w"))
    assert [item.name for item in items([str(path)])] == ["evil.tar!etc/passwd", "evil.tar!abs"]


def test_links_and_devices_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_bytes(b"x")
    (tmp_path / "link.txt").symlink_to(tmp_path / "real.txt")
    (tmp_path / "loop").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    found = _by_name(list(items([str(tmp_path)])))
    assert {name: item.passed for name, item in found.items()} == {"real.txt": None, "link.txt": "link", "loop": "link", "pipe": "device"}


def test_a_link_in_a_tar_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "links.tar"
    with tarfile.open(path, "w") as tar:
        info = tarfile.TarInfo("shadow")
        info.type, info.linkname = tarfile.SYMTYPE, "/etc/shadow"
        tar.addfile(info)
    assert [(item.name, item.passed) for item in items([str(path)])] == [("links.tar!shadow", "link")]


def test_a_bomb_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(b"rx_pause: 0\n" * 4_000_000))
    assert [item.passed for item in items([str(path)])] == ["too-large"]


def test_nesting_ends(tmp_path: Path) -> None:
    data = b"x"
    for _ in range(6):
        data = _tar({"a.tar.gz": data})
    (tmp_path / "deep.tar.gz").write_bytes(data)
    assert [item.passed for item in items([str(tmp_path / "deep.tar.gz")])] == ["too-deep"]


def test_too_many_files_end_the_import(tmp_path: Path) -> None:
    for i in range(5):
        (tmp_path / f"{i}.txt").write_bytes(b"x")
    found = list(items([str(tmp_path)], Bounds(files=3)))
    assert [item.passed for item in found] == [None, None, None, "too-many"]


def test_a_cut_archive_gives_what_is_whole(tmp_path: Path) -> None:
    whole = _tar({"a.txt": os.urandom(4000), "b.txt": os.urandom(4000)}, "w")
    (tmp_path / "cut.tar").write_bytes(whole[:6000])
    found = list(items([str(tmp_path / "cut.tar")]))
    assert found[0].name == "cut.tar!a.txt"
    assert found[0].passed is None
    assert found[-1].passed == "damaged-archive"


@pytest.mark.parametrize("name", ["nothing.tar.gz", "nothing.zip"])
def test_an_empty_archive_says_so(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if name.endswith("zip"):
        zipfile.ZipFile(path, "w").close()
    else:
        path.write_bytes(_tar({}))
    assert [item.passed for item in items([str(path)])] == ["empty-archive"]


def test_an_encrypted_member_says_so(tmp_path: Path) -> None:
    path = tmp_path / "locked.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "x")
    data = bytearray(path.read_bytes())
    data[6] |= 1  # the flag in the local header
    data[data.index(b"PK\x01\x02") + 8] |= 1  # and in the directory
    path.write_bytes(bytes(data))
    assert [item.passed for item in items([str(path)])] == ["encrypted"]


def test_a_database_is_no_capture(tmp_path: Path) -> None:
    (tmp_path / "x.advisor").write_bytes(b"SQLite format 3\x00" + b"\0" * 100)
    assert [item.passed for item in items([str(tmp_path)])] == ["assessment"]


def test_a_path_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nowhere"):
        list(items([str(tmp_path / "nowhere")]))
