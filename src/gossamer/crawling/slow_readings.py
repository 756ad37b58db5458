"""Charges reading time to the clocks of hosts, as a crawl hears of it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from gossamer.crawling.clerk import Clerk
from gossamer.events import ReadingTrouble
from gossamer.frontier.frontier import SqlFrontier
from gossamer.log import Sink
from gossamer.politeness.ledger import Ledger
from gossamer.politeness.reading_time import FORGIVEN, pause_after_reading
from gossamer.transform.pool.pool import Reading


@dataclass(frozen=True, slots=True)
class SlowReadings:
    """Has hosts rest for what their pages take to be read."""

    frontier: SqlFrontier
    clerk: Clerk
    ledger: Ledger
    now: Callable[[], datetime]
    tell: Sink

    def note(self, reading: Reading) -> None:
        """A page of a host took long, or came to nothing."""
        now, pace = self.now(), self.ledger.pace(reading.host)
        pause = pause_after_reading(reading.seconds, reading.troubles, now, pace)
        if pause is None:
            return
        # In whose hands the host is, there its clock is: a pause in the other place would be lost.
        if not self.ledger.pause(reading.host, pause):
            self.clerk.later(self.frontier.park, reading.host, pause.until, pause.source)
        if reading.troubles > FORGIVEN:
            self.tell(
                ReadingTrouble(
                    host=reading.host,
                    count=reading.troubles,
                    until=pause.until,
                    why=pause.source,
                )
            )
