"""Freshness: how long a response is fresh, how old it is, and whether it may answer a request now. Pure.

RFC 9111 §4.2 and RFC 5861. Terms are made once, when a response comes or is read from disk;
after that, freshness is a comparison of two numbers.
"""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from gossamer.http.wire.fields import Fields
from gossamer.proxy.cache.directives import (
    RequestDirectives,
    ResponseDirectives,
    response_directives,
)
from gossamer.proxy.cache.fields import first, read_date, values

HEURISTIC_SHARE: Final = 0.1  # of the time since the last change, as RFC 9111 §4.2.2 suggests
HEURISTIC_MOST: Final = 24 * 3600.0  # the same page may change after years; a day is no harm
KEPT_ANYWAY: Final = 24 * 3600.0
OFFLINE_MOST: Final = 24 * 3600.0  # how stale a response may be that stands in for a dead origin
# RFC 9110 §15.1 names these, and 206, which we do not store.
HEURISTIC_STATUSES: Final = frozenset((200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501))


@dataclass(frozen=True, slots=True)
class Terms:
    """What may be done with a stored response, and when."""

    born: float  # the moment from which its age counts
    lifetime: float  # its age when it goes stale
    validate_always: bool = False
    stale_never: bool = False
    stale_if_error: float = 0
    stale_while_revalidate: float = 0

    def age(self, now: float) -> float:
        """Seconds since it was generated or validated at the origin."""
        return max(0.0, now - self.born)


def terms_of(
    status: int,
    fields: Fields,
    born: float,
    answered_at: float,
    *,
    anonymous: bool = True,
    keep_anyway: bool = False,
) -> Terms:
    """The terms of a response that was born and came at these moments.

    `anonymous`: the request said nothing about who asks (no cookies, no credentials), and the
    response set no cookies. Else one that states no lifetime is only ever asked about.
    """
    if keep_anyway:
        return Terms(answered_at, KEPT_ANYWAY)
    directives = response_directives(fields)
    lifetime = stated_lifetime(fields, directives, answered_at)
    is_somebodys = lifetime is None and not anonymous
    if lifetime is None:
        can_guess = anonymous and (directives.public or status in HEURISTIC_STATUSES)
        lifetime = _guessed_lifetime(fields, answered_at) if can_guess else 0.0
    return Terms(
        born,
        lifetime,
        validate_always=directives.no_cache,
        stale_never=is_somebodys or _is_strict(directives),
        stale_if_error=directives.stale_if_error,
        stale_while_revalidate=directives.stale_while_revalidate,
    )


def stated_lifetime(
    fields: Fields, directives: ResponseDirectives, answered_at: float
) -> float | None:
    """What the origin says, in the order of RFC 9111 §4.2.1 for a shared cache."""
    if directives.s_maxage is not None:
        return directives.s_maxage
    if directives.max_age is not None:
        return directives.max_age
    expiries = set(values(fields, b"expires"))
    if not expiries:
        return None
    expires = read_date(expiries.pop(), answered_at)
    # A date that cannot be read, or two of them, means "already expired" (§5.3).
    if expires is None or expiries:
        return 0.0
    return max(0.0, expires - _date(fields, answered_at))


def born_at(fields: Fields, asked_at: float, answered_at: float) -> float:
    """When a response left its origin, by the origin's clock and the caches on the way (§4.2.3)."""
    apparent = max(0.0, answered_at - _date(fields, answered_at))
    # Of several values the first counts, and one that is no number is no value (§5.1).
    stated = (first(fields, b"age") or b"").partition(b",")[0].strip()
    age = min(float(stated[:12]), 2.0**31) if stated.isdigit() else 0.0
    return answered_at - max(apparent, age + max(0.0, answered_at - asked_at))


class Verdict(Enum):
    """What may be done with a stored response that fits."""

    FRESH = auto()
    STALE = auto()  # the client accepts it so
    REFRESH = auto()  # the origin accepts it so, while it is asked behind the client's back
    VALIDATE = auto()  # the origin must be asked first


def verdict(terms: Terms, wishes: RequestDirectives, now: float) -> Verdict:
    """What may be done with a stored response."""
    if terms.validate_always or wishes.no_cache or wishes.max_age <= 0:
        return Verdict.VALIDATE
    age = terms.age(now)
    if age > wishes.max_age:
        return Verdict.VALIDATE
    left = terms.lifetime - age
    if left > 0 and left >= wishes.min_fresh:
        return Verdict.FRESH
    # Whoever wants it fresh for a while longer does not want it stale.
    if terms.stale_never or wishes.min_fresh:
        return Verdict.VALIDATE
    if -left <= wishes.max_stale:
        return Verdict.STALE if wishes.max_stale else Verdict.VALIDATE
    return Verdict.REFRESH if -left < terms.stale_while_revalidate else Verdict.VALIDATE


def may_stand_in(terms: Terms, wishes: RequestDirectives, now: float, *, no_answer: bool) -> bool:
    """Whether a stored response may be used since its origin failed.

    With an error it is up to `stale-if-error`. Where no answer came at all we are cut off, and
    then a response that does not forbid it serves better than none (§4.2.4).
    """
    if terms.stale_never or wishes.no_cache:
        return False
    over = terms.age(now) - terms.lifetime
    allowed = max(terms.stale_if_error, wishes.stale_if_error)
    return over < max(allowed, OFFLINE_MOST) if no_answer else over < allowed


def _guessed_lifetime(fields: Fields, answered_at: float) -> float:
    changed = read_date(first(fields, b"last-modified") or b"", answered_at)
    if changed is None:
        return 0.0
    unchanged_for = _date(fields, answered_at) - changed
    return min(max(0.0, unchanged_for * HEURISTIC_SHARE), HEURISTIC_MOST)


def _date(fields: Fields, answered_at: float) -> float:
    date = read_date(first(fields, b"date") or b"", answered_at)
    return answered_at if date is None else date


def _is_strict(directives: ResponseDirectives) -> bool:
    """Whether nothing, not even a dead origin, lets it be used stale; `s-maxage` says so too."""
    return (
        directives.must_revalidate
        or directives.proxy_revalidate
        or directives.s_maxage is not None
        or directives.no_cache
    )
