"""Sites for tests: a statements form becomes a bundle, a fabric and a diagnosis."""

from collections.abc import Callable
from hashlib import sha256

import pytest

from advisor.diagnosis.diagnose import diagnose
from advisor.diagnosis.observed import Observed
from advisor.diagnosis.verdict import Diagnosis
from advisor.evidence.bundle import Bundle, Capture
from advisor.fabric.build import build
from advisor.readers.recognise import read


def bundle_of(**files: str) -> Bundle:
    """Captures by name; `_` in a name stands for its dot."""
    captures = []
    for name, text in files.items():
        data = text.encode()
        captures.append(Capture(sha256(data).hexdigest(), name.replace("_", "."), len(data), read(data)))
    return Bundle.of(captures)


@pytest.fixture
def site() -> Callable[..., Observed]:
    def observed(**files: str) -> Observed:
        bundle = bundle_of(**files)
        return Observed(bundle, build(bundle))

    return observed


@pytest.fixture
def diagnosed() -> Callable[..., Diagnosis]:
    def of(set_aside: frozenset[str] = frozenset(), **files: str) -> Diagnosis:
        bundle = bundle_of(**files)
        return diagnose(bundle, build(bundle), set_aside)

    return of
