"""Microformats 2. One table says which class a property wears and what it means in RDF.

The meaning follows docs/vocabularies.md, "Microformats": cards and addresses are vCard,
all else is schema.org.
"""

from collections.abc import Mapping
from enum import Enum, auto
from functools import lru_cache
from typing import Final, NamedTuple

from gossamer.demo.content import PageSpec, Rendered
from gossamer.demo.formats.page import PLAIN, Markup, encoded, html, page_statements
from gossamer.demo.formats.statements import (
    SCHEMA,
    TYPE,
    XSD,
    as_decimal,
    iri,
    literal,
    subject_of,
    time_type,
    typed,
)
from gossamer.demo.things import Amount, Item, Link, Thing, Value
from gossamer.model import Syntax

VCARD: Final = "http://www.w3.org/2006/vcard/ns#"


class As(Enum):
    """The kind of term that a value becomes."""

    TEXT = auto()  # in the language of its element
    CODE = auto()  # a plain string
    TIME = auto()  # date, dateTime or duration, by its looks
    DECIMAL = auto()
    IRI = auto()
    TELEPHONE = auto()  # tel: and its digits


class Field(NamedTuple):
    """A property with a value of its own."""

    css: str
    predicate: str
    becomes: As = As.TEXT


class Nested(NamedTuple):
    """A property whose value is another microformat."""

    css: str
    predicate: str
    root: "Root"

    @property
    def fields(self) -> "Fields":
        """What the properties within wear."""
        return self.root.fields

    @property
    def type(self) -> str:
        """The RDF class of the node."""
        return self.root.type


class Through(NamedTuple):
    """An item that is no microformat: its values belong to the one around it."""

    fields: "Fields"
    predicate: str = ""  # where RDF wants a node in between all the same: this leads to it
    type: str = ""


class Root(NamedTuple):
    """A microformat: its class name, its RDF class, and what its properties wear."""

    css: str
    type: str
    fields: "Fields"


Fields = Mapping[str, Field | Nested | Through]


def _schema(css: str, name: str, becomes: As = As.TEXT) -> Field:
    return Field(css, SCHEMA + name, becomes)


def _vcard(css: str, name: str, becomes: As = As.TEXT) -> Field:
    return Field(css, VCARD + name, becomes)


_ADDRESS: Final = Root(
    "h-adr",
    VCARD + "Address",
    {
        "streetAddress": _vcard("p-street-address", "street-address"),
        "postalCode": _vcard("p-postal-code", "postal-code", As.CODE),
        "addressLocality": _vcard("p-locality", "locality"),
        "addressCountry": _vcard("p-country-name", "country-name"),
    },
)
_CARD: Final = Root(
    "h-card",
    VCARD + "Kind",
    {
        "name": _vcard("p-name", "fn"),
        "description": _vcard("p-note", "note"),
        "jobTitle": _vcard("p-job-title", "title"),
        "birthDate": _vcard("dt-bday", "bday", As.TIME),
        "telephone": _vcard("p-tel", "hasTelephone", As.TELEPHONE),
        "address": Nested("p-adr", VCARD + "hasAddress", _ADDRESS),
        "worksFor": Through({"name": _vcard("p-org", "organization-name")}),
        "url": _vcard("u-url", "hasURL", As.IRI),
        "sameAs": _vcard("u-url", "hasURL", As.IRI),
    },
)
_AUTHOR: Final = Nested("p-author", SCHEMA + "author", _CARD)
_COMMON: Final[Fields] = {
    "name": _schema("p-name", "name"),
    "description": _schema("p-summary", "description"),
    "sameAs": _schema("u-url", "url", As.IRI),
}
_EVENT: Final[Fields] = {
    **_COMMON,
    "startDate": _schema("dt-start", "startDate", As.TIME),
    "endDate": _schema("dt-end", "endDate", As.TIME),
    "location": Nested("p-location", SCHEMA + "location", _CARD),
}
_PRODUCT: Final[Fields] = {
    **_COMMON,
    "description": _schema("p-description", "description"),
    "brand": Nested("p-brand", SCHEMA + "brand", _CARD),
    "offers": Through(
        {"price": _schema("p-price", "price", As.DECIMAL)}, SCHEMA + "offers", SCHEMA + "Offer"
    ),
}
_RECIPE: Final[Fields] = {
    **_COMMON,
    "author": _AUTHOR,
    "datePublished": _schema("dt-published", "datePublished", As.TIME),
    "totalTime": _schema("dt-duration", "totalTime", As.TIME),
    "recipeYield": _schema("p-yield", "recipeYield"),
    "recipeIngredient": _schema("p-ingredient", "recipeIngredient"),
    "nutrition": Through({"calories": _schema("p-nutrition", "nutrition")}),
}
_ENTRY: Final[Fields] = {
    **_COMMON,
    "author": _AUTHOR,
    "creator": _AUTHOR,
    "datePublished": _schema("dt-published", "datePublished", As.TIME),
    "dateModified": _schema("dt-updated", "dateModified", As.TIME),
    "articleSection": _schema("p-category", "keywords"),
}
_ROOTS: Final[Mapping[str, Root]] = {  # by schema.org class
    "Person": _CARD,
    "Event": Root("h-event", SCHEMA + "Event", _EVENT),
    "Product": Root("h-product", SCHEMA + "Product", _PRODUCT),
    "Recipe": Root("h-recipe", SCHEMA + "Recipe", _RECIPE),
    "Dataset": Root("h-entry", SCHEMA + "BlogPosting", _ENTRY),
    "Article": Root("h-entry", SCHEMA + "BlogPosting", _ENTRY),
}


class MicroformatsMarkup(Markup):
    """Class names. The thing's element has an id, which names it in RDF."""

    def __init__(self, root: str, fields: Fields) -> None:
        self._page = f' class="{root}" id="it"'
        self._fields = fields

    def page(self) -> str:
        """Root class and name."""
        return self._page

    def property(self, name: str) -> str:
        """The class, if the microformat has one for this property."""
        field = self._fields.get(name)
        return f' class="{field.css}"' if isinstance(field, Field) else ""

    def link(self, name: str, target: str) -> str:
        """An element that may wear a class and stand in a body, which `link` may not."""
        attributes = self.property(name)
        return f'<data{attributes} value="{target}">{target}</data>' if attributes else target

    def item(self, name: str, type_: str) -> tuple[str, Markup]:
        """Property and root class of what is nested."""
        match self._fields.get(name):
            case Nested(css, _, root):
                return f' class="{css} {root.css}"', MicroformatsMarkup(root.css, root.fields)
            case Through(fields, _, _):
                return "", MicroformatsMarkup("", fields)
            case _:
                return "", PLAIN


@lru_cache(maxsize=64)
def _markup(type_: str) -> MicroformatsMarkup:
    return MicroformatsMarkup(_ROOTS[type_].css, _ROOTS[type_].fields)


def microformats(spec: PageSpec, thing: Thing) -> Rendered:
    """The page with its thing as a microformat."""
    body, content_type = encoded(spec, thing, html(spec, thing, _markup(thing.item.type)))
    root = _ROOTS[thing.item.type]
    subject = subject_of(spec)
    lines = [f"{subject} {TYPE} <{root.type}> ."]
    _describe(thing.item, root.fields, subject, "_:f", thing.language, lines)
    triples = {
        Syntax.PAGE: page_statements(spec, thing),
        Syntax.MICROFORMATS: frozenset(lines),
    }
    return Rendered(body, content_type, triples)


def _describe(
    item: Item, fields: Fields, subject: str, label: str, language: str, lines: list[str]
) -> None:
    for index, (name, value) in enumerate(item.properties):
        field = fields.get(name)
        if isinstance(field, Field):
            lines.append(f"{subject} <{field.predicate}> {_term(value, field, language)} .")
        elif field is not None and isinstance(value, Item):
            node = subject
            if field.predicate:
                node = f"{label}{index}"
                lines.append(f"{subject} <{field.predicate}> {node} .")
                lines.append(f"{node} {TYPE} <{field.type}> .")
            _describe(value, field.fields, node, f"{label}{index}x", language, lines)


def _term(value: Value, field: Field, language: str) -> str:
    if isinstance(value, Link):
        return iri(value.iri)
    if isinstance(value, Amount):
        return as_decimal(value)
    assert not isinstance(value, Item)
    text = str(value.value)
    match field.becomes:
        case As.TIME:
            return typed(text, XSD + time_type(text))
        case As.TELEPHONE:
            return iri("tel:" + text.replace(" ", ""))
        case As.CODE:
            return literal(text)
        case _:
            return literal(text, language)
