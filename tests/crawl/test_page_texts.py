"""Visible texts of a crawl: what is kept, what is found, and what a crash between two steps leaves."""

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from tests.crawl.crawls import hurried
from tests.crawl.sites import Pages, Sent, Site, crawled_site, on_site
from tests.in_process import gossamer

from gossamer.crawl.handle import CrawlHandle
from gossamer.folder.data import DataFolder
from gossamer.frontier.sqlite import SqliteStore
from gossamer.frontier.texts import TextStore
from gossamer.transform.text.page_text import PageText

A = "http://a.test/"
PAGES: Pages = {
    A: '<title>Keeper</title><nav>Brass</nav><p>He counts the ships by lamplight.</p><a href="/2">2</a>',
    f"{A}2": Sent("<title>Two</title><p>Lamplight</p>", headers={"X-Robots-Tag": "noarchive"}),
}


def kept(folder: Path) -> dict[str, bytes]:
    with closing(SqliteStore(DataFolder(folder).frontier_file)) as store:
        return TextStore(store).of([A, f"{A}2"])


def found(folder: Path, *words: str) -> list[str]:
    said = json.loads(gossamer("search", *words, "--json", "--data", str(folder)))
    return [result["id"] for result in said["results"]]


def test_the_main_part_of_pages_that_allow_it_is_kept_and_found(tmp_path: Path) -> None:
    crawled_site(tmp_path, PAGES, [A])
    ((url, text),) = kept(tmp_path).items()
    assert url == A
    assert PageText.unpack(text).main == "He counts the ships by lamplight. 2"
    assert found(tmp_path, "lamplight") == [A]
    assert found(tmp_path, "brass") == []


def test_without_text_or_a_search_index_none_is_kept(tmp_path: Path) -> None:
    for name, changes in (("none", {"text": "none"}), ("index", {"words": False})):
        config = hurried()
        config = replace(config, index=replace(config.index, **changes))
        crawled_site(tmp_path / name, PAGES, [A], config)
        assert kept(tmp_path / name) == {}


def test_a_text_that_was_kept_before_a_crash_is_found_when_its_page_is_settled(
    tmp_path: Path,
) -> None:
    crawled_site(tmp_path / "whole", PAGES, [A])
    texts = kept(tmp_path / "whole")

    async def work(running: CrawlHandle, _: Site) -> None:
        assert running.crawl.frontier.texts.keep(texts) == {A}  # and nothing was settled
        await running.crawl.run()

    on_site(tmp_path / "crashed", PAGES, work, seeds=[A])
    assert found(tmp_path / "crashed", "lamplight") == [A]


def test_a_text_goes_with_its_page(tmp_path: Path) -> None:
    crawled_site(tmp_path, PAGES, [A])
    gossamer("forget", A, "--data", str(tmp_path))
    assert kept(tmp_path) == {}
    assert found(tmp_path, "lamplight") == []
