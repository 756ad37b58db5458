"""Groups of pages that are one thing: which of them stands for it, and what kind of group it is. Pure.

The representative is chosen by evidence, each kind of which counts more than all after it: how many others name it
as their canonical address, that it names no other, that redirects lead to it, that a sitemap lists it, and that its
URL has fewer parameters and is shorter.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from urllib.parse import urlsplit
from zlib import crc32

from gossamer.model import Url

MANY: Final = 5  # addresses, or sites, with one answer
MOST_MARKS: Final = 16  # that are told apart
_MARK_BYTES: Final = 4


class GroupKind(StrEnum):
    """What a group of equal pages probably is."""

    DUPLICATES = "duplicates"  # one page at several addresses
    SOFT_404 = "soft-404"  # one answer for whatever is asked of a site: nothing is there, or it is not for us
    PARKED = "parked"  # one answer at many sites: for sale, blocked, or not set up


MEANINGS: Final = {
    GroupKind.DUPLICATES: "one page at several addresses",
    GroupKind.SOFT_404: "a site gives one answer for many addresses: probably nothing is there",
    GroupKind.PARKED: "many sites give one answer: probably parked, blocked or not set up",
}


@dataclass(frozen=True, slots=True)
class GroupMember:
    """A page of a group, and what speaks for it."""

    url: Url
    key: int
    canonical: int | None = None  # the key of the URL that it names as the right one
    is_redirect_target: bool = False
    is_listed: bool = False  # by a sitemap
    depth: int = 0


def representative(members: Sequence[GroupMember]) -> tuple[GroupMember, str]:
    """The member that stands for a group, and what spoke for it."""
    named = {
        each.key: sum(other.canonical == each.key for other in members if other is not each)
        for each in members
    }

    def rank(each: GroupMember) -> tuple[int, ...]:
        return (
            -named[each.key],
            each.canonical not in (None, each.key),
            not each.is_redirect_target,
            not each.is_listed,
            each.url.count("=") + each.url.count(";"),
            len(each.url),
            each.depth,
        )

    best, *rest = sorted(members, key=lambda each: (*rank(each), each.url))
    if not rest:
        return best, "it stands alone"
    chosen, second = rank(best), rank(rest[0])
    for place, why in enumerate(_REASONS):
        if chosen[place] != second[place]:
            return best, why
    return best, "its address comes first"


_REASONS: Final = (
    "others name it as canonical",
    "it names no other address as canonical",
    "a redirect leads to it",
    "a sitemap lists it",
    "its address has fewer parameters",
    "its address is shorter",
    "it is nearer to a seed",
)


def path_mark(url: Url) -> int:
    """A small number for the address of a page without its query."""
    parts = urlsplit(url)
    return crc32(f"{parts.netloc}{parts.path}".encode())


def site_mark(site: str) -> int:
    """A small number for a site."""
    return crc32(site.encode())


def with_mark(marks: bytes, mark: int) -> bytes:
    """Marks with one more, where it is new and there is room."""
    known = unpack_marks(marks)
    if mark in known or len(known) >= MOST_MARKS:
        return marks
    return marks + mark.to_bytes(_MARK_BYTES, "big")


def unpack_marks(marks: bytes) -> list[int]:
    """The marks one by one."""
    return [
        int.from_bytes(marks[start : start + _MARK_BYTES], "big")
        for start in range(0, len(marks), _MARK_BYTES)
    ]


def pack_marks(marks: Iterable[int]) -> bytes:
    """Some marks, each once."""
    packed = b""
    for mark in marks:
        packed = with_mark(packed, mark)
    return packed


def kind_of(paths: bytes, sites: bytes) -> GroupKind:
    """What kind of group stands at addresses and sites with these marks."""
    if len(sites) >= MANY * _MARK_BYTES:
        return GroupKind.PARKED
    if len(paths) >= MANY * _MARK_BYTES:
        return GroupKind.SOFT_404
    return GroupKind.DUPLICATES
