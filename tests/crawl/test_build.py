import asyncio
import shutil
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.archive.exchanges import archive_in, exchanges, warcs
from tests.crawl.crawls import hurried, opened
from tests.crawl.sites import Pages, Sent, crawled_site

from gossamer.archive.exchange import ArchivePlace
from gossamer.archive.reading import read_record
from gossamer.config import Politeness
from gossamer.crawl.archive_moves import take_up_moves
from gossamer.crawl.build import tell_of_mending
from gossamer.errors import GraphError
from gossamer.events import ArchiveDamaged, ArchiveMended, Event
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import Ended, NewUrl, Settlement
from gossamer.frontier.sqlite import SqliteStore
from gossamer.model import Url

SEED = Url("http://a.test/")
WWW = Url("http://www.a.test/")
MOVED = Sent("", 301, {"Location": WWW})


def test_a_seed_may_lead_to_another_host_and_the_crawl_goes_on_there(tmp_path: Path) -> None:
    pages: Pages = {SEED: MOVED, WWW: '<a href="/x">x</a><a href="http://b.test/">b</a>'}
    found, site = crawled_site(tmp_path, pages, [SEED], hurried(scope="host"))
    assert found.pages[SEED].ended is Ended.REDIRECTED
    assert found.pages[WWW].ended is Ended.CONTENT
    assert "http://www.a.test/x" in site.asked
    assert found.refusals == {"scope-host": 1}


def test_a_later_run_knows_where_the_seeds_led(tmp_path: Path) -> None:
    links = "".join(f'<a href="/{number}">x</a>' for number in range(3))
    crawled_site(tmp_path, {SEED: MOVED, WWW: links}, [SEED], hurried(scope="host"))

    async def scope() -> object:
        async with opened(tmp_path, hurried(scope="host")) as running:
            admission = running.crawl.judge.admission
            return admission.scope.admits(Url("http://www.a.test/0"))

    assert asyncio.run(scope()) is None


def test_seeds_are_kept_before_anything_can_go_wrong(tmp_path: Path) -> None:
    (tmp_path / "graph").mkdir()
    (tmp_path / "graph" / "format").write_text("of somebody else")
    with pytest.raises(GraphError):
        crawled_site(tmp_path, {SEED: "<p>"}, [SEED])
    shutil.rmtree(tmp_path / "graph")
    found, _ = crawled_site(tmp_path, {SEED: "<p>"}, [])
    assert found.pages[SEED].ended is Ended.CONTENT


@pytest.mark.parametrize("keep", ["all", "none", True, False])
def test_the_archive_is_kept_where_it_is_wanted(tmp_path: Path, keep: Any) -> None:
    config = hurried()
    config = replace(config, archive=replace(config.archive, keep=keep))
    crawled_site(tmp_path, {SEED: "<p>"}, [SEED], config)
    assert bool(list(tmp_path.glob("archive/*.warc.gz"))) == (keep in ("all", True))


BODIES = [b"body %d" % number for number in range(6)]


def test_moves_that_a_killed_forget_left_are_taken_up(tmp_path: Path) -> None:
    with archive_in(tmp_path) as archive:
        batch = exchanges(*BODIES)
        places = {e.fetched.url: str(p) for e, p in zip(batch, archive.write(batch), strict=True)}
        gone = batch[2].fetched.url
        next(archive.forget(lambda url: url == gone))  # and here it dies
    with closing(SqliteStore(tmp_path / "frontier.db")) as store, archive_in(tmp_path) as archive:
        frontier = settled_at(store, places)
        take_up_moves(archive, frontier)
        take_up_moves(archive, frontier)  # has nothing left to do
        for each in batch:
            page = frontier.page(each.fetched.url)
            assert page is not None
            assert page.archived is not None
            if page.url != gone:
                found = read_record(tmp_path, ArchivePlace.parse(page.archived))
                assert found.body == each.fetched.body


def settled_at(store: SqliteStore, places: dict[Url, str]) -> SqlFrontier:
    frontier = SqlFrontier(store, "test", Politeness())
    frontier.add([NewUrl(url) for url in places])
    (lease,) = frontier.lease(1, pages=len(places))
    settlements = [
        Settlement(page=page, ended=Ended.CONTENT, archived=places[page.url])
        for page in lease.pages
    ]
    frontier.settle(settlements, {})
    return frontier


def test_people_are_told_what_was_cut_and_what_was_not(tmp_path: Path) -> None:
    torn, damaged = tmp_path / "torn", tmp_path / "damaged"
    for folder in (torn, damaged):
        with archive_in(folder) as archive:
            archive.write(exchanges(*BODIES))
        (file,) = warcs(folder)
        file.with_name(f"{file.name}.open").touch()  # as if its writer had been killed
        content = file.read_bytes()
        middle = len(content) // 2
        holed = content[:middle] + bytes(40) + content[middle + 40 :]
        file.write_bytes(content[:-10] if folder is torn else holed)
    told: list[Event] = []
    for folder in (torn, damaged):
        with archive_in(folder) as archive:
            tell_of_mending(archive, told.append)
    cut, left = told
    assert isinstance(cut, ArchiveMended)
    assert cut.cut_bytes > 0
    assert isinstance(left, ArchiveDamaged)
    assert "whole records follow" in left.why
