"""A capture's text is cut into runs: at prompts with their commands, and at titles that name a host or a command."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from advisor.capture.lines import Lines
from advisor.capture.prompt import Prompt, aimed, called, hint, is_host, is_launcher, prompt, repeats, title, titled, words
from advisor.readers._sieve import Sieve
from advisor.readers.contract import FOLDER_BEFORE, LIST_BEFORE, Reader
from advisor.readers.registry import readers

_LONGEST = 8192  # no command line is longer
_LONGEST_BARE = 400  # without a prompt
_SCRIPT = 100  # lines of a loop or of a command with line ends escaped
_RULE = re.compile(r"\s*-{4,}\s*\Z")
_GATHERED = re.compile(r"\s*(?P<host>[\w.,\[\]-]+)(?:\s+\(\d+\))?\s*\Z")  # dshbak, clush -b
_KEY = re.compile(r"[\w.-]+\s*:(?!\S)|.*[.:]\s*\Z|\S+\s+(?:is|was|shows?|says|reports?|output|results?)\b")
_COUNTER = re.compile(r"\s*[\w.\[\]-]+: *\d+\Z")  # most lines of the largest captures
_BLOCK_ENDS = {"for": "done", "while": "done", "until": "done", "select": "done", "if": "fi"}
_BLOCK = re.compile(r"(?:.*[;&|]\s*)?(for|while|until|select|if)\s")
_BEFORE_WORD = re.compile(r"[\s'\"]+(?=[^\s'\"])")
_SECOND_PROMPT = re.compile(r"^\s*>\s")
_SHELL = (
    r"sudo|doas|time|timeout|watch|nohup|exec|env|export|stdbuf|unbuffer|nice|taskset|numactl|chroot|ip|nsenter|srun|ssh|pdsh|clush|ansible|salt|mpirun|mpiexec(?:\.hydra)?|"
    r"orterun|prterun|flux|docker|podman|nerdctl|crictl|singularity|apptainer|kubectl|oc|bash|sh|xargs|parallel|for|while|until|if|cd|echo|cat|diff|[A-Za-z_]\w*="
)


@dataclass(frozen=True, slots=True)
class Run:
    """Lines behind one command line or title, or before the first."""

    lines: Lines
    command: str | None = None
    host: str | None = None
    first: int = 1
    reader: Reader | None = None


@dataclass(frozen=True, slots=True)
class _Head:
    """What opens a run, and how many lines it takes."""

    host: str | None
    command: str | None
    reader: Reader | None
    lines: int = 1


def runs(lines: Lines) -> Iterator[Run]:
    """Every line is in one run, or opens one."""
    at, run = 0, Run(lines[:0])
    i, end, texts = 0, len(lines), lines.texts
    while i < end:
        head = _head(lines, i, run) if len(texts[i]) <= _LONGEST and _is_notable(texts[i]) else None
        if head is None:
            i += 1
            continue
        if i > at or run.command:
            yield replace(run, lines=lines[at:i])
        alone = i == at and run.host and not run.command and not head.host  # a prompt of two lines: the host stands in the first
        run = Run(lines[:0], head.command, run.host if alone else head.host, lines.numbers[i], head.reader)
        i += head.lines
        at = i
    yield replace(run, lines=lines[at:])


@lru_cache(maxsize=4096)
def tool_of(command: str) -> tuple[Reader, str] | None:
    """The reader of a command line, and the line without launchers and wrappers; None where no reader knows it."""
    typed = words(command)
    if not typed:
        return None
    found = _by_pattern(typed)
    if found:
        return found, typed
    if is_launcher(typed):
        for match in _BEFORE_WORD.finditer(typed):
            if _begins_with_program(typed[match.end() :]):
                inner = words(_unquoted(typed[match.end() :], typed[: match.end()]))
                found = _by_pattern(inner)
                if found:
                    return found, inner
    return None


def _by_pattern(typed: str) -> Reader | None:
    found = [(match.end(), reader) for reader in readers() if reader.commands and (match := reader.commands.match(typed))]
    return min(found, key=lambda pair: pair[0])[1] if found else None


def _unquoted(inner: str, before: str) -> str:
    """A command without the quote that ends it, if that began before it."""
    bare = inner.rstrip()
    quote = bare[-1:]
    return bare[:-1] if quote and quote in "'\"" and bare.count(quote) % 2 and quote in before else inner


# --- heads --------------------------------------------------------------------------------------------------------


def _head(lines: Lines, i: int, run: Run) -> _Head | None:
    text = lines.texts[i]
    sure = prompt(text)
    if sure:
        return _typed(lines, i, sure)
    maybe = hint(text)
    if maybe and (head := _typed(lines, i, maybe)).reader:
        return head
    named = _titled(lines, i, run)
    if named:
        return named
    bare = text.strip()
    if len(bare) <= _LONGEST_BARE and not _KEY.match(bare) and _is_indented_as_all(lines, i) and _begins_with_program(bare):
        head = _typed(lines, i, Prompt(None, bare))
        if head.reader and not (head.reader.starts and head.reader.starts.match(bare)):
            return head
    return None


def _typed(lines: Lines, i: int, found: Prompt) -> _Head:
    """The head of a command line: what was typed in all its lines, and where a launcher sends it."""
    command, taken = _whole_command(lines, i, found.command)
    tool = tool_of(command) if command else None
    if tool is None:
        return _Head(found.host, words(command) or None, None, taken)
    return _Head(aimed(command) or found.host, tool[1], tool[0], taken)


def _whole_command(lines: Lines, i: int, command: str) -> tuple[str, int]:
    """A command with the lines that continue it (escaped line ends, a loop up to its end), and how many lines it takes."""
    taken = 1
    while command.endswith("\\") and taken < _SCRIPT and i + taken < len(lines):
        command = command[:-1].rstrip() + " " + _SECOND_PROMPT.sub("", lines.texts[i + taken]).strip()
        taken += 1
    block = _BLOCK.match(command)
    if not block or re.search(rf"\b{_BLOCK_ENDS[block[1]]}\b", command):
        return command, taken
    pieces = [command]
    for j in range(i + taken, min(i + taken + _SCRIPT, len(lines))):
        text = lines.texts[j]
        piece = _SECOND_PROMPT.sub("", text).strip()
        if prompt(text):
            break
        if piece:
            pieces.append(piece)
        if re.match(rf"{_BLOCK_ENDS[block[1]]}\b", piece):
            return _listed(pieces), j - i + 1
    return command, taken


def _listed(pieces: list[str]) -> str:
    text = pieces[0]
    for piece in pieces[1:]:
        text += (" " if text.endswith(("do", "then", "else", ";", "{", "|", "&&")) else "; ") + piece.removesuffix(";")
    return text


def _titled(lines: Lines, i: int, run: Run) -> _Head | None:
    """A title that names a command or a host. A loop's command goes on below a host's title."""
    text = lines.texts[i]
    gathered = _gathered(lines, i)
    if gathered:
        return _Head(gathered, *_repeated(run), lines=3)
    host = called(text)
    if host:
        return _Head(host, *_repeated(run))
    words_of_title = title(text)
    if words_of_title is None:
        return None
    if text.lstrip().startswith("==>"):  # the name of a file, by `head` and `tail`; it may be called after the host
        stem = re.sub(r"\.(?:txt|log|out|csv)\Z", "", words_of_title.rsplit("/", 1)[-1])
        return _Head(stem, *_repeated(run)) if is_host(stem) and "/sys/" not in words_of_title and "/proc/" not in words_of_title else None
    tool = tool_of(words_of_title)
    if tool:
        return _Head(run.host, tool[1], tool[0])
    named = titled(words_of_title)
    if named is None:
        return None
    tool = tool_of(named.command) if named.command else None
    if tool:
        return _Head(named.host, tool[1], tool[0])
    return None if named.command else _Head(named.host, *_repeated(run))


def _repeated(run: Run) -> tuple[str | None, Reader | None]:
    return (run.command, run.reader) if run.command and (repeats(run.command) or run.host is not None) else (None, None)


def _gathered(lines: Lines, i: int) -> str | None:
    """The host between two rules (dshbak, clush -b)."""
    if i + 2 >= len(lines) or not (_RULE.match(lines.texts[i]) and _RULE.match(lines.texts[i + 2])):
        return None
    match = _GATHERED.match(lines.texts[i + 1])
    return match["host"] if match and is_host(match["host"]) else None


def _is_indented_as_all(lines: Lines, i: int) -> bool:
    """Whether a line has no indentation, or the one that the lines around it have (a block indented as a whole), or stands alone."""
    text = lines.texts[i]
    depth = len(text) - len(text.lstrip())
    alone = all(not lines.texts[j].strip() for j in (i - 1, i + 1) if 0 <= j < len(lines))
    if not depth or alone:
        return True
    around = [other for other in lines.texts[max(i - 20, 0) : i + 20] if other.strip()]
    return depth <= min(len(other) - len(other.lstrip()) for other in around)


# --- quick looks --------------------------------------------------------------------------------------------------

_FOLDERS = re.compile(r"(?:[\w.~$@{}+-]{0,100}/){0,20}")
_MARKS = (
    r"[$#%>+❯➜╰└╭┌【`]",
    r"(?:\d{1,2}:\d\d\S*\s+|[\[(][^\])]{0,60}[\])]\s*)*[\w.+-]++[@㉿]",
    r"\[[^\]]{1,80}\]\S{0,80}\s?[#$%>]",
    r"\[[\w.+-]{1,40}[@㉿]",
    r"\[[~*]?[A-Za-z][\w./:-]*\]\s*(?:dis|show)",
    r"<[\w.-]+>\s*[a-z]",
    r"[A-Za-z*][\w./:-]*+(?:\([^)]{0,60}\))?(?:\s\[[^\]]{0,60}\])?(?:\s[\w.-]{1,60})?\s?[#>$%]\s*[a-z./]",
    r"={2}|\*{2}|-{2}|~{2}|_{2}|<{2}|[=*-]+>",
    r"(?:PS\s+)?[A-Z]:\\",
    r"[Cc]ommand|COMMAND|CMD|[Cc]md|[Rr]un|[Ee]xecut|命令|执行|运行",
    r"\[\d+\] \d\d:\d\d:\d\d \[|[A-Za-z\d][\w.-]* \| (?:CHANGED|SUCCESS|FAILED|UNREACH)",
)


@cache
def _marks() -> Sieve:
    return Sieve(re.compile(rf"\s*(?:{mark})") for mark in _MARKS)


@cache
def _programs() -> Sieve:
    """What a command line may begin with: a program that a reader knows, a launcher, a word of the shell."""
    tails = [
        re.compile(reader.commands.pattern.replace(LIST_BEFORE, "").replace(FOLDER_BEFORE, ""), reader.commands.flags)
        for reader in readers()
        if reader.commands
    ]
    return Sieve([*tails, re.compile(rf"(?:{_SHELL})(?=[\s;]|\S*=|\Z)")])


def _begins_with_program(text: str) -> bool:
    folders = _FOLDERS.match(text)
    return _programs().may_match(text[folders.end() :] if folders else text)


def _is_notable(text: str) -> bool:
    """Whether a line may be a prompt, a command or a title; most lines are none."""
    if _COUNTER.match(text):
        return False
    return _marks().may_match(text) or _begins_with_program(text.lstrip())
