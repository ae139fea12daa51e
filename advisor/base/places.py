"""Where the shipped data lies: beside the package in a wheel, at the top of the tree in a checkout."""

import os
from pathlib import Path

import advisor

_PACKAGE = Path(advisor.__file__).parent


def _shipped(name: str) -> Path:
    inside = _PACKAGE / "_shipped" / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


def knowledge() -> Path:
    return _shipped("knowledge")


def pricing() -> Path:
    return _shipped("pricing")


def example_site() -> Path:
    """The folder of captures of the built-in example site."""
    return knowledge() / "example"


def user_config() -> Path:
    """The folder of a person's own settings, knowledge and prices. It need not exist."""
    if os.name == "nt":
        return Path(os.environ.get("APPDATA", Path.home())) / "advisor"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "advisor"


def user_state() -> Path:
    """The folder of what the program remembers by itself: what was opened last, where a person was. It need not exist."""
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "advisor"
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "advisor"
