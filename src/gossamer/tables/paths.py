"""Paths of properties and the names of columns: `offers.price`, `foaf:name`. Pure.

A property of schema.org is called by its local name, one of another vocabulary that we know by prefix and
name, all others by their IRI.
"""

from functools import lru_cache
from typing import Final

from gossamer.sparql.prefixes import PREFIXES, shortened

Path = tuple[str, ...]
"""The properties that lead from a thing to a value."""

SCHEMA: Final = PREFIXES["schema"]
RDF_TYPE: Final = f"{PREFIXES['rdf']}type"
NAME: Final = f"{SCHEMA}name"
# Of these a text is the name of a thing: `"brand": "Northwind"` says as much as a brand of that name.
_THING_NAMES: Final = """
brand manufacturer author creator publisher performer organizer provider sponsor director actor seller
hiringOrganization worksFor affiliation alumniOf memberOf contributor editor producer
"""
_THINGS: Final = frozenset(SCHEMA + name for name in _THING_NAMES.split())


@lru_cache(maxsize=4_096)
def path_of(key: str) -> Path:
    """The path that a line of JSON has as one text."""
    return tuple(key.split(" "))


def place_of_text(path: Path) -> Path:
    """Where a text at this path belongs."""
    return (*path, NAME) if path[-1] in _THINGS else path


@lru_cache(maxsize=4_096)
def column_name(path: Path) -> str:
    """What the column of a path is called."""
    return ".".join(map(_property_name, path))


@lru_cache(maxsize=4_096)
def local_name(path: Path) -> str:
    """The path by the last parts of its IRIs, whatever the vocabularies."""
    return ".".join(map(local, path))


def local(iri: str) -> str:
    """The last part of an IRI."""
    bare = iri.rstrip("/#")
    return bare[max(map(bare.rfind, "/#:")) + 1 :] or iri


def _property_name(iri: str) -> str:
    if iri == RDF_TYPE:
        return "type"
    return iri[len(SCHEMA) :] if iri.startswith(SCHEMA) else shortened(iri)
