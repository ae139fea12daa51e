"""Pseudonyms for names and addresses in captured text: of the same shape, the same everywhere, and only reversible by who holds the key.

Names keep their digits, separators and the words that tell a role (leaf, spine, gpu), so that order, lists like `gpu[01-16]` and tiers
are read as before. Addresses keep what is shared: the subnet relations of IP addresses, octet by octet, and the maker's part of hardware
addresses. What comes out of the key is HMAC-SHA-256; hardware addresses go through a Feistel network, so that no two become one.
"""

import hmac
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from ipaddress import IPv6Address

from advisor.base import places
from advisor.base.content import parse
from advisor.capture.alternatives import alternatives

_CONSONANTS = "bcdfghjklmnpqrstvwxz"
_RUNS = re.compile(r"[A-Za-z]+")
_HEX = "0123456789abcdef"

# Every kind of address in one pattern, so that what one kind has hidden no other meets again.
_ADDRESS = re.compile(
    r"""
      (?P<uuid> (?<![0-9A-Fa-f]) (?<![0-9A-Fa-f]-) [0-9A-Fa-f]{8} (?:-[0-9A-Fa-f]{4}){3} -[0-9A-Fa-f]{12} (?![0-9A-Fa-f-]) )
    | (?P<mac> (?<![0-9A-Fa-f:.-]) [0-9A-Fa-f]{2} (?P<dash>[:-]) (?:[0-9A-Fa-f]{2}(?P=dash)){4} [0-9A-Fa-f]{2}
               (?:(?:(?P=dash)[0-9A-Fa-f]{2}){2})? (?![0-9A-Fa-f:-]) )
    | (?P<dotted> (?<![0-9A-Fa-f.]) [0-9A-Fa-f]{4} \. [0-9A-Fa-f]{4} \. [0-9A-Fa-f]{4} (?![0-9A-Fa-f.]) )
    | (?P<colons> (?<![0-9A-Fa-f:]) (?:[0-9A-Fa-f]{4}:){3} [0-9A-Fa-f]{4} (?![0-9A-Fa-f:]) )
    | (?P<ipv6> (?<![0-9A-Za-z:.]) (?=(?:[0-9A-Fa-f]{3,4}|::[fF]{4}):) (?=[0-9A-Fa-f:]*:[0-9A-Fa-f:]*:)
                (?:[0-9A-Fa-f:]{2,30} : \d+ \. \d+ \. \d+ \. \d+ | [0-9A-Fa-f:]{5,39}) (?![0-9A-Za-z:]|\.\d) )
    | (?P<guid> (?<![0-9A-Za-z]) (?:0x|[SHR]-)? [0-9A-Fa-f]{16} (?![0-9A-Za-z]) )
    | (?P<ipv4> (?<![\w.]) (?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3} (?:25[0-5]|2[0-4]\d|1?\d?\d) (?!\w|\.\d) )
    """,
    re.VERBOSE,
)
_SERIAL = re.compile(r"(?i)(\bserial[ _-]?(?:number|num|no)?\b[\"']?\s*[:=|,]?\s*[\"']?)([A-Za-z0-9][A-Za-z0-9-]{4,}[A-Za-z0-9])")
_MAIL = re.compile(r"(?<![\w.])[\w.+-]+@(?=[\w-]+\.[\w.-]+)")
_KEPT_V4 = re.compile(r"(?:0|127|255)\.|169\.254\.|22[4-9]\.|23\d\.")


@cache
def role_words() -> frozenset[str]:
    """Words that tell what a thing is, not whose it is (knowledge/role-words.yaml). The fabric finds tiers by some of them."""
    path = places.knowledge() / "role-words.yaml"
    tree, _ = parse(path.read_text(encoding="utf-8"), str(path))
    return frozenset(tree["words"].split())


@dataclass(frozen=True)
class Pseudonyms:
    """names    what is replaced wherever it stands as a word, in capitals or not: hosts, switches, jobs, users, namespaces, domains
    numbers  ids of digits alone (jobs), replaced where they stand as a number of their own
    """

    key: bytes
    names: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()

    def text(self, text: str) -> str:
        """The text with every name and address replaced; its lines stay lines."""
        text = _ADDRESS.sub(self._address, text)
        text = _SERIAL.sub(lambda m: m[1] + (self._shaped(m[2]) if re.search(r"\d", m[2]) else m[2]), text)
        text = _MAIL.sub(lambda m: self.name(m[0][:-1]) + "@", text)
        if self._names is not None:
            text = self._names.sub(lambda m: self.name(m[0]), text)
        return text

    def name(self, name: str) -> str:
        """The pseudonym of one name."""
        return self.table.get(name) or self._named(name)

    @cached_property
    def table(self) -> Mapping[str, str]:
        """Every name and number with its pseudonym; stems of names (`gpu` of `gpu[01-16]`) with theirs."""
        found = {name: self._named(name) for name in sorted(self.names | self._stems)}
        used = set(self.numbers)
        for number in sorted(self.numbers):
            new = self._number(number, used)
            used.add(new)
            found[number] = new
        return found

    @cached_property
    def _stems(self) -> frozenset[str]:
        """What stands before the digits at a name's end, where it tells more than a letter."""
        stems = (re.sub(r"[\d.]+\Z", "", name) for name in self.names)
        return frozenset(stem for stem in stems if len(stem) >= 3 and _RUNS.search(stem) and stem.lower().strip("-_") not in role_words())

    @cached_property
    def _names(self) -> re.Pattern[str] | None:
        """All names as one pattern, the longest first. A stem counts only before the digits or brackets of a list."""
        full, stems = self.names | self.numbers, self._stems - self.names
        parts = [f"{alternatives(full)}(?![A-Za-z0-9])"] if full else []
        parts += [f"{alternatives(stems)}(?=\\[|\\d)"] if stems else []
        return re.compile(f"(?<![A-Za-z0-9])(?:{'|'.join(parts)})", re.IGNORECASE) if parts else None

    @cached_property
    def _letters(self) -> Mapping[str, str]:
        """Runs of letters of all names with theirs: one to one among runs of a length, and none that stands in a name already."""
        runs = sorted({run.lower() for name in self.names for run in _RUNS.findall(name)} - role_words())
        taken = set(runs) | role_words()
        found: dict[str, str] = {}
        for run in runs:
            size = len(run) if len(run) > 1 or len([r for r in runs if len(r) == 1]) < 9 else 2
            new = next(word for n in range(10_000) if (word := self._word(f"{run}/{n}", size)) not in taken)
            taken.add(new)
            found[run] = new
        return found

    def _named(self, name: str) -> str:
        found = _RUNS.sub(lambda m: self._run(m[0]), name)
        if found != name or not _RUNS.search(name):
            return found
        tag = self._word("tag", 2)  # a name of role words alone: the tag goes behind the last of them
        *_, last = _RUNS.finditer(name)
        word = "switch" if last[0].lower() == "sw" else last[0]
        return f"{name[: last.start()]}{word}-{tag}{name[last.end() :]}"

    def _run(self, run: str) -> str:
        low = run.lower()
        if low in role_words():
            return run
        new = self._letters.get(low) or self._word(low, len(run))
        return new.upper() if run.isupper() else new.capitalize() if run[0].isupper() else new

    # --- addresses ---

    def _address(self, found: re.Match[str]) -> str:
        match found.lastgroup:
            case "uuid":
                return self._hexed(found[0])
            case "ipv6":
                return self._ipv6(found[0])
            case "ipv4":
                return self._ipv4(found[0])
            case "guid":
                return self._guid(found[0])
            case _:
                return self._hardware(found[0])

    def _ipv4(self, address: str) -> str:
        """Octet by octet, each by what stands before it and as many digits long: one subnet stays one, and columns stay in place."""
        if _KEPT_V4.match(address):
            return address
        octets = address.split(".")
        return ".".join(self._octet(".".join(octets[:i]), octet) for i, octet in enumerate(octets))

    def _octet(self, before: str, octet: str) -> str:
        low, high = {1: (0, 9), 2: (10, 99), 3: (100, 255)}[len(octet)]
        if not low <= int(octet) <= high:
            return octet  # leading zeros: not an address that a tool prints
        if not before and len(octet) == 3:
            high = 223
            if int(octet) > high:
                return octet
        return str(self._among(f"v4/{before}/{len(octet)}", int(octet) - low, high - low + 1) + low)

    def _among(self, tweak: str, value: int, size: int) -> int:
        """A permutation of range(size), never onto itself: a rotation of a keyed shuffle."""
        order = self._orders.get(tweak)
        if order is None:
            order = self._orders[tweak] = sorted(range(size), key=lambda i: self._digest(f"{tweak}/{i}"))
        return order[(order.index(value) + 1) % size]

    @cached_property
    def _orders(self) -> dict[str, list[int]]:
        """Shuffles that were worked out already: all addresses of a subnet share theirs."""
        return {}

    def _hardware(self, address: str) -> str:
        """A MAC, EUI-64 or GUID in any spelling: the maker's 24 bits stay, the last 24 change."""
        digits = [c for c in address if c in _HEX or c in "ABCDEF"]
        if len(set(digits)) == 1 or digits[:6] == ["0"] * 6:
            return address
        new = iter(digits[:-6] + list(self._feistel("".join(digits[:6]).lower(), "".join(digits[-6:]).lower())))
        upper = any(c in "ABCDEF" for c in address)
        return "".join((next(new).upper() if upper else next(new).lower()) if c in _HEX or c in "ABCDEF" else c for c in address)

    def _guid(self, text: str) -> str:
        head, digits = text[:-16], text[-16:]
        if not head and digits.isdecimal():
            return text  # a counter of sixteen digits
        return head + self._hardware(digits)

    def _ipv6(self, text: str) -> str:
        try:
            address = IPv6Address(text)
        except ValueError:
            return text
        if address.is_loopback or address.is_unspecified or address.is_multicast:
            return text
        if "." in text:
            head, _, last = text.rpartition(":")
            return f"{head}:{self._ipv4(last)}"
        full = address.exploded.replace(":", "")
        if address.ipv4_mapped is not None:
            octets = [int(part) for part in self._ipv4(str(address.ipv4_mapped)).split(".")]
            new = full[:24] + "".join(f"{octet:02x}" for octet in octets)
        else:
            network = full[:16] if address.is_link_local else full[:4] + self._feistel("v6", full[4:16])
            new = network + (full[16:26] + self._feistel(_maker(full[16:]), full[26:]))
        groups = [new[i : i + 4] for i in range(0, 32, 4)]
        return ":".join(groups) if len(text) == 39 else IPv6Address(":".join(groups)).compressed

    def _feistel(self, tweak: str, digits: str) -> str:
        """Hexadecimal digits onto as many others, one to one: four rounds."""
        half = len(digits) // 2
        left, right = int(digits[:half], 16), int(digits[half:], 16)
        mask_l, mask_r = 16**half - 1, 16 ** (len(digits) - half) - 1
        for turn in range(4):
            if turn % 2 == 0:
                left ^= int.from_bytes(self._digest(f"f/{tweak}/{turn}/{right:x}")[:8], "big") & mask_l
            else:
                right ^= int.from_bytes(self._digest(f"f/{tweak}/{turn}/{left:x}")[:8], "big") & mask_r
        return f"{left:0{half}x}{right:0{len(digits) - half}x}"

    # --- what the key gives ---

    def _digest(self, text: str) -> bytes:
        return hmac.digest(self.key, text.encode("utf-8", "surrogatepass"), "sha256")

    def _word(self, seed: str, size: int) -> str:
        stream = b"".join(self._digest(f"word/{size}/{seed}/{i}") for i in range(size // 32 + 1))
        return "".join(_CONSONANTS[byte % len(_CONSONANTS)] for byte in stream[:size])

    def _number(self, number: str, used: Iterable[str]) -> str:
        low, span = 10 ** (len(number) - 1), 9 * 10 ** (len(number) - 1)
        for n in range(10_000):
            new = str(low + int.from_bytes(self._digest(f"number/{number}/{n}")[:8], "big") % span)
            if new not in used:
                return new
        return "9" * (len(number) + 1)

    def _shaped(self, text: str) -> str:
        """Letters for letters and digits for digits."""
        stream = self._digest(f"shape/{text}") * (len(text) // 32 + 1)

        def swap(c: str, byte: int) -> str:
            if c.isdigit():
                return str(byte % 10)
            return _CONSONANTS[byte % 20].upper() if c.isupper() else _CONSONANTS[byte % 20] if c.isalpha() else c

        return "".join(swap(c, byte) for c, byte in zip(text, stream, strict=False))

    def _hexed(self, text: str) -> str:
        stream = self._digest(f"hex/{text.lower()}") * 2
        swapped = (c if c == "-" else _HEX[byte % 16] for c, byte in zip(text, stream, strict=False))
        return "".join(swapped).upper() if text.isupper() else "".join(swapped)


def _maker(interface: str) -> str:
    """The maker's 24 bits of an interface identifier, as its hardware address has them: EUI-64 turns the universal bit over."""
    return f"{int(interface[:2], 16) ^ 2:02x}{interface[2:6]}"
