"""Small sites written down by a test: what is at each URL, and what was asked for."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from tests.crawl.crawls import PATIENCE, Crawled, hurried, left_behind, opened, reaching
from tests.fetch.servers import Conversation, Script, serving

from gossamer.config import Config
from gossamer.crawl.handle import CrawlHandle
from gossamer.events import Event

T = TypeVar("T")


@dataclass(frozen=True)
class Sent:
    """An answer."""

    body: str | bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)

    def written(self) -> bytes:
        """It as bytes on the wire."""
        body = self.body.encode() if isinstance(self.body, str) else self.body
        named = {"Content-Type": "text/html", **self.headers, "Content-Length": str(len(body))}
        head = "".join(f"{name}: {value}\r\n" for name, value in named.items())
        return f"HTTP/1.1 {self.status} So\r\n{head}\r\n".encode("latin-1") + body


Pages = Mapping[str, "Sent | str"]
NOT_FOUND = Sent("nothing", 404)
Answering = Callable[[str, Mapping[str, str]], Sent | None]
"""From a URL and the headers of a request to the answer; None: there is nothing."""


@dataclass
class Site:
    """A server for any number of hosts."""

    answer: Answering
    address: str = ""
    asked: list[str] = field(default_factory=list)  # URLs in the order they were asked for

    @property
    def pages_asked(self) -> list[str]:
        """All of them but robots.txt."""
        return [url for url in self.asked if not url.endswith("/robots.txt")]


@asynccontextmanager
async def served(pages: Pages | Answering) -> AsyncIterator[Site]:
    """Serve some pages, by URL; all else is a 404."""
    if callable(pages):
        site = Site(pages)
    else:
        sent = {url: Sent(page) if isinstance(page, str) else page for url, page in pages.items()}
        site = Site(lambda url, _: sent.get(url))
    async with serving(_script(site)) as server:
        site.address = f"127.0.0.1:{server.port}"
        yield site


def _script(site: Site) -> Script:
    async def script(conversation: Conversation) -> None:
        first, *lines = conversation.request.decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, _, value in (s.partition(": ") for s in lines)}
        url = f"http://{headers['host']}{first.split()[1]}"
        site.asked.append(url)
        await conversation.say((site.answer(url, headers) or NOT_FOUND).written())

    return script


def on_site(
    folder: Path,
    pages: Pages | Answering,
    work: Callable[[CrawlHandle, Site], Awaitable[T]],
    *,
    seeds: Sequence[str] = (),
    config: Config | None = None,
    events: list[Event] | None = None,
) -> T:
    """Do something with a crawl that is ready to run, on a site that is being served."""

    async def run() -> T:
        async with served(pages) as site:
            reached = reaching(config or hurried(), site.address)
            opening = opened(folder, reached, seeds, events=events)
            async with opening as running, asyncio.timeout(PATIENCE):
                return await work(running, site)

    return asyncio.run(run())


def crawled_site(
    folder: Path,
    pages: Pages | Answering,
    seeds: Sequence[str] = (),
    config: Config | None = None,
) -> tuple[Crawled, Site]:
    """Crawl a site to the end."""
    events: list[Event] = []

    async def work(running: CrawlHandle, site: Site) -> tuple[Crawled, Site]:
        ended = await running.crawl.run()
        return await left_behind(running, ended, events), site

    return on_site(folder, pages, work, seeds=seeds, config=config, events=events)
