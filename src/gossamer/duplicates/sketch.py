"""Sketch of a page: 64 bits that nearly equal texts share nearly all of, and sums that equal ones share. Pure.

The bits are a SimHash (Charikar 2002) over shingles of three words: each shingle votes on each bit, so a changed
date or counter turns a few of them. Texts of which a tenth differs are as near by chance, once in some ten thousand
pairs; so there is a second one, over single words, that has to be near as well. The *bag* sums up the words in whatever order: a list that is sorted another
way has the same one. Votes are counted for all shingles together, in large integers, which takes a tenth of the
time of a loop. See docs/duplicates.md.
"""

import struct
import sys
from array import array
from collections.abc import Collection
from functools import lru_cache
from hashlib import blake2b
from typing import Final, NamedTuple, Self

SHINGLE: Final = 3  # words
MOST_WORDS: Final = 2_000  # of a page; the rest says nothing of it
FEWEST_WORDS: Final = 20  # to compare by bits: in shorter texts one word turns most of them
MOST_KNOWN: Final = 1 << 15  # words whose hashes are at hand
SAID_BYTES: Final = 8
_MASK: Final = (1 << 64) - 1
# Three odd constants, so that a word weighs otherwise at each place of a shingle.
_PLACES: Final = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)
_LANE: Final = 16  # bits of a counter: more than MOST_WORDS can fill
_TOGETHER: Final = (
    32  # hashes: numbers of them are rounded up to this, so that few masks are needed
)
_LANES: Final = 64 // _LANE
_PACKED: Final = struct.Struct(f"<QQQHB{SAID_BYTES}s")
PACKED_BYTES: Final = _PACKED.size
# Parts of the bits: pages that differ in no more than two bits agree in one of these parts, whole.
BANDS: Final = ((0, 21), (21, 21), (42, 22))


class Sketch(NamedTuple):
    """What pages are compared by."""

    bits: int  # of the text's shingles
    word_bits: int  # of its single words
    bag: int  # the sum of its words
    words: int  # how many these are, up to MOST_WORDS
    has_data: bool  # the page has more than title, description and the like
    said: bytes  # the hash of its statements, with no address of its own in them

    def pack(self) -> bytes:
        """The sketch as the frontier keeps it."""
        return _PACKED.pack(*self)

    @classmethod
    def unpack(cls, packed: bytes | None) -> Self | None:
        """The sketch that was packed; None where that is no sketch."""
        if packed is None or len(packed) != PACKED_BYTES:
            return None
        bits, word_bits, bag, words, has_data, said = _PACKED.unpack(packed)
        return cls(bits, word_bits, bag, words, bool(has_data), said)

    @property
    def bands(self) -> tuple[int, ...]:
        """The parts of the bits, for texts that are long enough to be compared by them."""
        if self.words < FEWEST_WORDS:
            return ()
        return tuple((self.bits >> start) & ((1 << size) - 1) for start, size in BANDS)


def sketch_of(text: str, said: bytes, *, has_data: bool) -> Sketch:
    """The sketch of a page with this visible text, and with a hash of what it states."""
    words = text.split(None, MOST_WORDS)[:MOST_WORDS]
    hashes = [_word(word) for word in words]
    bag = sum(each[0] for each in hashes) & _MASK
    if len(hashes) < SHINGLE:
        hashes = [*hashes, *[(0, 0, 0)] * (SHINGLE - len(hashes))]
    # Each shingle once: what a page repeats, such as its menu, would outvote all else.
    shingles = {a[0] ^ b[1] ^ c[2] for a, b, c in zip(hashes, hashes[1:], hashes[2:], strict=False)}
    single = {each[0] for each in hashes}
    return Sketch(simhash(shingles), simhash(single), bag, len(words), has_data, said[-SAID_BYTES:])


def distance(one: int, other: int) -> int:
    """In how many bits two sketches differ."""
    return (one ^ other).bit_count()


def simhash(hashes: Collection[int]) -> int:
    """The bits that more than half of some 64-bit hashes have; at most 65,535 of them."""
    count = len(hashes)
    size = max(-(-count // _TOGETHER), 1) * _TOGETHER
    # Hashes beside each other in one integer; zeros add nothing.
    together = int.from_bytes(array("Q", list(hashes)).tobytes(), sys.byteorder)
    lanes, found = _ones(size), 0
    for place in range(_LANE):
        votes, left = (together >> place) & lanes, size
        while left > 1:
            left = (left + 1) // 2
            votes = (votes >> 64 * left) + (votes & _low(left))
        for lane in range(_LANES):
            if 2 * ((votes >> lane * _LANE) & 0xFFFF) > count:
                found |= 1 << (lane * _LANE + place)
    return found


@lru_cache(128)
def _ones(size: int) -> int:
    """The lowest bit of each counter of so many hashes."""
    return int.from_bytes((1).to_bytes(_LANE // 8, "little") * (_LANES * size), "little")


@lru_cache(512)
def _low(size: int) -> int:
    return (1 << 64 * size) - 1


@lru_cache(MOST_KNOWN)
def _word(word: str) -> tuple[int, int, int]:
    """What a word weighs at each place of a shingle."""
    number = int.from_bytes(blake2b(word.encode(errors="replace"), digest_size=8).digest(), "big")
    first, second, third = ((number * place) & _MASK for place in _PLACES)
    return first, second, third
