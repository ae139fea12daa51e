"""Laid on the path of every process that a test starts: what reaches for another machine ends at once (exit code 99).

ADVISOR_TEST_NO_SOCKETS=1: not even a socket of this machine's own network may be made.
"""

import os
import sys

_LOCAL = ("127.0.0.1", "::1", "localhost", "", None)
_NAMES = {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"}
_ADDRESSED = {"socket.connect": 1, "socket.sendto": 1, "socket.sendmsg": 1, "socket.bind": 1}
_NETWORK = (2, 10, 23, 30)  # AF_INET, and AF_INET6 of Linux, Windows and macOS


def reached(event: str, given: tuple[object, ...]) -> str:
    """What a call reaches for beyond this machine; nothing if it does not."""
    if event in _NAMES:
        host = given[0]
    elif event in _ADDRESSED and len(given) > 1 and isinstance(given[1], tuple):
        host = given[1][0]
    elif event == "socket.__new__" and os.environ.get("ADVISOR_TEST_NO_SOCKETS") and given[1] in (*_NETWORK, -1):
        return "a socket"
    else:
        return ""
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
    return "" if name in _LOCAL or str(name).startswith("127.") else f"{event} {name}"


def _end(event: str, given: tuple[object, ...]) -> None:
    if event.startswith("socket.") and (what := reached(event, given)):
        os.write(2, f"beyond this machine: {what}\n".encode())
        os._exit(99)


if __name__ == "sitecustomize":
    sys.addaudithook(_end)
