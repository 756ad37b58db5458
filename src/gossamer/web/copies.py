"""Archived copies: decoded to text within limits, and parsed again in a killable process."""

import codecs
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from gossamer.archive.exchange import Archived, ArchivePlace
from gossamer.archive.reading import read_record
from gossamer.config import Transform
from gossamer.detect.encoding import certain, html_encoding, unicode_encoding
from gossamer.detect.labels import REPLACEMENT
from gossamer.errors import ArchiveError
from gossamer.fetch.decode import decode
from gossamer.model import Link, Problem
from gossamer.reading.jobs import PageJob
from gossamer.reading.page_pool import TransformPool

MOST_BYTES: Final = 2 * 1024 * 1024
HTML: Final = ("text/html", "application/xhtml+xml")
TIME: Final = timedelta(seconds=5)
MOST_LINKS: Final = 300
MOST_DECODED: Final = 16 * 1024 * 1024
_CHARSET: Final = re.compile(r"""charset\s*=\s*["']?([^\s;"']+)""", re.IGNORECASE)
_TEXT: Final = re.compile(
    r"text/|.*[/+](?:json|xml|javascript|turtle|n-triples|n-quads|trig|yaml)$"
)


@dataclass(frozen=True, slots=True)
class Copy:
    """An archived response: its URL, time, headers and body."""

    record: Archived
    at: datetime
    media_type: str | None
    size: int  # bytes, unpacked, of what is shown
    text: str | None  # None where it is no text
    is_cut: bool

    @property
    def is_html(self) -> bool:
        """Whether a browser would show the copy as a page."""
        return self.media_type in HTML


def copy_at(folder: Path, place: str) -> Copy:
    """Read the copy at a location of the archive; raises `ArchiveError`."""
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
    """The body of a copy as text, in its own encoding; None if it is not text."""
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


@dataclass(frozen=True, slots=True)
class Reread:
    """The links and quad counts of a copy, parsed without fetching contexts."""

    links: Sequence[Link]
    quads: Mapping[str, int]  # by syntax
    problems: Sequence[Problem]


async def reread(record: Archived) -> Reread:
    """Parse a copy again."""
    limits = Transform(time_limit=TIME)
    job = PageJob(
        record.url,
        record.body,
        record.header("content-type"),
        record.content_encoding,
        options=limits,
        max_decoded_bytes=MOST_DECODED,
        max_links=MOST_LINKS,
    )
    async with TransformPool(limits, workers=1) as pool:
        whole = await pool.run(job)
        quads = {}
        for syntax in whole.syntaxes:
            alone = replace(job, options=replace(limits, only=(syntax.value,)), find_links=False)
            quads[syntax.value] = (await pool.run(alone)).count
    return Reread(whole.links, quads, whole.problems)
