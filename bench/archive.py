"""Writing an archive, beside warcio's writer.

Both write the same exchanges: a response and its request each, digests, one gzip member a
record. Bodies are of three kinds: small pages, pages of about 15 KB, and the same pages as
servers send them, compressed. Ours is measured as it is used, in batches that are on disk
when the call returns; warcio has no such promise, so its file is synced once, at the end.
warcio compresses at its own level (9) first, then at ours, so that the ratios do not live
by the level alone. Reading one record by its place is timed beside it. Seconds of the
processor are told beside those of the wall, which a busy disk makes long.
"""

import argparse
import gzip
import io
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import IO

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from gossamer import config
from gossamer.archive.exchange import ArchivePlace, Exchange
from gossamer.archive.reading import read_record
from gossamer.archive.record import LEVEL, pack
from gossamer.archive.writer import Archive
from gossamer.model import BodyState, Fetched, Url

BATCH = 100
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
REQUEST = (
    ("Host", "shop.test"),
    ("User-Agent", "gossamer/0.1.0 (+https://example.org/bot)"),
    ("Accept-Encoding", "gzip, deflate, br"),
    ("Accept", "text/turtle, application/ld+json, text/html;q=0.9, */*;q=0.1"),
)
KINDS = (("small", 1500, False), ("page", 15_000, False), ("packed_page", 15_000, True))


class Writer(WARCWriter):  # type: ignore[misc]  # warcio brings no types
    """As warcio has it, but with a buffer that needs no closing: its own is left open."""

    _create_temp_file = staticmethod(io.BytesIO)


class LevelWriter(Writer):
    """warcio's records, packed at our level."""

    def _write_warc_record(self, out: IO[bytes], record: object) -> None:
        plain = io.BytesIO()
        super()._write_warc_record(plain, record)
        out.write(pack(plain.getvalue()))


def made_page(size: int, chance: random.Random) -> bytes:
    """HTML of the kind a shop has: words in a few hundred forms, links, attributes."""
    words = [f"{chance.choice('bcdfgklmnprst')}{chance.randrange(400):x}o" for _ in range(400)]
    parts, length = ["<!doctype html><html><title>A page</title><body>"], 0
    while length < size:
        text = " ".join(chance.choices(words, k=12))
        parts.append(f'<p class="item"><a href="/{chance.choice(words)}">{text}</a></p>\n')
        length += len(parts[-1])
    return "".join(parts).encode()[:size]


def made(count: int, size: int, is_packed: bool) -> list[Exchange]:
    chance, exchanges = random.Random(size), []
    pages = [made_page(size, chance) for _ in range(50)]
    for number in range(count):
        body = pages[number % len(pages)] + b"<!-- %d -->" % number
        body = gzip.compress(body, 6) if is_packed else body
        coding = (("Content-Encoding", "gzip"),) if is_packed else ()
        headers = (
            ("Date", "Thu, 01 Jan 2026 12:00:00 GMT"),
            ("Server", "nginx"),
            ("Content-Type", "text/html; charset=utf-8"),
            *coding,
            ("Content-Length", str(len(body))),
            ("ETag", f'"{number:x}"'),
        )
        at = NOON + timedelta(milliseconds=number)
        url = Url(f"http://shop.test/page/{number}")
        whole = BodyState.WHOLE
        fetched = Fetched(url, 200, headers, body, whole, "1.1", "192.0.2.1", at, at, at, REQUEST)
        exchanges.append(Exchange(fetched))
    return exchanges


def write_ours(folder: Path, exchanges: Sequence[Exchange]) -> list[ArchivePlace]:
    places = []
    with Archive(folder, config.Archive(), node="bench") as archive:
        for start in range(0, len(exchanges), BATCH):
            places += archive.write(exchanges[start : start + BATCH])
    return places


def write_warcio(path: Path, exchanges: Sequence[Exchange], at_our_level: bool) -> None:
    with path.open("wb") as file:
        kind = LevelWriter if at_our_level else Writer
        writer = kind(file, gzip=not at_our_level, warc_version="1.1")
        for exchange in exchanges:
            fetched = exchange.fetched
            address = {"WARC-IP-Address": fetched.address}
            answer = StatusAndHeaders("200 OK", list(fetched.headers), protocol="HTTP/1.1")
            response = writer.create_warc_record(
                fetched.url,
                "response",
                payload=io.BytesIO(fetched.body),
                http_headers=answer,
                warc_headers_dict=dict(address),
            )
            asked = StatusAndHeaders("GET /page HTTP/1.1", list(REQUEST), is_http_request=True)
            request = writer.create_warc_record(
                fetched.url, "request", http_headers=asked, warc_headers_dict=dict(address)
            )
            writer.write_request_response_pair(request, response)
        file.flush()
        os.fsync(file.fileno())


def read_all(folder: Path, places: Sequence[ArchivePlace]) -> None:
    for place in places:
        read_record(folder, place)


@dataclass
class Best:
    """The least that one way took, by the wall and by the processor, and what it left on disk."""

    wall: float = float("inf")
    cpu: float = float("inf")
    disk_bytes: int = 0

    def time(self, action: Callable[[], object]) -> None:
        """Run it, and keep the times if they are better."""
        wall, cpu = time.perf_counter(), time.process_time()
        action()
        self.wall = min(self.wall, time.perf_counter() - wall)
        self.cpu = min(self.cpu, time.process_time() - cpu)


def measured(folder: Path, exchanges: Sequence[Exchange], rounds: int) -> dict[str, Best]:
    """Each way, in turn."""
    ways: dict[str, Callable[[Path], object]] = {
        "ours": lambda place: write_ours(place, exchanges),
        "warcio": lambda place: write_warcio(place / "a.warc.gz", exchanges, False),
        "warcio_our_level": lambda place: write_warcio(place / "a.warc.gz", exchanges, True),
    }
    best = {name: Best() for name in (*ways, "read")}
    for number in range(rounds):
        for name, write in ways.items():
            place = folder / f"{name}-{number}"
            place.mkdir()
            best[name].time(partial(write, place))
            best[name].disk_bytes = sum(path.stat().st_size for path in place.iterdir())
        place = folder / f"read-{number}"
        best["read"].time(partial(read_all, place, write_ours(place, exchanges)))
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="done within a minute")
    parser.add_argument("--tiny", action="store_true", help="in seconds: whether it runs at all")
    given = parser.parse_args()
    count, rounds = (20, 1) if given.tiny else (1000, 4) if given.quick else (5000, 7)
    ratios: dict[str, float] = {}
    figures: dict[str, float] = {"level": LEVEL, "exchanges": count}
    for kind, size, is_packed in KINDS:
        with tempfile.TemporaryDirectory() as folder:
            best = measured(Path(folder), made(count, size, is_packed), rounds)
        for name, each in best.items():
            records = count if name == "read" else 2 * count
            figures[f"{kind}_{name}_records_per_second"] = round(records / each.wall)
            figures[f"{kind}_{name}_records_per_cpu_second"] = round(records / each.cpu)
            figures[f"{kind}_{name}_bytes_per_page"] = round(each.disk_bytes / count)
            print(
                f"{kind:12} {name:17} {records / each.wall:8,.0f} records/s "
                f"{records / each.cpu:8,.0f} per CPU second {each.disk_bytes // count:8,} bytes a page",
                file=sys.stderr,
            )
        for name in ("warcio", "warcio_our_level"):
            ratios[f"{kind}_to_{name}_wall"] = round(best[name].wall / best["ours"].wall, 2)
            ratios[f"{kind}_to_{name}_cpu"] = round(best[name].cpu / best["ours"].cpu, 2)
    print(json.dumps({"name": "archive", "ratios": ratios, "figures": figures}))


if __name__ == "__main__":
    main()
