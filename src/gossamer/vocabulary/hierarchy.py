"""Subclasses and superclasses of schema.org's classes, and vocabularies by their prefix. Pure.

The table is read when it is first asked for: most commands never need it.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Final

from gossamer.sparql.prefixes import PREFIXES
from gossamer.vocabulary.tables import SCHEMA_ORG, names_in

SCHEMA: Final = PREFIXES["schema"]
SECURE_SCHEMA: Final = "https://schema.org/"  # what some pages write for the same vocabulary
_PREFIX: Final = re.compile(r"([A-Za-z][\w-]*):")
_NAMESPACE: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*+:\S*[#/]")


def plain(iri: str) -> str:
    """An IRI in the one spelling that is compared: schema.org has two."""
    return SCHEMA + iri[len(SECURE_SCHEMA) :] if iri.startswith(SECURE_SCHEMA) else iri


def is_class(iri: str) -> bool:
    """Whether schema.org has this class."""
    return plain(iri) in _parents()


def class_names() -> Iterable[str]:
    """The names of all classes of schema.org."""
    return (iri[len(SCHEMA) :] for iri in _parents())


@lru_cache(maxsize=256)
def subclasses(iri: str) -> frozenset[str]:
    """A class and all below it; of a class that is not in the table, the class alone."""
    return _reachable(iri, _children())


@lru_cache(maxsize=4_096)
def ancestors(iri: str) -> frozenset[str]:
    """A class and all above it; of a class that is not in the table, the class alone."""
    return _reachable(iri, _parents())


def namespace(asked: str) -> str | None:
    """The namespace of a whole vocabulary: of `schema:`, or of an IRI that ends in `#` or `/`."""
    prefix = _PREFIX.fullmatch(asked)
    if prefix is not None:
        return PREFIXES.get(prefix[1].lower())
    return plain(asked) if _NAMESPACE.fullmatch(asked) else None


def named(name: str) -> str | None:
    """The class of schema.org with this name, in any case."""
    return _by_small_name().get(name.lower())


def _reachable(iri: str, edges: Mapping[str, tuple[str, ...]]) -> frozenset[str]:
    found, waiting = set[str](), [plain(iri)]
    while waiting:
        each = waiting.pop()
        if each not in found:
            found.add(each)
            waiting += edges.get(each, ())
    return frozenset(found)


@cache
def _children() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = defaultdict(list)
    for child, parents in _parents().items():
        for parent in parents:
            found[parent].append(child)
    return {parent: tuple(below) for parent, below in found.items()}


@cache
def _parents() -> Mapping[str, tuple[str, ...]]:
    """All classes, each with those directly above it; none above the first."""
    rows = names_in(SCHEMA_ORG, "types").items()
    return {SCHEMA + name: tuple(SCHEMA + each for each in above) for name, above in rows}


@cache
def _by_small_name() -> Mapping[str, str]:
    return {iri[len(SCHEMA) :].lower(): iri for iri in _parents()}
