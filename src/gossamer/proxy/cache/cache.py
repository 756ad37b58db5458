"""The HTTP cache (RFC 9111 §4): answers a request from what is stored, or says how to forward it."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from gossamer.config import Proxy
from gossamer.model import Url
from gossamer.proxy.cache.answers import Body, answer, nothing_stored
from gossamer.proxy.cache.asked import RequestConditions, read
from gossamer.proxy.cache.fields import without
from gossamer.proxy.cache.forwarding import Flights, Forwarding, Key, Known, Means
from gossamer.proxy.cache.none import NoCache
from gossamer.proxy.cache.protocol import Cache, CacheAnswer, Counters, Flight, Forward, Request
from gossamer.proxy.cache.shared_pages import SharedPages
from gossamer.proxy.cache.shelf import Page
from gossamer.proxy.cache.status import Why, forwarded
from gossamer.proxy.cache.store import Store
from gossamer.proxy.cache.stored import Stored, selecting
from gossamer.proxy.cache.terms import Verdict, verdict
from gossamer.proxy.cache.validators import CONDITIONS, can_validate, conditional
from gossamer.urls import host_of
from gossamer.urls.host_patterns import checked_host_patterns, fits_any

_OK = 200
_ANSWERABLE = ("GET", "HEAD")
# What a client has of a page, or wants of it, is nothing to those who come after it.
_FOR_THE_CLIENT = frozenset((b"range", b"if-range")) | CONDITIONS


def open_cache(path: Path, settings: Proxy) -> Cache:
    """The cache in a file, or none where its size is 0. Within a running event loop."""
    if not settings.cache_size:
        return NoCache()
    loop = asyncio.get_running_loop()
    cache = HttpCache(path, settings, call_soon=loop.call_soon_threadsafe)
    if settings.cache_shared is not None:
        cache.share_by(settings.cache_shared)
    return cache


class HttpCache:
    """A shared cache over a file. See `protocol.Cache`."""

    def __init__(
        self,
        path: Path,
        settings: Proxy,
        *,
        now: Callable[[], float] = time.time,
        call_soon: Callable[[Callable[[], None]], object] | None = None,
    ) -> None:
        """`call_soon` is how the thread that writes reaches the one that asks, if it can."""
        kept_hosts = _kept_hosts(settings.keep_anyway)  # before anything is opened
        self.counters = Counters()
        self._call_soon = call_soon
        self.store = Store(
            path, settings.cache_size, self.counters, wake=self._wake, share=self._share
        )
        self._now = now
        self._shared: SharedPages | None = None
        self._flights = Flights()
        self._means = Means(
            self.store,
            self._flights,
            self.counters,
            now,
            min(settings.cache_max_entry, settings.cache_size // 2),
            kept_hosts,
        )

    def ask(self, request: Request, *, waited: bool = False) -> CacheAnswer | Forward | Flight:
        """A response to the request, or what is to be done for one."""
        asked = read(request)
        if (why := _passes_by(request, asked)) is not None:
            if asked.wishes.only_if_cached:
                return nothing_stored(self._now())
            return self._pass(request, asked, why)
        page = self.store.page(request.url)
        stored = _fitting(page, request) if page.variants else None
        if stored is not None and (found := self._hit(request, asked, stored, waited)) is not None:
            return found
        if asked.wishes.only_if_cached:
            return nothing_stored(self._now())
        return self._fetch(request, asked, page, stored, waited=waited)

    def share_by(self, address: str) -> None:
        """Share pages with other proxies on a server. Within a running event loop."""
        self._shared = SharedPages(address, self.counters, self._now)

    async def look_further(self, request: Request) -> bool:
        """Bring a page here that another proxy has; whether it may be there now, so that one asks again."""
        if self._shared is None:
            return False
        asked = read(request)
        if _passes_by(request, asked) is not None or asked.wishes.no_cache:
            return False
        found = await self._shared.find(request)
        if found is None:
            return False
        self.store.put(
            replace(found, id=self.store.new_id()), self._now(), lambda _: None, is_shared=True
        )
        return True

    def _share(self, news: Stored | str) -> None:
        if self._shared is None:
            return
        if isinstance(news, str):
            self._shared.drop(news)
        else:
            self._shared.offer(news)

    def clear(self, host: str | None = None) -> int:
        """Forget all that is stored, or all of a host; how many responses that were."""
        if self._shared is not None:
            self._shared.clear(host)
        return self.store.clear(lambda url: host is None or host_of(Url(url)) == host)

    async def close(self) -> None:
        """Write down what is not yet, and close the file."""
        if self._shared is not None:
            await self._shared.close()
        await asyncio.to_thread(self.store.close)

    def _hit(
        self, request: Request, asked: RequestConditions, stored: Stored, waited: bool
    ) -> CacheAnswer | None:
        """The stored response as the answer, where it may be that."""
        now = self._now()
        judged = verdict(stored.terms, asked.wishes, now)
        if judged is Verdict.VALIDATE:
            return None
        body = self._body(stored)
        if body is None:
            return None
        self.counters.hits += 1
        told = b"Cache-Status: %b\r\n" % forwarded(Why.MISS, collapsed=True) if waited else None
        made = answer(request, asked, stored, body, now, told)
        self.store.mark_used(stored, now)
        if judged is not Verdict.FRESH:
            self.counters.stale_hits += 1
            if judged is Verdict.REFRESH and not asked.wishes.only_if_cached:
                made.refresh = self._refresh(request, stored)
        return made

    def _fetch(
        self,
        request: Request,
        asked: RequestConditions,
        page: Page,
        stored: Stored | None,
        *,
        waited: bool,
    ) -> Forward | Flight:
        """Wait for another client's fetch of the page, or begin one."""
        flight, now = None, self._now()
        is_alone = self._flights.is_alone(request.url, now)
        if request.method == "GET" and not is_alone and asked.may_share:
            key = _key(request, page)
            under_way = self._flights.under_way(key, now)
            # Whoever waited and found something that must be asked about asks. Where the answer
            # turned out to be for others, there is a second line, for requests like this one.
            if under_way is not None and not (waited and (stored is not None or not key[1])):
                self.counters.collapsed += not waited
                return under_way
            started = self._flights.start(key)
            flight = None if started is None else (key, started)
        return self._forward(request, asked, page, stored, flight)

    def _forward(
        self,
        request: Request,
        asked: RequestConditions,
        page: Page,
        stored: Stored | None,
        flight: tuple[Key, Flight] | None,
    ) -> Forwarding:
        known = None if stored is None else self._known(request, asked, stored)
        why, fields = self._reason(asked, page, known), None
        if known is not None and known.is_asked_about:
            self.counters.validations += 1
            fields = conditional(request.fields, known.stored.fields)
        else:
            self.counters.misses += 1
        return Forwarding(
            self._means, request, asked, why, fields=fields, known=known, flight=flight
        )

    def _reason(self, asked: RequestConditions, page: Page, known: Known | None) -> Why:
        if known is None:
            return Why.VARIANT if page.variants else Why.MISS
        terms = known.stored.terms
        is_fresh = terms.age(self._now()) < terms.lifetime and not terms.validate_always
        return Why.REQUEST if asked.wishes.no_cache or is_fresh else Why.STALE

    def _known(self, request: Request, asked: RequestConditions, stored: Stored) -> Known | None:
        """What is stored, with its body held for as long as the request is out."""
        body = self._body(stored)
        if body is None:
            return None
        # A range passes through as it came; so does HEAD, whose answer is about the page anyway.
        plain = request.method == "GET" and asked.part is None
        can_ask = plain and stored.status == _OK and can_validate(stored.fields)
        return Known(stored, body, can_ask)

    def _refresh(self, request: Request, stored: Stored) -> Forward | None:
        """A fetch of all of a page behind a client's back, unless there is one already."""
        plain = Request("GET", request.url, without(request.fields, _FOR_THE_CLIENT))
        page = self.store.page(request.url)
        key = _key(plain, page)
        started = self._flights.start(key)
        if started is None:
            return None
        return self._forward(plain, RequestConditions(), page, stored, (key, started))

    def _pass(self, request: Request, asked: RequestConditions, why: Why) -> Forwarding:
        self.counters.bypasses += 1
        return Forwarding(self._means, request, asked, why)

    def _body(self, stored: Stored) -> Body | None:
        found = self.store.body(stored)
        if found is None:
            self.store.drop_one(stored)
            return None
        return Body(*found)

    def _wake(self) -> None:
        """In the writer's thread: there is news."""
        if self._call_soon is not None:
            with suppress(RuntimeError):  # the loop is closed, and nobody asks any more
                # Not `self.store.catch_up`: the thread may have news before the store is ours.
                self._call_soon(self._catch_up)

    def _catch_up(self) -> None:
        self.store.catch_up()


def _kept_hosts(patterns: tuple[str, ...]) -> Callable[[str], bool]:
    """Whether a URL is of such a host; refuses a pattern that could fit none."""
    checked_host_patterns("proxy.keep_anyway", patterns)
    return lambda url: bool(patterns) and fits_any(patterns, host_of(Url(url)))


def _passes_by(request: Request, asked: RequestConditions) -> Why | None:
    """Why a request is nothing to a cache, if so."""
    if request.method not in _ANSWERABLE:
        return Why.METHOD
    if asked.needs_origin or asked.unkeyed or request.has_body:
        return Why.BYPASS
    return Why.REQUEST if asked.wishes.no_store else None


def _fitting(page: Page, request: Request) -> Stored | None:
    """The newest stored response that is for such a request."""
    for stored in reversed(page.variants):
        if stored.fits(request.fields):
            return stored
    return None


def _key(request: Request, page: Page) -> Key:
    """What is fetched, as far as it is known by what the page varies."""
    names = page.variants[-1].vary if page.variants else ()
    return (request.url, names, selecting(names, request.fields))
