"""What a frozen copy of the graph says: about a subject, and who links to it."""

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Final

import pyoxigraph as ox

from gossamer.index.blanks import SCHEME, Term
from gossamer.index.entities import Said, may_identify, said_of
from gossamer.index.entities.whereabouts import site_of_iri

MANY: Final = 5_000  # statements about one subject, beyond which not all are kept
MOST_PAGES: Final = 20_000  # of one subject that are told apart
MOST_LINKS: Final = 1_000  # that are counted
MOST_LOOKED_AT: Final = 2_000  # statements in which a thing is linked to


class Statements:
    """A snapshot, to be read."""

    def __init__(self, store: ox.Store) -> None:
        self._store = store

    def about(self, subject: str) -> list[Said]:
        """What pages say about a subject.

        Of a subject that stands on thousands of pages, each statement is kept once for all pages,
        once for pages that may identify it, and each page once.
        """
        quads = self._store.quads_for_pattern(ox.NamedNode(subject), None, None, None)
        first = list(islice(quads, MANY))
        if len(first) < MANY:
            return list(_said(first))
        few = Fewer(subject)
        few.take(_said(chain(first, quads)))
        return few.kept

    def links_to(self, things: Iterable[str]) -> int:
        """How many subjects link to any of these, other than they themselves; to a thousand.

        Links to blank nodes are not counted: only their own page can make them.
        """
        things = set(things)
        found: set[str] = set()
        looked_at = 0
        for thing in sorted(thing for thing in things if not thing.startswith(SCHEME)):
            quads = self._store.quads_for_pattern(None, None, ox.NamedNode(thing), None)
            for quad in islice(quads, MOST_LOOKED_AT - looked_at):
                looked_at += 1
                if said_of(quad) is not None:
                    found.add(quad.subject.value)  # type: ignore[union-attr]  # no triple is a subject
        return min(MOST_LINKS, len(found - things))


def _said(quads: Iterable[ox.Quad]) -> Iterator[Said]:
    pages: dict[ox.NamedNode | ox.BlankNode | ox.DefaultGraph, str | None] = {}
    for quad in quads:
        graph = quad.graph_name
        if graph in pages:
            page = pages[graph]
        else:
            said = said_of(quad)
            page = pages[graph] = None if said is None else said.page
        if page is not None:
            yield Said(quad.predicate.value, quad.object, page)


class Fewer:
    """Statements about one subject, without most repetitions."""

    def __init__(self, subject: str) -> None:
        self.kept: list[Said] = []
        self._subject = subject
        self._site = site_of_iri(subject)
        self._pages: set[str] = set()
        self._made: set[tuple[str, Term]] = set()
        self._made_by_own: set[tuple[str, Term]] = set()

    def take(self, said: Iterable[Said]) -> None:
        """Keep what is needed of these."""
        for each in said:
            if self._is_needed(each):
                self.kept.append(each)

    def _is_needed(self, each: Said) -> bool:
        statement = (each.predicate, each.object)
        needed = statement not in self._made
        self._made.add(statement)
        if each.page not in self._pages and len(self._pages) < MOST_PAGES:
            self._pages.add(each.page)
            needed = True
        if statement not in self._made_by_own and may_identify(
            self._subject, self._site, each.page
        ):
            self._made_by_own.add(statement)
            needed = True
        return needed
