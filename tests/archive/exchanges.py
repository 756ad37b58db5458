"""Exchanges to archive, and archives read by others."""

import io
from collections.abc import Sequence
from contextlib import redirect_stderr
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from fastwarc.warc import ArchiveIterator as FastIterator
from warcio.archiveiterator import ArchiveIterator

from gossamer import config
from gossamer.archive.exchange import Exchange
from gossamer.archive.writer import Archive
from gossamer.model import BodyState, Fetched, Url

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
URL = Url("http://site.test/page")
REQUEST = (("Host", "site.test"), ("Accept", "*/*"), ("User-Agent", "gossamer"))
HTML = (("Content-Type", "text/html"),)


def fetched(body: bytes = b"<p>Hello", url: str = URL, **changed: Any) -> Fetched:
    usual = Fetched(
        url=Url(url),
        status=200,
        headers=HTML,
        body=body,
        body_state=BodyState.WHOLE,
        http_version="1.1",
        address="192.0.2.1",
        started_at=NOON,
        first_byte_at=NOON,
        finished_at=NOON + timedelta(seconds=1),
        request_headers=REQUEST,
    )
    return replace(usual, **changed)


def exchanges(*bodies: bytes) -> list[Exchange]:
    """One page each: http://site.test/0, /1, …"""
    return [
        Exchange(fetched(body, url=f"http://site.test/{number}"))
        for number, body in enumerate(bodies)
    ]


def archive_in(folder: Path, max_file_bytes: int = 1 << 30, node: str = "node") -> Archive:
    settings = config.Archive(max_file_bytes=max_file_bytes)
    return Archive(folder, settings, node=node, agent="gossamer/0", now=lambda: NOON)


def warcs(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.warc.gz"))


def names(folder: Path) -> list[str]:
    """Everything that lies in a folder."""
    return sorted(path.name for path in folder.iterdir())


@dataclass(frozen=True)
class Seen:
    """A record as another program reads it."""

    kind: str
    url: str | None
    fields: dict[str, str]
    status: str | None
    headers: list[tuple[str, str]]
    body: bytes


def seen_by_warcio(path: Path) -> list[Seen]:
    """Every record; each digest is checked, and whatever warcio complains of fails."""
    found, complaints = [], io.StringIO()
    with path.open("rb") as file, redirect_stderr(complaints):
        for record in ArchiveIterator(file, check_digests="raise"):
            body, head = record.raw_stream.read(), record.http_headers
            assert record.digest_checker.passed is not False
            assert record.digest_checker.passed or record.rec_type == "revisit"
            fields = dict(record.rec_headers.headers)
            found.append(
                Seen(
                    record.rec_type,
                    fields.get("WARC-Target-URI"),
                    fields,
                    head and head.statusline,
                    head.headers if head else [],
                    body,
                )
            )
    assert not complaints.getvalue()
    return found


def seen_by_fastwarc(path: Path) -> list[tuple[str | None, int, bool]]:
    """URL, offset and whether the digest is right, of every record."""
    with path.open("rb") as file:
        return [
            (
                record.headers.get("WARC-Target-URI"),
                record.stream_pos,
                record.verify_block_digest(),
            )
            for record in FastIterator(file, parse_http=False, auto_decode="none")
        ]


def answers(seen: Sequence[Seen]) -> dict[str | None, bytes]:
    return {each.url: each.body for each in seen if each.kind == "response"}
