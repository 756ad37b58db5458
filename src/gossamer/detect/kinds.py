"""The kinds of documents, and their media types."""

import re
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from typing import Final

from gossamer.model import Evidence, RootElement, Syntax


class Family(Enum):
    """How documents of a media type are read."""

    UNKNOWN = auto()  # nothing said, or nothing that helps: the content decides
    HTML = auto()
    XML = auto()
    JSON = auto()
    NOTATION = auto()  # Turtle and its relatives
    OPAQUE = auto()  # images, archives, scripts…: nothing for us, if it is so


@dataclass(frozen=True, slots=True)
class Kind:
    """What a document turned out to be, apart from its encoding."""

    media_type: str
    family: Family
    evidence: tuple[Evidence, ...] = ()
    root: RootElement | None = None
    skipped: str | None = None


HTML: Final = "text/html"
XHTML: Final = "application/xhtml+xml"
XML: Final = "application/xml"
SVG: Final = "image/svg+xml"
RDF_XML: Final = "application/rdf+xml"
JSON: Final = "application/json"
JSON_LD: Final = "application/ld+json"
JSON_FEED: Final = "application/feed+json"
PDF: Final = frozenset(("application/pdf", "application/x-pdf"))
PLAIN: Final = "text/plain"
BINARY: Final = "application/octet-stream"

MEDIA_TYPES: Final = {
    Syntax.TURTLE: "text/turtle",
    Syntax.N_TRIPLES: "application/n-triples",
    Syntax.N_QUADS: "application/n-quads",
    Syntax.TRIG: "application/trig",
}
NOTATIONS: Final = {
    **{media_type: syntax for syntax, media_type in MEDIA_TYPES.items()},
    "application/turtle": Syntax.TURTLE,
    "application/x-turtle": Syntax.TURTLE,
    "text/x-turtle": Syntax.TURTLE,
    # Notation 3 is Turtle and more; what is found on the web is nearly always just Turtle.
    "text/n3": Syntax.TURTLE,
    "text/rdf+n3": Syntax.TURTLE,
    "application/n3": Syntax.TURTLE,
    "text/ntriples": Syntax.N_TRIPLES,
    "text/x-ntriples": Syntax.N_TRIPLES,
    "text/nquads": Syntax.N_QUADS,
    "text/x-nquads": Syntax.N_QUADS,
    "application/x-trig": Syntax.TRIG,
    "text/trig": Syntax.TRIG,
}
_OPAQUE: Final = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"image/(?!svg\b)", "an image"),
        (r"audio/|application/ogg$", "sound"),
        (r"video/|application/(mp4|x-matroska|vnd\.apple\.mpegurl)$", "a video"),
        (r"font/|application/(x-)?(font-|vnd\.ms-fontobject)", "a font"),
        (r"application/(x-)?pdf$", "a PDF"),
        (r"application/postscript$", "a PostScript document"),
        (
            r"application/(msword|rtf|epub\+zip|vnd\.(ms-(excel|powerpoint|word)|oasis\.|"
            r"openxmlformats)|x-ole-storage)|text/rtf",
            "an office document",
        ),
        (
            r"application/(x-)?(zip|gzip|bzip2?|7z|rar|vnd\.rar|tar|xz|zstd|compress|java-archive)",
            "an archive",
        ),
        (r"application/(x-)?(executable|msdownload|dosexec|elf|wasm|java-vm|mach)", "a program"),
        (r"application/vnd\.sqlite3$", "a database"),
        (r"text/css$", "a stylesheet"),
        (r"(text|application)/(x-)?(javascript|ecmascript)$", "a script"),
    )
)


@lru_cache(maxsize=512)
def family_of(media_type: str) -> Family:
    """The family of a media type."""
    if media_type in (HTML, XHTML, "application/vnd.wap.xhtml+xml"):
        return Family.HTML
    if media_type.endswith(("/xml", "+xml")):
        return Family.XML
    if media_type.endswith(("/json", "+json")):
        return Family.JSON
    if media_type in NOTATIONS:
        return Family.NOTATION
    return Family.OPAQUE if in_words(media_type) else Family.UNKNOWN


@lru_cache(maxsize=512)
def in_words(media_type: str) -> str | None:
    """The common name of a type that is of no use to us; None for any other."""
    return next((words for pattern, words in _OPAQUE if pattern.match(media_type)), None)
