"""Types as people ask for them: `Person`, `schema:Person`, or an IRI. Pure.

A type has terms, and a question is one term: a short name is a term of every class of that name in
any vocabulary, and of those that mean the same. So an index only has to compare.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from gossamer.index.entities.vocabulary import SCHEMA, SECURE_SCHEMA, spellings
from gossamer.sparql.prefixes import PREFIXES

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
    whole = _plain(iri)
    names = [name for name in (short_name(iri).lower(), _SAME.get(whole)) if name]
    return (whole, *dict.fromkeys(names))


def type_term(asked: str) -> str:
    """What somebody asks for, as a term: a short name in any case, `schema:Person`, or an IRI."""
    asked = asked.strip().removeprefix("<").removesuffix(">")
    prefixed = _PREFIXED.fullmatch(asked)
    if prefixed and prefixed[1].lower() in PREFIXES:
        return _plain(PREFIXES[prefixed[1].lower()] + prefixed[2])
    return _plain(asked) if _ABSOLUTE.fullmatch(asked) else asked.lower()


def is_of_type(iri: str, asked: str) -> bool:
    """Whether a type is one that somebody asks for."""
    return type_term(asked) in type_terms(iri)


def short_name(iri: str) -> str:
    """The last part of an IRI: `Person`; empty where it has none."""
    found = _LOCAL.search(iri)
    return found[0] if found else ""


def _plain(iri: str) -> str:
    """schema.org has two spellings; one of them is enough."""
    return SCHEMA + iri[len(SECURE_SCHEMA) :] if iri.startswith(SECURE_SCHEMA) else iri
