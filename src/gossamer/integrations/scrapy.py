"""Scrapy with Gossamer's manners and readers. See docs/scrapy.md.

`PolitenessMiddleware` takes a lease from `POST /politeness/lease` for each request, and reports how it went, so
that a spider shares robots.txt rules and delays with all else that Gossamer does. `StructuredLoader` fills items
with what a page says in JSON-LD, microdata and RDFa.
"""

from __future__ import annotations

import io
import json
import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Self

from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.loader import ItemLoader
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.error import ConnectionRefusedError as NobodyThere
from twisted.internet.task import deferLater
from twisted.web.client import Agent, FileBodyProducer, HTTPConnectionPool, readBody
from twisted.web.http_headers import Headers

from gossamer.reading.extraction import extract
from gossamer.reading.page import Page

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Request, Response, TextResponse

logger = logging.getLogger(__name__)
SERVICE: Final = "http://127.0.0.1:8717"
MAX_WAIT: Final = 10_000  # milliseconds that one question waits at the service
PATIENCE: Final = 300.0  # seconds that a request waits for its turn, before it is ignored
LEASE: Final = "gossamer_lease"  # in the meta of a request
KINDS: Final = ("json-ld", "microdata", "rdfa")  # where things are looked for, in this order
MOST_DEEP: Final = 16  # steps into nested objects
REPORTED: Final = {  # headers that say when to ask again, and what a report calls them
    "Retry-After": "retryAfter",
    "RateLimit": "rateLimit",
    "RateLimit-Policy": "rateLimitPolicy",
}
CAUSES: Final = {  # of exceptions of Scrapy and Twisted, as docs/politeness-service.md has them
    "TimeoutError": "timeout-total",
    "DownloadTimeoutError": "timeout-total",
    "TCPTimedOutError": "timeout-connect",
    "ConnectionRefusedError": "connect",
    "DownloadConnectionRefusedError": "connect",
    "ConnectError": "connect",
    "NoRouteError": "connect",
    "ConnectionLost": "reset",
    "ConnectionDone": "closed",
    "ResponseFailed": "truncated",
    "ResponseNeverReceived": "closed",
    "SSLError": "tls",
}


class PolitenessMiddleware:
    """Sends a request when Gossamer says so: one at a time per host, with its delay, and by robots.txt."""

    def __init__(self, service: str, token: str | None, patience: float, client: str) -> None:
        self._service = service.rstrip("/").encode()
        self._patience = patience
        self._client = client
        self._told: set[str] = set()
        # Not at the top: whoever imports it first decides which one there is, and that is Scrapy's to do.
        from twisted.internet import reactor

        self._reactor: Any = reactor
        pool = HTTPConnectionPool(self._reactor)  # type: ignore[no-untyped-call]  # Twisted's
        self._agent: Any = Agent(self._reactor, pool=pool)  # type: ignore[no-untyped-call]
        self._headers = {b"Content-Type": [b"application/json"]}
        if token:
            self._headers[b"Authorization"] = [f"Bearer {token}".encode()]

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """The middleware, as the settings `GOSSAMER_…` have it."""
        settings = crawler.settings
        if not settings.getbool("GOSSAMER_ENABLED", True):
            raise NotConfigured("GOSSAMER_ENABLED is off")
        return cls(
            settings.get("GOSSAMER_SERVICE") or SERVICE,
            settings.get("GOSSAMER_TOKEN"),
            settings.getfloat("GOSSAMER_PATIENCE", PATIENCE),
            settings.get("GOSSAMER_CLIENT") or settings.get("BOT_NAME") or "scrapy",
        )

    async def process_request(self, request: Request, spider: Spider | None = None) -> None:
        """Wait for permission; raises `IgnoreRequest` where there is none to be had."""
        deadline = time.monotonic() + self._patience
        order = {"url": request.url, "maxWait": MAX_WAIT, "client": self._client}
        while True:
            answer = await self._ask("/politeness/lease", order)
            if answer.get("lease"):
                request.meta[LEASE] = (answer["lease"]["id"], time.monotonic())
                return
            wait = answer.get("retryAfter", -1) / 1000
            if wait < 0 or time.monotonic() + wait > deadline:
                why = answer.get("error") or "Gossamer gave no permission."
                logger.info("Not sent: %s: %s", request.url, why)
                raise IgnoreRequest(f"{request.url}: {why}")
            await maybe_deferred_to_future(deferLater(self._reactor, wait))

    async def process_response(
        self, request: Request, response: Response, spider: Spider | None = None
    ) -> Response:
        """Report a response, with what it says about the next request."""
        report: dict[str, Any] = {"status": response.status}
        for header, field in REPORTED.items():
            if value := response.headers.get(header):
                report[field] = value.decode("latin-1")
        await self._report(request, report)
        return response

    async def process_exception(
        self, request: Request, exception: Exception, spider: Spider | None = None
    ) -> None:
        """Report that there was no response, and why."""
        cause = CAUSES.get(type(exception).__name__, "other")
        await self._report(request, {"cause": cause})

    async def _report(self, request: Request, report: dict[str, Any]) -> None:
        lease, since = request.meta.pop(LEASE, (None, 0.0))
        if lease is not None:
            took = round((time.monotonic() - since) * 1000)
            await self._ask("/politeness/report", {"id": lease, "took": took, **report})

    async def _ask(self, path: str, order: Mapping[str, Any]) -> dict[str, Any]:
        body = FileBodyProducer(io.BytesIO(json.dumps(order).encode()))  # type: ignore[no-untyped-call]
        url = self._service + path.encode()
        try:
            response = await maybe_deferred_to_future(
                self._agent.request(b"POST", url, Headers(self._headers), body)
            )
            said: bytes = await maybe_deferred_to_future(readBody(response))
            answer: dict[str, Any] = json.loads(said)
        except NobodyThere:
            raise self._no_answer(
                f"Nobody answers at {self._service.decode()} (GOSSAMER_SERVICE); start `gossamer serve`."
            ) from None
        if response.code in (401, 403):
            raise self._no_answer(
                f"{answer.get('detail')} Give the service's token as GOSSAMER_TOKEN."
            )
        return answer

    def _no_answer(self, why: str) -> IgnoreRequest:
        """Log, once, why nothing can be sent: Scrapy itself says nothing of requests that are ignored."""
        if why not in self._told:
            self._told.add(why)
            logger.error("%s Nothing is sent without permission.", why)
        return IgnoreRequest(why)


def page_of(response: Response) -> Page:
    """What a response says: quads, items, links, as `gossamer.extract` reads them."""
    content_type = response.headers.get("Content-Type")
    said = None if content_type is None else content_type.decode("latin-1")
    return extract(response.body, url=response.url, content_type=said)


class StructuredLoader(ItemLoader):
    """An item loader for a thing that a page describes: `add_structured("price", "offers.price")`."""

    def __init__(
        self,
        item: Any = None,  # noqa: ANN401 (as Scrapy has it)
        *,
        response: TextResponse,
        thing: Mapping[str, Any],
        **context: Any,  # noqa: ANN401
    ) -> None:
        super().__init__(item={} if item is None else item, response=response, **context)
        self.thing = thing

    @classmethod
    def each(
        cls,
        response: TextResponse,
        type_: str,
        item: type | None = None,
        **context: Any,  # noqa: ANN401
    ) -> Iterator[Self]:
        """A loader for each thing of a type (`Product`) on the page; `item` is the class of its items."""
        for thing in things_of(page_of(response), type_):
            yield cls(item() if item else None, response=response, thing=thing, **context)

    def add_structured(self, field: str, path: str, *processors: Any, **rest: Any) -> None:  # noqa: ANN401
        """Add the values at a path of properties, such as `offers.price`; none where there is nothing."""
        self.add_value(field, values_at(self.thing, path), *processors, **rest)


def things_of(page: Page, type_: str) -> Sequence[Mapping[str, Any]]:
    """The things of a type on a page, nested ones too, in the first syntax that has any."""
    for kind in KINDS:
        if found := list(_things(page.uniform_items.get(kind, ()), type_, MOST_DEEP)):
            return found
    return ()


def values_at(thing: Mapping[str, Any], path: str) -> list[Any]:
    """The values at a path of properties; lists on the way are gone through."""
    found: list[Any] = [thing]
    for name in path.split("."):
        found = [
            value
            for each in found
            if isinstance(each, Mapping) and name in each
            for value in (each[name] if isinstance(each[name], list) else [each[name]])
        ]
    return found


def _things(value: object, type_: str, depth: int) -> Iterator[Mapping[str, Any]]:
    if depth == 0:
        return
    if isinstance(value, Mapping):
        types = value.get("@type", ())
        named = [types] if isinstance(types, str) else types
        if any(isinstance(each, str) and _local(each) == type_ for each in named):
            yield value
        value = list(value.values())
    if isinstance(value, list | tuple):
        for each in value:
            yield from _things(each, type_, depth - 1)


def _local(name: str) -> str:
    return name.rpartition("/")[2].rpartition("#")[2].rpartition(":")[2]
