"""Seeds whose scheme nobody named: where https cannot be connected to, http takes its place.

What was to be asked first of such an origin, its robots.txt as a rule, tells: nothing is sent for
this alone. A run may end before: what we wait for is kept for the next one.
"""

import asyncio
import json
from collections.abc import Collection, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from gossamer.events import Event, PlainSeed, Requested, RequestFailed
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import Ended, PageState
from gossamer.log import Sink
from gossamer.model import Cause, Url
from gossamer.politeness.robots.record import CLOSED_FOR_NOW
from gossamer.urls import origin_of

if TYPE_CHECKING:
    from gossamer.crawl.handle import CrawlHandle

# Where another site's certificate is shown, as is usual on machines that many share, the site that
# we want does not speak https either.
NO_HTTPS: Final = frozenset({Cause.CONNECT, Cause.TIMEOUT_CONNECT, Cause.TLS, Cause.CERTIFICATE})


_FACT: Final = "plain seeds"


class PlainSeeds:
    """Hears how first requests went, and has the crawl begin elsewhere where they failed."""

    def __init__(self, tell: Sink) -> None:
        self._tell = tell
        self._open: dict[Url, Url] = {}  # seeds and their http forms, until it is known which
        self._has_news = False  # fewer are open than are kept
        self._waiting: dict[str, dict[Url, Url]] = {}  # those not asked for in this run, by origin
        self._failed: asyncio.Queue[tuple[Url, Url, str]] = asyncio.Queue()

    def begin(
        self, frontier: SqlFrontier, seeds: Collection[Url], instead: Mapping[Url, Url]
    ) -> None:
        """Wait for what becomes of the seeds of this run, and of those of runs before.

        Who names a seed with its scheme means it.
        """
        kept, meant = _kept(frontier), set(seeds)
        self.expect({seed: plain for seed, plain in kept.items() if seed not in meant})
        self.expect(instead)
        if self._open != kept:
            _keep(frontier, self._open)

    def expect(self, instead: Mapping[Url, Url]) -> None:
        """Wait for what becomes of these seeds; each has its http form."""
        self._open.update(instead)
        for secure, plain in instead.items():
            self._waiting.setdefault(origin_of(secure), {})[secure] = plain

    def expect_more(self, running: "CrawlHandle", instead: Mapping[Url, Url]) -> None:
        """Expect seeds that may turn out to be http, while the crawl runs."""
        if instead:
            self.expect(instead)
            running.frontier_thread.later(_keep, running.frontier, dict(self._open))

    def hear(self, event: Event) -> None:
        """Take note of a request to an origin that we wait for; the first one tells."""
        if not self._waiting or not isinstance(event, Requested | RequestFailed):
            return
        for secure, plain in self._waiting.pop(origin_of(Url(event.url)), {}).items():
            if isinstance(event, Requested):
                self._close(secure)
            elif event.cause in NO_HTTPS:
                self._failed.put_nowait((secure, plain, event.message.rstrip(".")))

    async def run(self, running: "CrawlHandle") -> None:
        """Put http forms in the place of seeds, for as long as the crawl goes on."""
        try:
            while True:
                await self.replace_one(running)
        finally:
            if self._has_news:  # once: there may be very many seeds
                running.frontier_thread.later(_keep, running.frontier, dict(self._open))

    async def replace_one(self, running: "CrawlHandle") -> None:
        """Put the http form in the place of the next seed that cannot be had and never could."""
        secure, plain, why = await self._failed.get()
        page = await running.frontier_thread.do(running.frontier.page, secure)
        if page is not None and _was_never_had(page):
            if await running.add([plain]) is None:
                return  # the crawl ends, and tells what failed
            await running.frontier_thread.do(partial(running.frontier.forget, url=secure))
            self._tell(PlainSeed(seed=secure, instead=plain, why=why))
        self._close(secure)

    def _close(self, secure: Url) -> None:
        self._open.pop(secure, None)
        self._has_news = True


def _was_never_had(page: PageState) -> bool:
    """Whether nothing is known from there; else it will be back."""
    if page.status is not None or page.digest is not None:
        return False
    if page.ended is Ended.REFUSED:
        return (page.why or "").startswith(f"robots: {CLOSED_FOR_NOW}")
    return page.settled_at is None or page.ended is Ended.FAILED


def _kept(frontier: SqlFrontier) -> dict[Url, Url]:
    known = frontier.facts.of(_name(frontier))
    pairs = {} if known is None else json.loads(known)
    return {Url(secure): Url(plain) for secure, plain in pairs.items()}


def _keep(frontier: SqlFrontier, pairs: Mapping[Url, Url]) -> None:
    frontier.facts.keep(_name(frontier), json.dumps(pairs).encode())


def _name(frontier: SqlFrontier) -> str:
    """Each node hears of its own requests alone."""
    return f"{_FACT} {frontier.node}" if frontier.is_shared else _FACT
