"""Requests for pages: whether a page is admitted, what its site says about its use, and the fetch.

Robots.txt, the sitemaps and the TDMRep file of an origin are requested before its first page.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from gossamer.config import Config
from gossamer.crawl.run_limits import RunLimits
from gossamer.crawl.site_files import SiteFiles, tdm_file_of
from gossamer.crawl.sitemaps import SitemapReader
from gossamer.crawl.troubled_hosts import (
    BotWalls,
    closed_for_now,
    note_closed,
    reopen,
    wall_before,
)
from gossamer.crawl.verdicts import Judge, PageVerdict
from gossamer.duplicates.parameters import RULE
from gossamer.fetch.response import Validators
from gossamer.fetch.transfer import Wanted
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import Assignment
from gossamer.frontier.thread import FrontierThread
from gossamer.model import Cause, Failed, Fetched, Refusal, Url
from gossamer.politeness.consent import objection
from gossamer.politeness.ledger import Wait
from gossamer.politeness.robots.record import Meaning, Rules
from gossamer.politeness.rsl import RslFile
from gossamer.politeness.usage import TdmFile, UsageStatement, robots_usage
from gossamer.sending.client import PoliteClient
from gossamer.urls import canonical, origin_of, site_of

STAY: Final = timedelta(seconds=3)  # a host that rests longer is given back meanwhile
MOST_CLOSED: Final = 10_000  # hosts that are known by heart as closed


class NotNowError(Exception):
    """The host rests for longer than we stay: its pages go back, until then if that is known."""

    def __init__(self, until: datetime | None = None, why: str = "") -> None:
        super().__init__(why)
        self.until = until
        self.why = why


@dataclass(slots=True)
class PageRequests:
    """Makes the requests for pages of hosts that were leased; raises `NotNowError` where a host rests."""

    config: Config
    frontier: SqlFrontier
    frontier_thread: FrontierThread
    client: PoliteClient
    judge: Judge
    sitemaps: SitemapReader
    tdm_files: SiteFiles[TdmFile]
    licences: SiteFiles[RslFile]
    accept: str
    wanted: Wanted
    now: Callable[[], datetime]
    limits: RunLimits
    walls: BotWalls
    _closed: set[str] = field(default_factory=set)  # hosts whose rules could not be had, of late

    async def admit(self, page: Assignment) -> Rules | Failed | PageVerdict:
        """The rules that allow a page, or what becomes of one that is not asked for."""
        if page.seed:  # which another node may have found to be one
            self.judge.admission.scope.add_seed(page.url)
        refusal = self.judge.admission.refusal(page.url, self.now())
        if refusal is not None:
            return self.judge.aside(page, refusal)
        if (other := await self._represented(page)) is not None:
            why = f"Its parameters change nothing on this host: {other} has the page."
            return self.judge.aside(page, Refusal(RULE, why))
        rules = await self.client.rules(page.url, STAY)
        if isinstance(rules, Wait):
            raise NotNowError
        if not isinstance(rules, Rules):
            return self._unreachable(page, rules)
        if rules.policy.allows(page.url):
            self._open_again(page)
            await self.sitemaps.read(page.url, page.depth)
            if self.limits.is_halted:  # which they may have taken long enough to meet
                raise NotNowError
            return rules
        record, decision = rules.record, rules.policy.decide(page.url)
        if record.meaning is not Meaning.UNREACHABLE or record.old_copy_serves(self.now()):
            return self.judge.refused(page, Refusal("robots", decision.why))
        if record.failures < self.config.crawl.attempts:
            raise NotNowError(record.ask_at, decision.why)  # the next answer may be another
        self._note_closed(page)
        return self.judge.out_of_reach(page, closed_for_now(decision.why))

    async def _represented(self, page: Assignment) -> Url | None:
        """A page that has what this one leads to, where such are to be left out; a page that was fetched stays."""
        if self.config.urls.learned != "drop" or "?" not in page.url or page.seed or page.digest:
            return None
        return await self.frontier_thread.do(self.frontier.is_represented, page)

    async def site_usage(self, page: Assignment, rules: Rules) -> tuple[UsageStatement, ...]:
        """What the site of a page says about its use: in robots.txt, tdmrep.json and its licences."""
        said = robots_usage(rules.policy.usage_of(page.url))
        if self.config.politeness.tdmrep:
            said += await self._file_usage(self.tdm_files, tdm_file_of(page.url), page)
        for written in rules.policy.licenses:
            if not isinstance(
                licence := canonical(written, Url(origin_of(page.url) + "/")), Refusal
            ):
                said += await self._file_usage(self.licences, licence, page)
        return said

    async def _file_usage(
        self, files: SiteFiles[TdmFile] | SiteFiles[RslFile], url: Url, page: Assignment
    ) -> tuple[UsageStatement, ...]:
        file = await files.get(url, STAY, site_of(page.host))
        if isinstance(file, Wait) or self.limits.is_halted:
            raise NotNowError
        return file.usage_of(page.url)

    def objection(self, page: Assignment, usage: tuple[UsageStatement, ...]) -> PageVerdict | None:
        """The verdict on a page whose site disallows everything that the crawl is for; else None."""
        refusal = objection(usage, self.config.consent.purposes)
        return None if refusal is None else self.judge.refused(page, refusal)

    async def fetch(self, page: Assignment) -> Fetched | Failed | PageVerdict:
        """The answer for a page, or the verdict on one at an address that we must not contact."""
        headers: tuple[tuple[str, str], ...] = (("Accept", self.accept),)
        if page.etag is not None or page.last_modified is not None:
            headers += Validators(page.etag, page.last_modified).request_headers
        fetch = self.config.fetch
        answer = await self.client.get(
            page.url,
            "page",
            STAY,
            headers=headers,
            wanted=self.wanted,
            first_bytes=fetch.max_body_bytes if fetch.too_large == "first" else None,
        )
        if isinstance(answer, Wait):
            raise NotNowError
        if isinstance(answer, Failed):
            return self._unreachable(page, answer)
        if (wall := wall_before(answer)) is not None:
            self.walls.met(page.host, page.url, wall)
            return self.judge.challenged(page, answer, wall)
        return answer

    def rests_long(self, host: str) -> bool:
        """Whether a host rests for longer than we stay."""
        wait = self.client.ledger.wait(host, self.now())
        return wait is not None and wait.until - self.now() > STAY

    def _note_closed(self, page: Assignment) -> None:
        if page.host not in self._closed:
            if len(self._closed) >= MOST_CLOSED:
                self._closed.clear()
            self._closed.add(page.host)
            self.frontier_thread.later(note_closed, self.frontier.facts, page.host)

    def _open_again(self, page: Assignment) -> None:
        """Take up what was refused of a host whose rules can be had by now."""
        if page.host in self._closed:
            self._closed.discard(page.host)
            self.frontier_thread.later(reopen, self.frontier, page.host)

    def _unreachable(self, page: Assignment, failed: Failed) -> Failed | PageVerdict:
        if failed.cause in (Cause.REFUSED_ADDRESS, Cause.RESERVED_NAME, Cause.REFUSED_PORT):
            return self.judge.out_of_reach(page, Refusal("address", failed.message))
        return failed
