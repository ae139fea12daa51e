"""Command lines in a capture: a shell's or a switch's prompt, the host that it names, and the command behind it."""

import re
from dataclasses import dataclass

# Host and command of the prompts that people paste. A folder in a prompt is not a host.
_PROMPTS = (
    # root@gpu-07:~# cmd   (base) user@host:/path$ cmd   user@host ~ % cmd
    re.compile(
        r"\s*(?:\([\w .-]+\)\s*)?[\w.+-]+@(?P<host>[\w.-]+)(?::| )?[^\s#$%>]*(?:\s[^\s#$%>]*)?\s?[#$%>](?:\s+(?P<command>\S.*)|\s*)$"
    ),
    # [user@host dir]# cmd
    re.compile(r"\s*\[[\w.+-]+@(?P<host>[\w.-]+)(?:[ :][^\]]*)?\]\s?[#$%>](?:\s*(?P<command>\S.*)|\s*)$"),
    # <HUAWEI> display ...   [~HUAWEI-diagnose] display ...   (Huawei, H3C)
    re.compile(r"\s*<(?P<host>[\w.-]+)>\s*(?P<command>(?:dis|display|show|ping|screen|terminal|system)\S*(?:\s.*)?)$"),
    re.compile(
        r"\s*\[[~*]?(?P<host>[A-Za-z][\w.]*(?:-[\w.]+)*?)(?:-[\w/:.]+)?\]\s*(?P<command>(?:dis|display|show)\S*\s.*)$"
    ),
    # switch# show ...   switch> show ...   user@router> show ...
    re.compile(
        r"\s*(?:[\w.+-]+@)?(?P<host>[A-Za-z][\w.-]*)(?:\([^)]*\))?\s?[#>]\s*(?P<command>(?:sh|sho|show|display|nv|mlxlink|clear|bash)\b.*)$"
    ),
    # [nccl-tests]$ cmd   $ cmd
    re.compile(r"\s*(?:\[[^\]\s]*\])\s?[$#%]\s+(?P<command>\S.*)$"),
    re.compile(r"\s*\$\s+(?P<command>\S.*)$"),
)
# "# cmd" and "cmd" are prompts only before a word that is the name of a tool: the caller knows those.
_ROOT = re.compile(r"\s*(?:[#%>]|\+{1,2}|(?:bash|sh)-[\d.]+[#$])\s+(?P<command>\S.*)$")
_WRAPPERS = re.compile(
    r"(?:sudo(?:\s+-\w+)*|time|watch(?:\s+-\w+(?:\s+[\d.]+)?)*|timeout\s+\S+|nohup|exec|env(?:\s+\w+=\S*)*|(?:[A-Z_][A-Z0-9_]*=\S*)|kubectl\s+exec\s.*?\s--|docker\s+exec\s+(?:-\w+\s+)*\S+|"
    r"(?:srun|ssh|pdsh|clush|mpirun|mpiexec)\s+(?:-{1,2}[\w-]+(?:[= ]\S+)?\s+)*)\s+"
)


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt. `command` is empty where nothing was typed; `host` is None where the prompt names none."""

    host: str | None
    command: str


def prompt(text: str) -> Prompt | None:
    """The prompt that a line is, or None."""
    if not any(mark in text for mark in "$#%>]"):
        return None
    for pattern in _PROMPTS:
        match = pattern.match(text)
        if match:
            groups = match.groupdict()
            return Prompt(groups.get("host"), (groups["command"] or "").strip())
    return None


def root_command(text: str) -> str | None:
    """What stands behind a bare `#` or `+`: a command only if its first word is a tool's name."""
    match = _ROOT.match(text)
    return match["command"].strip() if match else None


def words(command: str) -> str:
    """A command without sudo, environment and launchers in front, and without the folder of the program."""
    for _ in range(4):
        match = _WRAPPERS.match(command)
        if not match or match.end() == len(command):
            break
        command = command[match.end() :]
    first, _, rest = command.partition(" ")
    return f"{first.rsplit('/', 1)[-1]} {rest}".strip()
