"""What one demo page is to say, and what came of it: the seam between world and formats.

`world.py` decides that a page exists, what it links to and in which format it is
written; `formats/` turns that into bytes and says which statements they hold.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from gossamer.model import Syntax, Url


class Format(StrEnum):
    """How a demo page is written."""

    HTML = "html"  # plain: a title and links
    RDFA = "rdfa"
    JSON_LD_IN_HTML = "jsonld-html"
    BROKEN_JSON_LD_IN_HTML = "jsonld-broken"
    MICRODATA = "microdata"
    MICROFORMATS = "microformats"
    OPEN_GRAPH = "opengraph"
    MIXED = "mixed"  # RDFa, JSON-LD, microdata and Open Graph on one page
    RSS = "rss"
    ATOM = "atom"
    JSON_LD = "jsonld"
    RDF_XML = "rdfxml"
    TURTLE = "turtle"
    N_TRIPLES = "ntriples"


@dataclass(frozen=True, slots=True)
class Anchor:
    """A link as the page shows it; in RDF formats an `rdfs:seeAlso`, in feeds an entry."""

    href: str  # as written on the page: absolute or relative
    label: str
    nofollow: bool = False


@dataclass(frozen=True, slots=True)
class PageSpec:
    """Everything a format needs to write one page."""

    url: Url
    number: int  # decides, alone, what thing the page describes and all that is said of it
    format: Format
    charset: (
        str  # "utf-8", "iso-8859-1", "windows-1252", "utf-16"… (HTML formats; the others are UTF-8)
    )
    anchors: tuple[Anchor, ...]
    robots_meta: str | None = None  # the content of <meta name="robots">
    edition: int = 0  # how often what is said of the thing has changed


@dataclass(frozen=True, slots=True)
class Rendered:
    """A page as it is served, and the statements a right extractor finds in it."""

    body: bytes
    content_type: str
    triples: Mapping[Syntax, frozenset[str]]  # N-Triples lines

    @property
    def statements(self) -> frozenset[str]:
        """All N-Triples lines of the page, each once; names of schema.org have one form."""
        return frozenset(
            line.replace("<https://schema.org/", "<http://schema.org/")
            for lines in self.triples.values()
            for line in lines
        )

    @property
    def quads(self) -> int:
        """How many distinct quads the page holds: a statement made twice counts once."""
        return len(self.statements)
