"""Whether a stored response may answer a request, now (RFC 9111 §4, RFC 5861). Pure."""

from enum import Enum, auto

from gossamer.proxy.cache.directives import RequestDirectives
from gossamer.proxy.cache.terms import OFFLINE_MOST, Terms


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
