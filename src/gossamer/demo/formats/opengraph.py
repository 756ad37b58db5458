"""Open Graph, Twitter cards and plain meta elements: see docs/vocabularies.md."""

from collections.abc import Mapping
from typing import Final

from gossamer.demo.content import PageSpec, Rendered
from gossamer.demo.formats.markup import escaped
from gossamer.demo.formats.page import PLAIN, Head, encoded, html, page_statements
from gossamer.demo.formats.statements import DCTERMS, iri, literal
from gossamer.demo.things import Kind, Moment, Thing
from gossamer.model import Syntax

OG: Final = "http://ogp.me/ns#"
ARTICLE: Final = "http://ogp.me/ns/article#"
TWITTER: Final = "https://dev.twitter.com/cards/markup#"
# `og:` is in the initial context of RDFa; `article:` has to be declared.
PREFIXES: Final = f' prefix="article: {ARTICLE}"'
_TYPES: Final[Mapping[Kind, str]] = {Kind.PERSON: "profile", Kind.ARTICLE: "article"}


def open_graph(spec: PageSpec, thing: Thing) -> Rendered:
    """The page with its thing in meta elements; RDFa readers see the `property` ones, too."""
    head = Head(PREFIXES, meta_properties(spec, thing) + _meta("name", _names(thing)))
    body, content_type = encoded(spec, thing, html(spec, thing, PLAIN, head))
    both = open_graph_statements(spec, thing)
    triples = {
        Syntax.PAGE: page_statements(spec, thing),
        Syntax.OPEN_GRAPH: both.union(_name_statements(spec, thing)),
        Syntax.RDFA: both,
    }
    return Rendered(body, content_type, triples)


def meta_properties(spec: PageSpec, thing: Thing) -> str:
    """The `meta property` elements of a page."""
    return _meta("property", _properties(spec, thing))


def open_graph_statements(spec: PageSpec, thing: Thing) -> frozenset[str]:
    """What they say, to Open Graph and RDFa readers alike: literals in the page's language."""
    page = iri(spec.url)
    return frozenset(
        f"{page} <{_expanded(name)}> {literal(content, thing.language)} ."
        for name, content in _properties(spec, thing)
    )


def _expanded(name: str) -> str:
    prefix, _, local = name.partition(":")
    return f"{OG if prefix == 'og' else ARTICLE}{local}"


def _properties(spec: PageSpec, thing: Thing) -> list[tuple[str, str]]:
    properties = [
        ("og:title", thing.name),
        ("og:type", _TYPES.get(thing.kind, "website")),
        ("og:url", spec.url),
        ("og:description", thing.description),
        ("og:image", f"http://id.test/pictures/{thing.number % 100}.jpg"),
        ("og:image:width", "640"),
    ]
    if thing.kind is Kind.ARTICLE:
        published = dict(thing.item.properties)["datePublished"]
        assert isinstance(published, Moment)
        properties.append(("article:published_time", published.value))
    return properties


def _names(thing: Thing) -> list[tuple[str, str]]:
    return [
        ("twitter:card", "summary"),
        ("twitter:title", thing.name),
        ("keywords", f"{thing.kind}, {thing.item.type}"),
    ]


def _name_statements(spec: PageSpec, thing: Thing) -> list[str]:
    page, language = iri(spec.url), thing.language
    return [
        f'{page} <{TWITTER}card> "summary" .',
        f"{page} <{TWITTER}title> {literal(thing.name, language)} .",
        f"{page} <{DCTERMS}subject> {literal(thing.kind, language)} .",
        f"{page} <{DCTERMS}subject> {literal(thing.item.type, language)} .",
    ]


def _meta(attribute: str, pairs: list[tuple[str, str]]) -> str:
    return "".join(
        f'<meta {attribute}="{name}" content="{escaped(content)}">\n' for name, content in pairs
    )
