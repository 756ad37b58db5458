"""What the head of an answer says: where it redirects, and how to ask again only for what has changed. Pure.

Nobody follows a redirect before scope, robots and clock were asked. Whoever asks conditionally (RFC 9110
§8.8, §13) must hold what a 304 lets stand. So validators are taken only from an answer that we have in
whole, and a 304 counts only if it speaks of that very answer.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from gossamer.model import MAX_HOPS, BodyState, Fetched, Refusal, ResponseHead, Url
from gossamer.moments import http_date
from gossamer.urls.canonical import canonical

MAX_LENGTH: Final = 1024  # of an entity tag; usual ones have 10 to 80 characters
_ETAG: Final = re.compile(rf'(?:W/)?"[!#-~\x80-\xff]{{0,{MAX_LENGTH}}}"')
_WEAK: Final = "W/"
_DAY: Final = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_MONTH: Final = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_DATE: Final = re.compile(  # the form of today, and the one of C that some servers still write
    rf"{_DAY}, \d\d {_MONTH} \d{{4}} \d\d:\d\d:\d\d GMT"
    rf"|{_DAY} {_MONTH} [ \d]\d \d\d:\d\d:\d\d \d{{4}}",
    re.ASCII,
)
_OK, _NOT_MODIFIED = 200, 304
# A 304 may carry a Location too, and a `Refresh` header is a page's own idea: neither is one.
REDIRECTS: Final = frozenset({300, 301, 302, 303, 307, 308})
_CHOICE: Final = 300  # may name the server's own choice, or leave it to the reader


def redirect_of(head: ResponseHead, hops: int = 0) -> Url | Refusal | None:
    """The page that an answer redirects to, or why none; None where it is no redirect.

    `hops` is how many redirects led to the page that answered, for those who follow at once.
    """
    if head.status not in REDIRECTS:
        return None
    locations = {each for each in head.header_values("location") if each}
    if not locations:
        return None if head.status == _CHOICE else _refusal("says nothing about where to")
    if len(locations) > 1:
        return _refusal("names several places at once")
    target = canonical(head.location or "", head.url)
    if isinstance(target, Refusal):
        return target
    if target == head.url:
        return _refusal("leads to itself")
    return target if hops < MAX_HOPS else _refusal(f"is number {hops + 1} in a row")


def _refusal(what: str) -> Refusal:
    return Refusal("redirect", f"The redirect {what}.")


@dataclass(frozen=True, slots=True)
class Validators:
    """What tells one state of a page from another, as its server named it."""

    etag: str | None = None
    last_modified: str | None = None

    @property
    def request_headers(self) -> tuple[tuple[str, str], ...]:
        """The headers that ask for the page only if it has changed; none where nothing is known."""
        # Both are sent: a server that knows entity tags goes by them and ignores the date.
        named = (("If-None-Match", self.etag), ("If-Modified-Since", self.last_modified))
        return tuple((name, value) for name, value in named if value is not None)


def validators_of(fetched: Fetched) -> Validators:
    """The validators of an answer; empty where it could not be told to stand by a 304."""
    if fetched.status != _OK or fetched.body_state is not BodyState.WHOLE:
        return Validators()
    return Validators(_etag(fetched), _last_modified(fetched, fetched.finished_at))


def revalidated(stored: Validators, answer: Fetched) -> Validators | None:
    """What to store now where the answer says that what we hold still stands.

    None where it does not say so: the page has changed, or it is a 304 that we did not ask for
    or that speaks of something else. After that one, the crawl asks again without conditions.
    """
    if answer.status != _NOT_MODIFIED or not stored.request_headers:
        return None
    etag = _etag(answer)
    if etag and stored.etag and not _same(etag, stored.etag):
        return None
    last_modified = _last_modified(answer, answer.finished_at)
    return Validators(etag or stored.etag, last_modified or stored.last_modified)


def _etag(head: ResponseHead) -> str | None:
    value = _only_value(head, "etag")
    return value if value is not None and _ETAG.fullmatch(value) else None


def _last_modified(head: ResponseHead, now: datetime) -> str | None:
    """The date as it stands, since some servers compare the text; None where it is of no use."""
    value = _only_value(head, "last-modified")
    if value is None or not _DATE.fullmatch(value):
        return None
    moment = http_date(value)
    # "Not changed since next year" would hold for every change until then.
    return value if moment is not None and moment <= now else None


def _only_value(head: ResponseHead, name: str) -> str | None:
    """The value of a header that is there once; of two different ones neither can be believed."""
    values = set(head.header_values(name))
    return values.pop() if len(values) == 1 else None


def _same(one: str, other: str) -> bool:
    """Weak comparison (RFC 9110 §8.8.3.2), which is the one for `If-None-Match`."""
    return one.removeprefix(_WEAK) == other.removeprefix(_WEAK)
