"""A node's log gets to the database as its files have it, whatever happens to the database meanwhile."""

from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.frontier.worlds import World

from gossamer.config import Log
from gossamer.errors import StorageAwayError
from gossamer.events import LogDropped, Parked, Paused, Requested
from gossamer.log import JsonLog
from gossamer.nodes.log_sharing import LogSharing
from gossamer.nodes.log_store import LogFilter, NodeLogStore
from gossamer.nodes.log_tail import LogTail

MOMENT = datetime(2026, 1, 2, tzinfo=UTC)


def requested(number: int) -> Requested:
    return Requested(
        host="a.test",
        url=f"http://a.test/{number}?q={number}",
        purpose="page",
        started_at=MOMENT,
        ended_at=MOMENT,
        status=200,
        bytes=1,
        delay=timedelta(0),
        delay_source="default",
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "log"


def lines(world: World) -> list[str]:
    found = NodeLogStore(world.stores[0]).newest(LogFilter(), 1_000)
    return [str(each.record().get("url", each.record()["event"])) for each in reversed(found)]


def test_each_line_gets_there_once_in_order_and_over_runs(world: World, folder: Path) -> None:
    store = world.store()
    with closing(JsonLog(folder, Log())) as log:
        sharing = LogSharing("one", LogTail(folder), Log(share_age=timedelta(days=9999)))
        log(requested(1))
        assert sharing.run(store) == ()
        log(requested(2))
        sharing.run(store)
        sharing.run(store)
        log(Paused())
    again = LogSharing("one", LogTail(folder), Log(share_age=timedelta(days=9999)))
    again.run(store)
    assert lines(world) == ["http://a.test/1?", "http://a.test/2?", "paused"]


def test_the_level_and_the_queries_are_as_the_settings_say(world: World, folder: Path) -> None:
    store = world.store()
    config = Log(share_level="warning", share_queries=True, share_age=timedelta(days=9999))
    with closing(JsonLog(folder, Log())) as log:
        log(requested(1))
        log(Parked(host="a.test", until=MOMENT, why="see http://a.test/?k=v"))
    LogSharing("one", LogTail(folder), config).run(store)
    (kept,) = NodeLogStore(store).newest(LogFilter(), 10)
    assert kept.record()["why"] == "see http://a.test/?k=v"


def test_while_the_database_is_away_the_files_have_it_and_what_is_too_much_is_counted(
    world: World, folder: Path
) -> None:
    class Away:
        is_shared = True

        def read(self, *_: object, **__: object) -> None:
            raise StorageAwayError("It is away.")

        transact = close = read

    store = world.store()
    sharing = LogSharing(
        "one", LogTail(folder, most_behind=4_000), Log(share_age=timedelta(days=9999))
    )
    with closing(JsonLog(folder, Log())) as log:
        log(requested(0))
        sharing.run(store)
        for number in range(1, 6):
            log(requested(number))
            with pytest.raises(StorageAwayError):
                sharing.run(Away())  # type: ignore[arg-type]
        assert sharing.run(store) == ()
        assert lines(world) == [f"http://a.test/{number}?" for number in range(6)]
        for number in range(6, 106):
            log(requested(number))
    (dropped,) = sharing.run(store)
    assert isinstance(dropped, LogDropped)
    there = len(lines(world)) - 6
    assert dropped.lines == sharing.dropped
    assert dropped.lines + there in (99, 100)  # one may be cut in two
    assert lines(world)[-1] == "http://a.test/105?"
