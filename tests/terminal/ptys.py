"""The program in a pseudo-terminal: every byte that it writes, its keys, its signals, and the modes that it leaves behind."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from pathlib import Path

PROGRAM = [sys.executable, "-m", "advisor"]


class Pty:
    """`seen`: everything that was written so far. The parent holds the terminal's other side, so modes can be read after the end."""

    def __init__(self, words: list[str], env: dict[str, str], size: tuple[int, int] = (120, 40)) -> None:
        self.seen = b""
        self._master, slave = pty.openpty()
        self._slave = slave
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        self.before = termios.tcgetattr(slave)
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
            for number in (0, 1, 2):
                os.dup2(slave, number)
            os.closerange(3, 256)
            os.execvpe(words[0], words, env)
        self.code: int | None = None

    def read(self, seconds: float) -> bytes:
        """What is written within that time."""
        end = time.monotonic() + seconds
        start = len(self.seen)
        while (left := end - time.monotonic()) > 0:
            if select.select([self._master], [], [], left)[0]:
                try:
                    self.seen += os.read(self._master, 65536)
                except OSError:
                    break
        return self.seen[start:]

    def quiet(self, still: float = 0.4, seconds: float = 60) -> bytes:
        """What is written until nothing more comes for a while."""
        start, end = len(self.seen), time.monotonic() + seconds
        while time.monotonic() < end:
            if not self.read(still):
                break
        return self.seen[start:]

    def wait(self, words: str, seconds: float = 180) -> None:
        """Until a text was written. Styles may part it: codes are left out."""
        end = time.monotonic() + seconds
        start = max(len(self.seen) - 400_000, 0)
        while words not in text_of(self.seen[start:]):
            if time.monotonic() > end:
                raise AssertionError(f"{words!r} did not come up: {text_of(self.seen)[-2000:]}")
            self.read(0.1)

    def press(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def resize(self, width: int, height: int) -> None:
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
        os.kill(self.pid, signal.SIGWINCH)

    def kill(self, number: int) -> None:
        os.kill(self.pid, number)

    def end(self, seconds: float = 120) -> int:
        """Wait for the end of the program; its exit code, or minus the signal."""
        limit = time.monotonic() + seconds
        while time.monotonic() < limit:
            self.read(0.05)
            done, status = os.waitpid(self.pid, os.WNOHANG)
            if done:
                self.read(0.1)
                self.code = os.waitstatus_to_exitcode(status)
                return self.code
        raise AssertionError("the program does not end")

    @property
    def after(self) -> list[object]:
        """Modes of the terminal now."""
        return termios.tcgetattr(self._slave)

    def close(self) -> None:
        if self.code is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self._master)
        os.close(self._slave)


_CODE = re.compile(rb"\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[()][A-Z0-9]|P[^\x1b]*\x1b\\|.)")


def text_of(data: bytes) -> str:
    return _CODE.sub(b"", data).decode("utf-8", "replace")


MODES = {"1049": "alternate screen", "1000": "mouse", "1003": "mouse moves", "1006": "mouse form", "1004": "focus", "2004": "paste"}


def left_on(data: bytes) -> list[str]:
    """What was switched on and not off again, by the last word on each private mode; the cursor and wrapping the other way round."""
    last: dict[str, str] = {}
    for numbers, word in re.findall(rb"\x1b\[\?([0-9;]+)([hl])", data):
        for number in numbers.decode().split(";"):
            last[number] = word.decode()
    found = [name for number, name in MODES.items() if last.get(number) == "h"]
    found += ["hidden cursor"] if last.get("25") == "l" else []
    found += ["no wrapping"] if last.get("7") == "l" else []
    pushed, popped = len(re.findall(rb"\x1b\[>[0-9]+u", data)), len(re.findall(rb"\x1b\[<[0-9]*u", data))
    return found + (["keyboard form"] if pushed > popped else [])


def environment(folder: Path, term: str = "xterm-256color", **more: str) -> dict[str, str]:
    """A person's environment with folders of its own."""
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLORTERM", "TMUX", "COLUMNS", "LINES")}
    homes = {"XDG_STATE_HOME": str(folder / "state"), "XDG_CONFIG_HOME": str(folder / "config")}
    return {**kept, **homes, "TERM": term, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "ADVISOR_LANG": "en", **more}
