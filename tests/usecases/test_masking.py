"""A masked copy of the example: nothing of the original names is in any byte of it, and it says the same."""

import itertools
import json
import re
import shutil
import sqlite3
import stat
import subprocess
from pathlib import Path
from zipfile import ZipFile

import pytest

from advisor.base.errors import Cancelled, UsageError
from advisor.store.encoding import unsqueeze
from advisor.usecases.assess import Assessment, decide, example, from_file, open_site
from advisor.usecases.export import write_report
from advisor.usecases.import_ import import_into
from advisor.usecases.masking import mapping_of, mask, masked_assessment
from advisor.usecases.progress import Step, never, silent

# Written down by a person from the example's captures, not taken from what masking found.
HOSTS = [f"nh-{row}0{n}" for row in "abcd" for n in range(1, 5)]
NAMES = [*HOSTS, "nh-login1", *(f"nh-leaf-{n}" for n in range(1, 5)), *(f"nh-spine-{n}" for n in range(1, 5)), "north hall", "North hall"]
JOBS = ["41207", "41209", "41213", "41215", "pretrain-30b"]
USERS = ["lin", "weber", "okafor"]
READER = shutil.which("pdftotext")
ADDRESS = re.compile(rb"b8[:-]?3f[:-]?d2[:-]?21[:-]?00[:-]?[0-9a-f]{2}", re.IGNORECASE)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Assessment:
    path = tmp_path_factory.mktemp("site") / "north-hall.advisor"
    import_into(str(path), [example()])
    return decide(open_site(str(path)), "topology-scheduling", "skip", "nh-a01 is lin's")


@pytest.fixture(scope="module")
def copy(site: Assessment, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("copy")
    done = mask(site, folder / "shared.advisor", folder / "pairs.json")
    assert done.left_out == ()
    return done.site


def unpacked(path: Path) -> bytes:
    """Every byte of the file, and of every blob that is packed in it."""
    found = path.read_bytes()
    with sqlite3.connect(path) as db:
        for (table,) in db.execute("select name from sqlite_master where type = 'table'").fetchall():
            for row in db.execute(f"select * from {table}"):
                for cell in row:
                    if isinstance(cell, bytes):
                        try:
                            found += b"\n" + unsqueeze(cell)
                        except ValueError:
                            found += b"\n" + cell
                    else:
                        found += f"\n{cell}".encode()
    return found


def test_no_byte_of_the_copy_names_anybody(copy: Path) -> None:
    whole = unpacked(copy)
    for name in NAMES + JOBS + ["north-hall"]:
        assert name.encode() not in whole, name
    for user in USERS:
        assert not re.search(rf"(?<![A-Za-z0-9]){user}(?![A-Za-z0-9])".encode(), whole), user
    assert not ADDRESS.search(whole)


def test_the_copy_says_the_same(site: Assessment, copy: Path) -> None:
    masked = from_file(copy, silent, never, site.today)
    assert masked.masked
    assert masked.diagnosis.verdict == site.diagnosis.verdict
    assert masked.diagnosis.confidence == pytest.approx(site.diagnosis.confidence)
    told = [(cause.cause, round(cause.probability, 6)) for cause in site.diagnosis.causes]
    assert [(cause.cause, round(cause.probability, 6)) for cause in masked.diagnosis.causes] == told
    assert masked.diagnosis.loss.fraction == pytest.approx(site.diagnosis.loss.fraction)
    assert masked.bundle.files == site.bundle.files
    assert len(masked.fabric.hosts) == 16


def _read(path: Path) -> bytes:
    """The text of a PDF as a reader shows it, with its titles: in the file it is numbers of glyphs, among which any digits may stand."""
    if not READER:
        pytest.skip("no pdftotext here")
    pages = subprocess.run([READER, str(path), "-"], capture_output=True, check=True).stdout
    return pages + b"".join(re.findall(rb"/Title.*", path.read_bytes()))


@pytest.mark.parametrize("ending", [".html", ".md", ".json", ".pdf", ".xlsx"])
def test_reports_of_the_copy_name_nobody_and_say_that_they_are_masked(site: Assessment, tmp_path: Path, ending: str) -> None:
    to = tmp_path / f"report{ending}"
    with masked_assessment(site, tmp_path / "pairs.json") as (masked, _):
        write_report(masked, to, "en", "zh")
    made = to.read_bytes()
    if ending == ".xlsx":
        with ZipFile(to) as packed:
            made = b"".join(packed.read(name) for name in packed.namelist())
    if ending == ".pdf":
        made = _read(to)
    for name in (*NAMES, "north-hall"):
        assert name.encode() not in made, name
    for job in JOBS:  # digits: as a word, for coordinates and hashes may hold any
        assert not re.search(rf"(?<![\w.]){job}(?!\w)".encode(), made), job
    if ending in (".html", ".md", ".json"):
        assert (b'"masked": true' if ending == ".json" else b"pseudonyms") in made


def test_the_mapping_is_private_and_used_again(site: Assessment, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.json"
    mask(site, tmp_path / "one.advisor", pairs)
    assert stat.S_IMODE(pairs.stat().st_mode) == 0o600
    first = json.loads(pairs.read_text(encoding="utf-8"))
    assert first["names"]["nh-a01"] != "nh-a01"
    mask(site, tmp_path / "two.advisor", pairs)
    assert json.loads(pairs.read_text(encoding="utf-8")) == first
    one, two = (from_file(tmp_path / f"{n}.advisor", silent, never, site.today) for n in ("one", "two"))
    assert sorted(one.bundle.by_sha) == sorted(two.bundle.by_sha)


def test_further_words_are_masked(site: Assessment, tmp_path: Path) -> None:
    mask(site, tmp_path / "one.advisor", tmp_path / "pairs.json", also=["Megatron"])
    assert b"Megatron" not in unpacked(tmp_path / "one.advisor")


def test_nothing_is_written_over(site: Assessment, tmp_path: Path) -> None:
    (tmp_path / "one.advisor").write_bytes(b"mine")
    with pytest.raises(UsageError):
        mask(site, tmp_path / "one.advisor", tmp_path / "pairs.json")
    (tmp_path / "bad.json").write_text("{}", encoding="utf-8")
    with pytest.raises(UsageError):
        mask(site, tmp_path / "two.advisor", tmp_path / "bad.json")
    assert (tmp_path / "one.advisor").read_bytes() == b"mine"
    assert not (tmp_path / "two.advisor").exists()


def test_a_cancel_leaves_nothing_of_a_copy(site: Assessment, tmp_path: Path) -> None:
    """Cancelled at any moment, told of as it goes."""
    folder = tmp_path / "out"
    folder.mkdir()
    asked = itertools.count()
    mask(site, folder / "whole.advisor", folder / "whole.json", cancelled=lambda: next(asked) < 0)
    whole = next(asked)
    assert whole > len(site.bundle.captures), "asked for each capture"
    for most in (0, whole // 4, whole // 2, whole * 3 // 4):
        asked = itertools.count()
        with pytest.raises(Cancelled):
            mask(site, folder / "copy.advisor", folder / "pairs.json", cancelled=lambda: next(asked) >= most)  # noqa: B023
        assert sorted(path.name for path in folder.iterdir()) == ["whole.advisor", "whole.json"], most


def test_masking_tells_how_far_it_is(site: Assessment, tmp_path: Path) -> None:
    told: list[Step] = []
    mask(site, tmp_path / "copy.advisor", tmp_path / "pairs.json", progress=told.append)
    shares = [step.done / step.total for step in told if step.total]
    assert len(shares) >= 2, "at the beginning nobody knows how much there is"
    assert shares == sorted(shares)
    assert shares[-1] == 1


@pytest.mark.parametrize("ending", ["html", "pdf", "md", "xlsx", "json"])
def test_a_cancel_leaves_nothing_of_a_report(site: Assessment, tmp_path: Path, ending: str) -> None:
    to = tmp_path / f"report.{ending}"
    told: list[Step] = []
    with pytest.raises(Cancelled):
        write_report(site, to, "en", "zh", progress=told.append, cancelled=lambda: True)
    assert told
    assert list(tmp_path.iterdir()) == []
    write_report(site, to, "en", progress=told.append)
    assert to.is_file()


def test_the_pairs_of_the_example_stay_out_of_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    mapping = mapping_of(example())
    assert mapping.is_relative_to(tmp_path / "state")
    mask(open_site(example()), tmp_path / "copy.advisor", mapping)
    assert mapping.is_file()
