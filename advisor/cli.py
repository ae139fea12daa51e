"""The command line: stdout is data, stderr is narration."""

import argparse
import json
import sys

from advisor.base.errors import AdvisorError
from advisor.usecases import inspect as inspecting


def run(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="advisor")
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("inspect")
    one.add_argument("paths", nargs="+")
    one.add_argument("--json", action="store_true")
    given = parser.parse_args(words)
    try:
        for name, reading in inspecting.inspect(given.paths):
            print(json.dumps(inspecting.as_json(name, reading), ensure_ascii=False), flush=True)
    except AdvisorError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    return 0
