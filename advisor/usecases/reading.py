"""What import and opening share: the version of the readers, and a reading that one bad file cannot stop."""

from advisor import __version__
from advisor.evidence.reading import Reading
from advisor.readers.recognise import read

# Readings of another version are made anew from the bytes.
READERS = __version__
SUFFIX = ".advisor"


def safely_read(data: bytes) -> tuple[Reading, str | None]:
    """The reading of bytes; a reader's own defect gives an empty reading and its name, so that one file never costs the others."""
    try:
        return read(data), None
    except Exception as error:  # the defect is shown as the state "failed" of this capture
        return Reading(refused="failed"), f"{type(error).__name__}: {error}"
