"""The initial contexts of RDFa 1.1: prefixes and terms that a page need not declare.

From http://www.w3.org/2011/rdfa-context/rdfa-1.1 and …/xhtml-rdfa-1.1. The HTML context adds
nothing to the first, so `rel="next"` says something in XHTML 1 alone.

`USUAL_PREFIXES` and `SCHEMES` are not of the specification: real pages use prefixes that they do
not declare, and by the letter each of those is the scheme of an IRI.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from gossamer.transform.terms import RDF, RDFS, XSD

RDFA: Final = "http://www.w3.org/ns/rdfa#"
XHV: Final = "http://www.w3.org/1999/xhtml/vocab#"
DCTERMS: Final = "http://purl.org/dc/terms/"
OWL: Final = "http://www.w3.org/2002/07/owl#"

PREFIXES: Final[Mapping[str, str]] = MappingProxyType(
    {
        # Vocabularies of the W3C.
        "as": "https://www.w3.org/ns/activitystreams#",
        "csvw": "http://www.w3.org/ns/csvw#",
        "dcat": "http://www.w3.org/ns/dcat#",
        "dqv": "http://www.w3.org/ns/dqv#",
        "duv": "https://www.w3.org/ns/duv#",
        "grddl": "http://www.w3.org/2003/g/data-view#",
        "jsonld": "http://www.w3.org/ns/json-ld#",
        "ldp": "http://www.w3.org/ns/ldp#",
        "ma": "http://www.w3.org/ns/ma-ont#",
        "oa": "http://www.w3.org/ns/oa#",
        "odrl": "http://www.w3.org/ns/odrl/2/",
        "org": "http://www.w3.org/ns/org#",
        "owl": OWL,
        "prov": "http://www.w3.org/ns/prov#",
        "qb": "http://purl.org/linked-data/cube#",
        "rdf": RDF,
        "rdfa": RDFA,
        "rdfs": RDFS,
        "rif": "http://www.w3.org/2007/rif#",
        "rr": "http://www.w3.org/ns/r2rml#",
        "sd": "http://www.w3.org/ns/sparql-service-description#",
        "skos": "http://www.w3.org/2004/02/skos/core#",
        "skosxl": "http://www.w3.org/2008/05/skos-xl#",
        "sosa": "http://www.w3.org/ns/sosa/",
        "ssn": "http://www.w3.org/ns/ssn/",
        "time": "http://www.w3.org/2006/time#",
        "void": "http://rdfs.org/ns/void#",
        "wdr": "http://www.w3.org/2007/05/powder#",
        "wdrs": "http://www.w3.org/2007/05/powder-s#",
        "xhv": XHV,
        "xml": "http://www.w3.org/XML/1998/namespace",
        "xsd": XSD,
        # Vocabularies in wide use.
        "cc": "http://creativecommons.org/ns#",
        "ctag": "http://commontag.org/ns#",
        "dc": DCTERMS,
        "dc11": "http://purl.org/dc/elements/1.1/",
        "dcterms": DCTERMS,
        "foaf": "http://xmlns.com/foaf/0.1/",
        "gr": "http://purl.org/goodrelations/v1#",
        "ical": "http://www.w3.org/2002/12/cal/icaltzd#",
        "og": "http://ogp.me/ns#",
        "rev": "http://purl.org/stuff/rev#",
        "schema": "http://schema.org/",
        "sioc": "http://rdfs.org/sioc/ns#",
        "v": "http://rdf.data-vocabulary.org/#",
        "vcard": "http://www.w3.org/2006/vcard/ns#",
        # What a CURIE without a prefix means (`:next`).
        "": XHV,
    }
)

USUAL_PREFIXES: Final[Mapping[str, str]] = MappingProxyType(
    {
        **{
            name: f"http://ogp.me/ns/{name}#"
            for name in (
                "article",
                "book",
                "books",
                "business",
                "fb",
                "fitness",
                "game",
                "music",
                "object",
                "place",
                "product",
                "profile",
                "restaurant",
                "video",
                "website",
            )
        },
        "bibo": "http://purl.org/ontology/bibo/",
        "content": "http://purl.org/rss/1.0/modules/content/",
        "dbo": "http://dbpedia.org/ontology/",
        "dbpedia": "http://dbpedia.org/resource/",
        "dcmitype": "http://purl.org/dc/dcmitype/",
        "dct": DCTERMS,
        "doap": "http://usefulinc.com/ns/doap#",
        "geo": "http://www.w3.org/2003/01/geo/wgs84_pos#",
        "geosparql": "http://www.opengis.net/ont/geosparql#",
        "gn": "http://www.geonames.org/ontology#",
        "op": "http://media.facebook.com/op#",
        "rnews": "http://iptc.org/std/rNews/2011-10-07#",
        "rss": "http://purl.org/rss/1.0/",
        "sioct": "http://rdfs.org/sioc/types#",
    }
)
"""What prefixes mean on pages that use them without declaring them, unless reading is strict."""

READ_ELSEWHERE: Final = frozenset(("twitter",))
"""Undeclared prefixes that `opengraph.py` reads, where values have kinds: here they say nothing."""

_SCHEMES: Final = (
    "about acct ark bitcoin cid data did doi dns file ftp ftps gopher hdl http https im info ipfs ipns "
    "irc ircs isbn jabber javascript ldap ldaps magnet mailto mid news ni nntp oid orcid pkcs11 pmid "
    "rtsp sftp sip sips skype sms ssh svn tag tel telnet uri urn uuid view-source ws wss xmpp"
)
SCHEMES: Final = frozenset(_SCHEMES.split())
"""Schemes of IRIs that need no `//`: an undeclared prefix that is none of them is a mistake."""

TERMS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "describedby": "http://www.w3.org/2007/05/powder-s#describedby",
        "license": f"{XHV}license",
        "role": f"{XHV}role",
    }
)

_XHTML_WORDS: Final = (
    "alternate appendix bookmark cite chapter contents copyright first glossary help icon index "
    "last meta next p3pv1 prev previous section start stylesheet subsection top up"
)
XHTML_TERMS: Final[Mapping[str, str]] = MappingProxyType(
    {**TERMS, **{word: f"{XHV}{word}" for word in _XHTML_WORDS.split()}}
)
