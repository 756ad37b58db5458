"""Hosts in trouble: whose robots.txt cannot be had, whose pages take long to read, or that have a bot wall.

The pages of the first are refused for now and taken up again later; the second rest for as long as the
reading of their pages takes; the last are left alone for a day.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from gossamer.events import Challenged, ReadingTrouble
from gossamer.fetch.decode import decode
from gossamer.frontier.facts import FactStore
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.thread import FrontierThread
from gossamer.log import Sink
from gossamer.model import Fetched, Refusal, Url
from gossamer.politeness import challenge
from gossamer.politeness.evidence import FORGIVEN
from gossamer.politeness.ledger import Ledger
from gossamer.politeness.outcome import Pause, pause_after_reading
from gossamer.politeness.robots.record import CLOSED_FOR_NOW
from gossamer.reading.pool.pool import HostReading

_FACT: Final = "closed "
_RULE: Final = "robots"


def closed_for_now(why: str) -> Refusal:
    """The refusal of a page of such a host; people read what they can do."""
    return Refusal(_RULE, f"{why} `gossamer crawl` takes the page up again then.")


def note_closed(facts: FactStore, host: str) -> None:
    """Remember a host, before its first page is refused."""
    facts.keep(_FACT + host, b"")


def forget_closed(facts: FactStore, host: str) -> None:
    """Remember a host no longer."""
    facts.drop(_FACT + host)


def reopen(frontier: SqlFrontier, host: str) -> int:
    """Take up a host's pages that were refused so and are settled; how many these are."""
    return frontier.reopen(host, f"{_RULE}: {CLOSED_FOR_NOW}")


def reopen_all(frontier: SqlFrontier) -> int:
    """Reopen all hosts that were remembered as closed, before a run begins."""
    count = 0
    for host in [name.removeprefix(_FACT) for name in frontier.facts.named(_FACT)]:
        count += reopen(frontier, host)
        if not frontier.is_shared:  # else another node may be about to settle more of them
            forget_closed(frontier.facts, host)
    return count


def wall_before(answer: Fetched) -> str | None:
    """The bot wall that answered instead of the site, by its headers or by what it says with an error."""
    if (wall := challenge.wall_by_headers(answer)) is not None:
        return wall
    if answer.status not in challenge.STATUSES or len(answer.body) > challenge.MAX_BYTES:
        return None
    decoded = decode(answer.body, answer.content_encoding, challenge.MAX_BYTES)
    return None if decoded.over_limit else challenge.wall_by_form(decoded.body)


@dataclass(frozen=True, slots=True)
class BotWalls:
    """Has hosts left alone whose bot walls challenged us."""

    frontier: SqlFrontier
    frontier_thread: FrontierThread
    ledger: Ledger
    now: Callable[[], datetime]
    tell: Sink

    def met(self, host: str, url: Url, wall: str) -> None:
        """Note that a wall stands before a page."""
        pause = Pause(self.now() + challenge.REST, f"a challenge: {challenge.meaning(wall)}")
        if not self.ledger.pause(host, pause):
            self.frontier_thread.later(self.frontier.park, host, pause.until, pause.source)
        why = f"{challenge.meaning(wall)}."
        self.tell(Challenged(host=host, url=url, wall=wall, until=pause.until, why=why))


@dataclass(frozen=True, slots=True)
class SlowReadings:
    """Has hosts rest for what their pages take to be read."""

    frontier: SqlFrontier
    frontier_thread: FrontierThread
    ledger: Ledger
    now: Callable[[], datetime]
    tell: Sink

    def note(self, reading: HostReading) -> None:
        """A page of a host took long, or came to nothing."""
        now, pace = self.now(), self.ledger.pace(reading.host)
        pause = pause_after_reading(reading.seconds, reading.troubles, now, pace)
        if pause is None:
            return
        # In whose hands the host is, there its clock is: a pause in the other place would be lost.
        if not self.ledger.pause(reading.host, pause):
            self.frontier_thread.later(self.frontier.park, reading.host, pause.until, pause.source)
        if reading.troubles > FORGIVEN:
            self.tell(
                ReadingTrouble(
                    host=reading.host,
                    count=reading.troubles,
                    until=pause.until,
                    why=pause.source,
                )
            )
