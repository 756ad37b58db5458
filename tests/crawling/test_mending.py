from contextlib import closing
from pathlib import Path

from tests.fetch.archive.exchanges import archive_in, exchanges, warcs

from gossamer.config import Politeness
from gossamer.crawling.mending import take_up_moves, tell_of_mending
from gossamer.events import ArchiveDamaged, ArchiveMended, Event
from gossamer.fetch.archive.place import ArchivePlace
from gossamer.fetch.archive.reading import read_record
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import Ended, NewUrl, Settlement
from gossamer.frontier.sqlite import SqliteStore
from gossamer.model import Url

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
