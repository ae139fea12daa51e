"""An assessment with everything worked out that its stages show, told part by part."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from advisor.base.errors import Cancelled

if TYPE_CHECKING:
    from advisor.usecases.assess import Assessment
    from advisor.usecases.progress import Progress

# How long each takes beside the others, as measured on a site of 1,000 hosts: what is left is told by them.
_PARTS = {"fabric": 1.2, "diagnosis": 2.1, "prediction": 0.2, "plan": 0.2}


def ready(assessment: "Assessment", progress: "Progress | None" = None, cancelled: Callable[[], bool] = lambda: False) -> "Assessment":
    """An assessment with all that its stages show worked out, so that no screen waits for it; the start screen keeps its verdict.

    Raises Cancelled between two parts.
    """
    from advisor.usecases.progress import Step

    begun, behind = time.monotonic(), 0.0
    for number, (part, weight) in enumerate(_PARTS.items()):
        if cancelled():
            raise Cancelled("cancelled")
        if progress:
            ahead = sum(_PARTS.values()) - behind
            left = (time.monotonic() - begun) / behind * ahead if behind else None
            progress(Step(number, len(_PARTS), f"tui.work.{part}", left))
        getattr(assessment, part)
        behind += weight
    if assessment.path:
        from advisor.usecases.recent import remember

        remember(assessment.path, assessment.diagnosis.verdict, assessment.diagnosis.confidence)
    return assessment
