"""What cannot be built, told as a sentence: the key that asks for it, what stands in the way, what to change."""

from advisor.base.errors import UsageError


class Impossible(UsageError):
    """A design that no number of switches makes. `field` is the input that stands in the way; the sentence is `error.size-<key>`."""

    def __init__(self, key: str, field: str, **values: object) -> None:
        super().__init__(f"size-{key}", where=field, **values)
        self.field = field

    def at(self, where: str) -> UsageError:
        """The same, said of a place: a line of a file, an option."""
        return UsageError(self.key, **{**self.values, "where": where})
