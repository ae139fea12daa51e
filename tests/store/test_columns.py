"""Captures of plain counters are kept as their integers: every byte comes back, and so does the reading."""

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from advisor.readers.recognise import read
from advisor.store.encoding import packed, restored, unpack_with
from advisor.store.file import opened
from advisor.usecases.import_ import import_into

CAPTURES = sorted(path for path in (Path(__file__).parent.parent / "captures").glob("*/*") if path.suffix in (".txt", ".json", ".log"))
PLAIN = b"NIC statistics:\n     rx_packets_phy: 17\n     rx_prio3_pause: 0\n     tx_bytes_phy: 18446744073709551615\n"


def comes_back(data: bytes, name: str | None = None) -> bool:
    """Whether it was kept as its integers. Raises AssertionError where it does not come back."""
    reading = read(data, name)
    kept = packed(data, reading)
    shared = dict(kept.shared)
    assert restored(kept.data, shared.__getitem__) == data
    assert unpack_with(kept.reading, kept.data, shared.__getitem__) == reading
    return bool(shared)


def test_every_golden_capture_comes_back() -> None:
    for path in CAPTURES:
        comes_back(path.read_bytes())


@pytest.mark.parametrize(
    "data",
    [
        PLAIN,
        b"root@gpu-07:~# ethtool -S ens10np0\n" + PLAIN,
        PLAIN.replace(b": 17", b": 017"),
        PLAIN.replace(b": 17", b": -5"),
        PLAIN.replace(b": 17", b": +5"),
        PLAIN.replace(b"     tx", b" tx"),
    ],
)
def test_plain_counters_are_kept_as_integers(data: bytes) -> None:
    assert comes_back(data)


@pytest.mark.parametrize(
    "data",
    [
        PLAIN[:-1],
        PLAIN.replace(b"18446744073709551615", b"9" * 40),
        PLAIN + b"\n",
        PLAIN.replace(b": 17", b": 17 "),
        PLAIN.replace(b": 17", b": 1.5"),
        PLAIN.replace(b"     rx_prio3_pause", b"     rx_packets_phy"),
        PLAIN.replace(b"\n", b"\r\n"),
    ],
)
def test_anything_else_comes_back_too(data: bytes) -> None:
    comes_back(data)


@example(["0,0"])
@given(st.lists(st.text("0123456789,-+. e_", min_size=1, max_size=6), min_size=1, max_size=4))
def test_whatever_stands_in_the_place_of_an_integer(values: list[str]) -> None:
    comes_back(b"NIC statistics:\n" + "".join(f"     rx{i}_bytes: {value}\n" for i, value in enumerate(values)).encode())


def test_in_the_file_names_stand_once(tmp_path: Path) -> None:
    """Twenty cards of one driver: one shape; each capture and reading as it was."""
    site = tmp_path / "hall.advisor"
    names = [f"rx{i}_cache_{word}" for i in range(100) for word in ("reuse", "full", "empty")]
    files = {
        f"gpu-{n:02}/ethtool_-S_ens{n}": b"NIC statistics:\n"
        + b"".join(b"     %b: %d\n" % (x.encode(), n * i) for i, x in enumerate(names))
        for n in range(20)
    }
    for name, data in files.items():
        (tmp_path / "captures" / name).parent.mkdir(parents=True)
        (tmp_path / "captures" / name).write_bytes(data)
    import_into(str(site), [str(tmp_path / "captures")])
    with opened(site) as file:
        assert len(file.shared()) == 21  # what stands before the integers, and for each name of a card what is said of it
        bundle = file.bundle()
        assert {one.name: file.data(one.sha256) for one in bundle.captures} == files
        assert {one.name: one.reading for one in bundle.captures} == {name: read(data, name) for name, data in files.items()}


def test_bytes_that_come_again_by_themselves_leave_the_reading_whole(tmp_path: Path) -> None:
    (tmp_path / "ethtool_-S_ens10").write_bytes(PLAIN)
    site = tmp_path / "hall.advisor"
    import_into(str(site), [str(tmp_path / "ethtool_-S_ens10")])
    with opened(site) as file:
        (before,) = file.bundle().captures
        file.add([(before, PLAIN)])
        (after,) = file.bundle().captures
        assert after.reading == before.reading
        assert file.data(after.sha256) == PLAIN


def test_a_capture_without_what_it_refers_to_is_damaged() -> None:
    kept = packed(PLAIN, read(PLAIN))
    shared = dict(kept.shared).__getitem__
    for damage in (kept.data[:5], kept.data[:18], kept.data[:-3]):
        with pytest.raises((ValueError, LookupError)):
            restored(damage, shared)
        with pytest.raises((ValueError, LookupError)):
            dict(unpack_with(kept.reading, damage, shared).parts[0].facts)
    with pytest.raises(LookupError):
        restored(kept.data, {}.__getitem__)
    with pytest.raises(ValueError, match="not there"):
        unpack_with(kept.reading, None, shared)
