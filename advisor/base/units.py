"""Units, told apart in names: `_gbps` is 10^9 bit/s, `_gBps` is 10^9 byte/s. Mixing them, or GB with GiB, is an error of 8x or 7 %."""

import re

MIB = 2**20
GIB = 2**30
# perftest prints MB/sec and means 2^20 byte/s (linux-rdma/perftest, perftest_parameters.h: MBS_TO_GBS).
_SIZE = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([KMGTPE]?)(i?)(?:[Bb](?:ytes?)?)?\s*\Z")
_POWERS = "KMGTPE"


def gBps(gbps: float) -> float:  # noqa: N802 - the unit's own spelling
    """GB/s (10^9 byte/s) of Gb/s (10^9 bit/s)."""
    return gbps / 8


def gbps(gBps: float) -> float:  # noqa: N803
    """Gb/s (10^9 bit/s) of GB/s (10^9 byte/s)."""
    return gBps * 8


def mib_per_s_in_gbps(mib_per_s: float) -> float:
    """Gb/s of a rate in 2^20 byte/s."""
    return mib_per_s * MIB * 8 / 1e9


def size_bytes(text: str, base: int = 1000) -> int | None:
    """Bytes of `64Ki`, `1.5 GiB`, `4096`, `32G`; `base` is the meaning of a letter without i. None if it is not a size."""
    match = _SIZE.match(text)
    if not match:
        return None
    number, letter, binary = match.groups()
    power = _POWERS.index(letter) + 1 if letter else 0
    return round(float(number) * float(1024 if binary else base) ** power)
