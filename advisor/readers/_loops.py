"""The words that a shell loop goes through, and the names that its command takes: `for i in $(seq 0 7); do mlxlink -d mlx5_$i`."""

import re

_LOOP = re.compile(r"\bfor\s+(\w+)\s+in\s+(.*?)\s*(?:;|\n)\s*do\b")
_SEQ = re.compile(r"(?:\$\(|`)\s*seq\s+(?:(\d+)\s+)?(?:1\s+)?(\d+)\s*(?:\)|`)")
_BRACES = re.compile(r"\{(\d+)\.\.(\d+)\}")
_MOST = 1024


def loop_names(command: str | None, argument: str) -> list[str]:
    """The values that an argument of a looped command takes, in order; nothing where they are not written out.

    >>> loop_names("for i in $(seq 0 1); do mlxlink -d mlx5_$i; done", "mlx5_$i")
    ['mlx5_0', 'mlx5_1']
    """
    for match in _LOOP.finditer(command or ""):  # a loop may stand in a loop
        variable, listed = match.groups()
        used = re.compile(rf"\$\{{{variable}\}}|\${variable}\b|\"\${variable}\"")
        if used.search(argument):
            return [used.sub(word, argument).strip("\"'") for word in _words(listed)]
    return []


def _words(listed: str) -> list[str]:
    seq = _SEQ.fullmatch(listed.strip())
    if seq:
        first, last = int(seq[1] or 1), int(seq[2])
        return [str(n) for n in range(first, min(last, first + _MOST) + 1)]
    words: list[str] = []
    for word in listed.split():
        braces = _BRACES.search(word)
        if braces:
            first, last = int(braces[1]), int(braces[2])
            words += [word[: braces.start()] + str(n) + word[braces.end() :] for n in range(first, min(last, first + _MOST) + 1)]
        elif re.fullmatch(r"[\w./:@-]+", word):
            words.append(word)
        else:
            return []
    return words


def nth_name(names: list[str], n: int) -> str:
    """The name of the nth output, from 1: of a loop the nth word; one name is that of all; without a name its number."""
    if len(names) == 1:
        return names[0]
    return names[n - 1] if n <= len(names) else f"#{n}"
