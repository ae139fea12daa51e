"""`advisor serve`: the screens in a browser on this machine or through a tunnel."""

import sys
from typing import TYPE_CHECKING

from advisor.base.errors import UsageError
from advisor.base.plain import plain
from advisor.base.text import say
from advisor.cli.parser import Adding, Given, language

if TYPE_CHECKING:
    from advisor.usecases.serve import Served


def register(adding: Adding) -> None:
    lang = adding.lang
    one = adding.command("serve", _serve, as_json=False)
    adding.site(one)
    one.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help=say("cli.serve.host", lang))
    one.add_argument("--port", default="0", metavar="N", help=say("cli.serve.port", lang))
    one.add_argument("--write", action="store_true", help=say("cli.serve.write", lang))


def _serve(given: Given) -> int:
    from advisor.usecases.serve import LOOPBACK, serve

    lang = language(given)
    if not given.port.isdecimal() or int(given.port) > 65535:
        raise UsageError("usage", why=f"--port {given.port}", command="advisor serve")

    def told(served: "Served") -> None:
        print(served.address, flush=True)  # the one line of data: a script can take it
        for key in ("wide" if served.host not in (LOOPBACK, "::1", "localhost") else "", "writing" if served.write else "looking", "stop"):
            if key:
                print(plain(say(f"cli.serve.{key}", lang)), file=sys.stderr, flush=True)

    serve(given.target, lang, told, given.host, int(given.port), given.write)
    return 0
