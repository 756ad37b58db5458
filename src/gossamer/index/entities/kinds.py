"""Types as people ask for them: `Person`, `schema:Person`, `schema:`, or an IRI. Pure.

A type has terms, and so has a question: a short name is a term of every class of that name in any
vocabulary, and of those that mean the same. A question has the terms of all subclasses too, so an
index that knows nothing of classes only has to compare.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from gossamer.index.entities.vocabulary import spellings
from gossamer.sparql.prefixes import PREFIXES
from gossamer.vocabulary import named, namespace, plain, subclasses

# What other vocabularies call the same.
_SAME: Final[Mapping[str, str]] = MappingProxyType(
    {
        iri: name
        for name, others in {
            "person": "vcard:Individual",
            "organization": "gr:BusinessEntity as:Organization vcard:Group",
            "website": "sioc:Site",
            "article": "bibo:Article",
            "event": "as:Event",
            "product": "gr:ProductOrService",
            "dataset": "dcat:Dataset void:Dataset",
            "postaladdress": "vcard:Address",
        }.items()
        for iris in spellings(others)
        for iri in iris
    }
)
_LOCAL: Final = re.compile(r"(?<![^/#:])[^/#:]++(?=[/#]?$)")  # from the first character alone
_PREFIXED: Final = re.compile(r"([A-Za-z][\w-]*):(?!//)([^\s/:]+)")
_ABSOLUTE: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:\S+")


@lru_cache(maxsize=4_096)
def type_terms(iri: str) -> tuple[str, ...]:
    """By what a type is found: its IRI, its short name, the name of what means the same."""
    whole = plain(iri)
    names = [name for name in (short_name(iri).lower(), _SAME.get(whole)) if name]
    return (whole, *dict.fromkeys(names))


def type_term(asked: str) -> str:
    """What somebody asks for, as a term: a short name in any case, `schema:Person`, or an IRI."""
    asked = asked.strip().removeprefix("<").removesuffix(">")
    prefixed = _PREFIXED.fullmatch(asked)
    if prefixed and prefixed[1].lower() in PREFIXES:
        return plain(PREFIXES[prefixed[1].lower()] + prefixed[2])
    return plain(asked) if _ABSOLUTE.fullmatch(asked) else asked.lower()


def wanted_terms(asked: str) -> frozenset[str]:
    """What somebody asks for, as terms of which a type has one: that of a class, those of its subclasses."""
    term = type_term(asked)
    return subclasses(named(term) or term) | {term}


def is_of_type(iri: str, asked: str) -> bool:
    """Whether a type is one that somebody asks for, a subclass of it, or of a vocabulary asked for."""
    whole = namespace(asked.strip())
    if whole is not None and plain(iri).startswith(whole):
        return True
    return not wanted_terms(asked).isdisjoint(type_terms(iri))


def short_name(iri: str) -> str:
    """The last part of an IRI: `Person`; empty where it has none."""
    found = _LOCAL.search(iri)
    return found[0] if found else ""
