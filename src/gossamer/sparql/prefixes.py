"""Prefixes that queries may use without declaring them, and that answers are shortened by. Pure."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

PREFIXES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "article": "http://ogp.me/ns/article#",
        "as": "https://www.w3.org/ns/activitystreams#",
        "cc": "http://creativecommons.org/ns#",
        "dc": "http://purl.org/dc/elements/1.1/",
        "dcat": "http://www.w3.org/ns/dcat#",
        "dcterms": "http://purl.org/dc/terms/",
        "foaf": "http://xmlns.com/foaf/0.1/",
        "geo": "http://www.w3.org/2003/01/geo/wgs84_pos#",
        "gossamer": "urn:gossamer:",
        "gr": "http://purl.org/goodrelations/v1#",
        "http": "http://www.w3.org/2011/http#",
        "og": "http://ogp.me/ns#",
        "owl": "http://www.w3.org/2002/07/owl#",
        "product": "http://ogp.me/ns/product#",
        "prov": "http://www.w3.org/ns/prov#",
        "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
        "rdfa": "http://www.w3.org/ns/rdfa#",
        "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
        "rss": "http://purl.org/rss/1.0/",
        "schema": "http://schema.org/",
        "sioc": "http://rdfs.org/sioc/ns#",
        "skos": "http://www.w3.org/2004/02/skos/core#",
        "vcard": "http://www.w3.org/2006/vcard/ns#",
        "void": "http://rdfs.org/ns/void#",
        "xhv": "http://www.w3.org/1999/xhtml/vocab#",
        "xsd": "http://www.w3.org/2001/XMLSchema#",
    }
)
_NAMES: Final = {iri: prefix for prefix, iri in PREFIXES.items()}
# The namespace ends at the last of these; what follows has to be a name that needs no escapes.
_SPLIT: Final = re.compile(r"(.*[/#:])(\w(?:[\w.-]*\w)?)", re.ASCII | re.DOTALL)


def shortened(iri: str) -> str:
    """`schema:name` for an IRI of a namespace that we know; else the IRI itself."""
    parts = _SPLIT.fullmatch(iri)
    prefix = None if parts is None else _NAMES.get(parts[1])
    return iri if parts is None or prefix is None else f"{prefix}:{parts[2]}"
