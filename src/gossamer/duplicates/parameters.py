"""Parameters of URLs that change nothing, learned for each host from pairs of pages that were fetched anyway. Pure.

A pair is two pages of one path whose URLs differ in parameters: in their values, or in having them. Pairs that are
the same thing speak for these parameters changing nothing; one is a rule once pairs at `NEEDED` different addresses
have agreed. A pair that is not the same thing, though the URLs differ in one parameter alone, says that the
parameter matters, then and for ever.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Final, NamedTuple
from urllib.parse import unquote_plus
from zlib import crc32

from gossamer.duplicates.group import unpack_marks, with_mark
from gossamer.model import Url

NEEDED: Final = 5  # addresses whose pairs agreed
MOST_PARAMETERS: Final = 6  # of a URL; with more of them, pairs are rare and combinations many
LONGEST_NAME: Final = 64  # characters
PUT_OFF: Final = 21_500  # points: then every rank is below all those that strategy and rules give
RULE: Final = "learned-parameter"


class Standing(IntEnum):
    """What is known of a parameter on a host."""

    LEARNING = 0  # all pairs so far agreed; they are too few
    IDLE = 1  # changes nothing: a rule
    MATTERS = 2  # a pair differed


class Split(NamedTuple):
    """One parameter of a URL."""

    name: str  # as programs read it
    rest: Url  # the URL without it


@dataclass(frozen=True, slots=True)
class LearnedParameter:
    """What pairs have shown of one parameter on one host."""

    name: str
    standing: Standing = Standing.LEARNING
    agreed: bytes = b""  # marks of the addresses whose pairs agreed
    one: int = 0  # the last pair that counted, by page
    other: int = 0

    @property
    def addresses(self) -> int:
        """At how many addresses pairs have agreed, as far as they are counted."""
        return len(unpack_marks(self.agreed))

    def after(self, rest: Url, one: int, other: int, *, is_same: bool) -> "LearnedParameter":
        """What is known after one more pair, of pages whose URLs are `rest` without the parameter."""
        if self.standing is Standing.MATTERS:
            return self
        if not is_same:
            return LearnedParameter(self.name, Standing.MATTERS, b"", one, other)
        agreed = with_mark(self.agreed, crc32(rest.encode()))
        if agreed == self.agreed:
            return self
        learned = replace(self, agreed=agreed, one=one, other=other)
        return replace(learned, standing=Standing(learned.addresses >= NEEDED))


def splits(url: Url) -> Iterator[Split]:
    """The parameters of a URL one by one, each name once; none where there are too many."""
    path, mark, query = url.partition("?")
    pieces = query.split("&") if mark else []
    if not query or len(pieces) > MOST_PARAMETERS:
        return
    for name in dict.fromkeys(map(_name, pieces)):
        if name and len(name) <= LONGEST_NAME:
            yield Split(name, _joined(path, (each for each in pieces if _name(each) != name)))


def differing(one: Url, other: Url) -> tuple[list[str], Url] | None:
    """The parameters in which two URLs of one path differ, and both URLs without these; None for other URLs."""
    if one.partition("?")[0] != other.partition("?")[0]:
        return None
    names = {each.name for url in (one, other) for each in splits(url)}
    found = [name for name in sorted(names) if _values(one, name) != _values(other, name)]
    rest = without(one, found)
    return (found, rest) if found and rest == without(other, found) else None


def _values(url: Url, name: str) -> list[str]:
    return [piece for piece in url.partition("?")[2].split("&") if _name(piece) == name]


def without(url: Url, names: Iterable[str]) -> Url:
    """A URL without some of its parameters."""
    path, _, query = url.partition("?")
    gone = frozenset(names)
    return _joined(path, (piece for piece in query.split("&") if _name(piece) not in gone))


def idle_in(url: Url, names: frozenset[str]) -> list[str]:
    """The parameters of a URL that are among these."""
    _, mark, query = url.partition("?")
    if not mark:
        return []
    return [name for name in dict.fromkeys(map(_name, query.split("&"))) if name in names]


def _joined(path: str, pieces: Iterable[str]) -> Url:
    query = "&".join(pieces)
    return Url(f"{path}?{query}" if query else path)


def _name(piece: str) -> str:
    name = piece.partition("=")[0]
    return unquote_plus(name) if "%" in name or "+" in name else name
