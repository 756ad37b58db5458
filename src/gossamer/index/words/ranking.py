"""How much a thing counts beside what its text is worth. Pure.

    weight = (1 + 0.10 log2(1 + properties)      how well it is described
                + 0.10 if it has a description
                + 0.15 log2(1 + links in)        who links to it, to a thousand
                + 0.20 log2(hosts))              how many hosts speak of it
             × 0.6 if it is a page               things before the pages that name them

                and a ten-thousandth by its name     so that no two weigh the same

The rank of a document is its text's score (BM25: names count three times as much as text, titles of pages
twice, what stands beside their main part a third, and a label that is exactly what was typed counts most) times log2(2 + weight), and of a part of another thing (a
breadcrumb, a logo, an action) a fortieth of that. Logarithms, since the tenth link says less than the
first, and since whoever wants to be found can make as many links as he likes: between a thing that is
barely mentioned and the best-known one is a factor of about two.
"""

from functools import lru_cache
from math import log2
from typing import Final
from zlib import crc32

from gossamer.index.entities.entity import Entity
from gossamer.vocabulary import is_structural

DESCRIBED: Final = 0.10
HAS_DESCRIPTION: Final = 0.10
LINKED: Final = 0.15
SPOKEN_OF: Final = 0.20
OF_A_PAGE: Final = 0.6
TIE: Final = 1e-4
NAME_BOOST: Final = 3.0
TITLE_BOOST: Final = 2.0
HEADING_BOOST: Final = 1.0
REST_BOOST: Final = 0.3
LABEL_BOOST: Final = 2.0
EACH_WORD: Final = 4.0  # for each of the words that is there, where not all are
ELSEWHERE: Final = 0.1  # of what words score in other fields, beside the one where they score most
WHOLE: Final = 40  # times as much as a part of the same weight
_MOST_BITS: Final = 126  # of a number in single precision


def weight(entity: Entity) -> float:
    """How well a thing is known."""
    described = DESCRIBED * log2(1 + len(entity.properties))
    described += HAS_DESCRIPTION if entity.description else 0
    linked = LINKED * log2(1 + entity.links_in)
    spoken_of = SPOKEN_OF * log2(max(1, entity.host_count))
    lot = TIE * crc32(entity.home.encode()) / 2**32
    return (1 + described + linked + spoken_of) * (OF_A_PAGE if entity.is_page else 1) * (1 + lot)


def kept_weight(entity: Entity) -> float:
    """The weight as the engine is given it, which multiplies by log2(2 + this), in single precision."""
    own = weight(entity)
    return own if is_part(entity) else 2.0 ** min(WHOLE * log2(2 + own), _MOST_BITS) - 2


def is_part(entity: Entity) -> bool:
    """Whether a thing is there only as a part of another; then its name is text like any other."""
    return not entity.is_page and _are_structural(entity.types)


_are_structural = lru_cache(maxsize=4_096)(is_structural)  # things of one kind are described alike
