"""The vocabularies that microdata reads by rules of their own, and the names of properties.

The W3C note knows two such rules: where a vocabulary begins (else it is guessed from the
type), and which further properties a property implies. A `Registry` has both.

Types and names are the same few hundred all over the web, so what they stand for is kept
from page to page, in caches that a hostile page can churn and not grow.
"""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

from gossamer.transform.terms import RDF, Term, iri

Implied = tuple[tuple[str, str], ...]
"""Names of a vocabulary, each with a property that holds whenever it does."""

Registry = Mapping[str, Implied]
"""What is known of vocabularies, by the prefix that all their IRIs begin with."""

_SCHEMA_ORG: Final[Implied] = (("additionalType", f"{RDF}type"),)
DEFAULT: Final[Registry] = MappingProxyType(
    {
        "http://schema.org/": _SCHEMA_ORG,
        "https://schema.org/": _SCHEMA_ORG,
        "http://microformats.org/profile/hcard": (),
    }
)


class Vocabulary:
    """What the names of properties mean for items of one type."""

    def __init__(self, prefix: str, implied: Implied = ()) -> None:
        self._prefix = prefix if prefix.endswith(("/", "#")) else f"{prefix}#"
        self._implied = implied
        self.predicates = lru_cache(maxsize=1024)(self._predicates)

    def _predicates(self, names: str) -> tuple[Term, ...]:
        """The predicates that the names in an attribute stand for, each once."""
        iris = [self._iri(name) for name in names.split()]
        iris += [further for name in names.split() for own, further in self._implied if own == name]
        terms = (iri(each) for each in dict.fromkeys(iris))
        return tuple(term for term in terms if term is not None)

    def _iri(self, name: str) -> str:
        return name if _is_absolute(name) else self._prefix + name


class Vocabularies:
    """The vocabularies of one page."""

    def __init__(self, registry: Registry, base: str) -> None:
        self._registry = registry
        untyped = _vocabulary(f"{base.partition('#')[0]}#", ())
        self._by_type: dict[str | None, Vocabulary] = {None: untyped}

    def of(self, type_: str | None) -> Vocabulary:
        """The vocabulary of a type; without one, names are fragments of the page."""
        known = self._by_type.get(type_)
        if known is None and type_ is not None:
            known = self._by_type[type_] = self._found(type_)
        return known or self._by_type[None]

    def _found(self, type_: str) -> Vocabulary:
        for prefix, implied in self._registry.items():
            if type_.startswith(prefix):
                return _vocabulary(prefix, implied)
        return _vocabulary(_guessed(type_), ())


_vocabulary: Final = lru_cache(maxsize=64)(Vocabulary)


class Type(NamedTuple):
    """The type of an item."""

    iri: str  # as the page spells it
    term: Term | None  # None where that cannot be mended


@lru_cache(maxsize=1024)
def types_in(attribute: str) -> tuple[Type, ...]:
    """The types that an `itemtype` names, each once; what is no absolute URL is none."""
    names = dict.fromkeys(filter(_is_absolute, attribute.split()))
    return tuple(Type(name, iri(name)) for name in names)


def _is_absolute(text: str) -> bool:
    """Whether a name or type is a URL by itself; names of a vocabulary may hold no colon."""
    scheme, colon, _ = text.partition(":")
    return bool(colon) and scheme[:1].isalpha() and scheme.isascii()


def _guessed(type_: str) -> str:
    """The type without its fragment, or else without the last segment of its path."""
    before, sign, _ = type_.partition("#")
    if sign:
        return before + sign
    path = before.partition("?")[0]
    cut = path.rfind("/")
    return path if path[:cut].endswith((":", ":/")) else path[: cut + 1] or path
