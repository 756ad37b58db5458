"""Which of the formats that we have somebody wants: the Accept header (RFC 9110, 12.5.1). Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

ROWS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "application/sparql-results+json": "json",
        "application/json": "json",
        "application/sparql-results+xml": "xml",
        "application/xml": "xml",
        "text/xml": "xml",
        "text/csv": "csv",
        "text/tab-separated-values": "tsv",
    }
)
"""Media types of rows and of yes or no, and the names of their formats; the first is the usual."""
TRIPLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "text/turtle": "turtle",
        "application/n-triples": "ntriples",
        "application/rdf+xml": "rdfxml",
        "application/ld+json": "jsonld",
        "application/trig": "trig",
        "application/n-quads": "nquads",
        "text/n3": "n3",
        "application/json": "jsonld",
        "application/xml": "rdfxml",
    }
)
"""The same of triples."""
_RANGE: Final = re.compile(r"(?<![^\s;,/])([^\s;,/]++)/([^\s;,/]++)")
_Q: Final = re.compile(r";\s*q\s*=\s*(\d+(?:\.\d*)?|\.\d+)", re.IGNORECASE)


class Wanted(NamedTuple):
    """A media type that may be answered with, and the name of its format."""

    media_type: str
    format: str


class _Range(NamedTuple):
    """What an Accept header says of some media types."""

    kind: str
    subtype: str
    quality: float

    @property
    def exactness(self) -> int:
        return (self.kind != "*") + (self.subtype != "*")

    def covers(self, media_type: str) -> bool:
        kind, _, subtype = media_type.partition("/")
        return self.kind in ("*", kind) and self.subtype in ("*", subtype)


def wanted(accept: str | None, offers: Mapping[str, str]) -> Sequence[Wanted]:
    """The offers that somebody takes, the dearest first; all of them if nothing is said."""
    ranges = [*_ranges(accept or "*/*")] or [_Range("*", "*", 1.0)]
    qualities = {media_type: _quality(media_type, ranges) for media_type in offers}
    taken = [media_type for media_type in offers if qualities[media_type] > 0]
    taken.sort(key=lambda media_type: -qualities[media_type])  # and else in the order of offers
    return [Wanted(media_type, offers[media_type]) for media_type in taken]


def _ranges(accept: str) -> Iterator[_Range]:
    for part in accept.lower().split(","):
        if found := _RANGE.search(part):
            quality = _Q.search(part)
            yield _Range(found[1], found[2], min(float(quality[1]), 1.0) if quality else 1.0)


def _quality(media_type: str, ranges: Sequence[_Range]) -> float:
    """What the most exact range that covers a media type says of it."""
    covering = [each for each in ranges if each.covers(media_type)]
    best = max(covering, key=lambda each: (each.exactness, each.quality), default=None)
    return 0.0 if best is None else best.quality
