"""`show_gids` (MLNX_OFED): GIDs of every RDMA port with RoCE version, IPv4 address and network device."""

import re
from collections.abc import Iterator

from advisor.evidence.reading import Part
from advisor.readers._again import Runs
from advisor.readers._ports import derive_gids, ipv4_of, roce_version
from advisor.readers.contract import Block, Reader, command
from advisor.readers.shapes import is_left_out, open_end

# A table in a comment of a program has its mark before every line.
_HEADER = re.compile(r"[\s#*]*DEV\s+PORT\s+INDEX\s+GID\s+IPv4\s+VER(?:\s+DEV)?\s*\Z")
_RULE = re.compile(r"[\s#*]*---+(?:\s+---+)+\s*\Z")
_ROW = re.compile(
    r"[\s#*]*(?P<device>[A-Za-z][\w.-]*)\s+(?P<port>\d+)\s+(?P<index>\d+)\s+(?P<gid>[0-9a-fA-F]{0,4}(?::[0-9a-fA-F.]*){2,})"
    r"(?:\s+(?P<ipv4>\d+\.\d+\.\d+\.\d+))?(?:\s+(?P<version>(?:RoCE )?v[12](?:\.\d)?|IB\S*))?(?:\s+(?P<netdev>\S+))?\s*\Z"
)
_FOOTER = re.compile(r"[\s#*]*n_gids_found\s*=\s*\d+\s*\Z")
# Rows whose header a filter left out: eight groups of an address between an index and a version.
_BARE_ROW = re.compile(r"[A-Za-z][\w.-]*\s+\d{1,3}\s+\d{1,3}\s+(?:[0-9a-f]{4}:){7}[0-9a-f]{4}\s.*?\bv[12]\b")
_CUT = re.compile(r"\s*[A-Za-z][\w.-]*(?:\s+\d+){0,2}\s*\S*\s*\Z")


def read(block: Block) -> Iterator[Part]:
    runs = Runs("show_gids", block, (("ports", "port_count"),), derive_gids)
    last = open_end(block.lines)
    for i, (n, text) in enumerate(block.lines):
        if not text.strip(" \t#*"):
            continue
        row = _ROW.match(text)
        if _HEADER.match(text):
            if runs.notes.get("ports"):
                runs.begin(i)
            runs.notes.use(n)
        elif row:
            _put(runs, i, n, row, n == last)
        elif _RULE.match(text) or _FOOTER.match(text):
            runs.notes.ignore(n, "rule")
        elif is_left_out(text):
            runs.notes.problem(n, "left-out")
        elif n == last and runs.notes.get("ports") and _CUT.match(text):
            runs.notes.problem(n, "cut")
        else:
            break
    yield from runs.parts()


def _put(runs: Runs, i: int, n: int, row: re.Match[str], at_end: bool) -> None:
    port, index = f"{row['device']}/{int(row['port'])}", str(int(row["index"]))
    path = ("ports", port, "gids", index)
    if runs.notes.get(*path) is not None:
        runs.begin(i)  # told again: another run
    version = roce_version(row["version"] or "")
    if row["version"] is None or (at_end and row["netdev"] is None):
        runs.notes.problem(n, "cut" if at_end else "damaged")
        if row["version"] is None:
            runs.notes.thing(n, "ports", port)
            return
    runs.notes.thing(n, *path)
    # The column says it, or the address does: both are of this line.
    address = row["ipv4"] or ipv4_of(row["gid"])
    runs.notes.put_all(n, {"gid": row["gid"], "roce_version": version, "ipv4": address}, *path)
    if at_end and row["netdev"] and row["netdev"] != runs.notes.get("ports", port, "netdev"):
        runs.notes.problem(n, "cut")  # the name may go on
    elif row["netdev"]:
        runs.notes.put(n, row["netdev"], "ports", port, "netdev")


READER = Reader("show_gids", read, commands=command("show_gids"), starts=re.compile(rf"{_HEADER.pattern}|{_BARE_ROW.pattern}"))
