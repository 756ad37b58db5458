"""Answers out of what is stored: the whole, a part, "not modified" (RFC 9111 §4.3.2, RFC 9110 §14).

Pure but for the body, which comes as pieces.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Final

from gossamer.proxy.cache import status
from gossamer.proxy.cache.asked import RequestConditions, cut, part_of
from gossamer.proxy.cache.fields import block_of, date_text, without
from gossamer.proxy.cache.protocol import CAUSE, REASON, CacheAnswer, Request
from gossamer.proxy.cache.stored import Stored
from gossamer.proxy.cache.validators import is_same_for_range, is_unmodified

_OK, _PARTIAL, _NOT_MODIFIED, _UNSATISFIABLE, _GATEWAY_TIMEOUT = 200, 206, 304, 416, 504
# A 304 has no body, so it says nothing about one.
_OF_THE_BODY: Final = frozenset(
    (
        b"content-length",
        b"content-type",
        b"content-encoding",
        b"content-language",
        b"content-range",
        b"content-md5",
    )
)
_ONLY_IF_CACHED: Final = b"Nothing stored answers this request, and only-if-cached forbids to ask."


@dataclass(frozen=True, slots=True)
class Body:
    """A stored body that is being read."""

    first: bytes
    rest: Iterable[bytes]
    release: Callable[[], None] | None


def answer(
    request: Request,
    asked: RequestConditions,
    stored: Stored,
    body: Body,
    now: float,
    told: bytes | None,
) -> CacheAnswer:
    """A stored response as the answer to a request; `told` is its Cache-Status line, if not a hit."""
    age = stored.terms.age(now)
    extra = b"Age: %d\r\n%b" % (age, told or status.hit(stored.terms.lifetime - age))
    if asked.has_condition and stored.status == _OK:
        fields = stored.fields
        if is_unmodified(request.fields, fields, now):
            block = block_of(without(fields, _OF_THE_BODY)) + extra
            return _closed(CacheAnswer(_NOT_MODIFIED, block), body)
    wants_part = asked.part is not None and stored.status == _OK
    if wants_part and is_same_for_range(asked.if_range, stored.fields):
        return _part(asked, stored, body, extra)
    block = stored.block + extra
    if request.method == "HEAD":
        return _closed(CacheAnswer(stored.status, block), body)
    return CacheAnswer(stored.status, block, body.first, body.rest, release=body.release)


def nothing_stored(now: float) -> CacheAnswer:
    """The answer to `only-if-cached` where nothing stored will do."""
    fields = (
        (b"Date", date_text(now)),
        (b"Content-Type", b"text/plain; charset=utf-8"),
        (b"Content-Length", b"%d" % (len(_ONLY_IF_CACHED) + 1)),
        (REASON, _ONLY_IF_CACHED),
        (CAUSE, b"only-if-cached"),
    )
    block = block_of(fields) + status.nothing("only-if-cached")
    return CacheAnswer(_GATEWAY_TIMEOUT, block, _ONLY_IF_CACHED + b"\n")


def _part(asked: RequestConditions, stored: Stored, body: Body, extra: bytes) -> CacheAnswer:
    fields = without(stored.fields, {b"content-length"})
    part = part_of(asked.part or b"", stored.size)
    if part is None:
        told = b"Content-Range: bytes */%d\r\nContent-Length: 0\r\n" % stored.size
        return _closed(CacheAnswer(_UNSATISFIABLE, block_of(fields) + told + extra), body)
    start, end = part
    place = (start, end - 1, stored.size, end - start)
    told = b"Content-Range: bytes %d-%d/%d\r\nContent-Length: %d\r\n" % place
    made = CacheAnswer(_PARTIAL, block_of(fields) + told + extra)
    if len(body.first) == stored.size:
        made.body = body.first[start:end]
    else:
        made.rest = cut(chain((body.first,), body.rest), part)
    made.release = body.release
    return made


def _closed(made: CacheAnswer, body: Body) -> CacheAnswer:
    """An answer that needs no body."""
    if body.release is not None:
        body.release()
    return made
