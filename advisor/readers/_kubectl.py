"""What kubectl's outputs share: quantities (`4885m`, `75`, `1055950504Ki`, `1.5`, `2e3`) and its own error messages."""

import re
from decimal import Decimal

# The suffixes of k8s.io/apimachinery/pkg/api/resource: decimal, binary, and the parts n, u, m.
_SUFFIX = {"n": Decimal("1e-9"), "u": Decimal("1e-6"), "m": Decimal("1e-3"), "": Decimal(1), "k": Decimal(10**3)} | {
    letter: Decimal(1000**power) for power, letter in enumerate("MGTPE", 2)
}
_SUFFIX |= {f"{letter}i": Decimal(1024**power) for power, letter in enumerate("KMGTPE", 1)}
QUANTITY = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3}|[numkMGTPE]|[KMGTPE]i)?"
ERROR = re.compile(
    r"(?:Error from server|error: |Error: |Unable to connect to the server|The connection to the server|E\d{4} \d\d:\d\d:\d\d|"
    r"You must be logged in|Unable to use a TTY)"
)
_PARTS = re.compile(r"([+-]?[\d.]+)(?:[eE]([+-]?\d{1,3})|([numkMGTPE]|[KMGTPE]i)?)\Z")


def quantity(text: str) -> int | float | None:
    """A whole text as a number in the base unit (cores, bytes, pieces), or None."""
    match = _PARTS.match(text.strip())
    if not match or match[1].count(".") > 1 or not any(c.isdecimal() for c in match[1]):
        return None
    value = Decimal(match[1]) * (Decimal(10) ** int(match[2]) if match[2] else _SUFFIX[match[3] or ""])
    return int(value) if value == value.to_integral_value() else float(value)
