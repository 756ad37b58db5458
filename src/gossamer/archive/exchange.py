"""The values that go into the archive and come out of it, and where a record is kept. Pure."""

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final, Self

from gossamer.model import BodyState, Fetched, ResponseHead, Url

# Never a path: what a row says must not lead out of the archive's folder.
FILE_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\.warc\.gz", re.ASCII)
_PLACE: Final = re.compile(rf"({FILE_NAME.pattern}):([0-9]{{1,18}}):([0-9]{{1,18}})", re.ASCII)


@dataclass(frozen=True, slots=True)
class ArchivePlace:
    """One packed record: which file, where it begins, how many bytes it takes there."""

    file: str
    offset: int
    length: int

    def __str__(self) -> str:
        return f"{self.file}:{self.offset}:{self.length}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """The place that `str` wrote."""
        parts = _PLACE.fullmatch(text)
        if not parts:
            raise ValueError(f"not a place in an archive: {text!r}")
        return cls(parts[1], int(parts[2]), int(parts[3]))


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request and its answer, to be kept."""

    fetched: Fetched
    earlier: ArchivePlace | None = None  # the answer that the page's row points to, if any


class Profile(StrEnum):
    """Why a record can do without a body: the names that the standard gives."""

    NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
    IDENTICAL = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"


@dataclass(frozen=True, slots=True)
class Revisit:
    """Which earlier answer holds the body that a record leaves out."""

    profile: Profile
    url: Url
    at: datetime


@dataclass(frozen=True, slots=True)
class Archived(ResponseHead):
    """An answer as it was kept: the headers and the body are those that `Fetched` had."""

    body: bytes  # as received; empty in a revisit
    body_state: BodyState
    http_version: str
    address: str | None
    at: datetime  # when the request began
    record_id: str  # `<urn:uuid:…>`
    payload_digest: str  # `sha1:…`, of the body that a revisit refers to
    revisit: Revisit | None = None
