"""Microdata; what it means in RDF follows the W3C note "Microdata to RDF"."""

from functools import lru_cache

from gossamer.demo.content import PageSpec, Rendered
from gossamer.demo.formats.page import Markup, encoded, html, page_statements
from gossamer.demo.formats.statements import SCHEMA, Dialect, as_double, statements, subject_of
from gossamer.demo.things import Thing
from gossamer.model import Syntax


class MicrodataMarkup(Markup):
    """Microdata attributes."""

    def __init__(self, type_: str, vocabulary: str) -> None:
        self._vocabulary = vocabulary
        self._page = f' itemscope itemid="#it" itemtype="{vocabulary}{type_}"'

    def page(self) -> str:
        """Names the thing and its class."""
        return self._page

    def property(self, name: str) -> str:
        """Names the property."""
        return f' itemprop="{name}"'

    def item(self, name: str, type_: str) -> tuple[str, Markup]:
        """Names property and class of a blank node."""
        return f' itemprop="{name}" itemscope itemtype="{self._vocabulary}{type_}"', self


@lru_cache(maxsize=64)
def _markup(type_: str, vocabulary: str) -> MicrodataMarkup:
    return MicrodataMarkup(type_, vocabulary)


def microdata(spec: PageSpec, thing: Thing) -> Rendered:
    """The page with its thing in microdata; some name schema.org by https."""
    vocabulary = "https://schema.org/" if thing.style % 4 == 0 else SCHEMA
    body, content_type = encoded(
        spec, thing, html(spec, thing, _markup(thing.item.type, vocabulary))
    )
    found = microdata_statements(spec, thing, vocabulary)
    triples = {Syntax.PAGE: page_statements(spec, thing), Syntax.MICRODATA: found}
    return Rendered(body, content_type, triples)


def microdata_statements(spec: PageSpec, thing: Thing, vocabulary: str = SCHEMA) -> frozenset[str]:
    """What the markup says: text in the language of its element, numbers by their looks."""
    language = thing.language
    dialect = Dialect("m", language, language, as_double, vocabulary=vocabulary)
    return frozenset(statements(thing.item, subject_of(spec), dialect))
