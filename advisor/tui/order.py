"""Keys in the order in which they were pressed, also those typed ahead.

Textual hands a key to what has the focus and takes the next one at once. What the first one does comes later: an action of a binding,
a dialog that opens, a field that gets the focus. Of a burst (a fast typist, a slow line that delivers in pieces, a paste without
brackets) later keys then come before earlier ones, or to what had the focus before. So a key waits until the one before it has
come to rest.
"""

import asyncio
from collections import deque
from collections.abc import Iterable

from textual import events
from textual.app import App
from textual.command import CommandPalette
from textual.message_pump import MessagePump
from textual.screen import Screen

RESTS = "rests"  # the name of a timer for what comes when no further key does
_TURNS = 200  # of the event loop, before a wait takes time,
_NAP_S = 0.005
_NAPS = 400  # and naps, after which a key is let go on: whatever hangs, cancel must reach it


class Ordered(App[int]):
    """An application that handles one key after another."""

    def __init__(self, **given: object) -> None:
        super().__init__(**given)  # type: ignore[arg-type]
        self._ahead: deque[events.Key | events.Paste] = deque()
        self._releasing: asyncio.Task[None] | None = None

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded and (self._ahead or not self._at_rest(event, self)):
            self._ahead.append(event)
            if self._releasing is None:
                self._releasing = asyncio.create_task(self._release())
        else:
            await super().on_event(event)

    async def _release(self) -> None:
        """Let keys go, one after another."""
        try:
            while self._ahead and self._running:
                await self._rest(self._ahead[0])
                self.call_later(super().on_event, self._ahead.popleft())
        finally:
            self._releasing = None

    async def rest(self) -> None:
        """Wait until all keys that were pressed are done with."""
        if self._releasing is not None:
            await self._releasing
        await self._rest(None)

    async def _rest(self, following: events.Event | None) -> None:
        for i in range(_TURNS + _NAPS):
            await asyncio.sleep(0 if i < _TURNS else _NAP_S)
            if self._at_rest(following):
                return

    def _at_rest(self, following: events.Event | None, busy: MessagePump | None = None) -> bool:
        """Whether nothing of the keys before is under way. `busy`: the one that asks, and so has no other message in hand."""
        top = self.screen_stack[-1] if self.screen_stack else None
        if any(not (_empty(pump) if pump is busy else _waits(pump)) for pump in self._pumps(top)):
            return False
        if top is not None and top._callbacks:
            return False  # what waits for it to be drawn; of a screen that is behind another, this does not come
        if isinstance(top, CommandPalette) and isinstance(following, events.Key) and following.key == "enter":
            return all(worker.is_finished for worker in self.workers if worker.node is top)  # the list is being found
        return True

    def _pumps(self, top: Screen[object] | None) -> Iterable[MessagePump]:
        yield self
        if top is not None:
            yield from self.screen_stack
            yield from top.walk_children(with_self=False)


def _empty(pump: MessagePump) -> bool:
    """Whether nothing is left to do behind the message in hand."""
    return pump._message_queue.empty() and not pump._next_callbacks


def _waits(pump: MessagePump) -> bool:
    """Whether it has nothing to do: its queue's event knows who waits for it."""
    return pump._closed or (_empty(pump) and bool(pump._message_queue.ready_event._waiters))
