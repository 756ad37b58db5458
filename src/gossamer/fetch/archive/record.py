"""WARC records as bytes, and back again. Pure.

Digests are SHA-1 in base 32: it is what indexers of archives compare, and what they show.
Nothing of ours relies on it against forgery; equal bodies are found by comparing them.
"""

import base64
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Final
from uuid import uuid4

VERSION: Final = b"WARC/1.1\r\n"
_END: Final = b"\r\n\r\n"

Fields = Iterable[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Record:
    """One record: its named fields, by their names in small letters, and its block."""

    fields: Mapping[str, str]
    block: bytes

    @property
    def kind(self) -> str:
        """`response`, `request`, `revisit`, `warcinfo`."""
        return self.fields.get("warc-type", "")

    @property
    def url(self) -> str | None:
        """The page it speaks of."""
        return self.fields.get("warc-target-uri")

    @property
    def record_id(self) -> str:
        """Its own name."""
        return self.fields.get("warc-record-id", "")

    @property
    def warcinfo_id(self) -> str | None:
        """The record at the head of its file: nobody outside can know that name."""
        return self.record_id if self.kind == "warcinfo" else self.fields.get("warc-warcinfo-id")


def new_record_id() -> str:
    """A name that no other record has."""
    return f"<{uuid4().urn}>"


def digest(data: bytes) -> str:
    """The digest of a block or a payload."""
    return f"sha1:{base64.b32encode(hashlib.sha1(data, usedforsecurity=False).digest()).decode()}"


def warc_date(moment: datetime) -> str:
    """A moment to the microsecond, which WARC 1.1 has and 1.0 had not."""
    utc = moment.astimezone(UTC).replace(tzinfo=None)
    return f"{utc.isoformat(timespec='microseconds')}Z"


def composed(fields: Fields, block: bytes) -> bytes:
    """The bytes of a record; its length and the digest of its block are added."""
    whole = (*fields, ("WARC-Block-Digest", digest(block)), ("Content-Length", str(len(block))))
    head = "".join([f"{name}: {value}\r\n" for name, value in whole])
    if not head.count("\n") == head.count("\r") == len(whole):
        raise ValueError("a field of a WARC record is one line")
    return b"".join((VERSION, head.encode(), b"\r\n", block, _END))


def parsed(data: bytes) -> Record | None:
    """The record that these bytes are; None where they are not exactly one."""
    head, blank, rest = data.partition(b"\r\n\r\n")
    if not (data.startswith(VERSION) and blank and rest.endswith(_END)):
        return None
    lines = head.decode(errors="replace").split("\r\n")[1:]
    named = (line.partition(":") for line in lines)
    fields = {name.strip().lower(): value.strip() for name, _, value in named}
    if fields.get("content-length") != str(len(rest) - len(_END)):
        return None
    return Record(MappingProxyType(fields), rest[: -len(_END)])
