"""The evaluation context of RDFa Core, section 7.5, which an element passes to its children."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from gossamer.transform.document import Item
from gossamer.transform.iris import join
from gossamer.transform.rdfa.context import PREFIXES, RDFA
from gossamer.transform.rdfa.host import Host
from gossamer.transform.rdfa.lists import Lists
from gossamer.transform.rdfa.names import Names, declared_prefixes
from gossamer.transform.rdfa.tree import AnyElement
from gossamer.transform.terms import Term, known, triple

MOST_PREFIXES: Final = 1_000  # in force at one place; each element may declare anew
USES_VOCABULARY: Final = known(f"{RDFA}usesVocabulary")


class Waiting(NamedTuple):
    """A statement without its object, which a descendant will provide."""

    predicate: Term
    reverse: bool = False
    members: list[Term] | None = None  # of the list that the object joins, for `inlist`


class PageNames(NamedTuple):
    """The values that are the same all over a page."""

    url: str  # where it came from
    term: Term  # what it calls itself, by its base
    host: Host


class Scope:
    """The evaluation context; immutable."""

    __slots__ = ("_speaking", "language", "lists", "names", "object", "subject", "waiting")

    def __init__(
        self,
        subject: Term,
        object_: Term,
        names: Names,
        lists: Lists,
        language: str | None = None,
        waiting: tuple[Waiting, ...] = (),
    ) -> None:
        self.subject = subject  # the parent subject
        self.object = object_  # the parent object
        self.names = names
        self.lists = lists
        self.language = language
        self.waiting = waiting  # incomplete triples
        self._speaking: Scope | None = None

    def passed_on(self, names: Names, language: str | None) -> "Scope":
        """A scope with other names or another language."""
        return Scope(self.subject, self.object, names, self.lists, language, self.waiting)

    @property
    def speaking(self) -> "Scope":
        """The scope inside elements about the same subject; made once."""
        if self.subject == self.object and not self.waiting:
            return self
        if self._speaking is None:
            self._speaking = self.within(self.object, self.object, self.lists, ())
        return self._speaking

    def within(
        self, subject: Term, object_: Term, lists: Lists, waiting: tuple[Waiting, ...]
    ) -> "Scope":
        """The scope inside an element with a subject and an object."""
        return Scope(subject, object_, self.names, lists, self.language, waiting)


def names_within(element: AnyElement, names: Names, page: PageNames, out: list[Item]) -> Names:
    """Steps 2 and 3 of the rules: the names on the element and inside it."""
    attributes = element.attributes
    base, vocabulary = names.base, names.vocabulary
    # That of the root is the base of the document already.
    if "xml:base" in attributes and page.host.xml_base and not element.is_root:
        base = join(base, attributes["xml:base"])
    if "vocab" in attributes:
        vocabulary = _vocabulary(attributes["vocab"], names, page, out)
    return names.changed(base, _declared(element, names, page), vocabulary)


def _vocabulary(value: str, names: Names, page: PageNames, out: list[Item]) -> str | None:
    if not value.strip():
        return None
    term = names.reference(value)
    if term is None:
        return None
    out.append(triple(page.term, USES_VOCABULARY, term))
    return term[1:-1]


def _declared(element: AnyElement, names: Names, page: PageNames) -> Mapping[str, str]:
    found = {prefix.lower(): iri for prefix, iri in element.namespaces.items()}
    found |= declared_prefixes(element.attributes.get("prefix", ""))
    found.pop("_", None)  # blank nodes stay blank nodes
    if len(found) + len(names.declared) > MOST_PREFIXES:
        names.reports.too_many_prefixes()
        return names.declared
    for prefix, iri in found.items():
        if PREFIXES.get(prefix, iri) != iri:
            names.reports.prefix_redefined(prefix, iri)
        # Relative ones are joined to the page: a base element is not meant for prefixes.
        found[prefix] = iri if ":" in iri else join(page.url, iri)
    return {**names.declared, **found} if found else names.declared
