"""The house has one direction."""

from pathlib import Path

from importlinter.cli import lint_imports

ROOT = Path(__file__).parents[2]


def test_import_contracts_hold(monkeypatch, capsys) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.chdir(ROOT)
    result = lint_imports(config_filename="pyproject.toml", no_cache=True)
    assert result == 0, capsys.readouterr().out
