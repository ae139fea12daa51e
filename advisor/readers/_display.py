"""What the `display` commands of Huawei and H3C share: the name of a port from the command line, and states in words."""

import re

from advisor.readers._figures import link_state

# `100ge 1/0/2`, `interface twenty-fivegige 1/0/1`: on a command line the number may stand apart.
_IN_COMMAND = re.compile(r"\binterface\s+([A-Za-z][A-Za-z-]*|\d+[A-Za-z-]+)\s*(\d[\d/.:]*)", re.IGNORECASE)
# Short forms that people type -> the names that Huawei's tables print.
_HUAWEI = {"ge": "GE", "gigabitethernet": "GigabitEthernet", "eth-trunk": "Eth-Trunk", "meth": "MEth", "vlanif": "Vlanif"}


def port_in_command(command: str) -> str | None:
    """The one port that a command line asks for, as tables print it: `100ge 1/0/2` is 100GE1/0/2."""
    match = _IN_COMMAND.search(command)
    if not match:
        return None
    kind, number = match[1], match[2]
    lower = kind.lower()
    if lower in _HUAWEI:
        return f"{_HUAWEI[lower]}{number}"
    rated = re.fullmatch(r"(\d+)(ge|g)", lower)
    return f"{rated[1]}GE{number}" if rated else f"{kind}{number}"


def states(text: str) -> tuple[str | None, str | None]:
    """State and administrative state: `UP`, `Administratively DOWN`, `*down`, `DOWN (Link-Aggregation interface down)`."""
    word = re.sub(r"\s*\(.*", "", text).strip().rstrip(",").strip().lower()
    if word.startswith(("administratively", "*down", "adm")):
        return "down", "down"
    return link_state(word.lstrip("^!")) if word else (None, None)
