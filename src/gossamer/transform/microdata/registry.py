"""The vocabularies with their own rules for microdata, and the names of properties.

The W3C note knows two such rules: where a vocabulary begins (else it is guessed from the
type), and which further properties a property implies. A `Registry` has both.

Types and names are the same few hundred all over the web, so what they stand for is kept
from page to page, in caches that a hostile page can churn and not grow.
"""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

from gossamer.model import Problem, Syntax
from gossamer.transform.iris import unusable
from gossamer.transform.terms import RDF, Term, iri

Implied = tuple[tuple[str, str], ...]
"""Names of a vocabulary, each with a property that holds whenever it does."""

Registry = Mapping[str, Implied]
"""What is known of vocabularies, by the prefix that all their IRIs begin with."""

MOST_NAMES: Final = 1024  # of a vocabulary, kept
_SCHEMA_ORG: Final[Implied] = (("additionalType", f"{RDF}type"),)
DEFAULT: Final[Registry] = MappingProxyType(
    {
        "http://schema.org/": _SCHEMA_ORG,
        "https://schema.org/": _SCHEMA_ORG,
        "http://microformats.org/profile/hcard": (),
    }
)


class Vocabulary(dict[str, tuple[Term, ...]]):
    """Maps property names to predicates for items of one type.

    It has an answer for every value of an attribute, and keeps a number of them.
    """

    def __init__(self, prefix: str, implied: Implied = ()) -> None:
        super().__init__()
        self._prefix = prefix if prefix.endswith(("/", "#")) else f"{prefix}#"
        self._implied = implied

    def __missing__(self, names: str) -> tuple[Term, ...]:
        iris = [self._iri(name) for name in names.split()]
        iris += [further for name in names.split() for own, further in self._implied if own == name]
        terms = (iri(each) for each in dict.fromkeys(iris))
        predicates = tuple(term for term in terms if term is not None)
        if len(self) >= MOST_NAMES:
            self.clear()
        self[names] = predicates
        return predicates

    def _iri(self, name: str) -> str:
        return name if _is_absolute(name) else self._prefix + name


class Vocabularies(dict[str | None, Vocabulary]):
    """The vocabularies of one page, by type; without a type, names are fragments of the page."""

    def __init__(self, registry: Registry, base: str) -> None:
        super().__init__()
        self._registry = registry
        self._base = base

    def __missing__(self, type_: str | None) -> Vocabulary:
        self[type_] = found = self._found(type_)
        return found

    def _found(self, type_: str | None) -> Vocabulary:
        if type_ is None:
            return _vocabulary(f"{self._base.partition('#')[0]}#", ())
        for prefix, implied in self._registry.items():
            if type_.startswith(prefix):
                return _vocabulary(prefix, implied)
        return _vocabulary(_guessed(type_), ())


_vocabulary: Final = lru_cache(maxsize=64)(Vocabulary)


class Types(NamedTuple):
    """The types of an `itemtype` attribute."""

    first: str | None  # which decides what properties mean; as the page spells it
    terms: tuple[Term, ...]
    problems: tuple[Problem, ...]  # with those that cannot be mended


@lru_cache(maxsize=1024)
def types_in(attribute: str) -> Types:
    """The types that an `itemtype` names, each once; only absolute URLs count."""
    names = list(dict.fromkeys(filter(_is_absolute, attribute.split())))
    terms = [iri(name) for name in names]
    bad = [name for name, term in zip(names, terms, strict=True) if term is None]
    return Types(
        names[0] if names else None,
        tuple(term for term in terms if term is not None),
        tuple(Problem(unusable(name), Syntax.MICRODATA) for name in bad),
    )


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
