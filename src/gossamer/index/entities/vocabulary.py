"""Which predicates name, describe, picture and identify things, most telling first. Pure."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from gossamer.sparql.prefixes import PREFIXES
from gossamer.vocabulary.hierarchy import SCHEMA, SECURE_SCHEMA

RDF_TYPE: Final = f"{PREFIXES['rdf']}type"
_ALSO: Final = {
    "bibo": "http://purl.org/ontology/bibo/",
    "book": "http://ogp.me/ns/book#",
    "content": "http://purl.org/rss/1.0/modules/content/",
    "doap": "http://usefulinc.com/ns/doap#",
    "prism": "http://prismstandard.org/namespaces/basic/2.0/",
    "twitter": "https://dev.twitter.com/cards/markup#",
}


def spellings(names: str) -> Iterator[tuple[str, ...]]:
    """The IRIs of prefixed names; schema.org has two of each."""
    for name in names.split():
        prefix, _, local = name.partition(":")
        if prefix == "schema":
            yield SCHEMA + local, SECURE_SCHEMA + local
        else:
            yield ((PREFIXES.get(prefix) or _ALSO[prefix]) + local,)


def ranked(names: str) -> Mapping[str, int]:
    """IRI to its place in the order."""
    return MappingProxyType(
        {iri: rank for rank, iris in enumerate(spellings(names)) for iri in iris}
    )


def all_of(names: str) -> frozenset[str]:
    """The IRIs, in no order."""
    return frozenset(iri for iris in spellings(names) for iri in iris)


LABEL_ORDER: Final = """
schema:name foaf:name rdfs:label skos:prefLabel dcterms:title dc:title schema:headline og:title
vcard:fn rss:title as:name gr:name doap:name schema:title twitter:title
"""
OTHER_NAME_ORDER: Final = """
schema:alternateName skos:altLabel schema:legalName dcterms:alternative schema:alternativeHeadline
foaf:nick vcard:nickname schema:givenName schema:familyName foaf:givenName foaf:firstName
foaf:familyName foaf:lastName vcard:given-name vcard:family-name
"""
DESCRIPTION_ORDER: Final = """
schema:description dcterms:description og:description rdfs:comment skos:definition
schema:disambiguatingDescription schema:abstract dcterms:abstract dc:description vcard:note
rss:description as:summary twitter:description gr:description doap:shortdesc doap:description
schema:reviewBody schema:text schema:articleBody schema:caption content:encoded as:content
"""
IMAGE_ORDER: Final = """
schema:image foaf:img schema:photo schema:logo foaf:logo og:image og:image:secure_url og:image:url
vcard:hasPhoto vcard:photo vcard:hasLogo as:icon as:image schema:thumbnailUrl twitter:image
twitter:image:src foaf:thumbnail foaf:depiction
"""
LABELS: Final = ranked(LABEL_ORDER)
NAMES: Final = ranked(LABEL_ORDER + OTHER_NAME_ORDER)
"""Labels, and what is a name all the same: it is found, and shown where there is no label."""
DESCRIPTIONS: Final = ranked(DESCRIPTION_ORDER)
IMAGES: Final = ranked(IMAGE_ORDER)

CODES: Final = all_of("""
schema:priceCurrency schema:currency schema:currenciesAccepted schema:addressCountry
schema:postalCode schema:inLanguage schema:encodingFormat schema:fileFormat schema:contentSize
schema:sku schema:mpn schema:identifier schema:availability schema:itemCondition schema:url
schema:telephone schema:faxNumber schema:email schema:sameAs schema:unitCode schema:version
dcterms:language dcterms:format dcterms:identifier dcterms:type dc:language dc:format dc:identifier
og:type og:locale og:url og:image:type og:determiner twitter:card twitter:site twitter:creator
rss:link vcard:postal-code foaf:mbox_sha1sum
""")
"""What is for machines, even where it looks like a word: `EUR`, `en`, `website`."""

GIVEN_NAMES: Final = all_of(
    "schema:givenName foaf:givenName foaf:firstName foaf:givenname vcard:given-name"
)
FAMILY_NAMES: Final = all_of(
    "schema:familyName foaf:familyName foaf:lastName foaf:family_name vcard:family-name"
)
