"""Variables of communication libraries: `printenv`, and the file /etc/nccl.conf. Of one shell or one machine; a job may set others."""

import re
from collections.abc import Iterator

from advisor.capture.secrets import MARK, is_secret
from advisor.evidence.reading import Part
from advisor.readers.contract import Block, Notes, Reader, command
from advisor.readers.shapes import known, open_end

TOOL = "environment"
# Families that the libraries themselves read; anything else of an environment is nobody's business here.
_VARIABLE = re.compile(
    r"\s*(?:export\s+)?(?P<name>(?:NCCL|RCCL|TORCH_NCCL|UCX|SHARP|NVSHMEM|FI|OMPI_MCA|GLOO|CUDA|NVIDIA|HIP|ROCR|HSA|OMP)_[A-Z][A-Za-z0-9_]*)"
    r"\s*=\s*(?P<value>.*?)\s*\Z"
)


def read(block: Block) -> Iterator[Part]:
    notes = Notes(TOOL, block)
    cut = open_end(block.lines)
    for n, text in block.lines.inked():
        found = _VARIABLE.match(text)
        if n == cut and found:
            notes.problem(n, "cut")
        elif found:
            notes.put(n, MARK if is_secret(found["name"]) else known(found["value"].strip("\"'")), "env", found["name"])
        elif text.lstrip().startswith("#"):
            notes.ignore(n, "remark")
    if not notes.is_empty:
        yield notes.part()


_FILE = command("cat", "grep", "more", "less", options=r"/nccl\.conf\b")

READER = Reader(TOOL, read, commands=re.compile(f"(?:{command('printenv').pattern})|(?:{_FILE.pattern})"))
