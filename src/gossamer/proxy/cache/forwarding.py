"""A request on its way to the origin, and what becomes of the answer (RFC 9111 §3, §4.3, §4.4).

Requests for one page wait for a single fetch of it (`Flights`). A fetch whose answer cannot be shared tells
everybody: for a while nobody waits for that page, so that a hundred clients of a page that no cache may
keep are never lined up. One that brought no answer says nothing about the page: the first of those who
waited fetches it for the others.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final, Self

from gossamer.http.wire.fields import Fields
from gossamer.model import Url
from gossamer.proxy.cache.answers import Body, answer
from gossamer.proxy.cache.asked import RequestConditions
from gossamer.proxy.cache.fields import block_of, date_text, first, values, without
from gossamer.proxy.cache.none import Passing
from gossamer.proxy.cache.protocol import CacheAnswer, Counters, Flight, Landing, Relay, Request
from gossamer.proxy.cache.recording import Recording, announced_length
from gossamer.proxy.cache.status import Why, forwarded
from gossamer.proxy.cache.store import Store
from gossamer.proxy.cache.stored import Names, Stored, Values, arriving, still_stands, varying
from gossamer.proxy.cache.storing import (
    FOR_ONE,
    is_anonymous,
    is_useful,
    obstacle,
    sets_cookies,
)
from gossamer.proxy.cache.terms import may_stand_in
from gossamer.proxy.cache.validators import is_about
from gossamer.urls import canonical, origin_of

ALONE_SECONDS: Final = 60.0
ALONE_MOST: Final = 4096  # pages that are remembered as not to be shared
Key = tuple[str, Names, Values]
"""What is fetched: the URL, and the request as far as the page is known to vary."""
SAFE: Final = frozenset(("GET", "HEAD", "OPTIONS", "TRACE"))
_FIRST_GOOD, _FIRST_BAD = 200, 400
_FAILURES: Final = frozenset((500, 502, 503, 504))
# A new answer of these kinds means that the old one is history, even where it cannot be stored.
_CONCLUSIVE: Final = frozenset((HTTPStatus.OK, HTTPStatus.NOT_FOUND, HTTPStatus.GONE))


class Flights:
    """Requests in flight, by page."""

    def __init__(self) -> None:
        self._flights: dict[Key, Flight] = {}
        self._alone: OrderedDict[str, float] = OrderedDict()

    def is_alone(self, url: str, now: float) -> bool:
        """Whether each client fetches this page for itself, since its answers cannot be shared."""
        return self._alone.get(url, 0.0) > now

    def under_way(self, key: Key, now: float) -> Flight | None:
        """A fetch to wait for, if there is one worth waiting for."""
        flight = self._flights.get(key)
        return None if flight is None or self.is_alone(key[0], now) else flight

    def may_share(self, url: str) -> None:
        """A page has an answer that is for others, too."""
        self._alone.pop(url, None)

    def start(self, key: Key) -> Flight | None:
        """Begin a fetch for all who want this; None where one is under way."""
        if key in self._flights:
            return None
        flight = self._flights[key] = Flight()
        return flight

    def land(self, key: Key, flight: Flight, now: float, landing: Landing) -> None:
        """End a fetch that is over, or whose answer is known to be of no use to others."""
        if self._flights.get(key) is flight:
            del self._flights[key]
            if landing is Landing.SHARED:
                self.may_share(key[0])
            elif landing is Landing.ALONE:
                self._remember(key[0], now + ALONE_SECONDS)
        flight.land(landing)

    def _remember(self, url: str, until: float) -> None:
        self._alone[url] = until
        self._alone.move_to_end(url)
        if len(self._alone) > ALONE_MOST:
            self._alone.popitem(last=False)


@dataclass(frozen=True, slots=True)
class Means:
    """What all requests of one cache share."""

    store: Store
    flights: Flights
    counters: Counters
    now: Callable[[], float]
    max_entry_bytes: int
    keeps_anyway: Callable[[str], bool]  # whether a URL's host is to be kept whatever it says


@dataclass(slots=True)
class Known:
    """Something stored that fits the request, but may not answer it as it is."""

    stored: Stored
    body: Body | None  # None once it went into an answer
    is_asked_about: bool  # whether the request carries its validators

    def take_body(self) -> Body | None:
        """The body, once."""
        body, self.body = self.body, None
        return body


class Forwarding:
    """A request that goes to the origin. See `protocol.Forward`."""

    __slots__ = (
        "_asked",
        "_asked_at",
        "_flight",
        "_known",
        "_means",
        "_recording",
        "_request",
        "_why",
        "fields",
    )

    def __init__(
        self,
        means: Means,
        request: Request,
        asked: RequestConditions,
        why: Why,
        *,
        fields: Fields | None = None,
        known: Known | None = None,
        flight: tuple[Key, Flight] | None = None,
    ) -> None:
        """`fields` are those to send, where they are not the client's."""
        self._means, self._request, self._asked, self._why = means, request, asked, why
        self.fields = request.fields if fields is None else fields
        self._known, self._flight = known, flight
        self._recording: Recording | None = None
        self._asked_at = means.now()

    def mark_sent(self) -> None:
        """The request goes out now."""
        self._asked_at = self._means.now()
        if self._flight is not None:
            self._flight[1].is_sent = True

    def answered(self, status: int, fields: Fields) -> Relay | CacheAnswer:
        """What the client gets."""
        known = self._known
        if known is not None:
            if status == HTTPStatus.NOT_MODIFIED and known.is_asked_about:
                return self._unmodified(known, fields)
            if status in _FAILURES and (found := self._stand_in(f"{status}")) is not None:
                self._land(Landing.ALONE)
                return found
        if self._request.method == "GET":
            return self._take(status, fields)
        self._invalidate(status, fields)
        return self._pass_on(status, fields)

    def failed(self, why: str) -> CacheAnswer | None:
        """A stored response in place of one that did not come."""
        return self._stand_in(why, no_answer=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Free those who wait, and what was held for an answer."""
        if self._recording is not None:
            self._recording.abandon()
        else:
            self._land(Landing.NOTHING)
        body = self._known.take_body() if self._known is not None else None
        if body is not None and body.release is not None:
            body.release()

    def _unmodified(self, known: Known, fields: Fields) -> Relay | CacheAnswer:
        """The origin says that something still stands: ours, or what the client has."""
        landing = Landing.SHARED
        if is_about(fields, known.stored.fields):
            self._means.counters.validated += 1
            landing = Landing.SHARED if self._renew(known, fields) else Landing.ALONE
        elif self._asked.has_condition:
            return self._pass_on(HTTPStatus.NOT_MODIFIED, fields)
        # Else the origin named another tag than the one it was asked about. What we have is used
        # this once, and asked about again next time.
        self._land(landing)
        found = self._answer(known, HTTPStatus.NOT_MODIFIED, None, self._cookies(fields))
        assert found is not None
        return found

    def _cookies(self, fields: Fields) -> Fields:
        """The cookies that a 304 sets for the client that asked: others do not get them."""
        if not sets_cookies(fields):
            return ()
        return tuple(each for each in fields if each[0].lower() in FOR_ONE)

    def _renew(self, known: Known, fields: Fields) -> bool:
        """Have what is stored say what its origin says now; False where it must not be kept so."""
        means, now = self._means, self._means.now()
        known.stored = known.stored.freshened(fields, self._asked_at, now)
        may_stay = self._may_stay(known.stored)
        if may_stay:
            means.store.freshen(known.stored, now)
        else:
            means.store.drop_one(known.stored)
        return may_stay

    def _may_stay(self, stored: Stored) -> bool:
        """Whether a response with new fields may be stored, as if it came whole for this request."""
        fields = stored.fields
        if varying(fields) != stored.vary:  # it is not known what the first client said there
            return False
        asked = self._request._replace(method="GET")  # HEAD is a question about that
        anyway = stored.kept_anyway and is_anonymous(asked)
        wishes = self._asked.wishes
        return obstacle(asked, wishes, stored.status, fields, keep_anyway=anyway) is None

    def _stand_in(self, why: str, *, no_answer: bool = False) -> CacheAnswer | None:
        """What is stored in place of a failure, where that is allowed."""
        known, means = self._known, self._means
        if known is None:
            return None
        wishes = self._asked.wishes
        if not may_stand_in(known.stored.terms, wishes, means.now(), no_answer=no_answer):
            return None
        means.counters.hits += 1
        means.counters.stale_hits += 1
        return self._answer(known, None, f"stale: {why}")

    def _answer(
        self, known: Known, status: int | None, detail: str | None, added: Fields = ()
    ) -> CacheAnswer | None:
        body = known.take_body()
        if body is None:
            return None
        told = block_of((*added, (b"Cache-Status", forwarded(self._why, status, detail=detail))))
        now = self._means.now()
        self._means.store.mark_used(known.stored, now)
        return answer(self._request, self._asked, known.stored, body, now, told)

    def _take(self, status: int, fields: Fields) -> Relay:
        """A new response: store it if that is allowed."""
        entry = self._entry(status, fields)
        if isinstance(entry, str):
            self._land(Landing.ALONE)
            if self._known is not None and status in _CONCLUSIVE:
                self._means.store.drop_one(self._known.stored)
            return self._pass_on(status, fields, entry)
        means = self._means
        means.flights.may_share(self._request.url)
        told = forwarded(self._why, status, is_stored=True)
        self._recording = Recording(
            fields,
            self._added(fields, told),
            entry,
            means.store,
            means.max_entry_bytes,
            means.now,
            self._land,
        )
        return self._recording

    def _entry(self, status: int, fields: Fields) -> Stored | str:
        """What is to be stored of a response, or why nothing is."""
        means, request = self._means, self._request
        if self._asked.unkeyed:
            return "unkeyed-field"
        why_not = obstacle(request, self._asked.wishes, status, fields)
        entry: Stored | str = why_not or self._arriving(status, fields)
        if isinstance(entry, Stored) and not is_useful(entry.terms, fields, status):
            entry = "no-freshness"
        if means.keeps_anyway(request.url) and not _is_lasting(entry) and is_anonymous(request):
            wishes = self._asked.wishes
            if obstacle(request, wishes, status, fields, keep_anyway=True) is None:
                entry = self._arriving(status, fields, keep_anyway=True)
        if isinstance(entry, str):
            return entry
        return "too-large" if announced_length(fields) > means.max_entry_bytes else entry

    def _arriving(self, status: int, fields: Fields, *, keep_anyway: bool = False) -> Stored:
        return arriving(
            self._means.store.new_id(),
            self._request,
            status,
            fields,
            self._asked_at,
            self._means.now(),
            keep_anyway=keep_anyway,
        )

    def _invalidate(self, status: int, fields: Fields) -> None:
        """Forget what this answer makes doubtful: it was a change, or news about a page."""
        means, known = self._means, self._known
        for url in changed_urls(self._request, status, fields):
            means.counters.invalidations += means.store.drop(url)
        if known is None or status != HTTPStatus.OK:
            return
        is_page = known.stored.status == HTTPStatus.OK  # and not word that there is none
        if is_page and still_stands(known.stored.fields, fields):
            # The cookies were for who asked, and nobody else got the page with them.
            self._renew(known, without(fields, FOR_ONE))
        else:
            means.store.drop_one(known.stored)

    def _pass_on(self, status: int, fields: Fields, detail: str | None = None) -> Relay:
        told = forwarded(self._why, status, detail=detail)
        return Passing(status, self._added(fields, told))

    def _added(self, fields: Fields, told: bytes) -> Fields:
        status = (b"Cache-Status", told)
        if first(fields, b"date") is not None:
            return (status,)
        return ((b"Date", date_text(self._means.now())), status)  # RFC 9110 §6.6.1

    def _land(self, landing: Landing) -> None:
        if self._flight is not None:
            (key, flight), self._flight = self._flight, None
            self._means.flights.land(key, flight, self._means.now(), landing)


def changed_urls(request: Request, status: int, fields: Fields) -> Iterator[str]:
    """The URLs whose stored responses the answer to a request makes doubtful."""
    if request.method in SAFE or not _FIRST_GOOD <= status < _FIRST_BAD:
        return
    yield request.url
    for name in (b"location", b"content-location"):
        for value in values(fields, name):
            if (url := _joined(request.url, value)) is not None:
                yield url


def _joined(base: str, reference: bytes) -> str | None:
    """A reference as a URL, if it is of the same origin: nobody speaks for others (§4.4)."""
    url = canonical(reference.decode("utf-8", "replace"), Url(base))
    if not isinstance(url, str) or origin_of(url) != origin_of(Url(base)):
        return None
    return url


def _is_lasting(entry: Stored | str) -> bool:
    """Whether a response can be used again by its own terms, without asking each time."""
    if isinstance(entry, str):
        return False
    return entry.terms.lifetime > 0 and not entry.terms.validate_always
