"""inspect and import on the command line: data on stdout, narration on stderr, exit codes, bad input."""

import gzip
import io
import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from advisor.cli import run

Capsys = pytest.CaptureFixture[str]


def test_inspect_json_has_the_form(captures: Path, capsys: Capsys) -> None:
    assert run(["inspect", str(captures / "gpu-07" / "ibstat.txt"), "--json"]) == 0
    tree = json.loads(capsys.readouterr().out)
    assert tree["refused"] is None
    assert tree["unread"] == []
    (part,) = tree["parts"]
    assert (part["tool"], part["lines"], part["problems"]) == ("ibstat", [1, 11], [])
    assert part["facts"]["ports"]["mlx5_0/1"]["rate_gbps"] == 400


def test_inspect_of_several_files_is_one_object_a_line(captures: Path, capsys: Capsys) -> None:
    files = [str(captures / "note.txt"), str(captures / "gpu-07" / "ibstat.txt")]
    assert run(["inspect", *files, "--json"]) == 0
    trees = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [tree["file"] for tree in trees] == files
    assert trees[0]["refused"]


def test_standard_input(captures: Path, capsys: Capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    data = (captures / "gpu-07" / "ibstat.txt").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert run(["inspect", "-", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["parts"][0]["tool"] == "ibstat"


def test_captured_text_does_not_act_on_the_terminal(tmp_path: Path, capsys: Capsys) -> None:
    (tmp_path / "x\x1b[31m.txt").write_text("CA 'mlx5_0\x1b]0;owned\x07'\n\tPort 1:\n\t\tState: Active\n")
    run(["inspect", str(tmp_path)])
    assert "\x1b" not in capsys.readouterr().out


def test_import_counts_add_up(captures: Path, tmp_path: Path, capsys: Capsys) -> None:
    site = tmp_path / "hall.advisor"
    assert run(["import", str(site), str(captures), "--json"]) == 0
    done = json.loads(capsys.readouterr().out)
    assert (done["files"], done["new"], done["again"]) == (3, 2, 1)
    assert done["states"] == {"not-recognised": 1, "read": 1}
    assert run(["import", str(site), str(captures), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) | {"passed_over": []} == {
        "site": str(site),
        "files": 3,
        "new": 0,
        "again": 3,
        "states": {},
        "passed_over": [],
    }


def test_host_and_role_as_stated(captures: Path, tmp_path: Path, capsys: Capsys) -> None:
    site = tmp_path / "hall.advisor"
    run(["import", str(site), str(captures), "--host", "gpu-09", "--role", "quiet"])
    capsys.readouterr()
    assert run(["captures", str(site), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["captures"]
    assert {(c["host"], c["role"]) for c in found} == {("gpu-09", "quiet")}


def _empty_folder(at: Path) -> Path:
    (at / "empty").mkdir()
    return at / "empty"


def _binary(at: Path) -> Path:
    (at / "x.bin").write_bytes(bytes(range(256)) * 8)
    return at / "x.bin"


def _empty_archive(at: Path) -> Path:
    (at / "x.tar.gz").write_bytes(b"")
    return at / "x.tar.gz"


def _cut_archive(at: Path) -> Path:
    (at / "cut.gz").write_bytes(gzip.compress(b"x" * 9999)[:20])
    return at / "cut.gz"


def _other_program(at: Path) -> Path:
    db = sqlite3.connect(at / "songs.db")
    db.execute("create table songs (title)")
    db.close()
    return at / "songs.db"


def _nowhere(at: Path) -> Path:
    return at / "nowhere"


BAD = [(_empty_folder, 2), (_binary, 3), (_empty_archive, 3), (_cut_archive, 3), (_other_program, 3), (_nowhere, 2)]


@pytest.mark.parametrize(("make", "code"), BAD, ids=lambda value: getattr(value, "__name__", str(value)).strip("_"))
@pytest.mark.parametrize("command", ["inspect", "diagnose", "plan", "import"])
def test_bad_input_gets_a_sentence(make, code: int, command: str, tmp_path: Path, capsys: Capsys) -> None:  # type: ignore[no-untyped-def]
    path = make(tmp_path)
    site = tmp_path / "hall.advisor"
    words = ["import", str(site), str(path)] if command == "import" else [command, str(path)]
    assert run(words) == code
    said = capsys.readouterr().err
    assert said.strip()
    assert "Traceback" not in said
    assert not site.exists(), "nothing half-written"


def test_nothing_is_written_over_a_file_of_another_program(captures: Path, tmp_path: Path, capsys: Capsys) -> None:
    path = tmp_path / "songs.advisor"
    path.write_bytes(b"la la la")
    assert run(["import", str(path), str(captures)]) == 2
    assert path.read_bytes() == b"la la la"
    assert "another program" in capsys.readouterr().err


def test_an_import_needs_the_ending(captures: Path, tmp_path: Path, capsys: Capsys) -> None:
    assert run(["import", str(tmp_path / "hall.db"), str(captures)]) == 2
    assert ".advisor" in capsys.readouterr().err
    assert not (tmp_path / "hall.db").exists()


def test_strict_says_what_was_read_in_part(captures: Path, capsys: Capsys) -> None:
    assert run(["inspect", str(captures), "--strict"]) == 4
    assert "1 files could not be read" in capsys.readouterr().err


def test_errors_speak_chinese(tmp_path: Path, capsys: Capsys) -> None:
    assert run(["inspect", str(tmp_path / "nowhere"), "--lang", "zh"]) == 2
    assert "找不到" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["", "inspect", "import", "captures", "diagnose", "plan", "report", "demo", "collect", "open"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_help_has_an_example(command: str, lang: str, capsys: Capsys) -> None:
    with pytest.raises(SystemExit) as end:
        run([*([command] if command else []), "--help", "--lang", lang])
    assert end.value.code == 0
    text = capsys.readouterr().out
    assert ("示例" if lang == "zh" else "example") in text
    assert "advisor" in text


def test_screens_without_a_terminal_say_so(capsys: Capsys) -> None:
    assert run(["open"]) == 2
    assert "terminal" in capsys.readouterr().err


def test_a_pipe_that_closes_is_no_error(captures: Path) -> None:
    files = [str(captures / "gpu-07" / "ibstat.txt")] * 200
    process = subprocess.Popen(
        [sys.executable, "-m", "advisor", "inspect", *files, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout
    assert process.stderr
    process.stdout.readline()
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()
    assert process.wait() == 0
    assert said == b""
