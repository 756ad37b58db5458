"""RDFa 1.1 in HTML5, in two styles: `vocab` with bare terms, and prefixed names."""

from functools import lru_cache
from typing import Final

from gossamer.demo.content import PageSpec, Rendered
from gossamer.demo.formats.page import Head, Markup, encoded, html, page_statements
from gossamer.demo.formats.statements import (
    SCHEMA,
    Dialect,
    as_decimal,
    iri,
    statements,
    subject_of,
)
from gossamer.demo.things import Thing
from gossamer.model import Syntax

_USES_VOCABULARY: Final = "<http://www.w3.org/ns/rdfa#usesVocabulary>"


class RdfaMarkup(Markup):
    """RDFa attributes. The vocabulary is set on the thing alone: `rel` of links outside stays out."""

    def __init__(self, type_: str, prefix: str = "") -> None:
        self._prefix = prefix
        vocab = "" if prefix else f' vocab="{SCHEMA}"'
        self._page = f'{vocab} resource="#it" typeof="{prefix}{type_}"'

    def page(self) -> str:
        """Names the thing and its class."""
        return self._page

    def property(self, name: str) -> str:
        """Names the property."""
        return f' property="{self._prefix}{name}"'

    def typed(self, name: str, lexical: str, datatype: str) -> str:
        """Names property and datatype; `content`, since RDFa reads no `value`, and types no duration."""
        return f' property="{self._prefix}{name}" datatype="{datatype}" content="{lexical}"'

    def item(self, name: str, type_: str) -> tuple[str, Markup]:
        """Names property and class of a blank node."""
        return f' property="{self._prefix}{name}" typeof="{self._prefix}{type_}"', self


@lru_cache(maxsize=64)
def _markup(type_: str, prefix: str) -> RdfaMarkup:
    return RdfaMarkup(type_, prefix)


def rdfa(spec: PageSpec, thing: Thing) -> Rendered:
    """The page with its thing in RDFa; about half the pages use prefixes."""
    prefixed = thing.style % 2 == 1
    # `schema:` is in the initial context of RDFa; a prefix of our own has to be declared.
    head = Head(' prefix="s: http://schema.org/"') if prefixed else Head()
    text = html(spec, thing, _markup(thing.item.type, "s:" if prefixed else ""), head)
    body, content_type = encoded(spec, thing, text)
    found = rdfa_statements(spec, thing, uses_vocabulary=not prefixed)
    triples = {Syntax.PAGE: page_statements(spec, thing), Syntax.RDFA: found}
    return Rendered(body, content_type, triples)


def rdfa_statements(spec: PageSpec, thing: Thing, *, uses_vocabulary: bool) -> frozenset[str]:
    """What the markup says: every untyped literal is in the language of its element."""
    language = thing.language
    lines = statements(thing.item, subject_of(spec), Dialect("r", language, language, as_decimal))
    if uses_vocabulary:
        lines.append(f"{iri(spec.url)} {_USES_VOCABULARY} <{SCHEMA}> .")
    return frozenset(lines)
