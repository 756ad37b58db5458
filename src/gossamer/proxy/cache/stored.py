"""A stored response: what is known of it besides its body, which requests it is for, what changes it. Pure.

`Vary` says which requests it is for (RFC 9111 §4.1); a 304, or the answer to HEAD, freshens it (§3.2, §4.3).
"""

from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any, Final, Self

from gossamer.http.wire.fields import Fields
from gossamer.proxy.cache.fields import (
    block_of,
    combined,
    end_to_end,
    fields_of,
    first,
    members,
    remembering,
    without,
)
from gossamer.proxy.cache.protocol import Request
from gossamer.proxy.cache.storing import (
    for_all,
    is_anonymous,
    kept_fields,
    sets_cookies,
    with_length,
)
from gossamer.proxy.cache.terms import Terms, born_at, terms_of

Names = tuple[bytes, ...]
Values = tuple[bytes | None, ...]
DIGEST_BYTES: Final = 16
OVERHEAD_BYTES: Final = 512  # of a row, its indexes and its share of half-filled pages
Row = tuple[int, str, bytes, bytes, int, bytes, float, float, int, int]
"""id, url, vary, selection, status, block, born, answered_at, size, marks."""
# Lists of things that a client likes, each with its weight: neither case nor order changes them.
_PREFERENCES: Final = frozenset((b"accept", b"accept-encoding", b"accept-language"))
# What describes the stored bytes themselves stays with them.
_OF_THE_BYTES: Final = frozenset(
    (b"content-length", b"content-encoding", b"content-range", b"content-md5", b"etag")
)
_TELLING: Final = (b"etag", b"last-modified", b"content-length")
_ANONYMOUS, _KEPT_ANYWAY = 1, 2


def varying(fields: Fields) -> Names:
    """The request fields that a response depends on, sorted, in lower case."""
    return tuple(sorted(set(members(fields, b"vary"))))


def selecting(names: Names, fields: Fields) -> Values:
    """A digest of what a request says in each of those fields.

    Requests that say the same get the same response. What they say is nobody's business: it may be
    a cookie, and is written to disk.
    """
    return tuple([_value(name, combined(fields, name)) for name in names])


def freshened(stored: Fields, answer: Fields) -> Fields:
    """The stored fields, with those that the answer brings in their place."""
    news = without(end_to_end(answer), _OF_THE_BYTES)
    replaced = {name.lower() for name, _ in news}
    return (*without(stored, replaced), *news)


def still_stands(stored: Fields, head: Fields) -> bool:
    """Whether the answer to HEAD is about the very response that is stored (§4.3.5)."""
    told = ((first(head, name), first(stored, name)) for name in _TELLING)
    return all(new is None or new == old for new, old in told)


@dataclass(frozen=True, slots=True)
class Stored:
    """A response that may be used again."""

    id: int
    url: str
    vary: Names
    selection: Values
    status: int
    block: bytes  # its fields, as header lines, without Age
    answered_at: float
    size: int  # of its body
    anonymous: bool  # nobody's cookies or credentials were involved, on either side
    kept_anyway: bool
    terms: Terms
    body: bytes | None = None  # where it is in memory, too

    @property
    def fields(self) -> Fields:
        """The fields, to look into."""
        return fields_of(self.block)

    @property
    def cost(self) -> int:
        """The size of a stored response on disk, roughly."""
        return self.size + len(self.block) + len(self.url) + OVERHEAD_BYTES

    def fits(self, request: Fields) -> bool:
        """Whether it is for such a request."""
        return not self.vary or selecting(self.vary, request) == self.selection

    def complete(self, size: int, body: bytes | None) -> Self:
        """With its body, once all of that is there."""
        fields = with_length(self.fields, self.status, size)
        return replace(self, block=block_of(fields), size=size, body=body)

    def freshened(self, answer: Fields, asked_at: float, answered_at: float) -> Self:
        """A stored response made fresh: the origin said that it still stands."""
        # Each may name fields that are for one client alone, and the other have them.
        merged = freshened(self.fields, kept_fields(answer, answered_at))
        fields = for_all(merged)
        anonymous = self.anonymous and not sets_cookies(answer)
        return replace(
            self,
            block=block_of(fields),
            answered_at=answered_at,
            anonymous=anonymous,
            terms=terms_of(
                self.status,
                fields,
                born_at(answer, asked_at, answered_at),
                answered_at,
                anonymous=anonymous,
                keep_anyway=self.kept_anyway,
            ),
        )

    @property
    def row(self) -> Row:
        """As it is written down."""
        return (
            self.id,
            self.url,
            b"\n".join(self.vary),
            b"\n".join(b"-" if value is None else b"+" + value for value in self.selection),
            self.status,
            self.block,
            self.terms.born,
            self.answered_at,
            self.size,
            _ANONYMOUS * self.anonymous + _KEPT_ANYWAY * self.kept_anyway,
        )

    @classmethod
    def from_row(cls, row: tuple[Any, ...]) -> Self:
        """As it was written down. Terms are made anew: the rules may be newer than the row."""
        number, url, vary, selection, status, block, born, answered_at, size, marks = row
        anonymous, kept_anyway = bool(marks & _ANONYMOUS), bool(marks & _KEPT_ANYWAY)
        return cls(
            number,
            url,
            tuple(vary.split(b"\n")) if vary else (),
            tuple(None if value == b"-" else value[1:] for value in selection.split(b"\n"))
            if vary
            else (),
            status,
            block,
            answered_at,
            size,
            anonymous,
            kept_anyway,
            terms_of(
                status,
                fields_of(block),
                born,
                answered_at,
                anonymous=anonymous,
                keep_anyway=kept_anyway,
            ),
        )


def arriving(
    number: int,
    request: Request,
    status: int,
    fields: Fields,
    asked_at: float,
    answered_at: float,
    *,
    keep_anyway: bool = False,
) -> Stored:
    """A response whose body is still to come."""
    kept = kept_fields(fields, answered_at)
    vary = varying(fields)
    anonymous = is_anonymous(request) and not sets_cookies(fields)
    return Stored(
        number,
        request.url,
        vary,
        selecting(vary, request.fields),
        status,
        block_of(kept),
        answered_at,
        0,
        anonymous,
        keep_anyway,
        terms_of(
            status,
            kept,
            born_at(fields, asked_at, answered_at),
            answered_at,
            anonymous=anonymous,
            keep_anyway=keep_anyway,
        ),
    )


def _value(name: bytes, value: bytes | None) -> bytes | None:
    if value is None:
        return None
    return _likes(value) if name in _PREFERENCES else _words(value)


@remembering(4096)
def _likes(value: bytes) -> bytes:
    parts = (part.strip().lower().replace(b" ", b"") for part in value.split(b","))
    return _digest(sorted(part for part in parts if part))


@remembering(4096)
def _words(value: bytes) -> bytes:
    return _digest([part.strip() for part in value.split(b",")])


def _digest(parts: list[bytes]) -> bytes:
    return blake2b(b",".join(parts), digest_size=DIGEST_BYTES).hexdigest().encode()
