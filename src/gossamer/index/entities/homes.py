"""Under which key the statements about a subject are gathered: its home. Pure.

A subject's home follows from what is said about it alone, by pages that may say so; nothing is
followed further, so whoever asks again after a change gets what the graph says now. Decision 19
tells why, and `docs/entities.md` the rules.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Final, Literal

import pyoxigraph as ox

from gossamer.index.entities.identifiers import (
    MOST_CHARACTERS,
    doi,
    email,
    gtin,
    isbn,
    lei,
    orcid,
)
from gossamer.index.entities.registries import account, registered, spelled
from gossamer.index.entities.said import Said
from gossamer.index.entities.vocabulary import NAMES, RDF_TYPE, all_of
from gossamer.index.entities.whereabouts import MAILTO, site_of_iri
from gossamer.index.graph.blanks import SCHEME

_Kind = Literal["isbn", "gtin", "doi", "lei", "identifier", "same", "mbox", "email"]
_Key = tuple[int, str]  # the least is the home

IDENTIFYING: Final[Mapping[str, _Kind]] = MappingProxyType(
    {
        **dict.fromkeys(all_of("schema:isbn bibo:isbn bibo:isbn10 bibo:isbn13 book:isbn"), "isbn"),
        **dict.fromkeys(
            all_of("schema:gtin schema:gtin8 schema:gtin12 schema:gtin13 schema:gtin14")
            | all_of("gr:hasEAN_UCC-13 gr:hasGTIN-8 gr:hasGTIN-14"),
            "gtin",
        ),
        **dict.fromkeys(all_of("bibo:doi prism:doi schema:doi"), "doi"),
        **dict.fromkeys(all_of("schema:leiCode"), "lei"),
        **dict.fromkeys(all_of("schema:identifier dcterms:identifier dc:identifier"), "identifier"),
        **dict.fromkeys(all_of("owl:sameAs schema:sameAs"), "same"),
        **dict.fromkeys(all_of("foaf:mbox"), "mbox"),
        **dict.fromkeys(all_of("schema:email vcard:hasEmail vcard:email"), "email"),
    }
)
"""What counts as identity: predicate to the kind of what it says."""

_OFFERS: Final = all_of("schema:Offer schema:AggregateOffer schema:Demand gr:Offering")
_ISBN, _GTIN, _DOI, _LEI, _REGISTRY, _SAME, _EMAIL = range(0, 700, 100)
_ROOT: Final = re.compile(r"https?://[^/?#]*/?", re.IGNORECASE)
_WEB_OR_NAME: Final = re.compile(r"(?:https?://|urn:|doi:|info:|tag:)\S+", re.IGNORECASE)
MOST_NAME_WORDS: Final = 200  # of all names of one subject; nobody has as many
LEAST_OF_A_NAME: Final = 3  # letters of a name that an address has to have in it


def home_of(subject: str, said: Sequence[Said]) -> str:
    """The key of the thing that a subject is: the least of its identifiers, else itself."""
    if any(each.predicate in IDENTIFYING for each in said):
        site = site_of_iri(subject)
        # Names and types of others count as little: they decide what an address is worth.
        own = [each for each in said if may_identify(subject, site, each.page)]
        about = _Subject(subject, own)
        keys = [key for each in own if (key := _key(each, about)) and _is_iri(key[1])]
        if keys:
            return min(keys)[1]
    return spelled(subject)


class _Subject:
    """A subject, and what all that is said of it comes to: found out once, however much that is."""

    def __init__(self, iri: str, said: Sequence[Said]) -> None:
        self.iri = iri
        self._said = said

    @cached_property
    def is_an_offer(self) -> bool:
        """Whether it offers a thing: what has the number is not the offer."""
        return any(
            each.predicate == RDF_TYPE
            and isinstance(each.object, ox.NamedNode)
            and each.object.value in _OFFERS
            for each in self._said
        )

    @cached_property
    def is_a_page(self) -> bool:
        """Whether it is one of the pages that speak of it."""
        return any(self.iri == each.page for each in self._said)

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(
            each.object.value[:200]
            for each in self._said
            if each.predicate in NAMES and isinstance(each.object, ox.Literal)
        )

    @cached_property
    def _name_words(self) -> list[str]:
        return sorted({word for name in self._names for word in _words(name)})[:MOST_NAME_WORDS]

    def may_be_called(self, called: str) -> bool:
        """Whether an address has a part of its name in it, or it has no name."""
        letters = _letters(called)
        return not self._names or any(word in letters for word in self._name_words)


def _is_iri(text: str) -> bool:
    """Whether a text is an IRI: what pages write as a string may be anything, and is no name then."""
    try:
        ox.NamedNode(text)
    except ValueError:
        return False
    return True


def may_identify(subject: str, site: str | None, page: str) -> bool:
    """Whether a page may say that a subject (of that site) is the same as something else.

    Whoever could say so of others could draw them into an entity of his own making.
    """
    # The blank nodes of a page are named after it, and no other page may name them.
    return subject.startswith(SCHEME) or (site is not None and site_of_iri(page) == site)


def _key(each: Said, about: _Subject) -> _Key | None:
    kind = IDENTIFYING.get(each.predicate)
    value = None if kind is None else _value(each)
    if value is None or len(value) > MOST_CHARACTERS:
        return None
    match kind:
        case "isbn":
            return _ranked(_ISBN, isbn(value))
        case "gtin":
            return None if about.is_an_offer else _ranked(_GTIN, gtin(value))
        case "doi":
            return _ranked(_DOI, doi(value))
        case "lei":
            return _ranked(_LEI, lei(value))
        case "identifier":
            return _identifier(value)
        case "same":
            return _same(value, each.page, about)
        case _:
            return _mail(value, kind == "mbox", about)


def _identifier(value: str) -> _Key | None:
    """The key of an identifier that does not say of which kind it is, but looks like one."""
    book = isbn(value) if "isbn" in value.lower() else None
    return _ranked(_ISBN, book) or _ranked(_DOI, doi(value)) or _ranked(_REGISTRY, orcid(value))


def _value(each: Said) -> str | None:
    object_ = each.object
    if isinstance(object_, ox.NamedNode):
        return None if object_.value.startswith(SCHEME) else object_.value
    return object_.value if isinstance(object_, ox.Literal) else None


def _ranked(rank: int, found: str | None) -> _Key | None:
    return None if found is None else (rank, found)


def _same(target: str, page: str, about: _Subject) -> _Key | None:
    """The key of a thing that the subject is said to be the same as."""
    target = target.strip()
    if target.lower().startswith(MAILTO):
        return _mail(target, True, about)
    if not _WEB_OR_NAME.fullmatch(target) or _ROOT.fullmatch(target):
        return None  # a front page is that of a whole site: many a person of it names it
    if target in (page, about.iri):
        return None  # says no more than where it stands
    if known := registered(target):
        return _REGISTRY + known[0], known[1]
    called = account(target)
    if called is not None and not about.may_be_called(called):
        return None  # an account of the house, named by all who live there
    return _SAME, spelled(target)


def _mail(address: str, is_own: bool, about: _Subject) -> _Key | None:
    """The key of an e-mail address, if it seems to be the subject's and nobody else's."""
    found = email(address)
    if found is None or about.is_a_page:
        return None  # a page has the addresses that stand on it, which are anybody's
    if not is_own and not about.may_be_called(found[len(MAILTO) :].partition("@")[0]):
        return None
    return _EMAIL, found


@lru_cache(maxsize=4_096)
def _words(name: str) -> tuple[str, ...]:
    words = re.split(r"[\W_]+", _folded(name))
    return tuple(word for word in words if len(word) >= LEAST_OF_A_NAME)


def _letters(called: str) -> str:
    return re.sub(r"[\W_]+", "", _folded(called))


def _folded(text: str) -> str:
    """The text in small letters, without accents."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(each for each in apart if not unicodedata.combining(each))
