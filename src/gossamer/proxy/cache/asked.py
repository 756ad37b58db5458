"""A request as the cache reads it: one look at its fields. Pure."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from gossamer.proxy.cache.directives import NO_WISHES, RequestDirectives, request_directives
from gossamer.proxy.cache.fields import combined
from gossamer.proxy.cache.protocol import Fields, Request
from gossamer.proxy.cache.ranges import single
from gossamer.proxy.cache.unkeyed import is_unkeyed
from gossamer.proxy.cache.validators import CONDITIONS, FOR_THE_ORIGIN

MOST_READ: Final = 256  # headers whose meaning is remembered
_READ: Final = (
    frozenset((b"cache-control", b"pragma", b"range", b"if-range", b"authorization"))
    | CONDITIONS
    | FOR_THE_ORIGIN
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What matters in a request."""

    wishes: RequestDirectives = NO_WISHES
    part: bytes | None = None  # the range that is wanted
    if_range: bytes | None = None
    has_condition: bool = False  # that a cache may answer
    needs_origin: bool = False  # no cache can answer it
    authorized: bool = False
    unkeyed: bool = False  # it has a field that may change the answer, and is in no key

    @property
    def may_share(self) -> bool:
        """Whether somebody else's fetch can serve it, and it can serve others."""
        plain = self.part is None and not self.has_condition and not self.authorized
        return plain and not (self.wishes.no_cache or self.wishes.no_store)


_PLAIN: Final = Asked()


def read(request: Request) -> Asked:
    """What matters in a request for a page."""
    return _read_fields(request.fields, request.method == "GET")


@lru_cache(MOST_READ)  # a program says the same in all of its requests
def _read_fields(fields: Fields, is_get: bool) -> Asked:
    every = {name.lower() for name, _ in fields}
    names, unkeyed = every & _READ, any(map(is_unkeyed, every))
    return _read(names, fields, is_get, unkeyed) if names or unkeyed else _PLAIN


def _read(names: set[bytes], fields: Fields, is_get: bool, unkeyed: bool) -> Asked:
    part = combined(fields, b"range") if is_get else None  # RFC 9110 §14.2: it is for GET alone
    return Asked(
        wishes=request_directives(combined(fields, b"cache-control"), combined(fields, b"pragma")),
        part=part,
        if_range=combined(fields, b"if-range"),
        has_condition=not names.isdisjoint(CONDITIONS),
        needs_origin=not names.isdisjoint(FOR_THE_ORIGIN)
        or (part is not None and not single(part)),
        authorized=b"authorization" in names,
        unkeyed=unkeyed,
    )
