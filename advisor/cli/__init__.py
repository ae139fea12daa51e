"""The command line: stdout is data, stderr is narration, exit codes as base/errors has them. One module for each idea."""

import os
import sys
from collections.abc import Callable, Sequence

from advisor.base.errors import AdvisorError
from advisor.base.plain import plain
from advisor.base.text import say
from advisor.cli.parser import Given, Screens, lang_of, parser


def run(words: Sequence[str], screens: Screens | None = None) -> int:
    """Run one command. Returns its exit code; a sentence, never a traceback, for what a person can mend.

    `screens` opens the terminal application; the command line and the screens are siblings that only __main__ knows both.
    """
    lang = lang_of(words)
    try:
        given = parser(lang).parse_args(words)
        given.screens = screens
        command: Callable[[Given], int] = given.run
        return command(given)
    except AdvisorError as error:
        print(plain(say(f"error.{error.key}", lang, **error.values)), file=sys.stderr)
        return error.exit_code
    except BrokenPipeError:  # the reader of a pipe went away
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print(say("error.cancelled", lang), file=sys.stderr)
        return 130
    except Exception as error:
        if os.environ.get("ADVISOR_DEBUG"):
            raise
        print(plain(say("error.internal", lang, why=f"{type(error).__name__}: {error}")), file=sys.stderr)
        return 1
