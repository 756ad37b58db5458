"""Seeds whose scheme nobody named: where https cannot be connected to, http takes its place.

What was to be asked first of such an origin, its robots.txt as a rule, tells: nothing is sent for
this alone.
"""

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import Final

from gossamer.crawling.running import Running
from gossamer.events import Event, PlainSeed, Requested, RequestFailed
from gossamer.log import Sink
from gossamer.model import Cause, Url
from gossamer.urls import origin_of

# Where another site's certificate is shown, as is usual on machines that many share, the site that
# we want does not speak https either.
NO_HTTPS: Final = frozenset({Cause.CONNECT, Cause.TIMEOUT_CONNECT, Cause.TLS, Cause.CERTIFICATE})


class PlainSeeds:
    """Hears how first requests went, and has the crawl begin elsewhere where they failed."""

    def __init__(self, tell: Sink) -> None:
        self._tell = tell
        self._waiting: dict[str, dict[Url, Url]] = {}  # seeds and their http forms, by origin
        self._failed: asyncio.Queue[tuple[Url, Url, str]] = asyncio.Queue()

    def expect(self, instead: Mapping[Url, Url]) -> None:
        """Wait for what becomes of these seeds; each has its http form."""
        for secure, plain in instead.items():
            self._waiting.setdefault(origin_of(secure), {})[secure] = plain

    def hear(self, event: Event) -> None:
        """Take note of a request to an origin that we wait for; the first one tells."""
        if not self._waiting or not isinstance(event, Requested | RequestFailed):
            return
        seeds = self._waiting.pop(origin_of(Url(event.url)), {})
        if isinstance(event, RequestFailed) and event.cause in NO_HTTPS:
            for secure, plain in seeds.items():
                self._failed.put_nowait((secure, plain, event.message.rstrip(".")))

    async def run(self, running: Running) -> None:
        """Put http forms in the place of seeds, for as long as the crawl goes on."""
        while True:
            await self.replace_one(running)

    async def replace_one(self, running: Running) -> None:
        """Put the http form in the place of the next seed that cannot be had and never could."""
        secure, plain, why = await self._failed.get()
        page = await running.clerk.do(running.frontier.page, secure)
        if page is None or page.settled_at is not None:
            return  # something is known from there: it will be back
        if await running.add([plain]) is None:
            return  # the crawl ends, and tells what failed
        await running.clerk.do(partial(running.frontier.forget, url=secure))
        self._tell(PlainSeed(seed=secure, instead=plain, why=why))
