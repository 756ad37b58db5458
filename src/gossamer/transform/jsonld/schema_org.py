"""The schema.org context in a small form of our own.

Its context names some 2,700 terms, but nearly all of them say no more than its `@vocab` does.
What is left are the properties whose plain strings are IRIs or dates, two aliases of keywords,
and prefixes. A block gets a context with those of them that it uses.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from gossamer.transform.terms import RDF, RDFS, XSD

SCHEMA: Final = "http://schema.org/"
"""The namespace, also of pages that write https: the context itself says so."""

WHOLE: Final = "https://schema.org/docs/jsonldcontext.jsonld"
"""Where the context itself is, with all its terms."""

# Every way to write its address that leads to the same document.
_ADDRESS: Final = re.compile(
    r"https?://(?:www\.)?schema\.org/?"
    r"(?:#|docs/jsonldcontext\.json(?:ld)?|version/[a-z0-9.]+/schemaorgcontext\.jsonld)?",
    re.IGNORECASE,
)

_IRIS: Final = """
    acquireLicensePage actionableFeedbackPolicy afterMedia archivedAt associatedDisease
    beforeMedia benefitsSummaryUrl codeRepository colleague colorSwatch constraintProperty
    contentUrl correctionsPolicy discussionUrl diseasePreventionInfo diseaseSpreadStatistics
    diversityPolicy diversityStaffingReport documentation downloadUrl duringMedia embedUrl
    ethicsPolicy gameLocation gettingTestedInfo hasGS1DigitalLink hasMap hasMolecularFunction
    healthPlanMarketingUrl image inCodeSet inDefinedTermSet installUrl isBasedOn isBasedOnUrl
    isInvolvedInBiologicalProcess isLocatedInSubcellularLocation isPartOf labelDetails
    layoutImage license logo mainEntityOfPage map maps masthead merchantReturnLink
    missionCoveragePrioritiesPolicy newsUpdatesAndGuidelines noBylinesPolicy originalMediaLink
    paymentUrl prescribingInfo productReturnLink publicTransportClosuresInfo
    publishingPrinciples quarantineGuidelines relatedLink replyToUrl sameAs schoolClosuresInfo
    screenshot sdLicense season serviceUrl shippingSettingsLink significantLink
    significantLinks speakable target targetUrl thumbnailUrl tourBookingPage trackingUrl
    travelBans unnamedSourcesPolicy url usageInfo verificationFactCheckingPolicy webFeed
"""
IRI_PROPERTIES: Final = frozenset(_IRIS.split())
"""Properties whose strings are IRIs: their range has URL and not Text."""

_DATES: Final = """
    applicationStartDate auditDate availabilityEnds availabilityStarts birthDate commentTime
    dateCreated dateDeleted dateIssued dateModified datePosted datePublished dateRead
    dateVehicleFirstRegistered deathDate dissolutionDate endDate exceptDate
    expectedArrivalFrom expectedArrivalUntil expires foundingDate guidelineDate lastReviewed
    legislationDate legislationDateVersion merchantReturnDays modelDate orderDate
    paymentDueDate previousStartDate priceValidUntil productionDate purchaseDate releaseDate
    scheduledPaymentDate scheduledTime sdDatePublished startDate uploadDate validFrom
    validThrough validUntil vehicleModelDate
"""
DATE_PROPERTIES: Final = frozenset(_DATES.split())
"""Properties whose strings are `schema:Date`, with a time or without: that is all it knows."""

PREFIXES: Final = MappingProxyType(
    {
        "brick": "https://brickschema.org/schema/Brick#",
        "csvw": "http://www.w3.org/ns/csvw#",
        "dc": "http://purl.org/dc/elements/1.1/",
        "dcam": "http://purl.org/dc/dcam/",
        "dcat": "http://www.w3.org/ns/dcat#",
        "dcmitype": "http://purl.org/dc/dcmitype/",
        "dct": "http://purl.org/dc/terms/",
        "dcterms": "http://purl.org/dc/terms/",
        "dctype": "http://purl.org/dc/dcmitype/",
        "doap": "http://usefulinc.com/ns/doap#",
        "foaf": "http://xmlns.com/foaf/0.1/",
        "odrl": "http://www.w3.org/ns/odrl/2/",
        "org": "http://www.w3.org/ns/org#",
        "owl": "http://www.w3.org/2002/07/owl#",
        "prof": "http://www.w3.org/ns/dx/prof/",
        "prov": "http://www.w3.org/ns/prov#",
        "qb": "http://purl.org/linked-data/cube#",
        "rdf": RDF,
        "rdfs": RDFS,
        "schema": SCHEMA,
        "sh": "http://www.w3.org/ns/shacl#",
        "skos": "http://www.w3.org/2004/02/skos/core#",
        "sosa": "http://www.w3.org/ns/sosa/",
        "ssn": "http://www.w3.org/ns/ssn/",
        "time": "http://www.w3.org/2006/time#",
        "vann": "http://purl.org/vocab/vann/",
        "void": "http://rdfs.org/ns/void#",
        "xml": "http://www.w3.org/XML/1998/namespace",
        "xsd": XSD,
    }
)

Definition = str | Mapping[str, str]

TERMS: Final[Mapping[str, Definition]] = MappingProxyType(
    {
        "type": "@type",
        "id": "@id",
        "HTML": {"@id": f"{RDF}HTML"},
        **PREFIXES,
        **{name: {"@type": "@id"} for name in IRI_PROPERTIES},
        **{name: {"@type": f"{SCHEMA}Date"} for name in DATE_PROPERTIES},
    }
)
"""Each term of which the context says more than `@vocab` does."""

_NAMES: Final = frozenset(TERMS)
# A term is a whole string; a prefix is the beginning of one, up to its colon.
_WORD: Final = re.compile(r'"([A-Za-z][A-Za-z0-9]*)[":]')


@lru_cache(maxsize=1024)
def is_schema_org(address: str) -> bool:
    """Whether a context's address is that of schema.org."""
    return _ADDRESS.fullmatch(address) is not None


def context_for(text: str) -> dict[str, Definition]:
    """The smallest context that a block needs, by its JSON text. Do not modify it."""
    return _context(_NAMES.intersection(_WORD.findall(text)))


@lru_cache(maxsize=1024)  # pages of one site use the same few sets of terms
def _context(terms: frozenset[str]) -> dict[str, Definition]:
    return {"@vocab": SCHEMA, **{term: TERMS[term] for term in sorted(terms)}}


def whole_context() -> dict[str, Definition]:
    """The context with all its terms. Do not modify it."""
    return _context(_NAMES)
