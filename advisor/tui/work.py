"""Work that takes a while: done one after another in a thread, told of as it goes, stopped when a person says so."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, Any

from textual.message import Message
from textual.reactive import reactive

from advisor.base.errors import Cancelled
from advisor.tui.order import Ordered

if TYPE_CHECKING:
    from advisor.usecases.progress import Progress, Step

Job = Callable[["Progress", Callable[[], bool]], Any]


@dataclass(eq=False)
class Work:
    """title: key of the catalogue. job: runs in a thread and touches no widget. done: takes its result in the application's own thread.

    pure: changes nothing outside itself, so that a cancel need not wait for it. told: when it last said how far it is.
    """

    title: str
    job: Job
    done: Callable[[Any], None]
    failed: Callable[[Exception], None] | None = None
    pure: bool = False
    told: float = 0.0
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


class Working(Ordered):
    """An application that does one work after another, in the order of the keys pressed."""

    work: reactive[Work | None] = reactive(None)
    step: reactive["Step | None"] = reactive(None)

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self._queue: list[Work] = []

    def tell(self, key: str, **values: object) -> None:
        """A short notice in a corner."""
        raise NotImplementedError

    def explain(self, error: Exception) -> None:
        """What went wrong, in a box."""
        raise NotImplementedError

    def begin(
        self, title: str, job: Job, done: Callable[[Any], None], failed: Callable[[Exception], None] | None = None, pure: bool = False
    ) -> Work:
        """Do work in the background. `pure`: it changes nothing, so that a cancel lets go of it at once."""
        work = Work(title, job, done, failed, pure)
        self._queue.append(work)
        self._next()
        return work

    def _next(self) -> None:
        if self.work is None and self._queue:
            self.step = None
            self.work = self._queue.pop(0)
            self.run_worker(partial(self._run, self.work), thread=True, exit_on_error=False, group="work")

    def _run(self, work: Work) -> None:
        try:
            result = work.job(lambda step: self._tell(work, step), work.stop.is_set)
        except Exception as error:  # told in the application's own thread; nothing is lost
            self.post_message(Ended(work, error=error))
        else:
            self.post_message(Ended(work, result))

    def _tell(self, work: Work, step: "Step") -> None:
        work.told = time.monotonic()
        self.post_message(Told(work, step))

    def on_told(self, message: Told) -> None:
        if message.work is self.work:
            if message.step.name.startswith("tui.work."):
                message.work.title = message.step.name
            self.step = message.step

    def _tick(self) -> None:
        """The time that is left goes down between two reports."""
        step = self.step
        if self.work and step and step.seconds_left and time.monotonic() - self.work.told > 0.9:
            self.step = replace(step, seconds_left=max(step.seconds_left - 1, 0))

    def on_ended(self, message: Ended) -> None:
        if message.work is self.work:
            self.work, self.step = None, None
        elif message.work.pure and message.work.stop.is_set():
            return  # nobody waits for it any longer
        self.refresh_bindings()
        if message.error is None:
            message.work.done(message.result)
        elif message.work.failed:
            message.work.failed(message.error)
        elif isinstance(message.error, Cancelled):
            self.tell("tui.work.cancelled")
        else:
            self.explain(message.error)
        self._next()

    def action_cancel_work(self) -> None:
        self._queue.clear()
        work = self.work
        if work:
            work.stop.set()
            if work.pure:
                self.work, self.step = None, None
                self.refresh_bindings()
                if work.failed:
                    work.failed(Cancelled("cancelled"))
                else:
                    self.tell("tui.work.cancelled")
