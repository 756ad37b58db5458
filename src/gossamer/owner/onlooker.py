"""What a crawl that is running would do with a URL, also of a host that it does not hold.

A crawl has the clocks and robots.txt files of the hosts in its hands in memory; those of all others
are in the frontier. Only where no robots.txt is known, or it is too old, is the host asked, in turn
with the crawl.
"""

from collections import ChainMap
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from gossamer.crawling.holding import Holdings
from gossamer.crawling.running import Running
from gossamer.model import Failed, Url
from gossamer.moments import now_utc
from gossamer.owner.answers import Answers
from gossamer.politeness.host_ledger import HostLedger, Wait
from gossamer.politeness.ledger import Ledger
from gossamer.politeness.robots.record import RobotsRecord, needs_fetch
from gossamer.politeness.robots.rules import Rules
from gossamer.urls import host_of, origin_of

Ask = Callable[[Url, timedelta], Awaitable[Rules | Wait | Failed]]
"""Has a host asked for its rules."""


@dataclass(slots=True)
class Onlooker:
    """Watches a crawl's client at work: `gossamer.check.Manners`, for one question."""

    running: Running
    answers: Answers
    ask: Ask  # the crawl's client, by whatever way
    ledger: Ledger = field(init=False)
    _stored: dict[str, HostLedger] = field(default_factory=dict)

    def __post_init__(self) -> None:
        known: ChainMap[str, HostLedger] = ChainMap(self._held.ledgers, self._stored)
        self.ledger = Ledger(self.running.config.politeness, known)

    @property
    def _held(self) -> Holdings:
        return self.running.crawl.holdings

    def now(self) -> datetime:
        """The present moment."""
        return now_utc()

    async def rules(self, url: Url, patience: timedelta) -> Rules | Wait | Failed:
        """The rules of the URL's origin."""
        record, now = await self._known(origin_of(url)), now_utc()
        if record is None or needs_fetch(record, now):
            rules = await self.ask(url, patience)
        else:
            rules = Rules(record, record.policy(self.running.config.politeness.agent, now))
        await self._look_at(host_of(url))
        return rules

    async def _known(self, origin: str) -> RobotsRecord | None:
        robots = self.running.frontier.robots
        return self._held.of(origin) or await self.running.clerk.do(robots.of, origin)

    async def _look_at(self, host: str) -> None:
        """Have the host's clock at hand; what the client learnt of it is not left behind."""
        if host not in self._held.held:
            self._held.ledgers.pop(host, None)
        ledger = await self.answers.clerk.do(self.answers.ledgers.get, host)
        if ledger is not None:
            self._stored[host] = ledger
