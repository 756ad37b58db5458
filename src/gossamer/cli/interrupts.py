"""Ctrl-C and TERM while a crawl runs: the first one stops it in good order, the second at once."""

import asyncio
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass

from gossamer.cli.errors import INTERRUPTED
from gossamer.cli.terminal import leave_screen
from gossamer.crawl.loop import STOPPED, Crawl
from gossamer.crawl.progress import Progress
from gossamer.folder.full_disk import FullDisk
from gossamer.frontier.endings import Ending


@dataclass(slots=True)
class Interrupts:
    """Listens to whoever wants the crawl to end."""

    say: Callable[[str], None]
    give_up: Callable[[], None]  # waiting for the frontier's server, if that is away
    crawl: Crawl | None = None
    full_disk: FullDisk | None = None  # what waits for room, from before there is a crawl
    asked: bool = False
    by_ctrl_c: bool = False

    @property
    def stopped_by(self) -> Ending | None:
        """What had the crawl end, if anything: somebody here or elsewhere, or a limit."""
        by_crawl = None if self.crawl is None else self.crawl.stop_reason
        return by_crawl or (STOPPED if self.asked else None)

    @property
    def progress(self) -> Progress | None:
        """The sums of the run, if it has begun."""
        return None if self.crawl is None else self.crawl.batches.progress

    def heed(self) -> None:
        """Listen from now on."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._interrupted, number)

    def wait_no_longer(self, full_disk: FullDisk) -> None:
        """Have an interrupt end the wait for room on the disk, also while the crawl is being built."""
        self.full_disk = full_disk
        if self.asked:
            full_disk.give_up()

    def lead_to(self, crawl: Crawl) -> None:
        """Have an interrupt stop this crawl, at once where there was one already."""
        self.crawl = crawl
        if self.asked:
            crawl.stop()

    def end(self) -> None:
        """End in good order, as TERM asks for."""
        self._interrupted(signal.SIGTERM)

    def _interrupted(self, number: int) -> None:
        if self.asked:
            # What is settled is on the disk, and the processes we started end with us. This is
            # the end that a power cut would make, and nothing is lost by that either.
            leave_screen()
            self.say("Stopped at once. What was in hand is asked for again when the crawl goes on.")
            os._exit(INTERRUPTED)
        self.asked, self.by_ctrl_c = True, number == signal.SIGINT
        self.say("Stopping: what is in flight is brought to an end. Once more stops at once.")
        self.give_up()
        if self.full_disk is not None:
            self.full_disk.give_up()
        if self.crawl is not None:
            self.crawl.stop()
