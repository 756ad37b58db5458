"""What an answer to a request for robots.txt means, and until when: RFC 9309 section 2.3.

One step, `after_response`, takes a request under way and its answer, and gives
either the next request (a redirect) or the record to keep. The table of
meanings, and what we chose where the RFC leaves a choice, is in
`docs/decisions/0006-robots-responses.md`.
"""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from gossamer.config import Politeness
from gossamer.model import Refusal, Url
from gossamer.politeness.delay import LONGEST
from gossamer.politeness.evidence import ASKS_FOR_REST
from gossamer.politeness.outcome import backoff, retry_after
from gossamer.politeness.robots.groups import readable_part
from gossamer.politeness.robots.policy import ROBOTS_PATH
from gossamer.politeness.robots.record import Meaning, RobotsRecord
from gossamer.urls.canonical import canonical

MAX_HOPS: Final = 5  # RFC 9309 section 2.3.1.2: at least five redirects are followed

SHORTEST_AGE: Final = timedelta(
    hours=1
)  # many sites mark every answer no-cache, and mean nothing by it
MAX_CACHE_CONTROL: Final = 1024  # characters that are read of it

_NOT_MODIFIED: Final = 304
_TOO_MANY_REQUESTS: Final = 429
_FORBIDDEN: Final = frozenset({401, 403})
_NOT_KEPT: Final = re.compile(r"(?:^|,)[ \t]*no-(?:cache|store)[ \t]*(?:,|$)", re.IGNORECASE)
_MAX_AGE: Final = re.compile(r'(?:^|,)[ \t]*max-age="?0*([0-9]+)', re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RobotsRequest:
    """A robots.txt being asked for: whose it is, and where redirects have led so far."""

    origin: str  # `https://example.test`: the rules are this origin's, wherever they are found
    asked: tuple[Url, ...]  # the last of them is to be asked now
    previous: RobotsRecord | None = None

    @classmethod
    def first(cls, origin: str, previous: RobotsRecord | None = None) -> "RobotsRequest":
        """The request that starts at the origin itself, and what was known before."""
        return cls(origin, (Url(origin + ROBOTS_PATH),), previous)

    @property
    def url(self) -> Url:
        """What to ask for now."""
        return self.asked[-1]


@dataclass(frozen=True, slots=True)
class RobotsResponse:
    """What came back. Hand over one byte more than MAX_ROBOTS_BYTES, where there are more."""

    status: int | None  # None where there was no answer
    body: bytes = b""  # decoded
    location: str | None = None
    retry_after: str | None = None  # the header, as received
    cache_control: str = ""  # the header, all of its lines
    error: str = ""  # what went wrong where there was no answer: "connection refused"
    rests_until: datetime | None = None  # the host where it was to be asked for may not be asked


def after_response(
    request: RobotsRequest, response: RobotsResponse, now: datetime, politeness: Politeness
) -> RobotsRecord | RobotsRequest:
    """The record to keep after an answer, or the request to make next."""
    status = response.status
    if status is None or not 200 <= status < 500 or status == _TOO_MANY_REQUESTS:
        return _unreachable(request, response, now, politeness)
    if status < 300:
        body = readable_part(response.body)
        return _answered(request, response, Meaning.RULES, now, politeness, body)
    if status == _NOT_MODIFIED:
        return _not_modified(request, response, now, politeness)
    if status < 400:
        return _redirected(request, response, now, politeness)
    closed = status in _FORBIDDEN and politeness.robots_forbidden_closes
    meaning = Meaning.FORBIDDEN if closed else Meaning.NO_RULES
    return _answered(request, response, meaning, now, politeness)


def _redirected(
    request: RobotsRequest, response: RobotsResponse, now: datetime, politeness: Politeness
) -> RobotsRecord | RobotsRequest:
    target = canonical(response.location, request.url) if response.location else None
    if target is None or isinstance(target, Refusal):
        cause = "redirected to no http address"
    elif target in request.asked:
        cause = "redirected in a circle"
    elif len(request.asked) > MAX_HOPS:
        cause = f"redirected more than {MAX_HOPS} times"
    else:
        return RobotsRequest(request.origin, (*request.asked, target), request.previous)
    # The RFC lets us take this as a missing file, and that is what it is most of the
    # time: a site that sends every unknown path somewhere else.
    return _answered(request, response, Meaning.NO_RULES, now, politeness, cause=cause)


def _not_modified(
    request: RobotsRequest, response: RobotsResponse, now: datetime, politeness: Politeness
) -> RobotsRecord:
    previous = request.previous
    if previous is None or previous.body is None:
        return _unreachable(request, response, now, politeness)
    return _answered(request, response, Meaning.RULES, now, politeness, previous.body)


def _answered(
    request: RobotsRequest,
    response: RobotsResponse,
    meaning: Meaning,
    now: datetime,
    politeness: Politeness,
    body: bytes | None = None,
    cause: str | None = None,
) -> RobotsRecord:
    return RobotsRecord(
        origin=request.origin,
        meaning=meaning,
        cause=cause or f"answered {response.status}",
        answered_at=now,
        ask_at=now + _lifetime(response.cache_control, politeness.robots_max_age),
        body=body,
        body_at=None if body is None else now,
    )


def _lifetime(cache_control: str, most: timedelta) -> timedelta:
    """How long an answer counts: `most`, or less where its Cache-Control (RFC 9111 section 5.2.2) says so.

    RFC 9309 section 2.4 lets Cache-Control decide. For us it only ever shortens, down to `SHORTEST_AGE`.
    """
    value = cache_control[:MAX_CACHE_CONTROL]
    if _NOT_KEPT.search(value):
        return min(SHORTEST_AGE, most)
    told = _MAX_AGE.search(value)
    if told is None or len(told[1]) > 9:  # a lifetime of thirty years shortens nothing
        return most
    return min(max(timedelta(seconds=int(told[1])), SHORTEST_AGE), most)


def _unreachable(
    request: RobotsRequest, response: RobotsResponse, now: datetime, politeness: Politeness
) -> RobotsRecord:
    previous = request.previous
    failures = 1 + (previous.failures if previous else 0)
    status = response.status
    failure = f"could not be fetched ({response.error or 'no answer'})"
    return RobotsRecord(
        origin=request.origin,
        meaning=Meaning.UNREACHABLE,
        cause=failure if status is None else f"answered {status}",
        answered_at=now,
        ask_at=now + _wait(failures, response, now, politeness),
        body=previous.body if previous else None,
        body_at=previous.body_at if previous else None,
        failures=failures,
    )


def _wait(
    failures: int, response: RobotsResponse, now: datetime, politeness: Politeness
) -> timedelta:
    """How long to leave the origin alone: our back-off, or longer where it asks for that."""
    ours = backoff(failures, politeness.backoff_first, min(politeness.backoff_most, LONGEST))
    if response.rests_until is not None:
        return max(ours, response.rests_until - now)
    if response.retry_after is None or response.status not in ASKS_FOR_REST:
        return ours
    return max(ours, retry_after(response.retry_after, now) or ours)
