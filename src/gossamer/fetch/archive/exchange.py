"""The values that go into the archive and come out of it. Pure."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from gossamer.fetch.archive.place import ArchivePlace
from gossamer.model import BodyState, Fetched, ResponseHead, Url


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
