"""Words of the matrix that `nvidia-smi topo` and its kin print: devices, relations, columns; and the matrix once it is read."""

import re
from dataclasses import dataclass, field

from advisor.evidence.reading import Why

DEVICE = r"(?:[A-Z]{2}U ?\d+(?:/\d+)?)"
NIC = r"(?:NIC\d+|[a-z][\w.-]*\d)"
TAIL = r"(?:CPU\s?Affinity|(?:NUMA|Node)\s?Affinity|GPU\s?NUMA\s?ID)"
TAIL_AT = re.compile(TAIL)
LABEL = re.compile(rf"[\s|]*({DEVICE}|{NIC})(?=[\s|]|\Z)")
LIST = re.compile(r"\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*\Z")
CELL = re.compile(r"[A-Z][A-Z0-9_]{0,7}\*?\Z")
EMPTY = frozenset({"", "N/A", "NA", "-", "U", "n/a"})
SELF = frozenset({"X", "S", "x"})
# Relations of NVIDIA (old drivers: SOC, PSB), Ascend, MetaX, T-Head, Intel; a legend in the text adds its own.
FIXED = frozenset(
    ("X", "SYS", "NODE", "PHB", "PXB", "PIX", "SOC", "PSB", "HCCS", "HCCS_SW", "SIO", "MX", "XGMI", "PCIE", "ETH", "MDF", "C2C", "XL*")
)
ACCESS = frozenset(("OK", "CNS", "GNS", "TNS", "NS", "DR"))
_NUMBERED = re.compile(r"(?:NV|XL|MX|MT|ICN|BR|ML)\d{1,3}\Z")
_IS_DEVICE = re.compile(rf"{DEVICE}\Z")


@dataclass(slots=True)
class Row:
    """One device's row. `cells` by column label, only known ones; `odd` are words no legend knows; `tail` by key, as printed."""

    label: str
    line: int
    cells: dict[str, str] = field(default_factory=dict)
    odd: dict[str, str] = field(default_factory=dict)
    tail: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Matrix:
    """A matrix as read. `labels` are all devices of header and rows, all there are if it `is_whole`; `names` are of the NIC legend."""

    line: int
    labels: list[str]
    is_whole: bool = True
    rows: dict[str, Row] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    problems: list[tuple[int, Why, str]] = field(default_factory=list)
    used: list[int] = field(default_factory=list)

    @property
    def nics(self) -> list[str]:
        return [label for label in self.labels if not is_device(label)]

    @property
    def devices(self) -> list[str]:
        return [label for label in self.labels if is_device(label)]

    @property
    def is_access(self) -> bool:
        """Whether the cells tell of peer access (`topo -p2p`), not of paths."""
        return any(cell in ACCESS for row in self.rows.values() for cell in row.cells.values())


def is_device(label: str) -> bool:
    return _IS_DEVICE.match(label) is not None


def is_relation(word: str, relations: frozenset[str]) -> bool:
    return word in FIXED or word in ACCESS or word in relations or _NUMBERED.match(word) is not None


@dataclass(frozen=True, slots=True)
class Layout:
    """What the header promises a row: labels and keys of its columns; and the relations that the legend knows."""

    header: str
    columns: list[str]
    tails: list[str]
    relations: frozenset[str]

    def fits(self, text: str) -> bool:
        """Whether a row is whole: as many words as promised, each of a known form."""
        label = LABEL.match(text)
        words = text[label.end() :].split() if label else text.split()
        width = len(self.columns)
        return len(words) in (width, width + len(self.tails)) and all(
            is_relation(word, self.relations) or word in SELF or word in EMPTY or LIST.match(word) for word in words
        )
