"""JSON-LD: blocks such as sites have them under the schema.org context, by us and by PyLD.

Both get the JSON as bytes and go all the way to N-Quads. PyLD has the context at hand and keeps it
resolved from page to page ("static"), which makes it twice as fast as a loader with a cache does.
"""

import json
from collections.abc import Mapping
from typing import Any

from pyld import jsonld

from gossamer.model import Url
from gossamer.transform.document import Document
from gossamer.transform.jsonld.schema_org import whole_context
from gossamer.transform.jsonld.statements import json_ld_statements

SITE = "https://shop.example.test"
URL = Url(f"{SITE}/things/7")
CONTEXT = "https://schema.org"
_REMOTE = {
    "contentType": "application/ld+json",
    "contextUrl": None,
    "documentUrl": CONTEXT,
    "document": {"@context": dict(whole_context())},
    "tag": "static",
}


def pages() -> list[bytes]:
    """Blocks of the usual kinds."""
    return [
        json.dumps({"@context": CONTEXT, **kind(number)}).encode()
        for number in range(10)
        for kind in (_product, _article, _site, _breadcrumb)
    ]


def ours(page: bytes) -> int:
    """How many statements we find."""
    document = Document(URL, page, media_type="application/ld+json")
    return len(list(json_ld_statements(document)))


def peer(page: bytes) -> int:
    """How many statements PyLD finds."""
    options = {"base": URL, "format": "application/n-quads", "documentLoader": _load}
    return len(jsonld.to_rdf(json.loads(page), options).splitlines())


def _load(address: str, _: Mapping[str, Any]) -> dict[str, Any]:
    return _REMOTE


def _product(number: int) -> dict[str, Any]:
    return {
        "@type": "Product",
        "@id": f"{SITE}/things/{number}#product",
        "name": f"Thing {number}",
        "description": "A thing for every day, made of wood and glass. " * 3,
        "sku": f"T-{number:05}",
        "image": [f"https://img.example.test/{number}/{size}.jpg" for size in (400, 800, 1600)],
        "brand": {"@type": "Brand", "name": "Things & Sons"},
        "aggregateRating": {"@type": "AggregateRating", "ratingValue": 4.4, "reviewCount": 89},
        "review": [_review(each) for each in range(number % 6)],
        "offers": {
            "@type": "Offer",
            "url": f"{SITE}/things/{number}",
            "priceCurrency": "EUR",
            "price": "119.99",
            "priceValidUntil": "2027-11-20",
            "itemCondition": "https://schema.org/UsedCondition",
            "availability": "https://schema.org/InStock",
        },
    }


def _review(number: int) -> dict[str, Any]:
    return {
        "@type": "Review",
        "author": {"@type": "Person", "name": f"Reader {number}"},
        "datePublished": "2026-02-05",
        "reviewBody": "Works as it should, and has for a year.",
        "reviewRating": {"@type": "Rating", "ratingValue": 5},
    }


def _article(number: int) -> dict[str, Any]:
    return {
        "@type": "NewsArticle",
        "mainEntityOfPage": {"@type": "WebPage", "@id": f"{SITE}/news/{number}"},
        "headline": f"News of day {number}",
        "image": [f"{SITE}/news/{number}.jpg"],
        "datePublished": "2026-02-05T08:00:00+08:00",
        "dateModified": "2026-02-05T09:20:00+08:00",
        "keywords": ["things", "news", "days"],
        "author": [{"@type": "Person", "name": "Ada Lang", "url": f"{SITE}/people/ada"}],
        "publisher": {"@id": f"{SITE}/#organization"},
    }


def _site(number: int) -> dict[str, Any]:
    """The graph that blogging software writes."""
    return {
        "@graph": [
            {
                "@type": "WebPage",
                "@id": f"{SITE}/p/{number}",
                "url": f"{SITE}/p/{number}",
                "name": f"Page {number}",
                "isPartOf": {"@id": f"{SITE}/#website"},
                "primaryImageOfPage": {"@id": f"{SITE}/p/{number}#image"},
                "datePublished": "2026-01-01T10:00:00+00:00",
                "inLanguage": "en-GB",
            },
            {
                "@type": "ImageObject",
                "@id": f"{SITE}/p/{number}#image",
                "contentUrl": f"{SITE}/i.jpg",
            },
            {
                "@type": "WebSite",
                "@id": f"{SITE}/#website",
                "url": f"{SITE}/",
                "name": "Things",
                "publisher": {"@id": f"{SITE}/#organization"},
                "potentialAction": [
                    {
                        "@type": "SearchAction",
                        "target": {"@type": "EntryPoint", "urlTemplate": f"{SITE}/?s={{term}}"},
                        "query-input": "required name=term",
                    }
                ],
            },
            {
                "@type": "Organization",
                "@id": f"{SITE}/#organization",
                "name": "Things & Sons",
                "logo": {"@type": "ImageObject", "url": f"{SITE}/logo.png", "width": 512},
                "sameAs": ["https://social.example.test/things"],
            },
        ]
    }


def _breadcrumb(number: int) -> dict[str, Any]:
    return {
        "@type": "BreadcrumbList",
        "itemListElement": [
            {
                "@type": "ListItem",
                "position": place,
                "name": f"Level {place}",
                "item": f"{SITE}/{place}",
            }
            for place in range(1, 3 + number % 3)
        ],
    }
