"""Archived copies as text: unpacked and decoded within limits, and never taken apart any further."""

import codecs
import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from gossamer.detect.encoding import certain, html_encoding, unicode_encoding
from gossamer.detect.labels import REPLACEMENT
from gossamer.errors import ArchiveError
from gossamer.fetch.archive.exchange import Archived
from gossamer.fetch.archive.place import ArchivePlace
from gossamer.fetch.archive.reading import read_record
from gossamer.fetch.decode import decode

MOST_BYTES: Final = 2 * 1024 * 1024
HTML: Final = ("text/html", "application/xhtml+xml")
_CHARSET: Final = re.compile(r"""charset\s*=\s*["']?([^\s;"']+)""", re.IGNORECASE)
_TEXT: Final = re.compile(
    r"text/|.*[/+](?:json|xml|javascript|turtle|n-triples|n-quads|trig|yaml)$"
)


@dataclass(frozen=True, slots=True)
class Copy:
    """What was received, and when."""

    record: Archived
    at: datetime
    media_type: str | None
    size: int  # bytes, unpacked, of what is shown
    text: str | None  # None where it is no text
    is_cut: bool

    @property
    def is_html(self) -> bool:
        """Whether a browser would show it as a page."""
        return self.media_type in HTML


def copy_at(folder: Path, place: str) -> Copy:
    """The copy at a place of the archive; raises `ArchiveError`."""
    try:
        record = read_record(folder, ArchivePlace.parse(place))
    except ValueError:
        raise ArchiveError(f"{place!r} is no place in the archive.") from None
    decoded = decode(record.body, record.content_encoding, MOST_BYTES)
    return Copy(
        record=record,
        at=record.at,
        media_type=record.media_type,
        size=len(decoded.body),
        text=text_of(decoded.body, record.header("content-type"), record.url),
        is_cut=decoded.cause is not None,
    )


def text_of(body: bytes, content_type: str | None, url: str) -> str | None:
    """The body as text, in the encoding that its sender meant; None where it is none."""
    media_type = (content_type or "").partition(";")[0].strip().lower()
    if media_type in HTML or not media_type:
        charset = _CHARSET.search(content_type or "")
        encoding = certain(body, charset and charset[1]) or html_encoding(body, url)
    elif _TEXT.match(media_type):
        charset = _CHARSET.search(content_type or "")
        encoding = certain(body, charset and charset[1]) or unicode_encoding(body)
    else:
        return None
    if not media_type and b"\0" in body[:1024]:
        return None
    codec = "utf-8" if encoding.codec == REPLACEMENT else encoding.codec
    return codecs.decode(body, codec, "replace").removeprefix("\ufeff")
