"""What the proxy asks of a cache, and in which order. The rules are RFC 9111; nothing here waits.

For each request, once it is known to be well formed and allowed in::

    asked = cache.ask(request)
    while isinstance(asked, Flight):             # somebody else is fetching this very page
        await asked.wait()                       # (until it is sent, inside the client's patience)
        # Waits at most twice, unless nothing came of it: then one of those who waited leads.
        asked = cache.ask(request, waited=asked.landing is not Landing.NOTHING)
    if isinstance(asked, CacheAnswer):                # robots and clock are not asked: nothing is sent
        if refresh := asked.take_refresh(): as a GET, the same as for a Forward below, with nobody
            listening
        send(asked.status, asked.block, asked.body, asked.rest); asked.close()
                                                 # (on a LostBodyError, break it off)
    else:                                        # (where proxies share pages: `look_further`, and ask again)
        with asked as forward:                   # leaving frees whoever waits, whatever happened
            ... robots, clock, connection ...    # a refusal of ours just leaves the block
            forward.mark_sent()                       # now the request, with forward.fields, goes out
            on a final head:  got = forward.answered(status, fields)
                Relay:  send got.status to the client, and what the origin said, without what is
                        for one hop, and got.added; each piece of the body goes to the client
                        and to got.write(); at its proper end got.done()
                CacheAnswer: send that instead; drop the body of the origin's answer
            on no head:       got = forward.failed("timeout"): a CacheAnswer, or None for 502 or 504

`ask` is no coroutine: an answer that is at hand can be sent from within `data_received`, with no task.
Moments are seconds since 1970, of the clock that the cache was given.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final, NamedTuple, Protocol, Self

from gossamer.errors import GossamerError
from gossamer.http.wire.fields import Fields

REASON: Final = b"X-Gossamer-Reason"  # of an answer that no origin gave: a sentence
CAUSE: Final = b"X-Gossamer-Cause"  # the same in a word


class Request(NamedTuple):
    """What a client asks for."""

    method: str
    url: str  # absolute and canonical (`urls.canonical`): one page, one name
    fields: Fields  # those for the origin: without Connection, Proxy-Authorization, Via…
    has_body: bool = False  # on which the answer may depend, so that it is for nobody else


@dataclass(slots=True, eq=False)
class CacheAnswer:
    """A whole response from the cache, ready to be sent. It may be sent once."""

    status: int
    block: bytes  # header lines, each with its CRLF: Date, Age, Content-Length, Cache-Status…
    body: bytes = b""  # all of it, or as much as fits into memory …
    rest: Iterable[bytes] = ()  # … and what follows, read as it is iterated (`LostBodyError`)
    refresh: "Forward | None" = None  # stale, but good: fetch it anew behind the client's back
    release: Callable[[], None] | None = None

    @property
    def is_at_hand(self) -> bool:
        """Whether `body` is all of it, and nothing is to be done or closed afterwards."""
        return self.rest == () and self.release is None and self.refresh is None

    def close(self) -> None:
        """Sent, or given up: what it was read from may go, and a refresh that nobody took."""
        if self.release is not None:
            self.release()
            self.release = None
        if (refresh := self.take_refresh()) is not None:
            refresh.__exit__(None, None, None)

    def take_refresh(self) -> "Forward | None":
        """The refresh, once."""
        refresh, self.refresh = self.refresh, None
        return refresh


class LostBodyError(GossamerError):
    """A stored body ends before it should: what was sent of it is to be broken off."""


class Relay(Protocol):
    """The origin's answer, which goes to the client, and perhaps into the cache."""

    status: int
    added: Fields  # what we have to say besides the origin: Cache-Status, a Date where it gave none

    @property
    def is_kept(self) -> bool:
        """Whether `write` has a purpose; it may be called all the same."""

    def write(self, piece: bytes) -> None:
        """Take a piece of the body, without chunk framing."""

    def done(self) -> None:
        """The body is complete: by its length, its last chunk, or (only if neither was given) the close."""


class Forward(Protocol):
    """A request that must go to the origin."""

    fields: Fields  # the client's, with our validators where a stored response can be asked about

    def mark_sent(self) -> None:
        """The request goes out now: ages count from here, not from when the client came."""

    def answered(self, status: int, fields: Fields) -> Relay | CacheAnswer:
        """The head of the final response (no 1xx), with all its fields: what the client gets."""

    def failed(self, why: str) -> CacheAnswer | None:
        """No response came: a stored one that may be used in its place, or nothing."""

    def __enter__(self) -> Self: ...
    def __exit__(self, *_: object) -> None:
        """Free those who wait. A body that was not `done` is forgotten."""


class Landing(Enum):
    """What came of a fetch for those who waited for it."""

    SHARED = auto()  # an answer for them, too
    ALONE = auto()  # an answer that others cannot use
    NOTHING = auto()  # whoever fetched was refused or left, or no answer came, or not all of one


class Flight:
    """Another client's request for the same page, under way."""

    __slots__ = ("_ended", "is_sent", "landing")

    def __init__(self) -> None:
        self.is_sent = False  # until then it waits for its turn
        self.landing: Landing | None = None  # until it is known
        self._ended: asyncio.Event | None = None  # made for the first who waits

    @property
    def has_landed(self) -> bool:
        """Whether it is known what came of it."""
        return self.landing is not None

    async def wait(self) -> None:
        """Wait until the outcome is known; cancel to stop waiting."""
        if self._ended is None:
            self._ended = asyncio.Event()
        if not self.has_landed:
            await self._ended.wait()

    def land(self, landing: Landing) -> None:
        """Free all who wait."""
        self.landing = landing
        if self._ended is not None:
            self._ended.set()


@dataclass(slots=True)
class Counters:
    """What a cache did since it was opened, and what it holds. Read at any time."""

    hits: int = 0  # answered with nothing sent
    stale_hits: int = 0  # among them: past its time, by permission
    misses: int = 0  # nothing stored that fits
    validations: int = 0  # asked the origin about something stored …
    validated: int = 0  # … which still stood
    bypasses: int = 0  # methods and requests that no cache may answer
    collapsed: int = 0  # waited for somebody else's fetch instead of sending their own
    stored: int = 0  # responses
    stored_bytes: int = 0  # in their bodies
    evictions: int = 0  # for want of room
    invalidations: int = 0  # because something was changed through us
    cleared: int = 0  # because somebody emptied the cache, or a host's part of it
    shared_hits: int = 0  # misses that another proxy's page answered
    shared_misses: int = 0
    shared_stored: int = 0  # pages that were given to other proxies
    shared_dropped: int = 0  # not given to them, since too many waited or the server is left alone
    shared_failures: int = 0  # of that server to answer in time
    failures: int = 0  # to write to the disk; `trouble` says why
    entries: int = 0  # held now
    bytes: int = 0  # held now, bodies and heads
    trouble: str | None = field(default=None)  # why nothing is being stored, if so (disk full…)

    def figures(self) -> Mapping[str, int]:
        """The numbers by name, for metrics and status."""
        named = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in named.items() if isinstance(value, int)}


class Cache(Protocol):
    """A cache, shared by all clients."""

    counters: Counters

    def ask(self, request: Request, *, waited: bool = False) -> CacheAnswer | Forward | Flight:
        """A response to the request, or what is to be done for one.

        It has `waited` if somebody else's fetch brought an answer meanwhile, or takes too long.
        """

    async def look_further(self, request: Request) -> bool:
        """Bring a page here that another proxy has; whether it may be there now, so that one asks again."""

    def clear(self, host: str | None = None) -> int:
        """Forget all that is stored, or all of a host; how many responses that were."""

    async def close(self) -> None:
        """Write down what is not yet; nothing may be asked afterwards."""
