"""A masked copy of an assessment: every name and address a pseudonym, in the captures themselves, so that all that follows is masked too.

The copy is an assessment like any other: read anew from the masked bytes, it opens elsewhere. Key and pairs stay in a file of their own.
"""

import json
import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from advisor.base.errors import UsageError
from advisor.base.files import make_folder, write_whole
from advisor.base.places import example_site, user_state
from advisor.capture.lines import decode
from advisor.capture.pseudonyms import Pseudonyms, role_words
from advisor.evidence.bundle import Capture
from advisor.evidence.reading import Reading
from advisor.readers.registry import tools
from advisor.usecases.assess import Assessment, from_file
from advisor.usecases.import_ import read_waiting
from advisor.usecases.originals import original_bytes
from advisor.usecases.progress import Pace, Progress, Step, never, silent
from advisor.usecases.reading import READERS, SUFFIX

if TYPE_CHECKING:
    from advisor.store.file import AssessmentFile

_MASKING = 1  # of a capture, in how long its reading takes: 6 s and 8 s on a site of 1,000 hosts with two processes
_NAMED_BY_KEY = ("hosts", "switches", "pods", "jobs", "systems", "cas", "machines")  # maps whose keys are names
_NAMED_IN = {  # keys that name a machine or job only in some sections
    "name": ("site", "leaves", "spines", *_NAMED_BY_KEY),
    "between": ("runs",),
    "from": ("links",),
    "to": ("links",),
}
_NAME_FACTS = frozenset(["peer_device", "peer_host", "host", "hosts", "hostname", "partition", "partitions", "pod", "node_description"])
_PROMPT = re.compile(r"^\s*[\[(]?([A-Za-z_][\w.-]*)@([A-Za-z0-9][\w.-]*)[:\s][^#$%>]{0,80}[#$%>]", re.MULTILINE)
_LABELLED = re.compile(
    r"(?:\b(?:UserId|User|UserName|Owner|Account|GroupId|Group|QOS|JobName|Hostname|sysname|hostname|namespace|Namespace)\s*[=:]\s*\"?)"
    r"([A-Za-z_][\w.-]*)"
)
_LONG = re.compile(r"(?<![\w.-])([A-Za-z][\w-]*)((?:\.[A-Za-z][\w-]*){2,})(?![\w-])")  # a machine's long name: host.site.example.com
_HOMES = re.compile(r"/(?:home|users|lustre|scratch|work|gpfs|beegfs|projects?|data|mnt|shared|nfs)/([\w.-]+)(?:/([\w.-]+))?")
_COLUMN = re.compile(r"^.*\bJOBID\b.*\bUSER\b.*$", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z]")
_FILE = re.compile(r"\.(?:txt|log|json|ya?ml|csv|out|conf|xml|tar|gz|zip|py|sh|md)\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Masked:
    """What masking did: the copy, the file with the pairs, how many names, and captures that were not taken along (no text)."""

    site: Path
    name: str
    mapping: Path
    names: int
    left_out: tuple[str, ...]


def mask(
    assessment: Assessment,
    to: Path,
    mapping: Path,
    also: Iterable[str] = (),
    progress: Progress = silent,
    cancelled: Callable[[], bool] = never,
) -> Masked:
    """Write a masked copy. `also`: further words to mask. A mapping that is there already is used on, so that copies agree.

    The copy is made beside its place and comes there once it is whole. Raises UsageError: a wrong ending, a file that is there already, a
    mapping that is none. Raises Cancelled: nothing is left of it.
    """
    from advisor.store.file import opened

    if to.suffix != SUFFIX:
        raise UsageError("not-advisor-name", path=str(to))
    if to.exists():
        raise UsageError("is-there", path=str(to))
    given = _read(mapping)
    number = len(assessment.bundle.captures)
    pace = Pace(progress, cancelled)
    pace.begin(assessment.name)
    texts: dict[str, str] = {}
    for sha, data in original_bytes(assessment):
        pace.check()
        texts[sha] = decode(data)[0]
    names, numbers = identities(assessment, _checked(texts.values(), pace))
    names |= set(given.get("names", {})) | {word for word in also if word}
    numbers |= set(given.get("numbers", {}))
    key = bytes.fromhex(given["key"]) if "key" in given else secrets.token_bytes(32)
    masks = Pseudonyms(key, frozenset(names), frozenset(numbers))
    left_out: list[str] = []
    pace = Pace(progress, cancelled, (1 + _MASKING) * number)
    part = to.with_name(f".{to.name}.part")
    _gone(part)
    try:
        with opened(part, create=True) as file:
            file.add([*_masked(assessment, texts, masks, left_out, pace)])
            _decided(assessment, file, masks)

            def read(step: Step) -> None:
                pace.reach(_MASKING * number + step.done, step.name)

            read_waiting(file, file.unread(READERS), read, cancelled)
        pace.check()
        _write(mapping, key, masks)
        part.replace(to)
    except OSError as error:
        raise UsageError("cannot-write", path=str(to), why=error.strerror) from None
    finally:
        _gone(part)
    return Masked(to, masks.text(assessment.name), mapping, len(names) + len(numbers), tuple(left_out))


def _checked(texts: Iterable[str], pace: Pace) -> Iterator[str]:
    for text in texts:
        pace.check()
        yield text


def _gone(part: Path) -> None:
    """Nothing is left of a copy that did not become whole."""
    for end in ("", "-wal", "-shm", "-journal"):
        part.with_name(part.name + end).unlink(missing_ok=True)


def _decided(assessment: Assessment, file: "AssessmentFile", masks: Pseudonyms) -> None:
    """What a person decided goes along, its words masked."""
    file.add_passed((masks.text(name), why, masks.text(detail)) for name, why, detail in assessment.passed)
    for remedy, decision in assessment.decisions.items():
        file.decide(remedy, decision.choice, masks.text(decision.reason))
    file.put_aside(assessment.set_aside)
    if assessment.overrule:
        file.put_overrule((assessment.overrule.verdict, masks.text(assessment.overrule.reason)))
    for setting, value in assessment.own.items():
        file.put_setting(setting, masks.text(value))
    file.put_setting("masked", "yes")


@contextmanager
def masked_assessment(
    assessment: Assessment,
    mapping: Path,
    also: Iterable[str] = (),
    progress: Progress = silent,
    cancelled: Callable[[], bool] = never,
) -> Iterator[tuple[Assessment, Masked]]:
    """A masked copy for one use: a report of it. The copy is gone afterwards, the mapping stays. Raises as `mask`."""
    with TemporaryDirectory() as folder:
        done = mask(assessment, Path(folder) / f"masked{SUFFIX}", mapping, also, progress, cancelled)
        copy = from_file(done.site, silent, cancelled, assessment.today)
        yield replace(copy, name=done.name, knowledge=assessment.knowledge), done


def mapping_of(target: str) -> Path:
    """Where the pairs of a site are kept if nobody says otherwise: beside it; those of the built-in example with a person's own files."""
    path = Path(target).resolve()
    if path == example_site().resolve():  # lies in the program, where nothing is written
        return user_state() / f"{path.stem}.mapping.json"
    return path.with_name(f"{path.stem}.mapping.json")


def _masked(
    assessment: Assessment, texts: Mapping[str, str], masks: Pseudonyms, left_out: list[str], pace: Pace
) -> Iterator[tuple[Capture, bytes]]:
    """The captures with masked bytes and names. One that is no text is left out: what it holds can't be masked."""
    for done, capture in enumerate(assessment.bundle.captures):
        pace.reach(_MASKING * done, capture.name)
        text = texts.get(capture.sha256)
        if text is None or capture.state == "refused" or "\x00" in text:
            left_out.append(capture.name)
            continue
        data = masks.text(text).encode("utf-8", "surrogateescape")
        host = masks.text(capture.host) if capture.host else None
        for name in (capture.name, *(name for name, _ in capture.copies)):
            found = Capture(sha256(data).hexdigest(), masks.text(name), len(data), Reading(), host, time=capture.time, role=capture.role)
            yield found, data


def identities(assessment: Assessment, texts: Iterable[str]) -> tuple[set[str], set[str]]:
    """Names of machines, jobs, users, namespaces and sites that the facts and the texts hold; and ids that are digits alone."""
    found: set[str] = {assessment.name}
    fabric = assessment.fabric
    found |= {host.name for host in fabric.hosts.values() if host.named} | set(fabric.switches) | {leaf.name for leaf in fabric.leaves}
    found |= {job.name for job in fabric.jobs}
    for capture in assessment.bundle.captures:
        found |= {host for host in (capture.host, capture.path_host, *(host for _, host in capture.copies)) if host}
        for part in capture.reading.parts:
            if part.host:
                found.add(part.host)
            found |= set(_of_facts(part.facts))
    for text in texts:
        found |= set(_of_text(text))
    pieces = {piece for name in found for piece in re.split(r"[\s/]+", name)} | {name for name in found if " " in name}
    numbers = {name for name in pieces if name.isdecimal() and len(name) >= 4}
    return {name for name in pieces if _tells(name)}, numbers


def _tells(name: str) -> bool:
    """Whether a word can tell whose something is: words of roles alone, and words of one or two letters, can't."""
    if not _WORD.search(name) or len(name) < 3:
        return False
    if name in tools() or _FILE.search(name):  # a folder is often named for a tool, whose name is nobody's
        return False
    runs = [run.lower() for run in re.findall("[A-Za-z]+", name)]
    return any(run not in role_words() for run in runs) or bool(re.search(r"\d", name))


def _of_facts(facts: Mapping[str, Any], section: str = "") -> Iterator[str]:
    """Names that facts hold: keys of maps of machines, and values whose key says that they name something. `section`: the outermost key."""
    for key, value in facts.items():
        top = section or key
        if key in _NAMED_BY_KEY and isinstance(value, Mapping):
            yield from (name for name in value if not name.startswith("#"))
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, Mapping):
                yield from _of_facts(inner, top)
            elif isinstance(inner, str) and len(inner) <= 80 and (key in _NAME_FACTS or top in _NAMED_IN.get(key, ())):
                yield inner


def _of_text(text: str) -> Iterator[str]:
    for user, host in _PROMPT.findall(text):
        yield from (user, host)
    yield from _LABELLED.findall(text)
    for host, domain in _LONG.findall(text):
        if any(label in role_words() for label in domain.lower().split(".")[-1:]):
            yield from (host, domain[1:])
    for one, two in _HOMES.findall(text):
        yield from filter(None, (one, two))
    for header in _COLUMN.finditer(text):
        place = header[0].split().index("USER")
        for line in text[header.end() :].split("\n")[1:]:
            words = line.split()
            if len(words) <= place or not words[0][:1].isdigit():
                break
            yield words[place]


def _read(mapping: Path) -> dict[str, Any]:
    if not mapping.exists():
        return {}
    try:
        given = json.loads(mapping.read_text(encoding="utf-8"))
        bytes.fromhex(given["key"])
        return dict(given)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError("no-mapping", path=str(mapping), why=str(error)) from None


def _write(mapping: Path, key: bytes, masks: Pseudonyms) -> None:
    """The pairs, for their owner alone: they say who is who."""
    names = {name: masks.name(name) for name in sorted(masks.names)}
    numbers = {number: masks.table[number] for number in sorted(masks.numbers)}
    tree = {"form": 1, "key": key.hex(), "names": names, "numbers": numbers}
    try:
        if mapping.is_relative_to(user_state()):  # a person's own folders are theirs to make
            make_folder(mapping.parent)
        write_whole(mapping, json.dumps(tree, ensure_ascii=False, indent=1))
    except OSError as error:
        raise UsageError("cannot-write", path=str(mapping), why=error.strerror) from None
