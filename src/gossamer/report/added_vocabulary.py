"""Vocabularies that the user has added: their terms as a text, and the rule `unknown-term`. Pure.

A text has a line for the source, one for the namespace, and one for each term: its kind, its local name, and what
replaces it if it is deprecated. Facts alone are taken; no description is copied.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from gossamer.report.finding import Finding, Severity
from gossamer.report.page import RulePage
from gossamer.report.schema_page import TYPE
from gossamer.report.statements import PageStatement, TermKind
from gossamer.vocabulary.nearness import nearest_name
from gossamer.wording import quoted

RDFS: Final = "http://www.w3.org/2000/01/rdf-schema#"
RDF: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
OWL: Final = "http://www.w3.org/2002/07/owl#"
CLASSES: Final = frozenset({f"{RDFS}Class", f"{OWL}Class", f"{RDFS}Datatype"})
PROPERTIES: Final = frozenset(
    {
        f"{RDF}Property",
        *(f"{OWL}{each}Property" for each in ("Object", "Datatype", "Annotation")),
        *(f"{OWL}{each}Property" for each in ("Functional", "Transitive", "Symmetric")),
    }
)
MOST_TERMS: Final = 20_000


@dataclass(frozen=True, slots=True)
class AddedVocabulary:
    """The terms of a namespace."""

    source: str  # the address that it was fetched from
    day: str
    namespace: str
    classes: frozenset[str]  # local names
    properties: frozenset[str]
    others: frozenset[str]  # individuals, such as members of an enumeration
    deprecated: frozenset[str]

    def has(self, name: str) -> bool:
        """Whether there is a term of this local name."""
        return name in self.classes or name in self.properties or name in self.others

    def text(self) -> str:
        """The vocabulary as a text that `parse` reads."""
        lines = [f"# {self.source} {self.day}", f"namespace {self.namespace}"]
        for kind in ("classes", "properties", "others", "deprecated"):
            lines += [f"{kind} {name}" for name in sorted(getattr(self, kind))]
        return "\n".join(lines) + "\n"

    @classmethod
    def parse(cls, text: str) -> "AddedVocabulary":
        """The vocabulary that a text tells; raises `ValueError` for another text."""
        head, space, *rows = text.splitlines()
        _, source, day = head.split(" ")
        named: dict[str, set[str]] = {}
        for row in rows:
            kind, _, name = row.partition(" ")
            named.setdefault(kind, set()).add(name)
        parts = (
            frozenset(named.get(kind, ()))
            for kind in ("classes", "properties", "others", "deprecated")
        )
        return cls(source, day, space.removeprefix("namespace "), *parts)


def vocabulary_of(
    statements: Iterable[PageStatement], source: str, day: str
) -> AddedVocabulary | None:
    """The vocabulary that a document defines: the namespace with most classes and properties; None without any."""
    kinds: dict[str, set[str]] = {}
    deprecated = set[str]()
    for subject, predicate, value, kind in statements:
        if predicate == TYPE and kind is TermKind.IRI and not subject.startswith("_:"):
            kinds.setdefault(subject, set()).add(value)
        elif predicate == f"{OWL}deprecated" and value in ("true", "1"):
            deprecated.add(subject)
    defined = [iri for iri, types in kinds.items() if types & (CLASSES | PROPERTIES)]
    spaces = Counter(namespace_of(iri) for iri in defined)
    if not spaces:
        return None
    ((space, _),) = spaces.most_common(1)
    local = {
        iri[len(space) :]: types
        for iri, types in list(kinds.items())[:MOST_TERMS]
        if namespace_of(iri) == space and iri != space
    }
    return AddedVocabulary(
        source,
        day,
        space,
        frozenset(name for name, types in local.items() if types & CLASSES),
        frozenset(name for name, types in local.items() if types & PROPERTIES),
        frozenset(name for name, types in local.items() if not types & (CLASSES | PROPERTIES)),
        frozenset(iri[len(space) :] for iri in deprecated if namespace_of(iri) == space),
    )


def namespace_of(iri: str) -> str:
    """An IRI up to its last `#` or `/`."""
    return iri[: max(iri.rfind("#"), iri.rfind("/")) + 1]


def unknown_terms(page: RulePage, texts: Iterable[str]) -> Iterator[Finding]:
    """Terms of added vocabularies that these do not have, or have given up."""
    known = {each.namespace: each for each in map(_parsed, texts)}
    for subject, predicate, value, kind in page.statements:
        is_type = predicate == TYPE and kind is TermKind.IRI
        iri = value if is_type else predicate
        vocabulary = known.get(namespace_of(iri))
        if vocabulary is None:
            continue
        name = iri[len(vocabulary.namespace) :]
        what = "type" if is_type else "property"
        if not vocabulary.has(name):
            names = vocabulary.classes if is_type else vocabulary.properties
            near = nearest_name(name, sorted(names))
            yield Finding(
                f"{vocabulary.namespace} has no {what} {quoted(name)}.",
                Severity.ERROR,
                page.line_of(name),
                subject,
                f"Write {near}." if near else f"See {vocabulary.source} for its terms.",
                see=vocabulary.source,
            )
        elif name in vocabulary.deprecated:
            yield Finding(
                f"The {what} {name} of {vocabulary.namespace} is deprecated.",
                Severity.WARNING,
                page.line_of(name),
                subject,
                f"See {vocabulary.source} for what to use instead.",
                see=vocabulary.source,
            )


@lru_cache(maxsize=32)
def _parsed(text: str) -> AddedVocabulary:
    return AddedVocabulary.parse(text)
