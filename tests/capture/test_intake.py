import bz2
import gzip
import io
import lzma
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from advisor.base.errors import UsageError
from advisor.capture.intake import Bounds, Extent, Item, extent, items


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


# --- packings -----------------------------------------------------------------------------------------------------


def _zst(data: bytes) -> bytes:
    import zstandard

    return zstandard.ZstdCompressor().compress(data)


def _skippable(size: int) -> bytes:
    """A Zstandard frame without data, as pzstd writes in front (RFC 8878, 3.1.2)."""
    return b"\x50\x2a\x4d\x18" + size.to_bytes(4, "little") + b"\0" * size


@pytest.mark.parametrize(
    ("suffix", "pack"),
    [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress), (".zst", _zst), (".zst", lambda d: _skippable(4) + _zst(d))],
)
def test_one_packed_file_and_a_packed_tar(tmp_path: Path, suffix: str, pack) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / f"a.log{suffix}").write_bytes(pack(b"line\n" * 1000))
    (tmp_path / f"b.tar{suffix}").write_bytes(pack(_tar({"gpu-07/ibstat.txt": b"x", "gpu-08/ibstat.txt": b"y"}, "w")))
    found = {item.name: item.data for item in items([str(tmp_path)])}
    assert found == {
        "a.log": b"line\n" * 1000,
        f"b.tar{suffix}!gpu-07/ibstat.txt": b"x",
        f"b.tar{suffix}!gpu-08/ibstat.txt": b"y",
    }


def test_frames_one_after_another_are_one_file(tmp_path: Path) -> None:
    (tmp_path / "a.zst").write_bytes(_zst(b"first\n") + _zst(b"second\n"))
    (tmp_path / "b.gz").write_bytes(gzip.compress(b"first\n") + gzip.compress(b"second\n"))
    assert [item.data for item in items([str(tmp_path)])] == [b"first\nsecond\n"] * 2


def test_zstandard_is_imported_only_for_such_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"x"))
    code = f"import sys; from advisor.capture.intake import items; list(items([{str(tmp_path)!r}])); print('zstandard' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


def test_archives_of_other_kinds_and_documents_say_so(tmp_path: Path) -> None:
    (tmp_path / "a.7z").write_bytes(b"7z\xbc\xaf\x27\x1c" + b"\0" * 600)
    (tmp_path / "b.rar").write_bytes(b"Rar!\x1a\x07\x01\x00" + b"\0" * 600)
    with zipfile.ZipFile(tmp_path / "c.docx", "w") as archive:
        archive.writestr("[Content_Types].xml", "<x/>")
        archive.writestr("word/document.xml", "<x/>")
    assert [item.passed for item in items([str(tmp_path)])] == ["foreign-archive", "foreign-archive", "document"]


def test_a_cut_log_gives_what_came_before_the_cut(tmp_path: Path) -> None:
    text = b"".join(b"%d %s\n" % (i, os.urandom(20).hex().encode()) for i in range(20_000))
    packed = gzip.compress(text)
    (tmp_path / "train.log.gz").write_bytes(packed[: len(packed) // 2])
    whole, rest = items([str(tmp_path)])
    assert whole.name == "train.log"
    assert len(whole.data) > len(text) // 4
    assert text.startswith(whole.data)
    assert (rest.name, rest.passed) == ("train.log.gz", "damaged-archive")


def test_a_damaged_member_of_a_zip_costs_no_other(tmp_path: Path) -> None:
    path = tmp_path / "site.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "first")
        archive.writestr("b.txt", "second")
        archive.writestr("c.txt", "third")
    path.write_bytes(path.read_bytes().replace(b"second", b"broken", 1))
    found = _by_name(list(items([str(path)])))
    assert {name: item.passed or item.data for name, item in found.items()} == {
        "site.zip!a.txt": b"first",
        "site.zip!b.txt": "damaged-archive",
        "site.zip!c.txt": b"third",
    }


def test_damage_in_the_middle_of_a_tar_is_told(tmp_path: Path) -> None:
    whole = bytearray(_tar({"a.txt": b"a" * 400, "b.txt": b"b" * 400, "c.txt": b"c" * 400}, "w"))
    whole[1024:1536] = b"\xff" * 512  # the second header
    (tmp_path / "x.tar").write_bytes(whole)
    assert [(item.name, item.passed) for item in items([str(tmp_path)])] == [("x.tar!a.txt", None), ("x.tar", "damaged-archive")]


# --- safety -------------------------------------------------------------------------------------------------------


def test_many_members_together_are_a_bomb_too(tmp_path: Path) -> None:
    """Each is below its own bound, all together are 200 times what was given and above what may pass anyway."""
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for i in range(40):
            archive.writestr(f"{i}.txt", b"\0" * 2**20)
    bounds = Bounds(archive_free_bytes=10 * 2**20)
    found = list(items([str(tmp_path / "bomb.zip")], bounds))
    assert [item.passed for item in found[:10]] == [None] * 10
    assert [item.passed for item in found[10:]] == ["too-large"]


def test_a_bomb_is_not_unpacked_to_be_skipped(tmp_path: Path) -> None:
    """A member that is too large ends a packed tar at the bound: what follows it could only be reached through it."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:xz") as tar:
        for name, size in (("a.txt", 10), ("huge.txt", 64 * 2**20), ("b.txt", 10)):
            info = tarfile.TarInfo(name)
            info.size = size
            tar.addfile(info, io.BytesIO(b"\0" * size))
    (tmp_path / "x.tar.xz").write_bytes(out.getvalue())
    found = [(item.name, item.passed) for item in items([str(tmp_path)], Bounds(archive_free_bytes=32 * 2**20))]
    assert found == [("x.tar.xz!a.txt", None), ("x.tar.xz!huge.txt", "too-large"), ("x.tar.xz", "too-large")]


def test_too_many_bytes_end_the_import(tmp_path: Path) -> None:
    for i in range(5):
        (tmp_path / f"{i}.txt").write_bytes(b"x" * 100)
    assert [item.passed for item in items([str(tmp_path)], Bounds(total_bytes=250))] == [None, None, "too-many"]


def test_hidden_members_and_folders_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text("x")
    (tmp_path / "x.tar").write_bytes(_tar({"./gpu-07/.DS_Store": b"x", "__MACOSX/gpu-07/a.txt": b"x", "./gpu-07/a.txt": b"x"}, "w"))
    assert [(item.name, item.passed) for item in items([str(tmp_path)])] == [
        (".git", "hidden"),
        ("x.tar!gpu-07/.DS_Store", "hidden"),
        ("x.tar!__MACOSX/gpu-07/a.txt", "hidden"),
        ("x.tar!gpu-07/a.txt", None),
    ]


def test_a_folder_deeper_than_the_stack_is_read(tmp_path: Path) -> None:
    here = os.getcwd()
    try:
        os.chdir(tmp_path)
        for _ in range(1500):
            os.mkdir("d")
            os.chdir("d")
        Path("x.txt").write_bytes(b"x")
        assert [item.data for item in items([str(tmp_path)])] == [b"x"]
        os.remove("x.txt")
        for _ in range(1500):  # pytest takes folders away by recursion
            os.chdir("..")
            os.rmdir("d")
    finally:
        os.chdir(here)


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="nothing is closed to root")
def test_a_closed_folder_is_not_silent(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0)
    assert [(item.name, item.passed) for item in items([str(tmp_path)])] == [("closed", "unreadable")]


# --- names --------------------------------------------------------------------------------------------------------


def test_names_that_are_not_utf_8_are_spelt(tmp_path: Path) -> None:
    """Chinese names in GB18030: on disk, in a tar and in a zip without the flag for UTF-8."""
    name = "机柜一.txt"
    with open(os.fsencode(tmp_path) + b"/" + name.encode("gb18030"), "wb") as file:
        file.write(b"x")
    with tarfile.open(tmp_path / "x.tar", "w", encoding="gb18030") as tar:
        info = tarfile.TarInfo(name)
        tar.addfile(info)
    with zipfile.ZipFile(tmp_path / "y.zip", "w") as archive:
        archive.writestr("JUGUI1.txt", b"x")
    packed = (tmp_path / "y.zip").read_bytes()
    (tmp_path / "y.zip").write_bytes(packed.replace(b"JUGUI1", name.encode("gb18030")[:6]))
    assert sorted(item.name for item in items([str(tmp_path)])) == sorted([name, f"x.tar!{name}", "y.zip!机柜一.txt"])


@pytest.mark.parametrize(
    ("folder", "names"),
    [
        ("gpu-07", ["gpu-07/ibstat.txt"]),
        ("quiet", ["quiet/ibstat.txt"]),
        ("sosreport-gpu07-2026-09-14-abcdefg", ["sosreport-gpu07-2026-09-14-abcdefg/ibstat.txt"]),
        ("captures", ["ibstat.txt"]),
        ("24-mtu-after-rate-limit", ["ibstat.txt"]),
    ],
)
def test_a_given_folder_that_tells_something_stays_in_the_name(tmp_path: Path, folder: str, names: list[str]) -> None:
    (tmp_path / folder).mkdir()
    (tmp_path / folder / "ibstat.txt").write_bytes(b"x")
    assert [item.name for item in items([str(tmp_path / folder)])] == names
    assert [item.name for item in items([str(tmp_path / folder / "ibstat.txt")])] == names


def test_the_folders_around_a_given_one_count_as_long_as_they_tell_something(tmp_path: Path) -> None:
    folder = tmp_path / "gpu-01" / "captures" / "before" / "gpu-07"
    folder.mkdir(parents=True)
    (folder / "ibstat.txt").write_bytes(b"x")
    assert [item.name for item in items([str(folder)])] == ["before/gpu-07/ibstat.txt"]


def test_the_assessment_that_is_filled_is_no_file_of_the_import(tmp_path: Path) -> None:
    for name in ("hall.advisor", "hall.advisor-wal", "hall.advisor-shm", "other.advisor", "a.txt"):
        (tmp_path / name).write_bytes(b"SQLite format 3\x00" if name.endswith("advisor") else b"x")
    found = list(items([str(tmp_path)], into=str(tmp_path / "hall.advisor")))
    assert [(item.name, item.passed) for item in found] == [("a.txt", None), ("other.advisor", "assessment")]
    assert extent([str(tmp_path)], into=str(tmp_path / "hall.advisor")).files == 2


# --- progress -----------------------------------------------------------------------------------------------------


def test_how_far_an_import_is(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"x" * 1000)
    (tmp_path / "b.tar.gz").write_bytes(_tar({f"{i}.txt": os.urandom(1000) for i in range(300)}))
    whole = extent([str(tmp_path)])
    assert whole == Extent(2, 1000 + (tmp_path / "b.tar.gz").stat().st_size, packed=True)
    at = [item.at for item in items([str(tmp_path)])]
    assert at == sorted(at)
    assert at[0] == 1000
    assert at[-1] <= whole.bytes


def test_no_damage_stops_an_import(tmp_path: Path) -> None:
    """Archives with bytes changed, cut out and put in: items come, and no exception."""
    import random

    chance = random.Random(7)
    with zipfile.ZipFile(tmp_path / "x.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for i in range(4):
            archive.writestr(f"gpu-{i}/x.txt", "hello " * 50)
    members = {f"gpu-{i}/{'long' * 40}.txt": b"q" * 300 for i in range(3)}
    whole = [(tmp_path / "x.zip").read_bytes(), _zst(_tar(members, "w"))]
    whole += [_tar(members, mode) for mode in ("w", "w:gz", "w:bz2", "w:xz")]
    (tmp_path / "x.zip").unlink()
    for n in range(300):
        damaged = bytearray(chance.choice(whole))
        for _ in range(chance.randrange(1, 4)):
            at = chance.randrange(len(damaged))
            damaged[at : at + chance.choice((0, 1, 1, 1, 200))] = chance.randbytes(chance.choice((0, 1, 1, 1, 9)))
        (tmp_path / f"{n:03}.bin").write_bytes(damaged)
    found = list(items([str(tmp_path)]))
    assert len({item.name.split("!")[0].removesuffix("#rest") for item in found}) == 300
    assert any(item.passed == "damaged-archive" for item in found)
    assert any(item.passed is None and "!" in item.name for item in found)
