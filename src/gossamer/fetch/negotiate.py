"""The `Accept` header: RDF where a host offers it, else HTML, else whatever there is. Pure."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from gossamer.model import Syntax

# Thousandths, as fine as RFC 9110 §12.4.2 knows them. All of RDF comes before HTML, which says
# more about looks than about things; among RDF the order is what servers write most carefully.
_DOCUMENTS: Mapping[Syntax, tuple[str, int]] = MappingProxyType(
    {
        Syntax.TURTLE: ("text/turtle", 1000),
        Syntax.JSON_LD: ("application/ld+json", 950),
        Syntax.RDF_XML: ("application/rdf+xml", 900),
        Syntax.N_TRIPLES: ("application/n-triples", 870),
        Syntax.TRIG: ("application/trig", 860),
        Syntax.N_QUADS: ("application/n-quads", 850),
        Syntax.ATOM: ("application/atom+xml", 500),
        Syntax.RSS: ("application/rss+xml", 500),
        Syntax.JSON_FEED: ("application/feed+json", 400),
    }
)
# Always named: links are found there, whatever else is wanted.
_HYPERTEXT: Final = (("text/html", 800), ("application/xhtml+xml", 790))
# Last but never left out: a host that has nothing else must not answer 406.
_ANYTHING: Final = ("*/*", 100)


def accept(syntaxes: frozenset[Syntax] | None) -> str:
    """The value of `Accept` for whoever wants these syntaxes (None: all there are)."""
    documents = [
        ranged for syntax, ranged in _DOCUMENTS.items() if syntaxes is None or syntax in syntaxes
    ]
    ranges = sorted([*documents, *_HYPERTEXT, _ANYTHING], key=lambda each: -each[1])
    return ", ".join(_written(*each) for each in ranges)


def _written(media_range: str, thousandths: int) -> str:
    if thousandths == 1000:
        return media_range
    return f"{media_range};q={thousandths / 1000:.3g}"
