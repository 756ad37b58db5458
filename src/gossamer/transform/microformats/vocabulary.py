"""The RDF meaning of items and properties: the tables of docs/vocabularies.md."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from gossamer.transform.terms import Term, known


class Kind(StrEnum):
    """The kind of term that a property value becomes."""

    TEXT = "text"
    CODE = "code"
    IRI = "IRI"
    TIME = "time"
    INTEGER = "integer"
    DECIMAL = "decimal"
    TELEPHONE = "telephone"
    E_MAIL = "e-mail"
    NODE = "node"


class Meaning(NamedTuple):
    """The predicate and kind of a property."""

    predicate: Term
    kind: Kind
    through: "Through | None"  # what lies between the item and the predicate, if anything


class Through(NamedTuple):
    """A node between an item and a value: its predicate and class."""

    predicate: Term
    class_: Term


class Vocabulary(NamedTuple):
    """The class and properties of one type of items."""

    class_: Term
    properties: Mapping[str, Meaning]


_NAMESPACES: Final = {
    "schema": "http://schema.org/",
    "vcard": "http://www.w3.org/2006/vcard/ns#",
    "geo": "http://www.w3.org/2003/01/geo/wgs84_pos#",
}
_CLASSES_BETWEEN: Final = {
    "schema:offers": "schema:Offer",
    "schema:reviewRating": "schema:Rating",
    "vcard:hasAddress": "vcard:Address",
    "geo:location": "geo:Point",
}
# A row: property, predicate, kind. A stroke in the predicate leads through a node.
_ADDRESS: Final = """
street-address      vcard:street-address     text
extended-address    vcard:extended-address   text
locality            vcard:locality           text
region              vcard:region             text
country-name        vcard:country-name       text
postal-code         vcard:postal-code        code
post-office-box     vcard:post-office-box    code
"""
_POINT: Final = """
latitude            geo:lat                  decimal
longitude           geo:long                 decimal
altitude            geo:alt                  decimal
"""
_CARD: Final = """
name                vcard:fn                 text
given-name          vcard:given-name         text
family-name         vcard:family-name        text
additional-name     vcard:additional-name    text
honorific-prefix    vcard:honorific-prefix   text
honorific-suffix    vcard:honorific-suffix   text
nickname            vcard:nickname           text
note                vcard:note               text
job-title           vcard:title              text
role                vcard:role               text
org                 vcard:organization-name  text
organization-name   vcard:organization-name  text
organization-unit   vcard:organization-unit  text
category            vcard:category           text
bday                vcard:bday               time
anniversary         vcard:anniversary        time
rev                 vcard:rev                time
tel                 vcard:hasTelephone       telephone
email               vcard:hasEmail           e-mail
url                 vcard:hasURL             IRI
uid                 vcard:hasUID             IRI
photo               vcard:hasPhoto           IRI
logo                vcard:hasLogo            IRI
sound               vcard:hasSound           IRI
key                 vcard:hasKey             IRI
impp                vcard:hasInstantMessage  IRI
adr                 vcard:hasAddress         node
geo                 geo:location             node
"""
_ENTRY: Final = """
name                schema:name              text
summary             schema:description       text
content             schema:articleBody       text
published           schema:datePublished     time
updated             schema:dateModified      time
author              schema:author            node
category            schema:keywords          text
url                 schema:url               IRI
photo               schema:image             IRI
featured            schema:image             IRI
video               schema:video             IRI
audio               schema:audio             IRI
in-reply-to         schema:isBasedOn         IRI
repost-of           schema:isBasedOn         IRI
like-of             schema:about             IRI
bookmark-of         schema:about             IRI
syndication         schema:sameAs            IRI
comment             schema:comment           node
location            schema:contentLocation   node
geo                 schema:contentLocation   node
"""
_EVENT: Final = """
name                schema:name              text
summary             schema:description       text
description         schema:description       text
start               schema:startDate         time
end                 schema:endDate           time
duration            schema:duration          time
location            schema:location          node
organizer           schema:organizer         node
attendee            schema:attendee          node
category            schema:keywords          text
url                 schema:url               IRI
photo               schema:image             IRI
"""
_PRODUCT: Final = """
name                schema:name              text
summary             schema:description       text
description         schema:description       text
brand               schema:brand             node
category            schema:category          text
price               schema:offers/schema:price decimal
identifier          schema:identifier        code
review              schema:review            node
url                 schema:url               IRI
photo               schema:image             IRI
"""
_RECIPE: Final = """
name                schema:name              text
summary             schema:description       text
author              schema:author            node
published           schema:datePublished     time
duration            schema:totalTime         time
yield               schema:recipeYield       text
ingredient          schema:recipeIngredient  text
instructions        schema:recipeInstructions text
nutrition           schema:nutrition         text
category            schema:recipeCategory    text
url                 schema:url               IRI
photo               schema:image             IRI
"""
_REVIEW: Final = """
name                schema:name              text
item                schema:itemReviewed      node
reviewer            schema:author            node
author              schema:author            node
reviewed            schema:datePublished     time
published           schema:datePublished     time
rating              schema:reviewRating/schema:ratingValue decimal
best                schema:reviewRating/schema:bestRating  decimal
worst               schema:reviewRating/schema:worstRating decimal
description         schema:reviewBody        text
content             schema:reviewBody        text
category            schema:keywords          text
url                 schema:url               IRI
"""
_AGGREGATE: Final = """
name                schema:name              text
summary             schema:description       text
description         schema:description       text
content             schema:description       text
item                schema:itemReviewed      node
rating              schema:ratingValue       decimal
average             schema:ratingValue       decimal
best                schema:bestRating        decimal
worst               schema:worstRating       decimal
count               schema:reviewCount       integer
votes               schema:ratingCount       integer
url                 schema:url               IRI
"""
_LISTING: Final = """
name                schema:name              text
summary             schema:description       text
description         schema:description       text
item                schema:itemOffered       node
lister              schema:seller            node
price               schema:price             decimal
published           schema:availabilityStarts time
expires             schema:availabilityEnds  time
category            schema:category          text
url                 schema:url               IRI
photo               schema:image             IRI
"""
_RESUME: Final = """
name                schema:name              text
summary             schema:abstract          text
contact             schema:about             node
experience          schema:mentions          node
education           schema:mentions          node
affiliation         schema:mentions          node
skill               schema:keywords          text
url                 schema:url               IRI
"""
_ITEM: Final = """
name                schema:name              text
url                 schema:url               IRI
photo               schema:image             IRI
"""


def _within(path: str, table: str) -> str:
    """Properties said of a node in between."""
    return re.sub(r"(?m)^(\S+\s+)", rf"\1{path}", table)


_TABLES: Final = {
    "h-card": (
        "vcard:Kind",
        _CARD + _within("vcard:hasAddress/", _ADDRESS) + _within("geo:location/", _POINT),
    ),
    "h-adr": (
        "vcard:Address",
        _ADDRESS + "geo geo:location node" + _within("geo:location/", _POINT),
    ),
    "h-geo": ("geo:Point", _POINT),
    "h-entry": ("schema:BlogPosting", _ENTRY),
    "h-feed": ("schema:Blog", _ENTRY),
    "h-cite": ("schema:CreativeWork", _ENTRY),
    "h-event": ("schema:Event", _EVENT),
    "h-product": ("schema:Product", _PRODUCT),
    "h-recipe": ("schema:Recipe", _RECIPE),
    "h-review": ("schema:Review", _REVIEW),
    "h-review-aggregate": ("schema:AggregateRating", _AGGREGATE),
    "h-listing": ("schema:Offer", _LISTING),
    "h-resume": ("schema:CreativeWork", _RESUME),
    "h-item": ("schema:Thing", _ITEM),
}


def _term(name: str) -> Term:
    prefix, _, local = name.partition(":")
    return known(f"{_NAMESPACES[prefix]}{local}")


def _meaning(path: str, kind: str) -> Meaning:
    between, _, predicate = path.rpartition("/")
    through = Through(_term(between), _term(_CLASSES_BETWEEN[between])) if between else None
    return Meaning(_term(predicate), Kind(kind), through)


def _vocabulary(class_: str, table: str) -> Vocabulary:
    rows = (row.split() for row in table.splitlines() if row)
    return Vocabulary(_term(class_), {name: _meaning(path, kind) for name, path, kind in rows})


VOCABULARY: Final[Mapping[str, Vocabulary]] = {
    type_: _vocabulary(class_, table) for type_, (class_, table) in _TABLES.items()
}
FEED: Final = "h-feed"
ENTRY: Final = "h-entry"
POINT: Final = "h-geo"
BLOG_POST: Final = _term("schema:blogPost")
LATITUDE: Final = _term("geo:lat")
LONGITUDE: Final = _term("geo:long")
