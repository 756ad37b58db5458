"""What pages have just said, by subject: as the graph keeps it, without being read out of it."""

from collections import defaultdict
from collections.abc import Container, Iterator, Mapping
from itertools import islice
from typing import Final

import pyoxigraph as ox

from gossamer.index.blanks import Blanks, Term
from gossamer.index.changes import as_kept, is_kept_otherwise
from gossamer.index.entities import Said, said_of

PAGES_AT_ONCE: Final = 500  # whose statements are in memory together

_PLAIN: Final = frozenset((ox.NamedNode, ox.Literal))

Spoken = dict[str, list[Said]]


def spoken(pages: Mapping[str, bytes], wanted: Container[str]) -> Iterator[Spoken]:
    """What these pages (name to N-Quads) say about those who are wanted; some pages at a time.

    The graph has taken all of it, so nothing is checked here.
    """
    rest = iter(pages.items())
    while some := dict(islice(rest, PAGES_AT_ONCE)):
        yield _spoken(some, wanted)


def _spoken(pages: Mapping[str, bytes], wanted: Container[str]) -> Spoken:
    found: Spoken = defaultdict(list)
    otherwise: list[ox.Quad] = []
    for page, nquads in pages.items():
        blanks = Blanks(page)
        for quad in ox.parse(nquads, format=ox.RdfFormat.N_QUADS):
            subject, object_ = _kept(quad.subject, blanks).value, quad.object  # type: ignore[union-attr]  # no triple is a subject
            if subject not in wanted:
                continue
            if is_kept_otherwise(object_):
                otherwise.append(blanks.quad(quad))
            else:
                said = Said(quad.predicate.value, _kept(object_, blanks), page)
                found[subject].append(said)
    for quad in as_kept(otherwise):
        if (typed := said_of(quad)) is not None:
            found[quad.subject.value].append(typed)  # type: ignore[union-attr]  # as above
    return found


def _kept(term: Term, blanks: Blanks) -> Term:
    return term if type(term) in _PLAIN else blanks.kept(term)
