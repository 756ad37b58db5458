"""Resolves attribute values to terms, CURIEs and IRIs in the scope of an element (Core, 7.4)."""

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from gossamer.transform.document import Document
from gossamer.transform.iris import join
from gossamer.transform.rdfa.context import (
    PREFIXES,
    READ_ELSEWHERE,
    SCHEMES,
    USUAL_PREFIXES,
    XHV,
)
from gossamer.transform.rdfa.host import Host
from gossamer.transform.rdfa.reports import Reports
from gossamer.transform.references import References
from gossamer.transform.terms import Term, iri

_START: Final = r"A-Z_a-z\xc0-\xd6\xd8-\xf6\xf8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
_REST: Final = rf"{_START}\-.0-9\xb7\u0300-\u036f\u203f\u2040"
_NC_NAME: Final = re.compile(rf"[{_START}][{_REST}]*")
_TERM: Final = re.compile(rf"[{_START}][{_REST}/]*")
_SHORT: Final = 256  # names that are longer are not kept from page to page
_MOST_KNOWN: Final = 500
_MANY: Final = 64  # prefixes: a page with so many shares them with no other
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


@lru_cache(maxsize=32)
def _known_names(
    _host: str, _strict: bool, _vocabulary: str | None, _declared: frozenset[tuple[str, str]]
) -> dict[str, tuple[Term, ...]]:
    """What names were found to mean by the same host, rules, vocabulary and prefixes.

    Pages share their vocabularies, and mostly say the same things.
    """
    return {}


class Blanks:
    """The blank nodes of a page, numbered as they appear."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._count = 0
        self._by_label: dict[str, Term] = {}

    def fresh(self) -> Term:
        """A new blank node."""
        self._count += 1
        return self._document.blank(f"r{self._count}")

    def labelled(self, label: str) -> Term:
        """The blank node with this label on the page."""
        found = self._by_label.get(label)
        if found is None:
            found = self._by_label[label] = self.fresh()
        return found


class Names:
    """What names mean at one place of a page. Immutable; results are cached."""

    __slots__ = (
        "_known",
        "_references",
        "_resources",
        "base",
        "blanks",
        "declared",
        "host",
        "reports",
        "strict",
        "vocabulary",
    )

    def __init__(
        self,
        base: str,
        host: Host,
        blanks: Blanks,
        reports: Reports,
        declared: Mapping[str, str] = MappingProxyType({}),
        vocabulary: str | None = None,
        references: References | None = None,
        *,
        strict: bool = False,
    ) -> None:
        self.base = base
        self.host = host
        self.blanks = blanks
        self.reports = reports
        self.declared = declared  # by the page: markup that is taken out of it keeps them
        self.vocabulary = vocabulary
        self.strict = strict  # by the letter, an undeclared prefix is the scheme of an IRI
        self._known: dict[str, tuple[Term, ...]] = {}
        if len(declared) < _MANY:
            self._known = _known_names(host.name, strict, vocabulary, frozenset(declared.items()))
        self._resources: dict[str, Term | None] = {}
        self._references = references or References(base)

    def changed(self, base: str, declared: Mapping[str, str], vocabulary: str | None) -> "Names":
        """A copy with another base, other prefixes or another vocabulary."""
        references = self._references if base == self.base else None
        return Names(
            base,
            self.host,
            self.blanks,
            self.reports,
            declared,
            vocabulary,
            references,
            strict=self.strict,
        )

    def predicates(self, value: str, *, report: bool = True) -> tuple[Term, ...]:
        """The predicates of a list of names, without undefined ones and blank nodes."""
        found = self._known.get(value)
        if found is None:
            terms = self._names(value, report=report)
            found = tuple([term for term in terms if term[0] == "<"])
        return found

    def classes(self, value: str) -> tuple[Term, ...]:
        """The classes of a list of names, blank nodes included."""
        return self._known.get(value) or tuple(self._names(value, report=True))

    def _names(self, value: str, *, report: bool) -> list[Term]:
        words = value.split()
        found = [term for word in words if (term := self._name(word, report=report))]
        # What says something of this page alone is not kept for others: mistakes, blank nodes.
        alike = len(found) == len(words) and not any(term[0] == "_" for term in found)
        if alike and len(value) < _SHORT and len(self._known) < _MOST_KNOWN:
            self._known[value] = tuple(found)
        return found

    def roles(self, value: str) -> tuple[Term, ...]:
        """The IRIs of `role` words: plain ones are in the XHTML vocabulary."""
        terms = (
            self._name(word, report=True) if ":" in word else self._iri(f"{XHV}{word}")
            for word in value.split()
        )
        return tuple(term for term in terms if term)

    def resource(self, value: str) -> Term | None:
        """The term of `about` and `resource`: a safe CURIE, a CURIE or an IRI."""
        if value not in self._resources:
            self._resources[value] = self._resource(value.strip())
        return self._resources[value]

    def reference(self, value: str) -> Term | None:
        """The term of `href` and `src`: an IRI, absolute or not."""
        found = self._references.term(value)
        if found is None:
            self.reports.bad_iri(join(self.base, value))
        return found

    def _resource(self, value: str) -> Term | None:
        if value.startswith("[") and value.endswith("]"):
            inside = value[1:-1].strip()
            found = self._curie(inside)
            if found is None and inside:
                self.reports.unresolved_curie(value)
            return found
        return self._curie(value) or self.reference(value)

    def _name(self, word: str, *, report: bool) -> Term | None:
        if ":" in word:
            return self._curie(word) or (
                self._absolute(word) if self.strict else self._undeclared(word)
            )
        if not _TERM.fullmatch(word):
            return None
        if self.vocabulary is not None:
            return self._iri(self.vocabulary + word)
        found = self.host.terms.get(word) or self.host.terms.get(word.lower())
        if found is None and report:
            self.reports.unresolved_term(word)
        return self._iri(found) if found else None

    def _curie(self, text: str) -> Term | None:
        prefix, colon, rest = text.partition(":")
        if not colon or rest.startswith("//"):
            return None
        if prefix == "_":
            return self.blanks.labelled(rest)
        prefix = prefix.lower()
        namespace = self.declared.get(prefix) or PREFIXES.get(prefix)
        if namespace is None:
            return None
        return self._iri(namespace + rest)

    def _absolute(self, text: str) -> Term | None:
        if _SCHEME.match(text):
            return self._iri(text)
        self.reports.unresolved_curie(text)
        return None

    def _undeclared(self, text: str) -> Term | None:
        """The meaning of a name whose prefix nobody declared: the usual one, if it has one."""
        prefix, _, rest = text.partition(":")
        prefix = prefix.lower()
        if rest.startswith("//") or prefix in SCHEMES:
            return self._absolute(text)
        if namespace := USUAL_PREFIXES.get(prefix):
            return self._iri(namespace + rest)
        if prefix not in READ_ELSEWHERE:
            self.reports.unresolved_curie(text)
        return None

    def _iri(self, text: str) -> Term | None:
        found = iri(text)
        if found is None:
            self.reports.bad_iri(text)
        return found


def declared_prefixes(value: str) -> list[tuple[str, str]]:
    """The prefixes of a `prefix` attribute, in small letters; what is not well formed is passed over."""
    words = value.split()
    found: list[tuple[str, str]] = []
    place = 0
    while place + 1 < len(words):
        prefix = words[place][:-1].lower()
        if words[place].endswith(":") and _NC_NAME.fullmatch(prefix):
            found.append((prefix, words[place + 1]))
            place += 2
        else:
            place += 1
    return found
