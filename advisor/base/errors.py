"""What can go wrong for a person, and the exit code of each.

    AdvisorError                1   something inside went wrong
    ├── UsageError              2   the command, a path or a value is not what it takes
    │   ├── ContentError        2   a data file (knowledge, prices) does not fit its form: file:line: field
    │   └── AssessmentError     2   the file NAME.advisor cannot be used
    ├── NothingRead             3   nothing of what was given could be read
    ├── PartlyRead              4   some of it could not be read (only with --strict)
    └── Cancelled             130   a person stopped it

Every error is a key of the catalogue (knowledge/text/errors.yaml) with its values: the sentence says what happened, where,
and what to do next, in the language of the reader.
"""

from collections.abc import Mapping


class AdvisorError(Exception):
    """An error that a person is told of. `key` names its sentence in the catalogue, `values` fill it."""

    exit_code = 1

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key, values)
        self.key = key
        self.values: Mapping[str, object] = values

    def __str__(self) -> str:
        from advisor.base.text import say

        return say(f"error.{self.key}", "en", **self.values)


class UsageError(AdvisorError):
    exit_code = 2


class ContentError(UsageError):
    """A data file does not fit its form. `values` hold `file`, `line`, `field`, `why`."""


class AssessmentError(UsageError):
    pass


class NothingRead(AdvisorError):
    exit_code = 3


class PartlyRead(AdvisorError):
    exit_code = 4


class Cancelled(AdvisorError):
    exit_code = 130
