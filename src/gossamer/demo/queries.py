"""Questions to a search over the demo web, and the one right answer to each.

The question is the name of a thing that no other thing has in its names; of pages with that title
the thing itself is the better answer, since it is called so and they only mention it.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gossamer.demo.entities import KnownEntity
from gossamer.demo.formats.statements import SCHEMA

MOST: Final = 50
_WORDS: Final = re.compile(r"\w+")
# So that a few of the rare ones are always asked for.
_TYPES: Final = ("Person", "Product", "Book", "Event", "Recipe", "Dataset", "Article")


@dataclass(frozen=True, slots=True)
class KnownQuery:
    """What somebody asks for, and what has to come first."""

    text: str
    type: str | None  # a short name to filter by; None: whatever there is
    home: str  # of the entity that is the answer


def known_queries(known: Mapping[str, KnownEntity], most: int = MOST) -> tuple[KnownQuery, ...]:
    """Questions with known answers, of all types in turn; the same for the same entities."""
    unique = _unique(known)
    lists = [
        [home for home in sorted(unique) if f"{SCHEMA}{type_}" in known[home].types]
        for type_ in _TYPES
    ]
    found = [
        KnownQuery(_asked(unique[home], number), _type(type_, number), home)
        for number, (type_, home) in enumerate(_in_turn(_TYPES, lists))
    ]
    return tuple(found[:most])


def _unique(known: Mapping[str, KnownEntity]) -> dict[str, str]:
    """Things with a name that is in no other thing's names, and that name."""
    holders: defaultdict[str, set[str]] = defaultdict(set)  # word to homes
    for home, entity in known.items():
        for name in entity.all_names if entity.types else ():
            for word in words_of(name):
                holders[word].add(home)
    unique = {}
    for home, entity in known.items():
        if not entity.is_blank and entity.types and entity.label:
            having = [holders[word] for word in words_of(entity.label)]
            if having and set.intersection(*having) == {home}:
                unique[home] = entity.label
    return unique


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text in small letters, without accents."""
    return tuple(_WORDS.findall(plain_letters(text).casefold()))


def plain_letters(text: str) -> str:
    """The text without accents."""
    apart = unicodedata.normalize("NFD", text)
    bare = "".join(each for each in apart if not unicodedata.combining(each))
    return unicodedata.normalize("NFC", bare)


def _in_turn(types: Sequence[str], lists: Sequence[Iterable[str]]) -> Iterator[tuple[str, str]]:
    """The first of each list, the second of each…, without repeats."""
    seen: Counter[str] = Counter()
    rest = [(type_, iter(homes)) for type_, homes in zip(types, lists, strict=True)]
    while rest:
        for each in list(rest):
            home = next(each[1], None)
            if home is None:
                rest.remove(each)
            elif not seen[home]:
                seen[home] += 1
                yield each[0], home


def _asked(name: str, number: int) -> str:
    """As people type it: as it is written, in small letters, without accents."""
    spellings = (
        name,
        name.lower(),
        plain_letters(name).lower() if name.isascii() or _is_latin(name) else name,
    )
    return spellings[number % 3]


def _is_latin(name: str) -> bool:
    return all(not each.isalpha() or unicodedata.name(each).startswith("LATIN") for each in name)


def _type(type_: str, number: int) -> str | None:
    return type_ if number % 2 else None
