"""The lines of captures as they came, for whoever quotes them."""

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256

from advisor.capture import intake
from advisor.capture.lines import decode
from advisor.capture.secrets import veiled
from advisor.evidence.origin import Origin
from advisor.usecases.assess import Assessment


def original_bytes(assessment: Assessment) -> Iterator[tuple[str, bytes]]:
    """Every capture's hash and bytes, each once."""
    if assessment.path:
        from advisor.store.file import opened

        with opened(assessment.path) as file:
            yield from ((capture.sha256, file.data(capture.sha256)) for capture in assessment.bundle.captures)
        return
    wanted = set(assessment.bundle.by_sha)
    for item in intake.items([assessment.source]):
        if not item.passed and (sha := sha256(item.data).hexdigest()) in wanted:
            wanted.discard(sha)
            yield sha, item.data


def original_texts(assessment: Assessment, shas: Iterable[str]) -> Mapping[str, list[str]]:
    """The lines of these captures by hash, line n at n - 1, in one pass over the source. A capture that is not there is left out."""
    wanted = set(shas)
    found: dict[str, list[str]] = {}
    if assessment.path:
        from advisor.store.file import opened

        with opened(assessment.path) as file:
            return {sha: decode(file.data(sha))[0].split("\n") for sha in wanted if sha in assessment.bundle.by_sha}
    for item in intake.items([assessment.source]):
        if wanted and not item.passed and (sha := sha256(item.data).hexdigest()) in wanted:
            found[sha] = decode(item.data)[0].split("\n")
            wanted.discard(sha)
    return found


class Quotes:
    """Says what the line of an origin says, secrets veiled; None where the origin names no line, or its capture is not there."""

    def __init__(self, assessment: Assessment, origins: Iterable[Origin]) -> None:
        self._texts = original_texts(assessment, {origin.capture for origin in origins if origin.line})

    def __call__(self, origin: Origin) -> str | None:
        lines = self._texts.get(origin.capture, [])
        return veiled(lines[origin.line - 1]) if origin.line and origin.line <= len(lines) else None
