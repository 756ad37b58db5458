import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from gossamer.config import Politeness
from gossamer.folder.data import DataFolder
from gossamer.frontier.protocol import (
    Counts,
    Ended,
    HostStage,
    HostState,
    PageState,
    Trouble,
    TroubledPage,
)
from gossamer.model import Url
from gossamer.owner.records import (
    counts_record,
    delay_record,
    disk_record,
    graph_record,
    host_record,
    page_record,
    trouble_record,
)
from gossamer.politeness.clock import HostClock, InFlight
from gossamer.politeness.delay import pace_for
from gossamer.politeness.outcome import Pause

NOW = datetime(2026, 1, 2, tzinfo=UTC)


HOST = HostState(
    host="a.test",
    site="a.test",
    stage=HostStage.PARKED,
    until=NOW,
    why="Retry-After",
    delay=timedelta(seconds=1.5),
    pending=3,
    content=2,
    failures=1,
)
PACE = pace_for("a.test", Politeness())


def test_all_of_it_is_json() -> None:
    record = host_record(HOST, None, PACE, NOW - timedelta(hours=1))
    assert json.loads(json.dumps(record)) == record
    assert (record["stage"], record["until"]) == ("parked", "2026-01-02T00:00:00.000+00:00")
    assert record["next_at"] == record["until"]
    assert record["delay"] == 1.5


def test_a_host_in_our_hands_is_told_to_rest_where_it_does() -> None:
    held = replace(HOST, stage=HostStage.LEASED, until=NOW + timedelta(minutes=2))
    clock = HostClock(rested_from=NOW)
    assert host_record(held, None, PACE, NOW)["next_at"] is None
    assert host_record(held, clock, PACE, NOW)["next_at"] == "2026-01-02T00:00:01.000+00:00"
    assert host_record(held, clock, PACE, NOW + timedelta(seconds=1))["next_at"] is None


def test_what_only_the_frontier_needs_is_not_told() -> None:
    page = PageState(
        url=Url("http://a.test/"),
        depth=1,
        priority=3,
        hops=0,
        seed=False,
        state="settled",
        attempts=0,
        ended=Ended.CONTENT,
        digest=b"bytes",
    )
    record = page_record(page)
    assert json.loads(json.dumps(record)) == record
    assert (record["depth"], record["ended"]) == (1, "content")
    assert "digest" not in record


def test_a_page_in_trouble_has_its_problems_and_how_many_there_are() -> None:
    page = TroubledPage(
        url=Url("http://a.test/"),
        kind=Trouble.PROBLEMS,
        status=200,
        why=None,
        attempts=0,
        problems=120,
        settled_at=NOW,
        place="1.1",
    )
    record = trouble_record(page, [{"message": "No."}])
    assert (record["kind"], record["problem_count"]) == ("problems", 120)
    assert record["problems"] == [{"message": "No."}]
    assert "place" not in record


def test_every_ending_and_stage_is_counted_even_where_there_is_none() -> None:
    causes = {Ended.FAILED: {"timeout": 2}, Ended.REFUSED: {}}
    counts = Counts(known=5, pending=2, ended={Ended.FAILED: 2}, hosts={HostStage.READY: 1})
    record = counts_record(counts, causes, {"nofollow": 1})
    assert record["ended"] == {
        "content": 0,
        "redirected": 0,
        "skipped": 0,
        "failed": 2,
        "refused": 0,
    }
    assert record["failures"] == {"timeout": 2}
    assert (record["left"], record["next_at"]) == (2, None)
    assert json.loads(json.dumps(record)) == record


def test_a_folder_is_measured_by_its_parts_and_links_are_not_counted_twice(tmp_path: Path) -> None:
    (tmp_path / "frontier.db").write_bytes(b"x" * 100)
    (tmp_path / "frontier.db-wal").write_bytes(b"x" * 10)
    (tmp_path / "graph" / "quads").mkdir(parents=True)
    (tmp_path / "graph" / "quads" / "1.sst").write_bytes(b"x" * 5)
    (tmp_path / "graph" / "snapshots").mkdir()
    (tmp_path / "graph" / "snapshots" / "1.sst").hardlink_to(tmp_path / "graph/quads/1.sst")
    (tmp_path / "words.new").mkdir()
    (tmp_path / "words.new" / "members.db").write_bytes(b"x" * 7)
    taken = {"frontier": 110, "graph": 5, "words": 7, "archive": 0, "log": 0}
    assert disk_record(DataFolder(tmp_path)) == taken


def test_a_crawl_without_a_graph_has_none() -> None:
    assert graph_record(None) is None


def test_a_host_that_may_be_asked_now_has_no_moment_and_one_that_rests_has() -> None:
    pace = pace_for("a.test", Politeness())
    record = delay_record("a.test", HostClock(), pace, NOW)
    assert record == {
        "host": "a.test",
        "delay": 1.0,
        "source": "default",
        "next_at": None,
        "in_flight": 0,
        "parked": False,
    }
    pause = Pause(NOW + timedelta(hours=1), "Retry-After, status 503")
    told = delay_record("a.test", HostClock(rested_from=NOW, pause=pause), pace, NOW)
    assert (told["delay"], told["source"]) == (3600.0, "Retry-After, status 503")
    assert (told["next_at"], told["parked"]) == ("2026-01-02T01:00:00.000+00:00", True)
    busy = HostClock(rested_from=NOW, in_flight=(InFlight(1, NOW, NOW + timedelta(minutes=1)),))
    told = delay_record("a.test", busy, pace, NOW)
    assert (told["in_flight"], told["next_at"]) == (1, "2026-01-02T00:00:01.000+00:00")
