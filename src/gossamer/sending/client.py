"""The client for our own requests: takes the right to send, fetches, and says how it went.

For pages, robots.txt, sitemaps and contexts. What may be done is decided in `politeness/`.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from gossamer.config import Config
from gossamer.events import NoContact, Refused
from gossamer.fetch.handle import RequestHeaders
from gossamer.fetch.http import HttpFetcher
from gossamer.fetch.resolve import Resolver
from gossamer.fetch.transfer import Wanted
from gossamer.log import Sink
from gossamer.model import BodyState, Cause, Failed, Fetched, Url
from gossamer.moments import now_utc
from gossamer.politeness.ledger import Ledger, Wait
from gossamer.politeness.outcome import Reported
from gossamer.politeness.rate_limit import quota_wait
from gossamer.politeness.robots.groups import MAX_ROBOTS_BYTES
from gossamer.politeness.robots.record import Rules
from gossamer.sending.common_limits import CommonLimits
from gossamer.sending.hosts import HostSource
from gossamer.sending.hosts.alone import OwnHosts
from gossamer.sending.line import HostLines
from gossamer.sending.right import NEVER_SENT, Right, WayIn
from gossamer.sending.rights import Rights
from gossamer.sending.robots_rules import RobotsRecords, RobotsRules


class PoliteClient:
    """Sends requests when, and only when, robots.txt and clocks allow."""

    def __init__(
        self,
        config: Config,
        http: HttpFetcher,
        ledger: Ledger,
        robots: RobotsRecords,
        tell: Sink,
        *,
        hosts: HostSource | None = None,
        now: Callable[[], datetime] = now_utc,
        common: CommonLimits | None = None,  # limits that other nodes share
    ) -> None:
        self.ledger = ledger
        self.hosts = hosts or OwnHosts()
        self.tell = tell
        self.now = now
        line = HostLines(config, ledger, now, common)
        self.robots = RobotsRules(config, robots, ledger, self.hosts, self._get_robots, tell, now)
        self.rights = Rights(line, self.robots, self.hosts, self._address_of, tell)
        self._config = config
        self._http = http
        self._way = WayIn(tell)
        self._warned = False

    @property
    def names(self) -> Resolver:
        """The cache of names and their addresses."""
        return self._http.names

    def configure(self, config: Config) -> None:
        """Take up a changed configuration. Our name stays: rules were read for it."""
        self._config = config
        self.rights.line.configure(config)
        self.robots.configure(config)

    async def rules(self, url: Url, patience: timedelta) -> Rules | Wait | Failed:
        """The rules of the URL's origin, asked for if we have none that are fresh."""
        return await self.robots.ask(url, patience)

    def known_rules(self, url: Url) -> Rules | None:
        """The rules of the URL's origin, where we have some that are fresh."""
        return self.robots.known(url)

    async def get(
        self,
        url: Url,
        purpose: str,
        patience: timedelta,
        *,
        headers: RequestHeaders = (),
        wanted: Wanted | None = None,
        first_bytes: int | None = None,
    ) -> Fetched | Failed | Wait:
        """Ask for a URL when its host's clock allows it; robots.txt is the caller's to heed.

        `headers`, `wanted` and `first_bytes` are those of `HttpFetcher.get`. Where the server closes
        a kept connection under the request, it is sent again, once, when the clock allows that.
        """
        give_up_at = self.now() + patience
        answer = await self._get(url, purpose, patience, headers, wanted, first_bytes)
        if not isinstance(answer, Failed) or answer.cause is not Cause.CLOSED:
            return answer
        left = max(give_up_at - self.now(), timedelta(0))
        again = await self._get(url, purpose, left, headers, wanted, first_bytes)
        return answer if isinstance(again, Wait) else again

    async def _get(
        self,
        url: Url,
        purpose: str,
        patience: timedelta,
        headers: RequestHeaders,
        wanted: Wanted | None,
        first_bytes: int | None,
    ) -> Fetched | Failed | Wait:
        right = await self.rights.take_unjudged(url, purpose, patience, self._way)
        if isinstance(right, Wait):
            return right
        used = right.keep_host()
        try:
            answer = await self._http.get(
                url, headers=headers, wanted=wanted, first_bytes=first_bytes
            )
            self._end(right, answer)
        except BaseException:
            right.abandon("We ended it ourselves.")
            raise
        finally:
            await used.release()
        return answer

    def _end(self, right: Right, answer: Fetched | Failed) -> None:
        if isinstance(answer, Failed) and answer.cause in NEVER_SENT:
            right.unused()
            self.tell(Refused(url=answer.url, rule=answer.cause, why=answer.message))
            return
        self._warn_once()
        right.started_at = answer.started_at  # as the answer has it, a moment after the right
        right.finish(_report(answer), answer.finished_at)

    async def _get_robots(self, url: Url, patience: timedelta) -> Fetched | Failed | Wait:
        return await self.get(url, "robots", patience, first_bytes=MAX_ROBOTS_BYTES + 1)

    async def _address_of(self, url: Url) -> str | None:
        return await self._http.address_of(url)

    def _warn_once(self) -> None:
        if not self._warned and self._config.politeness.contact is None:
            self.tell(NoContact())
        self._warned = True


def _report(answer: Fetched | Failed) -> Reported:
    if isinstance(answer, Failed):
        return Reported(took=answer.took, cause=answer.cause, message=answer.message)
    return Reported(
        answer.status,
        answer.took,
        answer.header("retry-after"),
        received=len(answer.body),
        quota_wait=quota_wait(answer.headers, answer.finished_at),
        is_whole=answer.body_state is not BodyState.TRUNCATED,
    )
