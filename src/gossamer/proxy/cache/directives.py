"""`Cache-Control` in requests and responses (RFC 9111 §5.2, RFC 5861). Pure.

Names in any case, arguments bare or quoted. Where a directive is given twice, the first counts;
one that cannot be read counts as its most careful reading: `max-age=soon` is over at once.
"""

from dataclasses import dataclass
from math import inf
from typing import Final

from gossamer.http.wire.fields import Fields
from gossamer.proxy.cache.fields import combined, remembering

MOST_SECONDS: Final = 2**31  # RFC 9111 §1.2.2: as good as for ever
_DIGITS: Final = 10  # more than the limit above has

Directives = dict[bytes, list[bytes | None]]
_UNREADABLE: Final = b"?"


@dataclass(frozen=True, slots=True)
class ResponseDirectives:
    """What an origin says about keeping its response."""

    max_age: float | None = None
    s_maxage: float | None = None
    no_store: bool = False
    no_cache: bool = False
    private: bool = False
    public: bool = False
    must_revalidate: bool = False
    proxy_revalidate: bool = False
    must_understand: bool = False
    stale_if_error: float = 0
    stale_while_revalidate: float = 0
    withheld: frozenset[bytes] = frozenset()  # fields that `no-cache` or `private` name


@dataclass(frozen=True, slots=True)
class RequestDirectives:
    """What a client accepts."""

    no_store: bool = False
    no_cache: bool = False
    only_if_cached: bool = False
    max_age: float = inf
    max_stale: float = 0
    min_fresh: float = 0
    stale_if_error: float = 0


NO_WISHES: Final = RequestDirectives()


def response_directives(fields: Fields) -> ResponseDirectives:
    """The directives of a response."""
    return _response(combined(fields, b"cache-control") or b"")


def request_directives(cache_control: bytes | None, pragma: bytes | None) -> RequestDirectives:
    """The directives of a request; `Pragma: no-cache` counts where nothing better is said."""
    if cache_control is not None:
        return _request(cache_control)
    if pragma is not None and b"no-cache" in _parsed(pragma):
        return RequestDirectives(no_cache=True)
    return NO_WISHES


@remembering(1024)
def _response(value: bytes) -> ResponseDirectives:
    found = _parsed(value)
    return ResponseDirectives(
        max_age=_lifetime(found, b"max-age"),
        s_maxage=_lifetime(found, b"s-maxage"),
        no_store=b"no-store" in found,
        no_cache=_is_whole(found, b"no-cache"),
        private=_is_whole(found, b"private"),
        public=b"public" in found,
        must_revalidate=b"must-revalidate" in found,
        proxy_revalidate=b"proxy-revalidate" in found,
        must_understand=b"must-understand" in found,
        stale_if_error=_seconds(found, b"stale-if-error") or 0,
        stale_while_revalidate=_seconds(found, b"stale-while-revalidate") or 0,
        withheld=frozenset(_named(found, b"no-cache") + _named(found, b"private")),
    )


@remembering(1024)
def _request(value: bytes) -> RequestDirectives:
    found = _parsed(value)
    age = _lifetime(found, b"max-age")
    # `max-stale` alone accepts a response of any staleness.
    any_staleness = found.get(b"max-stale", [b""])[0] is None
    return RequestDirectives(
        no_store=b"no-store" in found,
        no_cache=b"no-cache" in found,
        only_if_cached=b"only-if-cached" in found,
        max_age=inf if age is None else age,
        max_stale=inf if any_staleness else _seconds(found, b"max-stale") or 0,
        min_fresh=_lifetime(found, b"min-fresh", unreadable=inf) or 0,
        stale_if_error=_seconds(found, b"stale-if-error") or 0,
    )


def _lifetime(found: Directives, name: bytes, unreadable: float = 0) -> float | None:
    """The seconds of a directive that limits; None where it is not given."""
    if name not in found:
        return None
    seconds = _seconds(found, name)
    return unreadable if seconds is None else seconds


def _seconds(found: Directives, name: bytes) -> float | None:
    digits = found.get(name, [None])[0]
    if digits is None or not digits.isdigit():
        return None
    return MOST_SECONDS if len(digits) > _DIGITS else min(int(digits), MOST_SECONDS)


def _is_whole(found: Directives, name: bytes) -> bool:
    """Whether a directive is about the response, not about some of its fields."""
    return any(not argument or not _names(argument) for argument in found.get(name, []))


def _named(found: Directives, name: bytes) -> tuple[bytes, ...]:
    return tuple(each for argument in found.get(name, []) for each in _names(argument or b""))


def _names(argument: bytes) -> list[bytes]:
    return [name for each in argument.lower().split(b",") if (name := each.strip())]


def _parsed(value: bytes) -> Directives:
    found: Directives = {}
    for element in _elements(value):
        name, equals, argument = element.strip().partition(b"=")
        if name := name.lower():
            found.setdefault(name.strip(), []).append(_argument(name, argument) if equals else None)
    return found


def _argument(name: bytes, argument: bytes) -> bytes:
    # No blanks are allowed around the sign: such a number cannot be read.
    if name != name.strip() or argument != argument.strip():
        return _UNREADABLE
    if argument[:1] == b'"' and argument[-1:] == b'"':
        return argument[1:-1].replace(b"\\", b"")
    return argument


def _elements(value: bytes) -> list[bytes]:
    """Parts between commas; those inside quotes do not part."""
    if b'"' not in value:
        return value.split(b",")
    parts, start, quoted, escaped = [], 0, False, False
    for place, byte in enumerate(value):
        if escaped:
            escaped = False
        elif quoted and byte == ord("\\"):
            escaped = True
        elif byte == ord('"'):
            quoted = not quoted
        elif byte == ord(",") and not quoted:
            parts.append(value[start:place])
            start = place + 1
    # A quote that never ends hides nothing: a `no-store` behind it is meant.
    return value.split(b",") if quoted else [*parts, value[start:]]
