"""What somebody typed, understood: words, "phrases", begin*, nearly~, -not. Pure.

Nothing that can be typed is beyond understanding, only too much of it: a quotation mark without its
partner quotes all that follows, and a sign in the wrong place is no word.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal, cast, get_args

from gossamer.errors import GossamerError

MOST_CHARACTERS: Final = 1_000
MOST_CLAUSES: Final = 32
MOST_COSTLY: Final = 6  # of `begin*` and `nearly~`, each of which stands for many words
FEWEST_LETTERS: Final = 2  # before a `*`, else half of all words begin so
FEWEST_TO_GUESS: Final = 4  # of shorter words, too many others are but one letter away
_QUOTES: Final = '"“”„‟«»'
_CLAUSE: Final = re.compile(
    rf"(?P<minus>[-−]?)(?:[{_QUOTES}](?P<phrase>[^{_QUOTES}]*)[{_QUOTES}]?|(?P<word>[^\s{_QUOTES}]+))"
    r"(?P<sign>\*|~[12]?)?"
)
_SIGNED: Final = re.compile(r"(.+?)(\*+|~[12]?)", re.DOTALL)


Within = Literal["title", "text", "data"]
"""Names and titles; what people see on pages; what pages say in data."""


class SearchError(GossamerError):
    """A search that cannot be answered; the text says what would be right."""


class Way(StrEnum):
    """How a clause wants to be met."""

    WORD = "word"
    PHRASE = "phrase"
    PREFIX = "prefix"
    FUZZY = "fuzzy"


@dataclass(frozen=True, slots=True)
class Clause:
    """One thing that a document must have, or must not."""

    text: str
    way: Way = Way.WORD
    distance: int = 0  # letters that may differ
    wanted: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What somebody looks for. Of several types, hosts, properties or languages, one is enough."""

    text: str = ""
    types: tuple[str, ...] = ()  # `Person`, `schema:Person`, `schema:`, or an IRI
    not_types: tuple[str, ...] = ()  # the same; of those, none may be met
    hosts: tuple[str, ...] = ()
    properties: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    since: str | None = None  # `2024`, `2024-05`, `2024-05-17`
    until: str | None = None
    form: Literal["page", "thing"] | None = None
    within: tuple[Within, ...] = ()  # where words have to stand; none: anywhere
    ids: tuple[str, ...] = ()  # of things, as answers have them
    fold: bool = True  # results that look the same are one
    limit: int = 10
    skip: int = 0


def where(given: str | Iterable[str]) -> tuple[Within, ...]:
    """Where words have to stand, as somebody wrote it; raises `SearchError`."""
    names = (given,) if isinstance(given, str) else tuple(given)
    if wrong := [name for name in names if name not in get_args(Within)]:
        raise SearchError(f"Words stand in the title, the text or the data, not in {wrong[0]!r}.")
    return cast(tuple[Within, ...], names)


def understood(text: str) -> tuple[Clause, ...]:
    """The clauses of what was typed; none: everything is wanted. Raises `SearchError`."""
    if len(text) > MOST_CHARACTERS:
        raise SearchError(
            f"A search may have {MOST_CHARACTERS:,} characters; this one has {len(text):,}."
        )
    clauses = tuple(_clauses(text))
    if len(clauses) > MOST_CLAUSES:
        raise SearchError(f"A search may have {MOST_CLAUSES} words; this one has {len(clauses)}.")
    costly = sum(clause.way in (Way.PREFIX, Way.FUZZY) for clause in clauses)
    if costly > MOST_COSTLY:
        raise SearchError(f"At most {MOST_COSTLY} words may end in * or ~; here {costly} do.")
    return clauses


def nearly(text: str) -> str | None:
    """A search that forgives one letter a word; None if it would be the same search, or too much."""
    guess = _CLAUSE.sub(lambda found: found[0] + ("~" if _is_guessable(found) else ""), text)
    try:
        understood(guess)
    except SearchError:
        return None
    return None if guess == text else guess


def _is_guessable(found: re.Match[str]) -> bool:
    """Whether it is a plain word that is wanted; a number with another digit is another number."""
    word = found["word"]
    return (
        word is not None
        and not found["minus"]
        and _SIGNED.fullmatch(word) is None
        and sum(map(str.isalpha, word)) >= FEWEST_TO_GUESS
        and not any(map(str.isdigit, word))
    )


def _clauses(text: str) -> Iterator[Clause]:
    for found in _CLAUSE.finditer(text):
        wanted = not found["minus"]
        if found["phrase"] is not None:
            clause = _quoted(found["phrase"], found["sign"], wanted=wanted)
        else:
            clause = _word(found["word"] + (found["sign"] or ""), wanted=wanted)
        if any(map(str.isalnum, clause.text)):
            yield clause


def _quoted(phrase: str, sign: str | None, *, wanted: bool) -> Clause:
    way = Way.PREFIX if sign == "*" else Way.PHRASE
    return Clause(phrase, way, wanted=wanted)


def _word(word: str, *, wanted: bool) -> Clause:
    signed = _SIGNED.fullmatch(word)
    if signed is None:
        return Clause(word, wanted=wanted)
    text, sign = signed[1], signed[2]
    if sign.startswith("~"):
        return Clause(text, Way.FUZZY, distance=int(sign[1:] or 1), wanted=wanted)
    letters = sum(map(str.isalnum, text))
    if text.isascii() and 0 < letters < FEWEST_LETTERS:
        raise SearchError(
            f"{word!r} begins half of all words; give {FEWEST_LETTERS} letters before the *."
        )
    return Clause(text, Way.PREFIX, wanted=wanted)
