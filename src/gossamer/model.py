"""The values that phases hand on. Frozen and typed; phases import these, not each other."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

Url = NewType("Url", str)
"""A page's name: an http(s) URL in canonical form, without fragment and user info.

Made by `gossamer.urls.canonical`; a plain `str` is anything else.
"""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something may not go on: which rule said no, and a sentence for people."""

    rule: str  # a short stable word: "robots", "scope", "trap-length", "url-invalid"…
    why: str  # a sentence; never repeats user info or unprintable input


class Syntax(StrEnum):
    """The ways in which a page can say something; the words of `--only`."""

    RDFA = "rdfa"
    JSON_LD = "jsonld"
    MICRODATA = "microdata"
    MICROFORMATS = "microformats"
    OPEN_GRAPH = "opengraph"  # Open Graph, Twitter cards, Dublin Core and plain meta
    PAGE = "page"  # the page itself: title, description, language…
    RSS = "rss"
    ATOM = "atom"
    JSON_FEED = "jsonfeed"
    RDF_XML = "rdfxml"
    TURTLE = "turtle"
    N_TRIPLES = "ntriples"
    N_QUADS = "nquads"
    TRIG = "trig"
