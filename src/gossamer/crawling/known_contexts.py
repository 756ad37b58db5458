"""Contexts and vocabularies that everybody uses: they are asked for whoever names them. Pure.

Whole addresses, not hosts: `w3id.org` and `purl.org` lead wherever somebody had them lead, and a
page could name a million addresses there.
"""

import re
from typing import Final

from gossamer.transform.jsonld.schema_org import is_schema_org

_SCHEME: Final = re.compile(r"https?://(?:www\.)?")

_ADDRESSES: Final = """
    doi.org/10.5063/schema/codemeta-2.0
    geojson.org/geojson-ld/geojson-context.jsonld
    iiif.io/api/auth/1/context.json
    iiif.io/api/image/2/context.json
    iiif.io/api/image/3/context.json
    iiif.io/api/presentation/2/context.json
    iiif.io/api/presentation/3/context.json
    json-ld.org/contexts/person.jsonld
    json-ld.org/contexts/place.jsonld
    linked.art/ns/v1/linked-art.json
    ogp.me/ns
    openbadgespec.org/v2/context.json
    project-open-data.cio.gov/v1.1/schema/catalog.jsonld
    purl.imsglobal.org/spec/ob/v3p0/context.json
    purl.org/dc/elements/1.1
    purl.org/dc/terms
    purl.org/goodrelations/v1
    rdfs.org/sioc/ns
    raw.githubusercontent.com/codemeta/codemeta/2.0/codemeta.jsonld
    uri.etsi.org/ngsi-ld/v1/ngsi-ld-core-context.jsonld
    w3.org/1999/02/22-rdf-syntax-ns
    w3.org/2000/01/rdf-schema
    w3.org/2002/07/owl
    w3.org/2004/02/skos/core
    w3.org/2006/vcard/ns
    w3.org/2013/json-ld-context/rdfa11
    w3.org/2018/credentials/v1
    w3.org/2019/wot/td/v1
    w3.org/2022/wot/td/v1.1
    w3.org/ns/activitystreams
    w3.org/ns/anno.jsonld
    w3.org/ns/controller/v1
    w3.org/ns/credentials/v2
    w3.org/ns/csvw
    w3.org/ns/csvw.jsonld
    w3.org/ns/dcat
    w3.org/ns/did/v1
    w3.org/ns/dqv
    w3.org/ns/hydra/context.jsonld
    w3.org/ns/hydra/core
    w3.org/ns/ldp
    w3.org/ns/md
    w3.org/ns/odrl.jsonld
    w3.org/ns/org
    w3.org/ns/prov
    w3.org/ns/rdfa
    w3.org/ns/shacl
    w3.org/ns/solid/terms
    w3id.org/codemeta/3.0
    w3id.org/did/v1
    w3id.org/identity/v1
    w3id.org/ro/crate/1.0/context
    w3id.org/ro/crate/1.1/context
    w3id.org/ro/crate/1.2/context
    w3id.org/security/data-integrity/v1
    w3id.org/security/data-integrity/v2
    w3id.org/security/suites/ed25519-2020/v1
    w3id.org/security/v1
    w3id.org/security/v2
    xmlns.com/foaf/0.1
"""
WELL_KNOWN: Final = frozenset(_ADDRESSES.split())


def is_well_known(address: str) -> bool:
    """Whether an address is that of a context or vocabulary which everybody uses."""
    if is_schema_org(address):
        return True
    bare = _SCHEME.sub("", address.partition("#")[0], count=1)
    return bare.removesuffix("/") in WELL_KNOWN
