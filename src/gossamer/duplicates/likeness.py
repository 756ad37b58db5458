"""Whether two pages are the same thing, and how we know. Pure.

Text alone is no proof: two goods of a shop may share all of it but a number. So pages that state something (data,
or a title) have to state the same, or one has to name the other as its canonical address. Where that is in doubt,
pages are two: a page that is shown twice costs little, one that is hidden is lost.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from gossamer.duplicates.sketch import FEWEST_WORDS, Sketch, distance

NEAR_BITS: Final = 3  # of 64; half of all texts of 200 words with one word changed are as near
NEAR_WORDS: Final = (
    2  # more or fewer: a date and a counter keep the length of a text, another article does not
)
FEWEST_QUADS: Final = 3  # of pages without text: one statement may stand on many


class Likeness(StrEnum):
    """How two pages are known to be the same thing."""

    BYTES = "bytes"  # one body
    WORDS = "words"  # all words, in whatever order, and all statements
    STATEMENTS = "statements"  # all statements, where there is no text
    NEAR = "near"  # nearly all words, and all statements
    CANONICAL = "canonical"  # nearly all words, and one names the other


@dataclass(frozen=True, slots=True)
class ComparedPage:
    """What is known of a page that is compared."""

    key: int  # of its URL
    sketch: Sketch | None = None  # None where it was not read, or is not to be indexed
    digest: bytes | None = None  # of its body
    canonical: int | None = None  # the key of the URL that it names as the right one
    quads: int = 0


def likeness(one: ComparedPage, other: ComparedPage) -> Likeness | None:
    """How two pages are the same thing; None where they are two, or nobody can tell."""
    left, right = one.sketch, other.sketch
    if left is None or right is None:
        return None
    if one.digest is not None and one.digest == other.digest:
        return Likeness.BYTES
    says_same = left.said == right.said
    if not left.words and not right.words:
        tells = min(one.quads, other.quads) >= FEWEST_QUADS
        return Likeness.STATEMENTS if says_same and tells else None
    same_words = left.words == right.words and left.bag == right.bag
    is_near = (
        min(left.words, right.words) >= FEWEST_WORDS
        and abs(left.words - right.words) <= NEAR_WORDS
        and distance(left.bits, right.bits) <= NEAR_BITS
        and distance(left.word_bits, right.word_bits) <= NEAR_BITS
    )
    if same_words and says_same:
        return Likeness.WORDS
    if not (same_words or is_near):
        return None
    if _names(one, other):
        return Likeness.CANONICAL
    return Likeness.NEAR if says_same and is_near else None


def _names(one: ComparedPage, other: ComparedPage) -> bool:
    """Whether one of two pages names the other as the right one, or both name a third."""
    if one.canonical is not None and one.canonical in (other.key, other.canonical):
        return True
    return other.canonical is not None and other.canonical == one.key
