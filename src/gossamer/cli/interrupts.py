"""What Ctrl-C and TERM mean to a crawl: the first an end in good order, the second one at once."""

import asyncio
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass

from gossamer.cli.manners import INTERRUPTED
from gossamer.crawl import STOPPED, Crawl
from gossamer.frontier.endings import Ending


@dataclass(slots=True)
class Interrupts:
    """Listens to whoever wants the crawl to end."""

    say: Callable[[str], None]
    give_up: Callable[[], None]  # waiting for the frontier's server, if that is away
    crawl: Crawl | None = None
    asked: bool = False

    @property
    def stopped_by(self) -> Ending | None:
        """What had the crawl end, if anything: somebody here or elsewhere, or a limit."""
        by_crawl = None if self.crawl is None else self.crawl.stopped_by
        return by_crawl or (STOPPED if self.asked else None)

    def heed(self) -> None:
        """Listen from now on."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._interrupted)

    def lead_to(self, crawl: Crawl) -> None:
        """This is the crawl to be stopped, if need be at once."""
        self.crawl = crawl
        if self.asked:
            crawl.stop()

    def _interrupted(self) -> None:
        if self.asked:
            # What is settled is on the disk, and the processes we started end with us. This is
            # the end that a power cut would make, and nothing is lost by that either.
            self.say("Stopped at once. What was in hand is asked for again when the crawl goes on.")
            os._exit(INTERRUPTED)
        self.asked = True
        self.say("Stopping: what is in flight is brought to an end. Once more stops at once.")
        self.give_up()
        if self.crawl is not None:
            self.crawl.stop()
