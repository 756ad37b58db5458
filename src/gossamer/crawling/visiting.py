"""One host's pages, one after the other: scope, robots, clock, request, and on to be read."""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from gossamer.config import Config
from gossamer.crawling.clerk import Clerk
from gossamer.crawling.closed_hosts import closed_for_now, note_closed, reopen
from gossamer.crawling.holding import Holdings
from gossamer.crawling.places import AnswerPlaces
from gossamer.crawling.sitemaps import SitemapReader
from gossamer.crawling.verdicts import Judge, Verdict
from gossamer.fetch.transfer import Wanted
from gossamer.fetch.validators import Validators
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import Assignment, Lease
from gossamer.model import Cause, Failed, Fetched, Refusal
from gossamer.polite import PoliteClient
from gossamer.politeness.host_ledger import Wait
from gossamer.politeness.robots.record import Meaning
from gossamer.politeness.robots.rules import Rules
from gossamer.urls import site_of

STAY: Final = timedelta(seconds=3)  # a host that rests longer is given back meanwhile
MOST_CLOSED: Final = 10_000  # hosts that are known by heart as closed
MORE: Final = 50  # pages asked for when a host's first few are done
BEHIND: Final = timedelta(seconds=2)  # then we look again whether they were read
UNREAD: Final = "its pages take long to read, and wait for that"


class NotNowError(Exception):
    """The host rests for longer than we stay: its pages go back, until then if that is known."""

    def __init__(self, until: datetime | None = None, why: str = "") -> None:
        super().__init__(why)
        self.until = until
        self.why = why


@dataclass(slots=True)
class Visitor:
    """Visits hosts that were leased. One call of `visit` a lease."""

    config: Config
    frontier: SqlFrontier
    clerk: Clerk
    holdings: Holdings
    client: PoliteClient
    judge: Judge
    sitemaps: SitemapReader
    accept: str
    wanted: Wanted
    now: Callable[[], datetime]
    places: AnswerPlaces  # for answers, from before the request until they are settled
    hand_on: Callable[[Assignment, Fetched | Failed | Verdict], None]
    is_behind: Callable[[str], bool] = lambda _: False  # enough pages of a host are unread
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    pausing: asyncio.Event = field(default_factory=asyncio.Event)
    _closed: set[str] = field(default_factory=set)  # hosts whose rules could not be had, of late

    @property
    def is_halted(self) -> bool:
        """Whether nobody is to be asked, for now or any more."""
        return self.stopping.is_set() or self.pausing.is_set()

    async def visit(self, lease: Lease) -> None:
        """Ask for a host's pages as long as it is ours and has not to rest for long."""
        self.holdings.take(lease)
        pages = deque(lease.pages)
        parked: list[NotNowError] = []
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self.config.politeness.per_host):
                    group.create_task(self._lane(lease, pages, parked))
        finally:
            await self.holdings.end(lease, pages)
            for reason in parked:
                if reason.until is not None:
                    self.clerk.later(self.frontier.park, lease.host, reason.until, reason.why)

    async def _lane(
        self, lease: Lease, pages: deque[Assignment], parked: list[NotNowError]
    ) -> None:
        sent = False
        while not self.is_halted:
            # A host that rests still has its pages refused, where nobody need be asked for that.
            if not pages and not (sent and self._rests_long(lease.host)):
                pages.extend(await self._more(lease))
            if not pages:
                return
            if self.is_behind(lease.host):
                parked.append(NotNowError(self.now() + BEHIND, UNREAD))
                return
            page = pages.popleft()
            try:
                sent = await self._page(page)
            except NotNowError as reason:
                pages.appendleft(page)
                parked.append(reason)
                return
            except BaseException:
                pages.appendleft(page)
                raise

    async def _page(self, page: Assignment) -> bool:
        """Ask for a page when there is a place for its answer, and hand that on.

        Whether the host was asked.
        """
        site = site_of(page.host)
        await self.places.acquire(site)
        try:
            answer = await self._asked(page)
        except BaseException:
            self.places.release(site)
            raise
        self.hand_on(page, answer)
        return not isinstance(answer, Verdict)

    async def _more(self, lease: Lease) -> tuple[Assignment, ...]:
        held = self.holdings.held.get(lease.host)
        if held is None or held.wanted or held.lease.token != lease.token:
            return ()
        return await self.clerk.do(self.frontier.more, lease, MORE)

    def _rests_long(self, host: str) -> bool:
        wait = self.client.ledger.wait(host, self.now())
        return wait is not None and wait.until - self.now() > STAY

    async def _asked(self, page: Assignment) -> Fetched | Failed | Verdict:
        """The answer for a page, or the verdict on one that is not asked for."""
        if page.seed:  # which another node may have found to be one
            self.judge.admission.scope.add_seed(page.url)
        refusal = self.judge.admission.refusal(page.url, self.now())
        if refusal is not None:
            return self.judge.aside(page, refusal)
        rules = await self.client.rules(page.url, STAY)
        if isinstance(rules, Wait):
            raise NotNowError
        if not isinstance(rules, Rules):
            return self._unreachable(page, rules)
        if rules.policy.allows(page.url):
            self._open_again(page)
            await self.sitemaps.read(page.url, page.depth)
            if self.is_halted:  # which they may have taken long enough to meet
                raise NotNowError
            return await self._fetched(page)
        record, decision = rules.record, rules.policy.decide(page.url)
        if record.meaning is not Meaning.UNREACHABLE or record.old_copy_serves(self.now()):
            return self.judge.refused(page, Refusal("robots", decision.why))
        if record.failures < self.config.crawl.attempts:
            raise NotNowError(record.ask_at, decision.why)  # the next answer may be another
        self._note_closed(page)
        return self.judge.out_of_reach(page, closed_for_now(decision.why))

    def _note_closed(self, page: Assignment) -> None:
        if page.host not in self._closed:
            if len(self._closed) >= MOST_CLOSED:
                self._closed.clear()
            self._closed.add(page.host)
            self.clerk.later(note_closed, self.frontier.facts, page.host)

    def _open_again(self, page: Assignment) -> None:
        """Take up what was refused of a host whose rules can be had by now."""
        if page.host in self._closed:
            self._closed.discard(page.host)
            self.clerk.later(reopen, self.frontier, page.host)

    async def _fetched(self, page: Assignment) -> Fetched | Failed | Verdict:
        headers: tuple[tuple[str, str], ...] = (("Accept", self.accept),)
        if page.etag is not None or page.last_modified is not None:
            headers += Validators(page.etag, page.last_modified).request_headers
        answer = await self.client.get(page.url, "page", STAY, headers=headers, wanted=self.wanted)
        if isinstance(answer, Wait):
            raise NotNowError
        return self._unreachable(page, answer) if isinstance(answer, Failed) else answer

    def _unreachable(self, page: Assignment, failed: Failed) -> Failed | Verdict:
        if failed.cause in (Cause.REFUSED_ADDRESS, Cause.RESERVED_NAME, Cause.REFUSED_PORT):
            return self.judge.out_of_reach(page, Refusal("address", failed.message))
        return failed
