"""What several pages of the demo web speak of: authors, books, and goods with a number.

Each has an identifier that means the same wherever it stands, and `HOMES` says under which name
all that is said of it belongs together. So the world knows who is the same, and compares nothing.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from gossamer.demo import words


class Author(NamedTuple):
    """Somebody who writes on many sites."""

    name: str
    home: str  # what identifies them
    email: str | None  # where that is an e-mail address, as pages have it; else they say `sameAs`


class Book(NamedTuple):
    """A book that many cite, some by its long number and some by its short one."""

    name: str
    home: str
    spellings: tuple[str, str]


def gtin_13(number: int) -> str:
    """The number of a trade item; those that begin with 952 are set aside for examples."""
    return _checked(f"952{number:09}")


def trade_home(number: int) -> str:
    """The name of the trade item with that number."""
    return f"https://id.gs1.org/01/0{gtin_13(number)}"


def _checked(digits: str) -> str:
    """Twelve digits and their check digit, by weights of 1 and 3 in turn."""
    total = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(digits))
    return f"{digits}{-total % 10}"


def _author(number: int, name: str) -> Author:
    if number < len(words.WRITERS_BY_NAME):
        return Author(name, f"http://id.test/author/{number}", None)
    first, last = name.split()
    address = f"{first}.{last}@mail.test"
    return Author(name, f"mailto:{address.lower()}", address)


def _book(number: int, name: str) -> Book:
    # No country has the group 99999.
    core = f"99999{number:04}"
    remainder = -sum(int(digit) * (10 - place) for place, digit in enumerate(core)) % 11
    short = f"{core}{'X' if remainder == 10 else remainder}"
    long = _checked(f"978{core}")
    return Book(name, f"urn:isbn:{long}", (long, f"{short[:5]}-{short[5:9]}-{short[9]}"))


AUTHORS: Final = tuple(
    _author(number, name)
    for number, name in enumerate(words.WRITERS_BY_NAME + words.WRITERS_BY_EMAIL)
)
BOOKS: Final = tuple(_book(number, name) for number, name in enumerate(words.BOOKS))
GOODS: Final = len(words.ADJECTIVES) * len(words.PRODUCTS)

HOMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        **{author.email: author.home for author in AUTHORS if author.email},
        **{spelling: book.home for book in BOOKS for spelling in book.spellings},
        **{gtin_13(number): trade_home(number) for number in range(GOODS)},
    }
)
"""What stands on pages, to the name of what it identifies."""
