"""Four syntaxes on one page, about one thing: RDFa, microdata, JSON-LD and Open Graph.

Much is said twice over: the page's language in the JSON-LD context makes its text equal to that
of the markup. What is said by two syntaxes in the same words is one statement.
"""

from functools import lru_cache

from gossamer.demo.content import PageSpec, Rendered
from gossamer.demo.formats.jsonld import (
    REMOTE,
    block,
    document,
    json_ld_statements,
    members_of,
    needs_ascii,
)
from gossamer.demo.formats.microdata import MicrodataMarkup, microdata_statements
from gossamer.demo.formats.opengraph import PREFIXES, meta_properties, open_graph_statements
from gossamer.demo.formats.page import Head, Markup, encoded, html, page_statements
from gossamer.demo.formats.rdfa import RdfaMarkup, rdfa_statements
from gossamer.demo.formats.statements import SCHEMA
from gossamer.demo.things import Thing
from gossamer.model import Syntax


class _Both(Markup):
    """RDFa and microdata attributes on the same elements."""

    def __init__(self, type_: str) -> None:
        self._rdfa, self._microdata = RdfaMarkup(type_), MicrodataMarkup(type_, SCHEMA)

    def page(self) -> str:
        return self._rdfa.page() + self._microdata.page()

    def property(self, name: str) -> str:
        return self._rdfa.property(name) + self._microdata.property(name)

    def typed(self, name: str, lexical: str, datatype: str) -> str:
        return self._rdfa.typed(name, lexical, datatype) + self._microdata.property(name)

    def item(self, name: str, type_: str) -> tuple[str, Markup]:
        return self._rdfa.item(name, type_)[0] + self._microdata.item(name, type_)[0], self


@lru_cache(maxsize=64)
def _markup(type_: str) -> _Both:
    return _Both(type_)


def mixed(spec: PageSpec, thing: Thing) -> Rendered:
    """The page with its thing in four syntaxes."""
    members = members_of(spec, thing, [REMOTE, {"@language": thing.language}])
    script = block(document(members, ascii_only=needs_ascii(spec)))
    head = Head(PREFIXES, meta_properties(spec, thing) + script)
    body, content_type = encoded(spec, thing, html(spec, thing, _markup(thing.item.type), head))
    graph = open_graph_statements(spec, thing)
    triples = {
        Syntax.PAGE: page_statements(spec, thing),
        Syntax.RDFA: rdfa_statements(spec, thing, uses_vocabulary=True) | graph,
        Syntax.MICRODATA: microdata_statements(spec, thing),
        Syntax.JSON_LD: json_ld_statements(spec, thing, thing.language),
        Syntax.OPEN_GRAPH: graph,
    }
    return Rendered(body, content_type, triples)
