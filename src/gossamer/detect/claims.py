"""What header and URL claim a document to be."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from gossamer.detect import kinds
from gossamer.detect.kinds import Family, family_of
from gossamer.model import Syntax


@dataclass(frozen=True, slots=True)
class Claim:
    """The claimed type of a document, and where the claim comes from."""

    media_type: str  # "" where there is none
    family: Family
    by_header: bool  # else by the end of the URL, which is worth less
    charset: str | None  # the label in the header
    suffix_type: str  # what the end of the URL alone stands for, or ""
    wanted: frozenset[Syntax] | None = None  # in HTML, no other syntaxes are looked for

    @property
    def source(self) -> str:
        """The source of the claim, in words for people."""
        return "the header says" if self.by_header else "the URL ends like"

    @property
    def is_open(self) -> bool:
        """Whether the content may decide: no other text, JSON or image was claimed."""
        if self.family is Family.UNKNOWN:
            return not self.media_type.startswith("text/")
        return self.family in (Family.HTML, Family.XML)


# Types that servers send for whatever they do not know.
_VAGUE: Final = frozenset(
    (
        *(
            "",
            kinds.PLAIN,
            kinds.BINARY,
            "binary/octet-stream",
            "application/unknown",
            "unknown/unknown",
        ),
        *("application/x-download", "application/download", "application/force-download"),
        *("application/x-unknown-content-type", "content/unknown", "application/x-octet-stream"),
    )
)
_SUFFIXES: Final = {
    **dict.fromkeys(("html", "htm"), kinds.HTML),
    **dict.fromkeys(("xhtml", "xht"), kinds.XHTML),
    **dict.fromkeys(("rdf", "rdfs", "owl"), kinds.RDF_XML),
    "xml": kinds.XML,
    "svg": kinds.SVG,
    "rss": "application/rss+xml",
    "atom": "application/atom+xml",
    "json": kinds.JSON,
    "jsonld": kinds.JSON_LD,
    "ttl": "text/turtle",
    "n3": "text/n3",
    "nt": "application/n-triples",
    "nq": "application/n-quads",
    "trig": "application/trig",
    "css": "text/css",
    **dict.fromkeys(("js", "mjs"), "text/javascript"),
    "pdf": "application/pdf",
    "zip": "application/zip",
    "png": "image/png",
    **dict.fromkeys(("jpg", "jpeg"), "image/jpeg"),
    "gif": "image/gif",
    "mp3": "audio/mpeg",
    "mp4": "video/mp4",
    "csv": "text/csv",
    "md": "text/markdown",
}
_TYPE: Final = re.compile(r"[!#$&^_.+a-z0-9-]{1,100}/[!#$&^_.+a-z0-9-]{1,100}")
_CHARSET: Final = re.compile(r"""[;,\s]charset\s*+=\s*+["']?([^\s;,"']{1,40})""", re.IGNORECASE)
_SUFFIX: Final = re.compile(
    r"(?:[A-Za-z][\w+.-]*://[^/?#]*)?+(?:[^?#]*/)?[^?#/]*\.([A-Za-z0-9]{1,8})(?:[?#]|$)"
)


def claim_of(url: str, content_type: str | None, wanted: frozenset[Syntax] | None = None) -> Claim:
    """The claim of a document with this URL and header."""
    header, charset = _header(content_type or "")
    suffix_type = _suffix_type(url)
    by_header = header not in _VAGUE or not suffix_type
    media_type = header if by_header else suffix_type
    return Claim(media_type, family_of(media_type), by_header, charset, suffix_type, wanted)


@lru_cache(maxsize=512)
def _header(content_type: str) -> tuple[str, str | None]:
    media_type = re.split("[;,]", content_type, maxsplit=1)[0].strip().lower()
    charset = _CHARSET.search(content_type)
    return (
        media_type if _TYPE.fullmatch(media_type) else "",
        charset[1] if charset else None,
    )


def _suffix_type(url: str) -> str:
    found = _SUFFIX.match(url)
    return _SUFFIXES.get(found[1].lower(), "") if found else ""
