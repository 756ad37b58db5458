"""Which responses may be stored, and which of their fields (RFC 9111 §3). Pure, and no HTML parser.

A site may ask with `noarchive` that no copies be kept. A cache serves programs of all names, so what a
site asks of one robot it asks of us. A page is searched as bytes, in its first 64 KiB, where its `<meta>`
elements are: a tag that has the word anywhere counts. The worst that a page can do is not to be kept.
"""

import re
from functools import lru_cache
from http import HTTPStatus
from typing import Final

from gossamer.fetch.decode import decode
from gossamer.http.wire.fields import Fields
from gossamer.proxy.cache.directives import RequestDirectives, response_directives
from gossamer.proxy.cache.fields import (
    SHORT,
    combined,
    date_text,
    end_to_end,
    first,
    members,
    read_date,
    values,
    without,
)
from gossamer.proxy.cache.protocol import Request
from gossamer.proxy.cache.terms import HEURISTIC_STATUSES, Terms

SCANNED_BYTES: Final = 64 * 1024  # of a page, packed as well as unpacked
MOST_MEMBERS: Final = 16  # of a gzip or zstd stream: each costs time, and may hold nothing
FIRST_FINAL: Final = 200
# For the one client whose request was answered, whatever else the origin says of its answer.
FOR_ONE: Final = frozenset((b"set-cookie", b"set-cookie2", b"authentication-info"))
_WORD: Final = re.compile(rb"(?<![a-z0-9_-])(?:noarchive|nocache)(?![a-z0-9_-])")
# A quoted value may have a `>` in it. Possessive, so that a quote that never ends is read once.
_META: Final = re.compile(rb"<meta(?=[\s/\"'])(?:[^>\"']++|\"[^\"]*+\"|'[^']*+'|[\"'])*+")
# What browsers take for a page: HTML by any name, XML, and what is given no type, or none that is one.
_MAYBE_PAGE: Final = re.compile(rb"html|xml|unknown|^[^/]*$", re.IGNORECASE)
_MEMBER: Final = re.compile(rb"\x1f\x8b\x08|\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18")
# 206 would have to be put together with its other parts; 304 is about something stored already;
# 412 and 416 are about what one client wanted, and nothing tells its request from those of others.
_NEVER: Final = frozenset((206, 304, 412, 416))
_UNDERSTOOD: Final = frozenset(int(status) for status in HTTPStatus)
_TELLING: Final = frozenset((b"cache-control", b"expires", b"vary", b"x-robots-tag"))
_WHO_ASKS: Final = frozenset((b"authorization", b"cookie"))
_BODILESS: Final = frozenset((204, 304))
# Ours to say: how old it is now, and how long; and not to be said again: who may show it again.
_MADE_ANEW: Final = frozenset((b"age", b"content-length", b"date"))


def is_anonymous(request: Request) -> bool:
    """Whether a request says nothing about who asks."""
    return not any(name.lower() in _WHO_ASKS for name, _ in request.fields)


def sets_cookies(fields: Fields) -> bool:
    """Whether a response is about to treat visitors differently."""
    return any(name.lower() in FOR_ONE for name, _ in fields)


def telling(fields: Fields) -> Fields:
    """The fields of a response that decide whether it may be stored: mostly few."""
    return tuple([field for field in fields if field[0].lower() in _TELLING])


def obstacle(
    request: Request,
    wishes: RequestDirectives,
    status: int,
    fields: Fields,
    *,
    keep_anyway: bool = False,
) -> str | None:
    """Why a response must not be stored; None where it may be. It tells by its `telling` fields."""
    if request.method != "GET":
        return "method"
    if request.has_body:
        return "body"
    if wishes.no_store:
        return "request-no-store"
    if status < FIRST_FINAL or status in _NEVER:
        return "status"
    is_authorized = first(request.fields, b"authorization") is not None
    told = telling(fields)
    judge = _known_objection if sum([len(value) for _, value in told]) <= SHORT else _objection
    return judge(status, told, is_authorized, keep_anyway)


def is_useful(terms: Terms, fields: Fields, status: int) -> bool:
    """Whether a stored response could ever answer anything: by itself, or after a 304."""
    validators = first(fields, b"etag") is not None or first(fields, b"last-modified") is not None
    return terms.lifetime > 0 or (validators and status == HTTPStatus.OK)


def kept_fields(fields: Fields, answered_at: float) -> Fields:
    """The fields of a response that are stored, with the date that it may lack."""
    date = first(fields, b"date")
    if date is None or read_date(date, answered_at) is None:
        date = date_text(answered_at)
    kept = without(end_to_end(fields), _MADE_ANEW)
    return ((b"Date", date), *for_all(kept))


def for_all(fields: Fields) -> Fields:
    """The fields of a response without those that are for one client alone.

    Cookies are, also where the origin says for how long everybody may have the response: others
    would become who the first client is.
    """
    return without(fields, response_directives(fields).withheld | FOR_ONE)


def with_length(fields: Fields, status: int, length: int) -> Fields:
    """The fields of a response once it is known how long its body is."""
    if status in _BODILESS:
        return fields
    return (*fields, (b"Content-Length", b"%d" % length))


def header_asks(value: bytes) -> bool:
    """Whether an `X-Robots-Tag` asks that no copy be kept, whichever robot it names."""
    return _WORD.search(value.lower()) is not None


def may_ask(fields: Fields) -> bool:
    """Whether a response with such fields may have a page for its body."""
    return _MAYBE_PAGE.search(combined(fields, b"content-type") or b"") is not None


def page_asks(body: bytes, fields: Fields) -> bool:
    """Whether a page, of which this is the beginning, asks that no copy be kept.

    One that cannot be looked into counts as if it did.
    """
    start = _unpacked(body[:SCANNED_BYTES], combined(fields, b"content-encoding") or b"")
    if start is None:
        return True
    start = start.lower()
    if b"\0" in start:  # UTF-16, of which every second byte is one
        start = start.replace(b"\0", b"")
    if b"noarchive" not in start and b"nocache" not in start:  # most pages are done here
        return False
    return any(_WORD.search(tag[0]) is not None for tag in _META.finditer(start))


def _objection(status: int, fields: Fields, is_authorized: bool, keep_anyway: bool) -> str | None:
    """What the origin has against it."""
    if b"*" in members(fields, b"vary"):
        return "vary"
    if any(map(header_asks, values(fields, b"x-robots-tag"))):
        return "noarchive"
    if keep_anyway:
        return None if status in HEURISTIC_STATUSES else "status"
    said = response_directives(fields)
    understood = status in _UNDERSTOOD
    if said.must_understand and not understood:
        return "must-understand"
    # `no-store` beside it is for caches that do not know `must-understand` (§5.2.2.3).
    if said.no_store and not (said.must_understand and understood):
        return "no-store"
    if said.private:
        return "private"
    shared = said.public or said.must_revalidate or said.s_maxage is not None
    if is_authorized and not shared:
        return "authorization"
    stated = said.public or said.max_age is not None or said.s_maxage is not None
    if stated or first(fields, b"expires") is not None or status in HEURISTIC_STATUSES:
        return None
    return "no-freshness"


def _unpacked(body: bytes, coding: bytes) -> bytes | None:
    """The beginning without its content coding; None where that cannot be undone."""
    named = coding.strip().lower()
    if named in (b"", b"identity"):
        return body
    if b"," in named or sum(1 for _ in _MEMBER.finditer(body)) > MOST_MEMBERS:
        return None
    found = decode(body, named.decode("latin-1"), SCANNED_BYTES)
    is_good = not found.broken or found.ends_early  # it was cut off by us
    return found.body if is_good else None


_known_objection = lru_cache(1024)(_objection)  # to few words that sites say again and again
