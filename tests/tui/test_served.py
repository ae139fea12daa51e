"""The screens in a browser: who gets in, what a page may load, what a visitor may do; and all of it in a real headless Chromium."""

import asyncio
import base64
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from advisor.base.errors import UsageError
from advisor.store.snapshot import snapshot
from advisor.tui import keys
from advisor.tui.keys import Keyed
from advisor.tui.served import WRITING, LookingApp, copied
from advisor.usecases import assess
from advisor.usecases.import_ import import_into
from tui.driving import screen_text, settled, stage

served = pytest.importorskip("textual_serve") and pytest.importorskip("advisor.usecases.serve")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
# Actions of the screens that only look, beside those of moving about and of dialogs that only a writing action opens.
LOOKING = {
    *("go", "start", "find", "back", "cancel_work", "language", "theme", "command_palette", "help", "quit", "jump", "tour", "app.example"),
    *("app.tour", "group", "copy_probe", "probes", "hit", "pane", "look", "origin", "curve", "walk", "turning", "flow", "next"),
    *("breakdown", "plot", "fold", "verify", "leave", "step", "copy", "app.focus_next", "app.focus_previous", "jump_to", "whole", "page"),
    "next_field",
}
DIALOGS = (
    "ImportScreen",
    "CommandScreen",
    "Form",
    "MoneyScreen",
    "ExportScreen",
    "CorrectScreen",
    "OverruleScreen",
    "Ask",
    "JumpScreen",
    "ResumeScreen",
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("served") / "hall.advisor"
    import_into(str(path), [assess.example()])
    return path


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


# ---- what a visitor may do


async def test_nothing_that_writes_works_and_the_file_stays_as_it_was(site: Path, tmp_path: Path) -> None:
    before = sha256(site.read_bytes()).hexdigest()
    app = LookingApp(str(copied(site, tmp_path)), "en")
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        assert app.assessment is not None
        for name, keys in (
            ("remedies", "tsl"),
            ("diagnosis", "xXo"),
            ("costs", "egc"),
            ("evidence", "ic"),
            ("compare", "ck"),
            ("report", "xs"),
        ):
            await stage(pilot, name)
            await pilot.press(*keys, "ctrl+z", "colon")
            await settled(pilot)
            assert len(app.screen_stack) == 1, f"a dialog that writes opened on {name}"
        assert not app.assessment.decisions
        assert not app.assessment.set_aside
        app.change("tui.work.decide", lambda now: assess.decide(now, "pack-jobs", "take"))
        app.open(str(tmp_path))
        await settled(pilot)
        assert not app.assessment.decisions
        assert app.assessment.name == "hall"
        assert "Take" not in screen_text(app).splitlines()[-1]
    assert sha256(site.read_bytes()).hexdigest() == before


async def test_looking_works_drill_down_and_all(site: Path, tmp_path: Path) -> None:
    app = LookingApp(str(copied(site, tmp_path)), "zh")
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await stage(pilot, "diagnosis")
        assert "共享链路争用" in screen_text(app)
        await pilot.press("enter", "enter")
        await settled(pilot)
        assert app.current_mode == "evidence"


async def test_a_visitor_comes_back_from_the_tour_to_what_is_served(site: Path, tmp_path: Path) -> None:
    app = LookingApp(str(copied(site, tmp_path)), "en")
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pilot.press("f2", "enter")
        await settled(pilot)
        assert app.assessment
        assert app.assessment.path is None
        await pilot.press("escape")
        await settled(pilot)
        assert app.assessment.name == "hall"


def test_every_action_is_known_to_look_or_to_write() -> None:
    """A new action is put on one of the two lists before it can reach a visitor."""
    keys.bound()  # imports every screen
    unknown: set[str] = set()
    for kind in _below(Keyed):
        if kind.__name__ in DIALOGS or not kind.__module__.startswith(("advisor.tui.screens", "advisor.tui.app", "advisor.tui.page")):
            continue
        for binding in kind.__dict__.get("BINDINGS", ()):
            action = binding.action.partition("(")[0]
            if action.removeprefix("app.") not in WRITING and action not in LOOKING:
                unknown.add(f"{kind.__name__}: {action}")
    assert not unknown


def _below(kind: type) -> Iterator[type]:
    for each in kind.__subclasses__():
        yield each
        yield from _below(each)


def test_a_snapshot_leaves_the_file_alone(site: Path, tmp_path: Path) -> None:
    site.chmod(0o444)
    before = (site.stat().st_mtime_ns, sha256(site.read_bytes()).hexdigest())
    snapshot(site, tmp_path / "copy.advisor")
    assert (site.stat().st_mtime_ns, sha256(site.read_bytes()).hexdigest()) == before
    assert assess.open_site(str(tmp_path / "copy.advisor")).bundle.captures
    assert (tmp_path / "copy.advisor").stat().st_mode & 0o077 == 0
    site.chmod(0o644)


# ---- who gets in


@asynccontextmanager
async def client(site: Path, lang: str = "en") -> AsyncIterator[tuple[Any, Any]]:
    from aiohttp.test_utils import TestClient, TestServer

    it = served.Served(site, lang, False, "secret-token", "127.0.0.1", 1)
    async with TestClient(TestServer(served.application(it))) as found:
        yield found, it


@pytest.mark.parametrize("path", ["/", "/static/js/textual.js", "/ws", "/download/x", "/?token=wrong", "/nothing"])
async def test_without_the_token_nobody_gets_in(site: Path, path: str) -> None:
    async with client(site) as (visitor, _):
        assert (await visitor.get(path, allow_redirects=False)).status == 403


async def test_the_token_becomes_a_cookie_and_leaves_the_address(site: Path) -> None:
    async with client(site) as (visitor, it):
        first = await visitor.get(f"/?token={it.token}", allow_redirects=False)
        assert (first.status, first.headers["Location"]) == (302, "/")
        assert first.cookies["advisor"]["httponly"]
        assert first.cookies["advisor"]["samesite"] == "Strict"
        page = await visitor.get("/")
        text = await page.text()
        assert page.status == 200
        assert it.token not in text
        assert "default-src 'self'" in page.headers["Content-Security-Policy"]
        elsewhere = await visitor.get("/", headers={"Origin": "http://127.0.0.1:9"})
        assert elsewhere.status == 403, "a page of another server on this machine"


async def test_the_page_names_no_place_but_its_own(site: Path) -> None:
    async with client(site, "zh") as (visitor, it):
        await visitor.get(f"/?token={it.token}", allow_redirects=False)
        text = await (await visitor.get("/")).text()
        assert "https://" not in text
        assert text.count("http") == 0
        assert f"ws://127.0.0.1:{visitor.port}/ws" in text, "the address by which the visitor came, which a tunnel changes"
        assert "会话已结束" in text


def test_what_cannot_be_served_is_said() -> None:
    with pytest.raises(UsageError) as caught:
        served.serve("/no/such/site.advisor", "en", print)
    assert caught.value.key == "no-such-path"


def test_a_port_that_is_taken_is_said(site: Path) -> None:
    import socket

    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(UsageError) as caught:
            served.serve(str(site), "en", print, port=other.getsockname()[1])
    assert caught.value.key == "serve-address"


# ---- in a real browser


@asynccontextmanager
async def serving(site: Path, *options: str) -> AsyncIterator[str]:
    words = [sys.executable, "-m", "advisor", "serve", str(site), *options]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert process.stdout
        yield (await asyncio.to_thread(process.stdout.readline)).strip()
    finally:
        process.terminate()
        process.communicate(timeout=120)
        assert process.returncode in (0, -15)


class Browser:
    """A headless Chromium, driven by its own protocol: no package for it is needed."""

    def __init__(self, socket: Any) -> None:
        self._socket, self._number = socket, 0
        self.requests: list[str] = []
        self.frames = b""

    async def ask(self, method: str, **given: object) -> dict[str, Any]:
        self._number += 1
        number = self._number
        await self._socket.send_json({"id": number, "method": method, "params": given})
        while True:
            told = await self._listen(20)
            if told.get("id") == number:
                return dict(told.get("result", {}))

    async def _listen(self, seconds: float) -> dict[str, Any]:
        told: dict[str, Any] = json.loads((await self._socket.receive(seconds)).data)
        given = told.get("params", {})
        if told.get("method") == "Network.requestWillBeSent":
            self.requests.append(given["request"]["url"])
        elif told.get("method") == "Network.webSocketCreated":
            self.requests.append(given["url"])
        elif told.get("method") == "Network.webSocketFrameReceived" and given["response"]["opcode"] == 2:
            self.frames += base64.b64decode(given["response"]["payloadData"])
        return told

    async def until(self, wanted: bytes, seconds: float = 180) -> bool:
        """Whether the terminal was sent these bytes."""
        end = time.monotonic() + seconds
        while wanted not in self.frames and time.monotonic() < end:
            with suppress(asyncio.TimeoutError, TimeoutError):
                await self._listen(1)
        return wanted in self.frames

    async def type(self, text: str) -> None:
        for char in text:
            code = f"Digit{char}" if char.isdigit() else f"Key{char.upper()}"
            await self.ask("Input.dispatchKeyEvent", type="keyDown", text=char, key=char, code=code)
            await self.ask("Input.dispatchKeyEvent", type="keyUp", key=char, code=code)


@asynccontextmanager
async def browser(folder: Path) -> AsyncIterator[tuple[Browser, Path]]:
    from aiohttp import ClientSession

    assert CHROMIUM
    log = folder / "net.json"
    flags = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
    ]
    flags += ["--disable-sync", "--disable-default-apps", "--window-size=1400,900", "--remote-debugging-port=0", f"--log-net-log={log}"]
    profile = folder / "profile"
    process = subprocess.Popen(
        [CHROMIUM, *flags, f"--user-data-dir={profile}", "about:blank"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"HOME": str(folder)},
    )
    try:
        place = profile / "DevToolsActivePort"
        for _ in range(1200):
            if place.is_file() and place.read_text():
                break
            await asyncio.sleep(0.1)
        port = place.read_text().split()[0]
        async with ClientSession() as session:
            tabs = await (await session.get(f"http://127.0.0.1:{port}/json")).json()
            address = next(tab["webSocketDebuggerUrl"] for tab in tabs if tab["type"] == "page")
            async with session.ws_connect(address, max_msg_size=0) as socket:
                found = Browser(socket)
                for domain in ("Network", "Page", "Runtime"):
                    await found.ask(f"{domain}.enable")
                yield found, log
                await found.ask("Browser.close")
    finally:
        with suppress(subprocess.TimeoutExpired):
            process.wait(10)
        process.kill()
        process.wait()


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
async def test_a_browser_shows_the_verdict_and_asks_nobody_else(site: Path, tmp_path: Path) -> None:
    before = sha256(site.read_bytes()).hexdigest()
    async with serving(site) as address, browser(tmp_path) as (page, log):
        own = address.partition("?")[0]
        await page.ask("Page.navigate", url=address)
        assert await page.until(b"shared-link contention"), "the verdict stands in the terminal's first line"
        await page.ask("Runtime.evaluate", expression="document.querySelector('textarea').focus()")
        await page.type("4")
        assert await page.until(b"The plan so far"), "keys reach the screens"
        await page.type("t")
        await asyncio.sleep(1)
        there = await page.ask("Runtime.evaluate", expression="location.href", returnByValue=True)
        assert there["result"]["value"] == own, "the token has left the address"
        drawn = base64.b64decode((await page.ask("Page.captureScreenshot", format="png"))["data"])
        assert len(drawn) > 20_000, "a terminal full of text, no empty page"
        (tmp_path / "page.png").write_bytes(drawn)
        asked = {url.partition("?")[0] for url in page.requests if not url.startswith(("about:", "data:", "blob:"))}
    assert asked
    assert all(url.startswith((own, own.replace("http:", "ws:"))) for url in asked), asked
    urls = asked_for(log, own.rstrip("/"))
    assert {url for url in urls if not url.startswith((own, own.replace("http:", "ws:")))} == set()
    assert any(url.endswith("/ws") or "/ws?" in url for url in urls)
    assert sha256(site.read_bytes()).hexdigest() == before


def asked_for(log: Path, origin: str) -> set[str]:
    """All addresses in the network log of the browser that a page of this origin asked for; what the browser asks for itself is not its."""
    text = log.read_text(encoding="utf-8").rstrip()
    tree = json.loads(text if text.endswith("}") else text.rstrip(",") + "]}")
    given = [event.get("params", {}) for event in tree["events"]]
    return {str(one["url"]) for one in given if one.get("url") and str(one.get("initiator", "")).startswith(origin)}
