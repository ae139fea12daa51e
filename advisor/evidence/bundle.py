"""The bundle: all captures of an assessment with their readings, and the one way to ask them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, get_args

from advisor.evidence.origin import Origin
from advisor.evidence.reading import Part, Path, Reading, State

Role = Literal["quiet", "busy", "before", "after"]
ROLES: tuple[str, ...] = get_args(Role)


@dataclass(frozen=True, slots=True)
class Capture:
    """One capture: its bytes by hash, its name, and what was said or found about where and when it was taken.

    host       stated by a person: it wins over what the text names
    path_host  by the name of a folder or file (capture/whence): it counts where neither a person nor the text names one
    time       ISO 8601, as far as known
    copies     further names of the same bytes with the host that each names: `mlnx_qos` says the same on every host of a kind
    files      how many files held these bytes
    """

    sha256: str
    name: str
    size: int
    reading: Reading
    host: str | None = None
    path_host: str | None = None
    time: str | None = None
    role: Role | None = None
    copies: tuple[tuple[str, str], ...] = ()
    failed: str | None = None  # why the reader broke, if it did: our defect, kept visible
    files: int = 1

    @property
    def state(self) -> State:
        return "failed" if self.failed else self.reading.state


@dataclass(frozen=True, slots=True)
class Known:
    """One fact in its place: what, where and from which part of which capture. `names` are the words that stood for `*` in the question."""

    value: Any
    names: tuple[str, ...]
    path: Path
    host: str | None
    capture: Capture
    part: Part

    @property
    def tool(self) -> str:
        return self.part.tool

    @property
    def role(self) -> Role | None:
        return self.capture.role

    @property
    def time(self) -> str | None:
        return self.capture.time

    @property
    def origin(self) -> Origin:
        """The line that it comes from, looked up when somebody asks: most facts of large sites are never shown."""
        return origin(self.capture, self.part, self.path)


@dataclass(frozen=True)
class Bundle:
    """All captures, in an order that does not depend on the order of import."""

    captures: tuple[Capture, ...] = ()

    @staticmethod
    def of(captures: list[Capture]) -> "Bundle":
        return Bundle(tuple(sorted(captures, key=lambda c: (c.name, c.sha256))))

    @cached_property
    def files(self) -> Mapping[str, int]:
        """How many files ended in each state, those that held the same bytes too."""
        found: dict[str, int] = {}
        for capture in self.captures:
            found[capture.state] = found.get(capture.state, 0) + capture.files
        return found

    @cached_property
    def by_sha(self) -> Mapping[str, Capture]:
        return {capture.sha256: capture for capture in self.captures}

    @cached_property
    def _by_tool(self) -> Mapping[str, tuple[tuple[Capture, Part], ...]]:
        found: dict[str, list[tuple[Capture, Part]]] = {}
        for capture in self.captures:
            for part in capture.reading.parts:
                for filed in _filed(capture, part):
                    found.setdefault(part.tool, []).append((filed, part))
        return {tool: tuple(pairs) for tool, pairs in found.items()}

    @property
    def tools(self) -> tuple[str, ...]:
        return tuple(sorted(self._by_tool))

    def parts(self, *tools: str) -> Iterator[tuple[Capture, Part]]:
        """Captures and parts of these tools (of all, if none is named), in the bundle's order."""
        for tool in tools or self.tools:
            yield from self._by_tool.get(tool, ())

    def find(self, pattern: str, *tools: str) -> Iterator[Known]:
        """Facts at a path, as `ports.*.rate_gbps`: `*` stands for one name. Names that hold dots are one step."""
        steps = tuple(pattern.split("."))
        for capture, part in self.parts(*tools):
            host = host_of(capture, part)
            for path, names, value in _match(part.facts, steps, (), ()):
                yield Known(value, names, path, host, capture, part)


def _filed(capture: Capture, part: Part) -> Iterator[Capture]:
    """The capture once for each host that it was filed under, where neither a person nor the text names one."""
    yield capture
    if not capture.host and not part.host:
        for name, host in capture.copies:
            yield replace(capture, name=name, path_host=host)


def host_of(capture: Capture, part: Part) -> str | None:
    """The host of a part: as a person states it, else as the text names it, else as the capture is filed."""
    return capture.host or part.host or capture.path_host


def origin(capture: Capture, part: Part, path: Path = ()) -> Origin:
    """The origin of a fact; what a person wrote into site.yaml is stated, not captured."""
    kind: Literal["capture", "stated"] = "stated" if part.tool == "site" else "capture"
    return Origin(kind=kind, capture=capture.sha256, name=capture.name, line=part.line_of(path))


def _match(tree: Any, steps: Path, path: Path, names: Path) -> Iterator[tuple[Path, Path, Any]]:
    if not steps:
        yield path, names, tree
    elif isinstance(tree, Mapping):
        step, rest = steps[0], steps[1:]
        if step == "*":
            for name, value in tree.items():
                yield from _match(value, rest, (*path, str(name)), (*names, str(name)))
        elif step in tree:
            yield from _match(tree[step], rest, (*path, step), names)
    elif isinstance(tree, list) and steps[0] == "*":
        for i, value in enumerate(tree):
            yield from _match(value, steps[1:], (*path, str(i)), (*names, str(i)))
