"""Canonical hash of what a page says: equal for the same statements, whatever their order and labels. Pure.

Blank nodes have no names, so they get colours (1-dimensional Weisfeiler-Leman refinement): of each node, the hash
of the statements around it, then of those with the colours of their other nodes, until no more nodes are told
apart. Two pages that say the same always have one hash. Exact canonicalisation (RDFC-1.0) can take exponential time
on a hostile graph; this has a limit on its work, and behind it the same hash with fewer rounds. It cannot tell apart
some graphs of blank nodes alone that are as symmetric as a hexagon and two triangles; pages mean nothing by these.
"""

import re
from collections import defaultdict
from collections.abc import Collection
from hashlib import blake2b
from typing import Final, NamedTuple

HASH_BYTES: Final = 12
VERSION: Final = 2  # hashes of two versions of this function say nothing about each other
MOST_WORK: Final = (
    100_000  # signatures of nodes; pages have hundreds. Behind it there are fewer rounds, or none
)
MOST_ROUNDS: Final = 8  # steps that a difference is carried; nearly all pages need two
_COLOUR_BYTES: Final = 8
# Blank nodes, and what may look like one: texts and IRIs.
_TOKEN: Final = re.compile(rb'_:[^\s<>"]++|"(?:[^"\\]++|\\.)*+"|<[^<>]*+>')
_NODE: Final = b"_:"


class _Shape(NamedTuple):
    """A statement with blank nodes: the rest of it, and their labels in order."""

    rest: bytes
    labels: tuple[bytes, ...]


def statement_hash(nquads: bytes, page: str, own: Collection[str] = ()) -> bytes:
    """The hash of a page's statements, as N-Quads in which every quad stands once.

    The page's own address is left out, of its source graph and in what it says of itself: what counts is what is
    said, so that one page at two addresses has one hash. So are other addresses that are its `own`.
    """
    for address in {page, *own}:
        nquads = nquads.replace(f"<{address}>".encode(), b"<>")
        nquads = nquads.replace(f"<{address}#".encode(), b"<#")
    source = b" <> ."
    lines: list[bytes] = []
    shapes: list[_Shape] = []
    for line in nquads.split(b"\n"):
        said = line.removesuffix(source)
        if _NODE in said and (shape := _shape(said)).labels:
            shapes.append(shape)
        else:
            lines.append(said)
    if shapes:
        colours = _colours(shapes)
        lines += (b"\0".join([rest, *map(colours.__getitem__, labels)]) for rest, labels in shapes)
    lines.sort()
    return blake2b(b"\n".join(lines), digest_size=HASH_BYTES).digest()


def _shape(line: bytes) -> _Shape:
    labels: list[bytes] = []

    def take(token: re.Match[bytes]) -> bytes:
        if not token[0].startswith(_NODE):
            return token[0]
        labels.append(token[0])
        return _NODE

    return _Shape(_TOKEN.sub(take, line), tuple(labels))


def _colours(shapes: list[_Shape]) -> dict[bytes, bytes]:
    """The colour of each node, after as many rounds as tell more nodes apart and the work allows."""
    around: defaultdict[bytes, list[_Shape]] = defaultdict(list)
    for shape in shapes:
        for label in set(shape.labels):
            around[label].append(shape)
    work = sum(len(set(shape.labels)) * len(shape.labels) for shape in shapes)
    colours: dict[bytes, bytes] = dict.fromkeys(around, b"")
    told_apart = 1
    for done in range(MOST_ROUNDS):
        if (done + 1) * work > MOST_WORK:
            break
        colours = {label: _colour(label, those, colours) for label, those in around.items()}
        count = len(set(colours.values()))
        if count == len(colours) or (done and count == told_apart):
            break
        told_apart = count
    return colours


def _colour(label: bytes, around: list[_Shape], colours: dict[bytes, bytes]) -> bytes:
    signatures = [
        b"\0".join([rest, *(b"." if each == label else colours[each] for each in labels)])
        for rest, labels in around
    ]
    signatures.sort()
    return blake2b(b"\n".join(signatures), digest_size=_COLOUR_BYTES).digest()
