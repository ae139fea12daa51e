"""`ibv_devinfo`, also `-v`: ports with MTU, lane speed and width, and GIDs."""

import re
from collections.abc import Iterator

from advisor.evidence.reading import Part
from advisor.readers._again import Runs
from advisor.readers._ports import Fact, derive_gids, ipv4_of, put_key, roce_version
from advisor.readers.contract import Block, Notes, Reader, command
from advisor.readers.shapes import integer, is_left_out, key_value, known, leading_number, link_layer, open_end, physical_state, port_state

_DEVICE = re.compile(r"\s*hca_id:\s+(\S+)\s*\Z")
_PORT = re.compile(r"\s*port:\s+(\d+)\s*\Z")
_STATE = re.compile(r"\s+state:\s+(?:PORT_\w+ \(\d\)|P)")
_GID = re.compile(r"\s*GID\[\s*(\d+)\]:\s+([0-9a-fA-F:.]+)(?:,\s*(\S.*?))?\s*\Z")
_ERROR = re.compile(r"\s*(?:No IB devices found|Failed to (?:open|get|query)|libibverbs: Warning|Couldn't|IB device '.*' wasn't found)")
_COUNT = re.compile(r"\s*\d+ HCAs? found:")
_INVALID = re.compile(r"invalid", re.IGNORECASE)


def _number(text: str) -> object:
    return None if _INVALID.search(text) else leading_number(text)


def _integer(text: str) -> object:
    return integer(text.split("(")[0].strip() or text)


_PORT_KEYS: dict[str, Fact] = {
    "state": ("state", port_state),
    "max_mtu": ("mtu_max_bytes", _number),
    "active_mtu": ("mtu_bytes", _number),
    "sm_lid": ("sm_lid", _integer),
    "port_lid": ("lid", _integer),
    "link_layer": ("link_layer", link_layer),
    "active_width": ("width", _number),
    "active_speed": ("lane_rate_gbps", _number),
    "phys_state": ("physical_state", physical_state),
}
_DEVICE_KEYS: dict[str, Fact] = {
    "fw_ver": ("firmware", known),
    "board_id": ("board_id", known),
    "sys_image_guid": ("system_image_guid", lambda text: (known(text) or "").replace(":", "").lower() or None),
}
# Attributes that tell nothing to us; where a paste lost the indentation, those that every device has.
_ATTRIBUTE = re.compile(
    r"(?:transport|node_guid|sys_image_guid|vendor_(?:part_)?id|hw_ver|board_id|phys_port_cnt|port_lmc|max_\w+|device_cap\w*|page_size_cap|local_ca\w+"
    r"|\w+_cap\w*|[a-z]+_tbl_len|\w+_cntr|subnet_timeout|init_type_reply|sm_sl|\w+_caps|raw_\w+|num_comp_vectors|hca_core_clock|completion_\w+):"
    r"|\s+(?:[a-z]\w*(?:\[\d+\])?:|[A-Z][A-Z0-9_]{2,}|[A-Za-z][\w -]*:|GID\[|0x)"
)


def read(block: Block) -> Iterator[Part]:
    runs = Runs("ibv_devinfo", block, (("ports", "port_count"),), _derive)
    device, port, last, unnamed = "", "", open_end(block.lines), 0
    about: dict[str, tuple[int, object]] = {}
    for i, (n, text) in enumerate(block.lines):
        if not text.strip():
            continue
        named, of_port, gid, entry = _DEVICE.match(text), _PORT.match(text), _GID.match(text), key_value(text)
        if named:
            device, port, about = named[1], "", {}
            if any(name.startswith(f"{device}/") for name in runs.notes.get("ports") or ()):
                runs.begin(i)  # told again: another run
            runs.notes.use(n)
        elif of_port:
            if not device:
                if not _is_port(block, i):
                    break
                unnamed += 1
            port = f"{device}/{int(of_port[1])}" if device else f"#{unnamed}"
            runs.notes.thing(n, "ports", port)
            for fact, (line, value) in about.items():
                runs.notes.put(line, value, "ports", port, fact)
        elif _ERROR.match(text):
            runs.notes.problem(n, "tool-error")
        elif is_left_out(text):
            runs.notes.problem(n, "left-out")
        elif gid and port:
            _put_gid(runs.notes, n, port, gid, n == last)
        elif entry and port and entry.key in _PORT_KEYS:
            _put(runs.notes, n, port, entry.key, entry.value, n == last)
        elif entry and not port and entry.key in _DEVICE_KEYS:
            fact, as_value = _DEVICE_KEYS[entry.key]
            if n == last:
                runs.notes.problem(n, "cut", entry.key)
            else:
                about[fact] = (n, as_value(entry.value))
                runs.notes.use(n)
        elif _COUNT.match(text) or ((device or port) and _ATTRIBUTE.match(text) and not (n == last and not entry)):
            runs.notes.ignore(n, "no fact of ours")
        elif (device or port) and n == last:
            runs.notes.problem(n, "cut")
        else:
            break
    yield from runs.parts()


def _is_port(block: Block, i: int) -> bool:
    """Whether a port without a device is one of this tool: its state follows."""
    return any(_STATE.match(text) for text in block.lines.texts[i + 1 : i + 3])


def _put(notes: Notes, n: int, port: str, key: str, text: str, at_end: bool) -> None:
    if _INVALID.search(text):
        notes.use(n)  # `invalid speed (0)`: the port has none
    else:
        put_key(notes, n, port, _PORT_KEYS, key, text, at_end and not text.endswith(")"))


def _put_gid(notes: Notes, n: int, port: str, gid: re.Match[str], at_end: bool) -> None:
    index, address, kind = str(int(gid[1])), gid[2], gid[3]
    if at_end and (kind is None or roce_version(kind) is None):
        notes.problem(n, "cut", f"GID[{index}]")
        return
    path = ("ports", port, "gids", index)
    notes.thing(n, *path)
    notes.put_all(n, {"gid": address, "roce_version": roce_version(kind or ""), "ipv4": ipv4_of(address)}, *path)


def _derive(notes: Notes) -> None:
    """Rate of a port from lane and width, and what its GIDs say."""
    for port, facts in (notes.get("ports") or {}).items():
        lane, width = facts.get("lane_rate_gbps"), facts.get("width")
        if lane and width:
            notes.put(notes.at.get(("ports", port, "lane_rate_gbps"), notes.block.first), lane * width, "ports", port, "rate_gbps")
    derive_gids(notes)


READER = Reader(
    "ibv_devinfo",
    read,
    commands=command("ibv_devinfo"),
    starts=re.compile(rf"{_DEVICE.pattern}|(?:\t\t| {{12,}})?port:(?:\t+| {{3,}})\d+\s*\Z"),
)
