"""The packages that the program runs with: from requirements.lock, with what their own metadata says of licence, home and needs."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
_PINNED = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^\s;\\]+)(?: *; *(?P<when>[^\\\n]+?))? *\\?$", re.MULTILINE)
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class Package:
    """One package: its licence as its authors name it (an SPDX expression where they give one), the hashes of its files in the lock."""

    name: str
    version: str
    licence: str
    home: str
    hashes: tuple[str, ...]
    needs: tuple[str, ...]
    when: str = ""


@dataclass(frozen=True, slots=True)
class Pin:
    """A version that the lock holds a package to; `when`: on which systems and versions of Python, where not on all."""

    version: str
    when: str
    hashes: tuple[str, ...]


def project() -> dict[str, str]:
    """Name, version and licence of the program itself."""
    return dict(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"])


def pinned() -> dict[str, list[Pin]]:
    """The lock by name, also of what only builds the package."""
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    found = list(_PINNED.finditer(text))
    ends = [one.start() for one in found[1:]] + [len(text)]
    pins: dict[str, list[Pin]] = {}
    for one, end in zip(found, ends, strict=True):
        pin = Pin(one["version"], (one["when"] or "").strip(), tuple(_HASH.findall(text[one.end() : end])))
        pins.setdefault(canonicalize_name(one["name"]), []).append(pin)
    return pins


def direct() -> list[str]:
    """What pyproject.toml asks for itself."""
    return sorted({name for name, _ in _asked()})


def _asked() -> list[tuple[str, frozenset[str]]]:
    return list(_needed([str(line) for line in project()["dependencies"]], frozenset()))


def runtime() -> list[Package]:
    """All packages of the program, by name and version. Raises KeyError for one that the lock does not pin."""
    locked = pinned()
    waiting, needs = _asked(), dict[str, set[str]]()
    met: set[tuple[str, frozenset[str]]] = set()
    while waiting:
        one = waiting.pop()
        if one in met:
            continue
        met.add(one)
        name, extras = one
        meta = _installed(name)
        more = list(_needed((meta.requires or []) if meta else [], extras))
        needs.setdefault(name, set()).update(other for other, _ in more)
        waiting += more
    return [_package(name, pin, needs[name]) for name in sorted(needs) for pin in locked[name]]


def _package(name: str, pin: Pin, needs: set[str]) -> Package:
    meta = _installed(name)
    return Package(name, pin.version, _licence(meta), _home(meta), pin.hashes, tuple(sorted(needs)), pin.when)


def _installed(name: str) -> Distribution | None:
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def _needed(lines: list[str], extras: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """Names and extras that these lines ask for on this system, where the package itself is asked for with `extras`."""
    for line in lines:
        one = Requirement(line)
        if one.marker is None or any(one.marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            yield canonicalize_name(one.name), frozenset(one.extras)


def _licence(meta: Distribution | None) -> str:
    if meta is None:
        return "not installed here"
    said = meta.metadata.get("License-Expression")
    if said:
        return said
    classified = [line.rsplit(" :: ", 1)[-1] for line in meta.metadata.get_all("Classifier") or [] if line.startswith("License ::")]
    plain = (meta.metadata.get("License") or "").strip().split("\n")[0][:60]
    return ", ".join(classified) or plain or "not said"


def _home(meta: Distribution | None) -> str:
    if meta is None:
        return ""
    pages = dict(line.split(", ", 1) for line in meta.metadata.get_all("Project-URL") or [] if ", " in line)
    ours = [url for name, url in pages.items() if name.lower() in ("homepage", "home", "source", "repository", "source code", "github")]
    return meta.metadata.get("Home-page") or next(iter(ours), next(iter(pages.values()), ""))
