"""Pages that are larger than the limits: they fail, or their first part is read and marked as such."""

import gzip
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator
from tests.crawl.crawls import Crawled, hurried
from tests.crawl.sites import Pages, Sent, crawled_site
from tests.crawl.test_usage_rights import found

from gossamer.config import KIB, Config
from gossamer.folder.data import DataFolder
from gossamer.frontier.sqlite import SqliteStore
from gossamer.frontier.texts import TextStore
from gossamer.transform.text.page_text import PageText

A = "http://a.test/"
BEGINNING = '<title>Tides</title><a href="/next">next</a><p>The sea comes in.</p>'
# Noise that hardly packs, so that both what is sent and what it unpacks to are large.
NOISE = "".join(f"<i>{number * 7_919 % 1_000_003:x}</i> " for number in range(20_000))
PAGES: Pages = {
    A: Sent(BEGINNING + NOISE),
    f"{A}next": Sent(
        gzip.compress((BEGINNING + NOISE).encode()), headers={"Content-Encoding": "gzip"}
    ),
    f"{A}bomb": Sent(
        gzip.compress((BEGINNING + " " * 10_000_000).encode()), headers={"Content-Encoding": "gzip"}
    ),
}


def crawled(folder: Path, **fetch: object) -> Crawled:
    config: Config = hurried()
    limits = {"max_body_bytes": 64 * KIB, "max_decoded_bytes": 128 * KIB, **fetch}
    config = replace(config, fetch=replace(config.fetch, **limits))  # type: ignore[arg-type]
    return crawled_site(folder, PAGES, [A, f"{A}next", f"{A}bomb"], config)[0]


def texts(folder: Path) -> Mapping[str, PageText]:
    store = SqliteStore(DataFolder(folder).frontier_file)
    try:
        kept = TextStore(store).of([A, f"{A}next", f"{A}bomb"])
    finally:
        store.close()
    return {name: PageText.unpack(text) for name, text in kept.items()}


def truncated(folder: Path) -> dict[str, str | None]:
    """What the archive says of how pages were cut."""
    cut = {}
    for path in DataFolder(folder).archive_folder.glob("*.warc.gz"):
        with path.open("rb") as file:
            for record in ArchiveIterator(file):
                if record.headers.get("WARC-Type") == "response" and "robots" not in str(
                    record.headers.get("WARC-Target-URI")
                ):
                    cut[str(record.headers.get("WARC-Target-URI"))] = record.headers.get(
                        "WARC-Truncated"
                    )
    return cut


def texts_after(folder: Path, **fetch: object) -> Mapping[str, PageText]:
    crawled(folder, **fetch)
    return texts(folder)


def test_a_page_that_is_too_large_fails_unless_its_first_part_is_asked_for(tmp_path: Path) -> None:
    assert texts_after(tmp_path, too_large="fail") == {}


def test_the_first_part_is_read_followed_archived_and_marked(tmp_path: Path) -> None:
    ended = crawled(tmp_path, too_large="first")
    kept = texts(tmp_path)
    assert kept.keys() == {A, f"{A}next", f"{A}bomb"}
    assert all(text.is_part and text.title == "Tides" for text in kept.values())
    assert truncated(tmp_path) == {A: "length", f"{A}next": "length", f"{A}bomb": None}
    titles = found(ended, "SELECT ?page { ?page <http://purl.org/dc/terms/title> 'Tides' }")
    assert len(titles) == 3


@pytest.mark.parametrize("limit", [16, 128])
def test_a_limit_in_the_middle_of_a_packed_body_gives_what_was_before_it(
    tmp_path: Path, limit: int
) -> None:
    kept = texts_after(tmp_path, too_large="first", max_body_bytes=limit * KIB)
    assert kept[f"{A}next"].is_part
    assert kept[f"{A}next"].main.startswith("next The sea comes in.")
