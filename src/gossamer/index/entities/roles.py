"""What a predicate tells of a thing, looked up once: a crawl has few predicates and many statements. Pure."""

from functools import lru_cache
from typing import NamedTuple

from gossamer.index.entities.dates import is_dated
from gossamer.index.entities.vocabulary import CODES, DESCRIPTIONS, IMAGES, LABELS, NAMES


class Role(NamedTuple):
    """What the text that a predicate says is to the thing. Ranks: less is better."""

    name: int | None  # its rank among predicates that name
    is_label: bool
    description: int | None
    image: int | None
    is_dated: bool  # what looks like a date is one
    is_code: bool  # for machines, even where it looks like a word


@lru_cache(maxsize=4_096)
def role_of(predicate: str) -> Role:
    """What this predicate tells."""
    return Role(
        NAMES.get(predicate),
        predicate in LABELS,
        DESCRIPTIONS.get(predicate),
        IMAGES.get(predicate),
        is_dated(predicate),
        predicate in CODES,
    )
