"""`ethtool -i` (driver, firmware and bus of a network device)."""

import re
from collections.abc import Callable, Iterator

from advisor.evidence.reading import Part
from advisor.readers._again import Runs
from advisor.readers._loops import loop_names, nth_name
from advisor.readers._titles import title_above, titled_name
from advisor.readers.contract import Block, Reader, command
from advisor.readers.shapes import is_left_out, known, open_end, pci_address

TOOL = "ethtool-i"
_ENTRY = re.compile(r"\s*(?P<key>driver|version|firmware-version|expansion-rom-version|bus-info|supports-[\w-]+)\s*:(?P<value>.*)\Z")
_FACTS: dict[str, tuple[str, Callable[[str], object]]] = {
    "driver": ("driver", known),
    "version": ("driver_version", known),
    "firmware-version": ("firmware", known),
    "bus-info": ("pci_address", pci_address),
}
_ARGUMENT = re.compile(r"\bethtool\s+(?:-i|--driver)\s+(?P<name>[^\s;|&<>)]+)")
_ERROR = re.compile(r"Cannot get driver|No such device|Operation not (?:permitted|supported)|netlink error|bad command line", re.IGNORECASE)


def read(block: Block) -> Iterator[Part]:
    runs = Runs(TOOL, block, (("interfaces", "interface_count"),))
    names = _names(block)
    above = None if block.command else title_above(block.lines, block.first)
    cut = open_end(block.lines)
    name, count, title_line, seen = "", 0, 0, set[str]()
    for i, (n, text) in enumerate(block.lines):
        entry = _ENTRY.match(text)
        if entry:
            key, value = entry["key"], entry["value"].strip()
            if not name or key in seen or key == "driver":
                count += 1
                name = above or nth_name(names, count)
                above, seen = None, set()
                if runs.notes.get("interfaces", name) is not None:
                    runs.begin(i)
                runs.notes.thing(n, "interfaces", name)
                if title_line:
                    runs.notes.ignore(title_line, "title")
                title_line = 0
            seen.add(key)
            if n == cut and not key.startswith("supports-"):
                runs.notes.problem(n, "cut")
            elif key in _FACTS:
                fact, as_value = _FACTS[key]
                runs.notes.put(n, as_value(value), "interfaces", name, fact)
            else:
                runs.notes.ignore(n, "no fact of ours")
        elif text.strip() and block.command and _ERROR.search(text):
            runs.notes.problem(n, "tool-error")
        elif name and is_left_out(text):
            runs.notes.problem(n, "left-out")
        elif titled := titled_name(text):
            above, name, title_line = titled, "", n
    for part in runs.parts():
        facts = part.facts.get("interfaces", {})
        if part.problems or any("firmware" in entry or "pci_address" in entry or block.command for entry in facts.values()):
            yield part


def _names(block: Block) -> list[str]:
    match = _ARGUMENT.search(block.command or "")
    if not match:
        return []
    argument = match["name"].strip("\"'")
    return loop_names(block.command, argument) or ([] if any(mark in argument for mark in "$`{*") else [argument])


READER = Reader(
    TOOL,
    read,
    commands=command("ethtool", options=r"(?:-i|--driver)\b"),
    starts=re.compile(r"\s*driver: [a-z]\w+\s*\Z|\s*firmware-version: \S|\s*bus-info: [\da-fA-F]{4}:"),
)
