"""Where pieces of patterns occur in one path: soon known, however many and however made they are.

`str.find` is fast for what sites write. But in the worst case it takes as many
steps as path and piece are long, multiplied: a quarter of a millisecond for one piece
like `aaa…ab…a`, and a hostile file has hundreds. So it is used for the first few
pieces only. From then on, pieces are looked up in an index of the path: where each
run of so many octets (a gram) begins. Mostly the first gram of a piece tells, and a
look at the path confirms it. Where a path repeats itself, the places of all grams
are laid over each other: sets, kept as the bits of integers.
"""

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

_GRAM_SIZES: Final = (2, 8, 16)  # octets; a piece is looked up by the largest that it holds
_SMALLEST: Final = _GRAM_SIZES[0]
_LARGEST: Final = _GRAM_SIZES[-1]
_GRAM_SIZE_OF: Final = tuple(  # by the octets of a piece, up to the largest
    max((gram for gram in _GRAM_SIZES if gram <= size), default=0) for size in range(_LARGEST + 1)
)
_RUN: Final = 128  # octets: long pieces are compared in runs of grams, which many may share
# Octets of pieces to look for one by one. To make an index takes as long as that may take.
_PATIENCE: Final = 1000
_LEAST_STEPS: Final = 20  # the shortest of pieces may take as long as one of this size
_SHORT: Final = 8  # octets of a piece that is sooner looked for than looked up, if it is near:
_NEAR: Final = 64  # octets
_FEW: Final = 64  # places that are handled one by one, rather than as digits of one number
_LOOKS: Final = 6  # of a few places, those worth a look before all are compared at once


class Places:
    """The places of pieces in one path."""

    __slots__ = ("_grams", "_masks", "_patience", "_pieces", "path")

    def __init__(self, path: str, patience: int = _PATIENCE) -> None:
        self.path = path
        self._patience = dict.fromkeys(_GRAM_SIZES, patience)
        self._grams: dict[int, dict[str, list[int]]] = {}  # by size: where each gram begins
        self._masks: dict[str, int] = {}  # the same as bits, for grams and runs that were asked for
        self._pieces: dict[str, int] = {}  # and for pieces

    def find(self, piece: str, start: int) -> int:
        """What `str.find` says: the first place of a piece from a start on, or -1."""
        path, size = self.path, len(piece)
        if size < _SMALLEST:
            return path.find(piece, start)
        gram_size = _GRAM_SIZE_OF[size] if size < _LARGEST else _LARGEST
        grams = self._grams.get(gram_size)
        if grams is None:
            if self._patience[gram_size] > 0:
                self._patience[gram_size] -= size + _LEAST_STEPS
                return path.find(piece, start)
            grams = self._read(gram_size)
        if size < _SHORT:
            near = path.find(piece, start, start + _NEAR)
            if near >= 0:
                return near
        places = grams.get(piece[:gram_size], ())
        index = bisect_left(places, start)
        if index == len(places):
            return -1
        if path.startswith(piece, places[index]):
            return places[index]
        return self._find_further(piece, places, index + 1)

    def _find_further(self, piece: str, places: Sequence[int], index: int) -> int:
        """Find a piece further on, by the places of its first gram."""
        if len(places) <= _FEW:
            for place in places[index : index + _LOOKS]:
                if self.path.startswith(piece, place):
                    return place
            index += _LOOKS
        if index >= len(places):
            return -1
        mask = self._pieces.get(piece)
        if mask is None:
            mask = self._pieces[piece] = self._piece_mask(piece)
        length = len(self.path)
        left = mask & ((1 << (length - places[index])) - 1)
        return length - left.bit_length() if left else -1

    def _read(self, size: int) -> dict[str, list[int]]:
        path = self.path
        grams: dict[str, list[int]] = {}
        for place in range(len(path) - size + 1):
            gram = path[place : place + size]
            if gram in grams:
                grams[gram].append(place)
            else:
                grams[gram] = [place]
        self._grams[size] = grams
        return grams

    def _piece_mask(self, piece: str) -> int:
        """The places at which all parts of a piece are where they should be."""
        step = _RUN if len(piece) > _RUN else _GRAM_SIZE_OF[min(len(piece), _LARGEST)]
        last = len(piece) - step
        mask = self._part_mask(piece[last:]) << last
        for offset in range(0, last, step):
            if not mask:
                break
            mask &= self._part_mask(piece[offset : offset + step]) << offset
        return mask

    def _part_mask(self, part: str) -> int:
        mask = self._masks.get(part)
        if mask is None:
            grams = self._grams.get(len(part))  # of a size that has been read, or a run
            if grams is None:
                mask = self._piece_mask(part)
            else:
                mask = _bits(grams.get(part, ()), len(self.path))
            self._masks[part] = mask
        return mask


def _bits(places: Sequence[int], length: int) -> int:
    """A set of places; the first octet of the path is the highest bit."""
    if len(places) <= _FEW:
        return sum(1 << (length - 1 - place) for place in places)
    digits = bytearray(b"0") * length
    for place in places:
        digits[place] = ord("1")
    return int(digits, 2)
