"""The screens in a browser on the same machine, or through a tunnel: a page with a terminal in it, one process of the screens per visitor.

By default it listens on loopback only and nothing that writes works. The address holds a token, as loopback is shared with every other
user of the machine; a cookie takes its place at the first visit. Nothing is loaded from elsewhere, and the page's policy forbids it.
"""

import os
import secrets
import shlex
import socket
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advisor.base import places
from advisor.base.errors import UsageError
from advisor.base.text import Lang, say

if TYPE_CHECKING:
    from aiohttp import web

LOOPBACK = "127.0.0.1"
_COOKIE = "advisor"
_POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self' {socket}; frame-ancestors 'none'"


@dataclass(frozen=True, slots=True)
class Served:
    """What is served, to whom. `write`: whether visitors may decide, import and export as at a terminal."""

    site: Path
    lang: Lang
    write: bool
    token: str
    host: str
    port: int

    @property
    def address(self) -> str:
        name = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{name}:{self.port}/?token={self.token}"

    def command(self) -> str:
        """What shows the screens to one visitor."""
        words = [sys.executable, "-m", "advisor.tui.served", "--lang", self.lang, *(["--write"] if self.write else []), str(self.site)]
        return shlex.join(words)


def serve(site: str, lang: Lang, told: Callable[[Served], None], host: str = LOOPBACK, port: int = 0, write: bool = False) -> None:
    """Serve a site until the process is told to stop. `told` is given the address once it listens; port 0 takes a free one.

    Raises UsageError: no such site, the server's package is not there, the address cannot be had.
    """
    place = Path(site)
    if not place.exists():
        raise UsageError("no-such-path", path=site)
    try:
        from aiohttp import web
        from textual_serve import server  # noqa: F401  its page and its terminal
    except ImportError:
        raise UsageError("serve-missing") from None
    listening = _listening(host, port)
    served = Served(place.resolve(), lang, write, secrets.token_urlsafe(24), host, listening.getsockname()[1])
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")]))

    async def ready(_: "web.Application") -> None:
        told(served)

    app = application(served)
    app.on_startup.append(ready)
    web.run_app(app, sock=listening, print=None, access_log=None, shutdown_timeout=2)


def _listening(host: str, port: int) -> socket.socket:
    """A socket that listens already, so that nobody else gets the port between asking and serving."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(16)
    except (OSError, OverflowError) as error:
        listening.close()
        raise UsageError("serve-address", host=host, port=port, why=getattr(error, "strerror", None) or str(error)) from None
    return listening


def application(served: Served) -> "web.Application":
    """The web application: the page, the terminal's files, and the socket, all behind the token."""
    import aiohttp_jinja2
    import jinja2
    from aiohttp import web
    from textual_serve.server import Server

    inner = Server(served.command(), host=served.host, port=served.port, title=served.site.stem)

    @aiohttp_jinja2.template("app_index.html")
    async def page(request: web.Request) -> Mapping[str, Any]:
        lang = served.lang
        return {
            "lang": "zh-CN" if lang == "zh" else "en",
            "application": {"name": served.site.stem},
            "opening": say("cli.serve.opening", lang),
            "closed": say("cli.serve.closed", lang),
            "again": say("cli.serve.again", lang),
            "font_size": _whole(request.query.get("fontsize", ""), 15),
            "app_websocket_url": f"ws://{request.host}/ws",  # as the visitor names us: a tunnel has another port
        }

    app = web.Application(middlewares=[_guard(served)])
    loader = jinja2.FileSystemLoader(places.knowledge() / "serve")
    aiohttp_jinja2.setup(app, loader=loader, autoescape=True)
    app.add_routes(
        [
            web.get("/", page),
            web.get("/ws", inner.handle_websocket),
            web.get("/download/{key}", inner.handle_download),
            web.static("/static", inner.statics_path),
        ]
    )
    return app


def _whole(text: str, otherwise: int) -> int:
    return int(text) if text.isdecimal() and 6 <= int(text) <= 60 else otherwise


def _guard(served: Served) -> Any:
    """Lets nobody in without the token, takes it out of the address at once, and sets the page's policy."""
    from aiohttp import web

    @web.middleware
    async def guarded(request: web.Request, handler: Callable[[web.Request], Any]) -> web.StreamResponse:
        given = request.query.get("token") or request.cookies.get(_COOKIE, "")
        if not secrets.compare_digest(given.encode("utf-8", "replace"), served.token.encode()):
            return web.Response(status=403, text=say("cli.serve.no-token", served.lang))
        origin = request.headers.get("Origin")
        if origin is not None and origin.partition("://")[2] != request.host:  # a page of another server on this machine
            return web.Response(status=403, text=say("cli.serve.no-token", served.lang))
        if "token" in request.query:
            first = web.Response(status=302, headers={"Location": request.path})
            first.set_cookie(_COOKIE, served.token, httponly=True, samesite="Strict", path="/")
            return first
        response: web.StreamResponse = await handler(request)
        if not response.prepared:
            policy = _POLICY.format(socket=f"ws://{request.host}")
            response.headers.update(
                {
                    "Content-Security-Policy": policy,
                    "Referrer-Policy": "no-referrer",
                    "X-Content-Type-Options": "nosniff",
                    "Cache-Control": "no-store",
                }
            )
        return response

    return guarded
