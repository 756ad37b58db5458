"""Where a link stands on its page, and the words with it: as a worker hands it over, in a few bytes.

A hint is one line of text: the names of the elements around the link, a tab, and its words. Whatever a page has in
it was made by strangers, so a hint is bounded, and lines that make no sense are empty hints.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple
from zlib import crc32

MOST_TAGS: Final = 120  # characters
MOST_WORDS: Final = 12
CLUES: Final = 1 << 16
_WORD: Final = re.compile(r"[^\W\d_]{2,24}")


class LinkHint(NamedTuple):
    """Where a link stands, and the words with it."""

    tags: str = ""
    words: tuple[str, ...] = ()


NO_HINT: Final = LinkHint()


def pack_hints(hints: Iterable[LinkHint]) -> bytes:
    """Hints as lines."""
    return "\n".join(f"{tags}\t{' '.join(words)}" for tags, words in hints).encode()


def unpack_hints(packed: bytes, count: int) -> Sequence[LinkHint]:
    """So many hints; empty ones where the lines are not as many."""
    lines = packed.decode(errors="replace").split("\n") if packed else []
    if len(lines) != count:
        return [NO_HINT] * count
    return [_unpack(line) for line in lines]


def _unpack(line: str) -> LinkHint:
    tags, _, words = line.partition("\t")
    return LinkHint(tags[:MOST_TAGS], tuple(each[:24] for each in words.split()[:MOST_WORDS]))


def words_in(*texts: str, most: int = MOST_WORDS) -> tuple[str, ...]:
    """The first few distinct words of texts, in small letters."""
    found: dict[str, None] = {}
    for text in texts:
        for word in _WORD.findall(text[:400].lower()):
            found[word] = None
            if len(found) == most:
                return tuple(found)
    return tuple(found)


def clue(kind: str, text: str) -> int:
    """The number of a clue: words of links, elements around them and hosts share 65,536 numbers."""
    return crc32(f"{kind}:{text}".encode()) % (CLUES - 1) + 1
