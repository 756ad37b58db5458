"""Posts what has changed to `changes.webhook`: in a thread of its own, in order, and never in the crawl's way.

Every two seconds it looks for changes after the mark (`undelivered`), and posts until there are none. A post that does
not arrive is tried again after two seconds, then after twice as long each time, up to five minutes; those behind it
wait. At the crawl's end there is one more try, of ten seconds; the next crawl goes on from the mark.
"""

import asyncio
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass, field, replace
from typing import Final

from gossamer.errors import GossamerError
from gossamer.events import ChangesNotPosted, Event
from gossamer.fetch.webhook import Webhook, WebhookError
from gossamer.history.undelivered import NextPost, UndeliveredChanges
from gossamer.log import Sink

EVERY_SECONDS: Final = 2.0
LONGEST_PAUSE: Final = 300.0  # seconds
END_SECONDS: Final = 10.0  # for what is left at the end
NO_TIME: Final = "there was no time for the rest; the next crawl goes on with it"


def pause_after(failures: int) -> float:
    """Seconds until the next try, after so many in a row that failed."""
    return min(EVERY_SECONDS * 2.0 ** min(max(failures - 1, 0), 30), LONGEST_PAUSE)


@dataclass(slots=True)
class ChangePosts:
    """Posts changes in a thread; `begin`, then `end`."""

    queue: UndeliveredChanges
    webhook: Webhook
    tell: Sink
    every: float = EVERY_SECONDS
    _ending: threading.Event = field(default_factory=threading.Event)
    _deadline: float = 0.0
    _arrived: NextPost | None = None  # that the mark is still before

    def run(self) -> None:
        """Post until told to end; closes the queue."""
        failures = 0
        with closing(self.queue):
            while True:
                is_last = self._ending.is_set()
                try:
                    self._deliver()
                    failures = 0
                except (WebhookError, GossamerError) as error:
                    failures += 1
                    self.tell(ChangesNotPosted(why=str(error)))
                if is_last or self._is_over():
                    return
                longer = pause_after(failures) / EVERY_SECONDS
                self._ending.wait(self.every * longer)

    def end(self, seconds: float) -> None:
        """Have it try once more, for so many seconds at most, and end."""
        self._deadline = time.monotonic() + seconds
        self._ending.set()

    def _deliver(self) -> None:
        self._move_mark()
        while (post := self.queue.next_post()) is not None:
            self._sender().post(post.body)
            self._arrived = post
            self._move_mark()

    def _move_mark(self) -> None:
        if self._arrived is not None:
            self.queue.note_delivered(self._arrived)
            self._arrived = None

    def _sender(self) -> Webhook:
        """The webhook, with no more time than there is."""
        if not self._ending.is_set():
            return self.webhook
        if self._is_over():
            raise WebhookError(NO_TIME)
        left = self._deadline - time.monotonic()
        return replace(self.webhook, seconds=max(min(self.webhook.seconds, left), 0.01))

    def _is_over(self) -> bool:
        return self._ending.is_set() and time.monotonic() >= self._deadline


@asynccontextmanager
async def posting_changes(posts: ChangePosts) -> AsyncIterator[None]:
    """Post what changes until the block ends; then wait for one more try, unless the block failed."""
    loop, done, tell = asyncio.get_running_loop(), asyncio.Event(), posts.tell

    is_heard = True

    def hear(event: Event) -> None:
        if is_heard:
            tell(event)

    def tell_there(event: Event) -> None:
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(hear, event)

    def work() -> None:
        try:
            posts.run()
        finally:
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(done.set)

    posts.tell = tell_there
    # A daemon: nobody waits for a name server that does not answer.
    threading.Thread(target=work, name="changes", daemon=True).start()
    try:
        yield
        posts.end(END_SECONDS)
        with suppress(TimeoutError):
            async with asyncio.timeout(END_SECONDS + 1):
                await done.wait()
    finally:
        posts.end(0)
        is_heard = False
