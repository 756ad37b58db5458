"""What is kept of a page's visible text, and its packed form. Pure.

The packed form is what a worker answers, what the frontier keeps and what the search index stores.
It is read back with bounds, because a worker may have been taken over by the page that it read.
"""

import json
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Self

LEAD_CHARACTERS: Final = 4_000  # of the main part, where only its lead is kept
FULL_CHARACTERS: Final = 100_000  # of the main part, and of the rest
TITLE_CHARACTERS: Final = 300
HEADINGS: Final = 50
HEADING_CHARACTERS: Final = 200
MOST_PACKED_BYTES: Final = 512 * 1024
_MOST_BYTES: Final = 4 * (2 * FULL_CHARACTERS + HEADINGS * HEADING_CHARACTERS) + 10_000
_MOST_OF_A_TAG: Final = 35  # characters: RFC 5646 asks for as many
_LEVEL: Final = 2  # of compression: 6 takes three times as long to save a twentieth
_ENCODER: Final = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, check_circular=False)


class PackedTextError(ValueError):
    """Bytes that are no packed text."""


@dataclass(frozen=True, slots=True)
class PageText:
    """The visible text of a page. Runs of white space are one space."""

    title: str = ""
    headings: tuple[str, ...] = ()
    main: str = ""  # headings included
    rest: str = ""  # navigation, footers and the like; empty unless all text is kept
    language: str = ""  # a tag in small letters; empty: unknown
    is_cut: bool = False  # the page has more text than is kept
    is_part: bool = False  # the page was too large, and this is of its first part

    def __bool__(self) -> bool:
        return bool(self.title or self.main or self.rest)

    def pack(self) -> bytes:
        """The text, compressed; empty where there is none."""
        if not self:
            return b""
        flags = self.is_cut + 2 * self.is_part
        values = (self.title, self.headings, self.main, self.rest, self.language, flags)
        data = _ENCODER.encode(values).encode(errors="replace")
        return zlib.compress(data, _LEVEL)

    @classmethod
    def unpack(cls, packed: bytes) -> Self:
        """The text that was packed; raises `PackedTextError`."""
        if not packed:
            return cls()
        try:
            title, headings, main, rest, language, flags = json.loads(_unpacked(packed))
        except (ValueError, TypeError, RecursionError):
            raise PackedTextError("This is no packed text of a page.") from None
        texts = (title, main, rest, language, *headings) if isinstance(headings, list) else (None,)
        if not all(isinstance(each, str) for each in texts) or not isinstance(flags, int):
            raise PackedTextError("This is no packed text of a page.")
        return cls(
            title[:TITLE_CHARACTERS],
            tuple(each[:HEADING_CHARACTERS] for each in headings[:HEADINGS]),
            main[:FULL_CHARACTERS],
            rest[:FULL_CHARACTERS],
            language[:_MOST_OF_A_TAG],
            bool(flags & 1),
            bool(flags & 2),
        )


def shorten(text: str, most: int) -> str:
    """As many whole words from the beginning of a text as have room; part of a word that has none."""
    if len(text) <= most:
        return text
    space = text.rfind(" ", most - 100 if most > 100 else 0, most + 1)
    return text[: most if space <= 0 else space]


def one_spaced(text: str) -> str:
    """The text with single spaces, and without what cannot be encoded."""
    return " ".join(text.split())


def distinct_headings(texts: Iterable[str]) -> tuple[str, ...]:
    """Headings with single spaces, each once, as many as are kept."""
    found: dict[str, None] = {}
    for text in texts:
        if heading := shorten(one_spaced(text), HEADING_CHARACTERS):
            found[heading] = None
            if len(found) == HEADINGS:
                break
    return tuple(found)


def _unpacked(packed: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(packed, _MOST_BYTES)
    except zlib.error:
        raise ValueError from None
