"""Work that takes a while: done one after another in a thread, told of as it goes, stopped when a person says so."""

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event
from typing import TYPE_CHECKING, Any

from textual.message import Message

if TYPE_CHECKING:
    from advisor.usecases.progress import Progress, Step

Job = Callable[["Progress", Callable[[], bool]], Any]


@dataclass(eq=False)
class Work:
    """title: key of the catalogue. job: runs in a thread and touches no widget. done: takes its result in the application's own thread."""

    title: str
    job: Job
    done: Callable[[Any], None]
    failed: Callable[[Exception], None] | None = None
    stop: Event = field(default_factory=Event)


class Told(Message):
    """How far work is."""

    def __init__(self, work: Work, step: "Step") -> None:
        super().__init__()
        self.work = work
        self.step = step


class Ended(Message):
    """Work has come to its end, or failed."""

    def __init__(self, work: Work, result: Any = None, error: Exception | None = None) -> None:
        super().__init__()
        self.work = work
        self.result = result
        self.error = error
