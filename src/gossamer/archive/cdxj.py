"""Lines of an index: where the answer of a page is, in the format CDXJ. Pure.

    org,example)/tea 20261101093000 {"url": "https://example.org/tea", "mime": "text/html", "status": "200", …}

Fields are those that pywb and other tools read. Two are ours: `at`, the moment to the microsecond, and `refers`, the
URL and moment of the answer whose body a revisit leaves out. The first line says which file the index is of.
"""

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Self

from gossamer.archive.exchange import ArchivePlace
from gossamer.archive.record import Record
from gossamer.archive.surt import surt
from gossamer.model import Url

HEAD: Final = "!meta 0 "
ANSWERS: Final = ("response", "revisit")
_REVISIT: Final = "warc/revisit"  # as all who write such lines call it


@dataclass(frozen=True, slots=True)
class IndexHead:
    """Which file an index is of; files that are closed never change."""

    file: str
    size: int

    @property
    def line(self) -> str:
        """The first line."""
        told = {"format": "cdxj", "generator": "gossamer", "filename": self.file, "size": self.size}
        return f"{HEAD}{json.dumps(told)}"


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """One answer in an archive: what it was, and where it is."""

    url: Url
    at: datetime
    status: int
    media_type: str  # "" where the answer did not say
    payload: str  # the digest of its body, `sha1:…`; "" for one without
    place: ArchivePlace
    refers: tuple[str, datetime] | None = None  # URL and moment of the answer that has the body

    @property
    def key(self) -> str:
        """Where it stands in the index."""
        return surt(self.url)

    @property
    def line(self) -> str:
        """The line of an index."""
        told: dict[str, object] = {
            "url": self.url,
            "mime": _REVISIT if self.refers else self.media_type or "unk",
            "status": str(self.status),
            "digest": self.payload or "-",
            "length": str(self.place.length),
            "offset": str(self.place.offset),
            "filename": self.place.file,
            "at": _written(self.at),
        }
        if self.refers:
            told["refers"] = [self.refers[0], _written(self.refers[1])]
        return f"{self.key} {self.at.astimezone(UTC):%Y%m%d%H%M%S} {json.dumps(told)}"

    @classmethod
    def of_line(cls, line: str) -> Self:
        """The answer that `line` wrote; raises `ValueError` for other lines."""
        try:
            told = json.loads(line.split(" ", 2)[2])
            refers = told.get("refers")
            return cls(
                Url(told["url"]),
                datetime.fromisoformat(told["at"]),
                int(told["status"]),
                "" if told["mime"] in (_REVISIT, "unk") else told["mime"],
                "" if told["digest"] == "-" else told["digest"],
                ArchivePlace(told["filename"], int(told["offset"]), int(told["length"])),
                (refers[0], datetime.fromisoformat(refers[1])) if refers else None,
            )
        except (LookupError, TypeError, AttributeError) as error:
            raise ValueError(f"not a line of an index of ours: {line[:80]!r}") from error

    @classmethod
    def all_of(cls, record: Record, place: ArchivePlace) -> Iterator[Self]:
        """The answer that a record holds, if it holds one and has all that records of ours have."""
        if record.url is not None and record.kind in ANSWERS:
            with suppress(LookupError, ValueError):
                yield cls._of_record(Url(record.url), record, place)

    @classmethod
    def _of_record(cls, url: Url, record: Record, place: ArchivePlace) -> Self:
        fields = record.fields
        refers = None
        if record.kind == "revisit":
            moment = datetime.fromisoformat(fields["warc-refers-to-date"])
            refers = (fields["warc-refers-to-target-uri"], moment)
        head = record.block.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
        words = head[0].split(" ", 2)
        return cls(
            url,
            datetime.fromisoformat(fields["warc-date"]),
            int(words[1]) if len(words) > 1 and words[1].isdigit() else 0,
            _media_type(head[1:]),
            fields.get("warc-payload-digest", ""),
            place,
            refers,
        )


def _media_type(lines: list[str]) -> str:
    for line in lines:
        name, _, value = line.partition(":")
        if name.lower() == "content-type":
            return value.partition(";")[0].strip().lower()
    return ""


def _written(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds")
