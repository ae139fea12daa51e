"""`python -m tests.durability`: kill an assessment's programs at random moments, take its power away, and count what was lost."""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

from .kills import Strike, ground, strikes, summary
from .power import cuts, power_summary

_KINDS = ("import", "decide", "migrate", "re-read")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.durability", description=__doc__)
    parser.add_argument("--kills", type=int, default=200, help="kills that must strike work (200)")
    parser.add_argument("--command", type=int, default=8, help="of these, kills of the whole command with its processes (8)")
    parser.add_argument("--power", type=int, default=400, help="losses of power on a copied file (400)")
    parser.add_argument("--seed", type=int, default=20261130)
    given = parser.parse_args()
    os.environ["ADVISOR_JOBS"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = os.environ["XDG_CONFIG_HOME"] = str(Path(folder, "home"))
        begun = time.monotonic()
        on = ground(Path(folder))
        found: list[Strike] = []
        for strike in strikes(on, list(_KINDS), given.kills - given.command, given.seed):
            found.append(strike)
            if strike.lost or len(found) % 50 == 0:
                print(f"{len(found)} after {time.monotonic() - begun:.0f} s {strike.lost}", file=sys.stderr, flush=True)
        if given.command:
            found += strikes(on, ["command"], given.command, given.seed + 1)
        print(f"seed {given.seed}, load {os.getloadavg()[0]:.1f}, {time.monotonic() - begun:.0f} s")
        print(summary(found))
        lost = cuts(on, given.power, given.seed)
        print(power_summary(lost, given.power))
    return 1 if any(strike.lost for strike in found) or lost else 0


if __name__ == "__main__":
    sys.exit(main())
