"""The command `advisor`: a site or nothing opens the screens, a command word the command line."""

import sys


def main() -> int:
    from advisor.cli import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
