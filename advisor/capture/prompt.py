"""Command lines in a capture: a shell's or a switch's prompt, the host that it names, the command behind it, and titles between outputs.

prompt   is sure: the line is a prompt whatever stands behind it
hint     may be one (`# cmd`, `host> cmd`, `+ cmd`): only if the caller knows the command
title    `=== gpu-07 ===`, `--- ethtool -S eth0 ---`: what stands between the marks
"""

import re
from dataclasses import dataclass

# A line longer than this is no prompt: it bounds the time that a line of megabytes takes.
_LONGEST = 8192
_HEAD = r"\s*(?:\[[^\]@]{1,40}\]\s*|\([^()]{1,60}\)\s*|\d{1,2}:\d\d(?::\d\d)?\s+)*+"  # time, virtual environment, Kubernetes context
_AT = r"[\w.+-]++[@㉿](?P<host>[\w.-]++)"
_TYPED = r"(?:\s+(?P<command>\S.*)|\s*)$"
_SHOW = r"(?:sh|sho|show|dis|disp|display|nv|clear|run|do|bash|vtysh|mlxlink|ethtool|enable|configure|conf|terminal)\b.*"
_SURE = (
    # root@gpu-07:~# cmd   (base) user@host:/path$ cmd   user@host ~ % cmd   user@router> cmd   cumulus@switch:mgmt:~$ cmd
    re.compile(rf"{_HEAD}{_AT}(?:[: |](?!//)[^\s#$%>❯]*+)?(?:\s\(?[^\s#$%>❯]*+)?(?:\s(?:\[[^\]]*\]|\([^)]*\)))?\s?[#$%>❯]{_TYPED}"),
    # user@host:/path#cmd
    re.compile(rf"{_HEAD}{_AT}:[~/][^\s#$%>]*+[#$]\s*(?P<command>\S.*)$"),
    # [user@host dir]# cmd   [user@host]/path$ cmd
    re.compile(rf"\s*\[{_AT}(?:[ :][^\]]*+)?\][^\s#$%>]*+\s?[#$%>](?:\s*(?P<command>\S.*)|\s*)$"),
    # two-line prompts: the host stands in the first
    re.compile(rf"\s*[╭┌]─+[^\w]*{_AT}.*(?P<command>)$"),
    # <HUAWEI> display ...   [~HUAWEI-100GE1/0/1] display ...   (Huawei, H3C)
    re.compile(r"\s*<(?P<host>[\w.-]++)>\s*(?P<command>(?:dis|disp|display|show|ping|screen|terminal|system)\S*(?:\s.*)?)$"),
    re.compile(r"\s*\[[~*]?(?P<host>[A-Za-z][\w.]*+(?:-[A-Za-z\d.]++)*?)(?:-[\w/:.]+)?\]\s*(?P<command>(?:dis|disp|display|show)\b.*)$"),
    # switch# show ...   switch(config-if)# show ...   switch [standalone: master] > show ...   RP/0/RP0/CPU0:router#show ...   A:leaf1# ...
    re.compile(
        rf"\s*(?:RP/\S+?:|\*?[A-Z]:(?:\w+@)?)?(?P<host>[A-Za-z][\w.-]*+)(?:\([^)]*\))?(?:\s\[[^\]]*\])?\s?[#>]\s*(?P<command>{_SHOW})$"
    ),
    # [nccl-tests]$ cmd   $ cmd   ➜  dir git:(main) ✗ cmd   ❯ cmd   ╰─$ cmd   └─# cmd
    re.compile(r"\s*\[[^\]\s]*+\]\s?[$#%>]\s+(?P<command>\S.*)$"),
    re.compile(r"\s*\$\s+(?P<command>\S.*)$"),
    re.compile(r"\s*➜\s+\S+\s+(?:git:\(\S*\)\s+)?(?:✗\s+)?(?P<command>\S.*)$"),
    re.compile(r"\s*(?:❯|[╰└]─+\s?[$#%>❯➤λ])\s+(?P<command>\S.*)$"),
)
_HINTS = (
    re.compile(r"\s*(?:[#%>]|\+{1,4}|-?(?:ba|z|k|da)?sh-[\d.]+[#$])\s*(?P<command>[^\s#%>+].*)$"),
    # gpu-07:~ # cmd   gpu-07# cmd   leaf1> cmd   host:~ user$ cmd   root:~# cmd
    re.compile(r"\s*(?P<host>[A-Za-z][\w.-]*+)(?:\([^)]*\)|:[^\s#$%>]*+)?(?:\s[\w.-]+)?\s?[#$%>]\s*(?P<command>[^\s#$%>].*)$"),
    # [user@host dir] cmd
    re.compile(rf"\s*\[{_AT}(?:[ :][^\]]*+)?\]\s+(?P<command>[^\s#$%>].*)$"),
    # PS C:\> cmd   C:\>cmd
    re.compile(r"\s*(?:PS\s+)?[A-Z]:\\[^>]*+>\s*(?P<command>\S.*)$"),
    # `cmd`:   Command: cmd   Running: cmd   执行: cmd
    re.compile(r"\s*`+(?P<command>[^`]+)`+\s*:?\s*$"),
    re.compile(
        r"\s*(?:(?:[Cc]ommand|COMMAND|CMD|[Cc]md|[Rr]un(?:ning)?|[Ee]xecut(?:e|ing)|命令|执行|运行)\s*[:=]?\s+|命令[:]|执行[:]?|运行[:]?)[\"'`]?(?P<command>[^\s\"'`].*?)[\"'`]?\s*$"
    ),
)
_TITLE = re.compile(
    r"\s*(?P<mark>={2,}|#{2,}|\*{2,}|-{2,}|~{2,}|_{2,}|\+{2,}|<{2,}|>{2,}|[=\-#*]+>)\s*(?P<title>[^\s=#*~_+<>-].{0,200}?)\s*(?:={2,}|#{2,}|\*{2,}|-{2,}|~{2,}|_{2,}|\+{2,}|<{2,}|>{2,}|<[=\-#*]+)\s*:?\s*$"
    r"|\s*【(?P<title2>[^【】]{1,200})】\s*$"
)
# ansible, parallel-ssh: a line that names the host of what follows
_CALLED = re.compile(
    r"(?P<host>[A-Za-z\d][\w.-]*) \| (?:CHANGED|SUCCESS|FAILED!?|UNREACHABLE!?)(?: \| rc=-?\d+)? (?:>>|=>)"
    r"|\[\d+\] \d\d:\d\d:\d\d \[(?:SUCCESS|FAILURE)\] (?P<host2>[A-Za-z\d][\w.-]*)"
)
_OUTPUT_OF = re.compile(r"的\s*(?=\S)|\s*(?:的?(?:结果|输出|信息)|(?:'s\s+)?(?:output|results?))\s*\Z", re.IGNORECASE)
_NODE_WORD = re.compile(
    r"(?:(?:on|from|at)\s+)?(?:(?:host(?:name)?|node|server|machine)(?:\s*[:=]\s*|\s+)|(?:主机|节点|服务器)\s*[:=]?\s*)", re.IGNORECASE
)
# A word with a number in it that counts things of a tool, not machines.
_THING = re.compile(
    r"(?:mlx\d|mt\d+_|rocep|ibp?\d|ens?\d|ens\d|enp|eno\d|eth\d|bond\d|roce|irdma|bnxt|hfi\d|ionic|rdma\d|erdma|swp\d|po\d|vlan|lo\d|docker|veth|cali|nvme|sd[a-z]\d|"
    r"gpu\d\Z|(?:nic|hca|port|lane|link|rank|rail|job|run|step|test|case|part|phase|round|iter|loop|take|size|numa|socket|cpu|core|queue|prio|tc|pid|day|v|ver|version|section|chapter|example|item|no)[-_.]?\d+(?:\D.{0,2})?\Z|"
    r"(?:ethernet|hundredgige|fourhundredgige|\d+ge|xe-|et-|ge-)|.*\d+[xg]\d+\Z|iperf3?\Z|h3c|nccl|ipv?\d|sha\d|utf|[\d.:]+\Z|\d{4}-\d\d)",
    re.IGNORECASE,
)
_HOST_WORD = re.compile(r"[A-Za-z][A-Za-z\d]*(?:[-._][A-Za-z\d]+)*\Z")
_ADDRESS = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}\Z")
_HOST_LIST = re.compile(r"[A-Za-z][\w.-]*\[[\d,-]+\][\w.-]*(?:,\S+)?\Z")

_OPTION = r"-{1,2}[\w-]+(?:[= ](?!-)\S+)?\s+"
_WRAPPERS = re.compile(
    r"(?:sudo(?:\s+-[ugh]\s+\S+|\s+-\w+)*|doas|time(?:\s+-\w+)*|watch(?:\s+-\w+(?:\s+[\d.]+)?|\s+--\S+)*|timeout(?:\s+-{1,2}\S+)*\s+\d\S*|nohup|exec|unbuffer|stdbuf(?:\s+-\w+)*|"
    r"nice(?:\s+-n\s*-?\d+|\s+-\d+)?|taskset\s+(?:-\w+\s+)*\S+|numactl(?:\s+(?:-[mNCil]\s*[\d,-]+|--\w+(?:=\S+|\s+\d[\d,-]*)?))+(?=\s+[^\s-])|chroot\s+\S+|"
    r"ip\s+netns\s+exec\s+\S+|nsenter(?:\s+-{1,2}\S+(?:\s+\d+)?)+|env(?:\s+\w+=\S*)*|(?:export\s+)?[A-Za-z_]\w*=(?:\"[^\"]*\"|'[^']*'|\S*)(?:\s*;)?|"
    r"(?:kubectl|oc)\s+(?:\S+\s+)*?(?:exec|debug)\s.*?\s--|(?:docker|podman|nerdctl|crictl)\s+exec\s+(?:-\w+\s+)*\S+|(?:singularity|apptainer)\s+exec\s+(?:-{1,2}\S+\s+)*\S+)\s+"
)
_LAUNCHER = re.compile(
    r"(?:srun|ssh|pdsh|clush|dsh|pssh|parallel-ssh|ansible|salt|mpirun|mpiexec(?:\.hydra)?|orterun|prterun|flux|docker|podman|kubectl|oc|xargs|parallel|bash|sh|script)(?=\s)"
)
_REPEATS = re.compile(
    r"\b(?:for|while|until|ssh|pdsh|clush|dsh|pssh|parallel-ssh|ansible|salt|xargs|parallel|srun|mpirun|mpiexec|dshbak)\b"
)


# The machine or pod that a launcher sends a command to.
_AIMS = (
    re.compile(r"ssh\s+(?:-[46AaCfGgKkMNnqsTtVvXxYy]+\s+|-\w\s*\S+\s+)*(?:[\w.+-]+@)?(?P<host>[A-Za-z\d][\w.-]*)\s+\S"),
    re.compile(r"(?:kubectl|oc)\s+(?:\S+\s+)*?exec\s+(?:(?:-[nc]|--\w+)[= ][^-\s]\S*\s+|-\S+\s+)*(?:pods?/)?(?P<host>[a-z\d][\w.-]*)\s"),
    re.compile(r"srun\s.*?(?:-w\s*|--nodelist[= ])(?P<host>[A-Za-z][\w.-]*)(?=\s)"),
    re.compile(r"(?:pdsh|clush|dsh)\s.*?-w\s*(?P<host>[A-Za-z][\w.-]*)(?=\s)"),
)


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt. `command` is empty where nothing was typed; `host` is None where the prompt names none."""

    host: str | None
    command: str


def prompt(text: str) -> Prompt | None:
    """The prompt that a line surely is, or None."""
    return _first(_SURE, text)


def hint(text: str) -> Prompt | None:
    """What may be a prompt: it is one only if its command is a tool's."""
    return _first(_HINTS, text)


def _first(patterns: tuple[re.Pattern[str], ...], text: str) -> Prompt | None:
    if len(text) > _LONGEST:
        return None
    for pattern in patterns:
        match = pattern.match(text)
        if match:
            groups = match.groupdict()
            return Prompt(groups.get("host"), (groups["command"] or "").strip())
    return None


def title(text: str) -> str | None:
    """What stands between the marks of a title line (`=== text ===`), or None."""
    match = _TITLE.match(text) if len(text) <= 400 else None
    return (match["title"] or match["title2"]).strip() if match else None


def called(text: str) -> str | None:
    """The host that a line of a launcher's report names (`gpu-07 | CHANGED | rc=0 >>`), or None."""
    match = _CALLED.match(text)
    return (match["host"] or match["host2"]) if match else None


def titled(text: str) -> Prompt | None:
    """A title's host and the words beside it (`gpu-07: ethtool -S eth0`, `Node gpu-07`); None where it names no host.

    The words count as a command only if the caller knows them; a title with other words names no host.
    """
    bare = _OUTPUT_OF.sub("", _NODE_WORD.sub("", text, count=1) if _NODE_WORD.match(text) else text).strip()
    word, _, rest = bare.partition(" ")
    if is_host(word.rstrip(":,")):
        return Prompt(word.rstrip(":,"), rest.strip(" :-"))
    rest, _, last = bare.rpartition(" ")
    rest = re.sub(r"\s+(?:on|from|at|@)\s*\Z", "", rest)
    return Prompt(last, rest.strip(" :-")) if rest and is_host(last) else None


def is_host(word: str) -> bool:
    """Whether a word looks like a machine's name: a letter and a number, and no device, counter or version. An IPv4 address is one."""
    if _ADDRESS.match(word) or _HOST_LIST.match(word):
        return True
    return len(word) <= 100 and any(c.isdecimal() for c in word) and _HOST_WORD.match(word) is not None and not _THING.match(word)


def repeats(command: str) -> bool:
    """Whether a command runs another several times or on several machines, so that its output may come in titled pieces."""
    return _REPEATS.search(command) is not None


def is_launcher(command: str) -> bool:
    """Whether the program that makes the output stands somewhere behind the first word (mpirun, srun, ssh, ...)."""
    return _LAUNCHER.match(command) is not None


def aimed(command: str) -> str | None:
    """The one machine or pod that a launcher in a command sends the rest to (ssh, kubectl exec, srun -w), or None."""
    for pattern in _AIMS:
        match = pattern.search(command, 0, 2000)
        if match:
            return match["host"]
    return None


def words(command: str) -> str:
    """A command without sudo, environment and wrappers in front, and without the folder of the program."""
    for _ in range(6):
        match = _WRAPPERS.match(command)
        if not match or match.end() == len(command):
            break
        command = command[match.end() :]
    first, _, rest = command.partition(" ")
    return f"{first.rsplit('/', 1)[-1]} {rest}".strip()
