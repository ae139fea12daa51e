"""A real terminal for the program: a pane of tmux, on a server of its own, with the modes that tmux knows of it."""

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path


class Terminal:
    def __init__(self, socket: Path, env: dict[str, str], size: tuple[int, int] = (110, 34)) -> None:
        self._tmux = ["tmux", "-S", str(socket), "-f", os.devnull]
        self._env = env
        self.call("new-session", "-d", "-x", str(size[0]), "-y", str(size[1]), "sh")

    def call(self, *words: str) -> str:
        return subprocess.run([*self._tmux, *words], env=self._env, check=True, capture_output=True, text=True).stdout

    def close(self) -> None:
        self.call("kill-server")

    def text(self) -> str:
        return self.call("capture-pane", "-p")

    def press(self, *keys: str) -> None:
        self.call("send-keys", *keys)

    def type(self, words: str) -> None:
        self.call("send-keys", "-l", words)

    def resize(self, width: int, height: int) -> None:
        self.call("resize-window", "-x", str(width), "-y", str(height))

    def modes(self) -> dict[str, bool]:
        """What is on now: the alternate screen, reports of the mouse, the cursor, cursor keys as an application's."""
        names = ("alternate_on", "mouse_any_flag", "cursor_flag", "keypad_cursor_flag")
        found = self.call("display-message", "-p", " ".join(f"#{{{name}}}" for name in names)).split()
        return dict(zip(names, (word == "1" for word in found), strict=True))

    def wait(self, words: str, seconds: float = 120) -> str:
        """The screen as soon as words stand on it. Raises AssertionError with the screen."""
        return self.see(lambda text: words in text, repr(words), seconds)

    def gone(self, words: str, seconds: float = 120) -> str:
        return self.see(lambda text: words not in text, f"the end of {words!r}", seconds)

    def see(self, wanted: Callable[[str], bool], what: str, seconds: float = 120) -> str:
        end = time.monotonic() + seconds
        text = ""
        while time.monotonic() < end:
            text = self.text()
            if wanted(text):
                return text
            time.sleep(0.05)
        raise AssertionError(f"{what} did not come up:\n{text}")

    def still(self, seconds: float = 0.5) -> str:
        """The screen once nothing on it has changed for a while."""
        text, since = self.text(), time.monotonic()
        while time.monotonic() - since < seconds:
            time.sleep(0.1)
            if (now := self.text()) != text:
                text, since = now, time.monotonic()
        return text

    def go(self, key: str, words: str) -> str:
        """Press a key and wait for what it brings."""
        self.press(key)
        return self.wait(words)

    def until(self, key: str, words: str, times: int = 5) -> str:
        """Press a key again and again until words come: what a person does where a key came before its pane had the focus."""
        for _ in range(times - 1):
            self.press(key)
            try:
                return self.wait(words, 1.5)
            except AssertionError:
                continue
        return self.go(key, words)
