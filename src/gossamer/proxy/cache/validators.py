"""Conditional requests: ours to the origin, and those of clients to us (RFC 9110 §13). Pure."""

import re
from typing import Final

from gossamer.http.wire.fields import Fields
from gossamer.proxy.cache.fields import combined, first, read_date, values, without

CONDITIONS: Final = frozenset((b"if-none-match", b"if-modified-since"))
"""Those that a cache may answer."""
FOR_THE_ORIGIN: Final = frozenset((b"if-match", b"if-unmodified-since"))
"""Those about a change, which only the origin can answer."""

_TAG: Final = re.compile(rb'(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"')
_ANY: Final = b"*"


def can_validate(fields: Fields) -> bool:
    """Whether a stored response can be asked about."""
    return _tag(fields) is not None or first(fields, b"last-modified") is not None


def conditional(request: Fields, stored: Fields) -> Fields:
    """The request as one that asks about what is stored, besides what the client has."""
    asked = list(without(request, CONDITIONS))
    tag, changed = _tag(stored), first(stored, b"last-modified")
    if tag is not None:
        asked.append((b"If-None-Match", b", ".join([tag, *_others(request, tag)])))
    if changed is not None:
        asked.append((b"If-Modified-Since", changed))
    return tuple(asked)


def is_about(answer: Fields, stored: Fields) -> bool:
    """Whether a 304 speaks of what is stored, and not of what only the client has (§4.3.4)."""
    theirs, ours = _tag(answer), _tag(stored)
    if theirs is not None and ours is not None:
        return same(theirs, ours)
    changed, ours = first(answer, b"last-modified"), first(stored, b"last-modified")
    return theirs is not None or changed is None or ours is None or changed == ours


def is_unmodified(request: Fields, stored: Fields, now: float) -> bool:
    """Whether a client's own condition gets 304: it has what is stored."""
    wanted = combined(request, b"if-none-match")
    if wanted is not None:  # the date is not looked at then, whatever it says (§13.1.3)
        return _is_among(wanted, _tag(stored))
    since = first(request, b"if-modified-since")
    asked = None if since is None else read_date(since, now)
    if asked is None:
        return False
    stated = first(stored, b"last-modified") or first(stored, b"date") or b""
    changed = read_date(stated, now)
    return changed is not None and changed <= asked


def is_same_for_range(if_range: bytes | None, stored: Fields) -> bool:
    """Whether a range may be cut from what is stored: the client's part is of the same whole."""
    if if_range is None:
        return True
    if if_range.endswith(b'"'):
        return not if_range.startswith(b"W/") and if_range == _tag(stored)
    return if_range == first(stored, b"last-modified")


def same(one: bytes, other: bytes) -> bool:
    """Weak comparison (§8.8.3.2)."""
    return one.removeprefix(b"W/") == other.removeprefix(b"W/")


def _is_among(wanted: bytes, tag: bytes | None) -> bool:
    if wanted.strip() == _ANY:
        return True
    return tag is not None and any(same(tag, each) for each in _TAG.findall(wanted))


def _others(request: Fields, own: bytes) -> list[bytes]:
    theirs = _TAG.findall(combined(request, b"if-none-match") or b"")
    return [tag for tag in theirs if not same(tag, own)]


def _tag(fields: Fields) -> bytes | None:
    """The entity tag, if there is exactly one and it can be sent back."""
    tags = set(values(fields, b"etag"))
    tag = tags.pop() if len(tags) == 1 else b""
    return tag if _TAG.fullmatch(tag) else None
