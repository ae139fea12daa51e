"""What an import hands to the store."""

from typing import NamedTuple

from advisor.evidence.bundle import Role


class Row(NamedTuple):
    """A file of an import, as the store keeps it (store/encoding).

    digest   SHA-256 of its bytes
    data     its bytes; None where the store has them
    reading  None with `data`
    host     as a person states it
    shared   what `data` and `reading` refer to, by id, as far as the store may not have it
    """

    digest: bytes
    name: str
    size: int
    data: bytes | None
    reading: bytes | None
    failed: str | None = None
    host: str | None = None
    role: Role | None = None
    shared: tuple[tuple[bytes, bytes], ...] = ()
