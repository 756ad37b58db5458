"""External services (`transform.services`): which address is asked next, and how an absent one is waited for.

A media type may have several addresses. A document goes to the one with the fewest requests in flight. An
address is absent where nobody listens, or a gateway before it says that nobody does; it is tried again after a
pause. While others are there, they do the work. Where all are absent, documents wait for them up to our
patience, counted from when the last one was lost; after that, a document is given up at once, until one is back.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from gossamer.model import Problem, ServiceReply
from gossamer.reading.jobs import PageJob, ServiceQuestion

if TYPE_CHECKING:  # whoever has no services need not load what reads documents
    from gossamer.transform.services import Endpoint

FIRST_PAUSE: Final = 0.5  # seconds, before an absent address is tried again; doubled each time
LONGEST_PAUSE: Final = 15.0
MOST_DOUBLINGS: Final = 10
Send = Callable[[PageJob, ServiceQuestion, "Endpoint"], Awaitable[ServiceReply]]
"""A way to send a document to an address, and to have its reply."""
NO_SERVICE: Final = ServiceReply(fault="There is no service for this document.")


@dataclass(slots=True)
class _Address:
    """An address as it was found so far."""

    in_flight: int = 0
    asked: int = 0
    absences: int = 0  # in a row
    absent_since: float | None = None
    ask_at: float = 0.0


class ServiceAddresses:
    """Load balancing over the addresses of services, with those left out that are absent. Pure."""

    def __init__(self) -> None:
        self._known: dict[Endpoint, _Address] = {}

    def choose(self, endpoints: Sequence["Endpoint"], now: float) -> "Endpoint | None":
        """Take the address to ask now; None where all are absent and none is to be tried again yet."""
        known = {each: self._known.setdefault(each, _Address()) for each in endpoints}
        due = [
            each
            for each, address in known.items()
            if address.absences and not address.in_flight and address.ask_at <= now
        ]
        there = [each for each, address in known.items() if not address.absences]
        chosen = min(due or there, key=lambda each: _load(known[each]), default=None)
        if chosen is not None:
            known[chosen].in_flight += 1
            known[chosen].asked += 1
        return chosen

    def release(self, endpoint: "Endpoint", now: float, *, is_absent: bool | None) -> bool:
        """Give an address back with what was found, None where nothing was; whether that is news."""
        address = self._known[endpoint]
        address.in_flight -= 1
        if is_absent is None:
            return False
        was_absent = address.absences > 0
        if is_absent:
            address.absences += 1
            address.absent_since = now if address.absent_since is None else address.absent_since
            doublings = min(address.absences - 1, MOST_DOUBLINGS)
            address.ask_at = now + min(FIRST_PAUSE * 2**doublings, LONGEST_PAUSE)
        else:
            address.absences, address.absent_since = 0, None
        return was_absent is not is_absent

    def absent_since(self, endpoints: Sequence["Endpoint"]) -> float | None:
        """Since when none of the addresses is there; None where one is."""
        moments = [self._known[each].absent_since for each in endpoints]
        known = [each for each in moments if each is not None]
        return max(known) if known and len(known) == len(moments) else None

    def ask_at(self, endpoints: Sequence["Endpoint"]) -> float:
        """When the next absent address is to be tried again; those being tried are left out."""
        idle = (self._known[each] for each in endpoints)
        return min((each.ask_at for each in idle if not each.in_flight), default=float("inf"))


def _load(address: _Address) -> tuple[int, int]:
    return address.in_flight, address.asked


class Services:
    """Asks external services, so many at once, in threads of its own; to be closed."""

    def __init__(
        self, most: int, patience: timedelta = timedelta(0), *, send: Send | None = None
    ) -> None:
        self.patience = patience
        self.tell: Callable[[str], None] = lambda _: None  # of services that go, or are back
        self._threads = ThreadPoolExecutor(most, thread_name_prefix="service")
        self._send = send or self._in_thread
        self._addresses = ServiceAddresses()
        self._absent: dict[Endpoint, ServiceReply] = {}  # why, by address
        self._changed = asyncio.Event()  # set, and another made, when an absent address was tried

    def close(self) -> None:
        """Ask no more."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def ask(self, job: PageJob, question: ServiceQuestion) -> PageJob:
        """The page again, with what a service says of it."""
        from gossamer.transform.services import endpoints_for

        # The worker says what the document is; where it goes is our own configuration's to say.
        endpoints = endpoints_for(job.options, question.media_type)
        if isinstance(endpoints, Problem) or not endpoints:
            return replace(job, service=NO_SERVICE)
        return replace(job, service=await self._reply(job, question, endpoints))

    async def _reply(
        self, job: PageJob, question: ServiceQuestion, endpoints: Sequence["Endpoint"]
    ) -> ServiceReply:
        clock = asyncio.get_running_loop().time
        while True:
            endpoint = self._addresses.choose(endpoints, clock())
            if endpoint is not None:
                reply = await self._asked(job, question, endpoint)
                if not reply.is_absent:
                    return reply
                self._absent[endpoint] = reply
            elif (left := self._patience_left(endpoints, clock())) > 0:
                await self._wait(min(left, self._addresses.ask_at(endpoints) - clock()))
            else:
                return self._absent[endpoints[0]]

    async def _asked(
        self, job: PageJob, question: ServiceQuestion, endpoint: "Endpoint"
    ) -> ServiceReply:
        is_absent: bool | None = None
        try:
            reply = await self._send(job, question, endpoint)
            is_absent = reply.is_absent
        finally:
            now = asyncio.get_running_loop().time()
            is_news = self._addresses.release(endpoint, now, is_absent=is_absent)
            if is_news or is_absent is not False:
                self._wake()
        if is_news:
            back = f"The service {endpoint} is back."
            self.tell(f"{reply.fault} It is tried again." if is_absent else back)
        return reply

    def _wake(self) -> None:
        """Have those who wait look again."""
        self._changed.set()
        self._changed = asyncio.Event()

    def _patience_left(self, endpoints: Sequence["Endpoint"], now: float) -> float:
        since = self._addresses.absent_since(endpoints)
        return (now if since is None else since) + self.patience.total_seconds() - now

    async def _wait(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(max(seconds, 0)):
                await self._changed.wait()
        except TimeoutError:
            pass

    async def _in_thread(
        self, job: PageJob, question: ServiceQuestion, endpoint: "Endpoint"
    ) -> ServiceReply:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, ask_for, job, question, endpoint)


def ask_for(
    job: PageJob, question: ServiceQuestion, endpoint: "Endpoint | None" = None
) -> ServiceReply:
    """Ask a service about a page, at the first address for its media type or another; wait for its reply."""
    from gossamer.transform.document import Document
    from gossamer.transform.iris import mended
    from gossamer.transform.service_client import ask_in_time
    from gossamer.transform.services import Absent, Endpoint, endpoint_for

    found = endpoint or endpoint_for(job.options, question.media_type)
    source = mended(job.url.partition("#")[0])
    if not isinstance(found, Endpoint) or source is None:
        return NO_SERVICE
    body = job.body if question.body is None else question.body
    document = Document(source, body, media_type=question.media_type, options=job.options)
    answer = ask_in_time(found, document)
    if isinstance(answer, Problem):
        return ServiceReply(fault=answer.message, is_absent=isinstance(answer, Absent))
    return ServiceReply(answer.status, answer.content_type, answer.body)
