from datetime import UTC, datetime, timedelta
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.robots import RobotsStore
from gossamer.frontier.sqlite import SqliteStore
from gossamer.politeness.robots.record import Meaning, RobotsRecord

from .steps import seeds, url
from .worlds import World

NOW = datetime(2026, 1, 2, tzinfo=UTC)
MOMENTS = st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))
RECORDS = st.builds(
    RobotsRecord,
    origin=st.just("https://a.test:8443"),
    meaning=st.sampled_from(Meaning),
    cause=st.text(st.characters(codec="utf-8")),
    answered_at=MOMENTS,
    ask_at=MOMENTS,
    body=st.none() | st.binary(),
    body_at=st.none() | MOMENTS,
    failures=st.integers(0, 1000),
)
DAY = timedelta(days=1)
MOST = 1_000


def record(origin: str, failures: int = 0) -> RobotsRecord:
    return RobotsRecord(
        origin=origin,
        meaning=Meaning.RULES,
        cause="answered 200",
        answered_at=NOW,
        ask_at=NOW + timedelta(days=1),
        failures=failures,
    )


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(RECORDS)
def test_a_record_comes_back_as_it_was(tmp_path: Path, kept: RobotsRecord) -> None:
    database = SqliteStore(tmp_path / "frontier.db")
    RobotsStore(database).keep(kept)
    database.close()
    database = SqliteStore(tmp_path / "frontier.db")
    assert RobotsStore(database).of(kept.origin) == kept
    database.close()


def test_the_newest_record_of_an_origin_counts(tmp_path: Path) -> None:
    database = SqliteStore(tmp_path / "frontier.db")
    robots = RobotsStore(database)
    assert robots.of("http://a.test") is None
    robots.keep(record("http://a.test", failures=1))
    robots.keep(record("http://a.test", failures=2))
    assert [each.failures for each in robots.of_host("a.test")] == [2]
    database.close()


def test_origins_of_one_host_are_found_together_and_no_others(tmp_path: Path) -> None:
    database = SqliteStore(tmp_path / "frontier.db")
    robots = RobotsStore(database)
    for origin in ("http://a.test", "https://a.test", "http://a.test:81", "http://b.a.test"):
        robots.keep(record(origin))
    found = [each.origin for each in robots.of_host("a.test")]
    assert found == ["http://a.test", "http://a.test:81", "https://a.test"]
    database.close()


def served(world: World, host: str, size: int, age: timedelta = DAY) -> RobotsRecord:
    """A file of so many bytes that a host has just answered."""
    now = world.clock.now
    return RobotsRecord(
        origin=f"http://{host}",
        meaning=Meaning.RULES,
        cause="answered 200",
        answered_at=now,
        ask_at=now + age,
        body=b"x" * size,
        body_at=now,
    )


def kept(world: World, site: str = "bad.test") -> int:
    """What is counted, which is what there is."""

    def look(sql: str) -> int:
        ((size,),) = world.store().read(lambda txn: txn.rows(sql, site))
        return int(size or 0)

    counted = look("SELECT robots_bytes FROM sites WHERE site = ?")
    assert counted == look("SELECT sum(length(body)) FROM robots WHERE site = ?")
    return counted


def test_files_of_all_hosts_of_a_site_fit_together(world: World) -> None:
    robots = world.frontier().robots
    first, second, third = (served(world, f"h{each}.bad.test", 400) for each in range(3))
    assert [robots.keep(each, MOST) for each in (first, second)] == [first, second]
    refused = robots.keep(third, MOST)
    assert (refused.meaning, refused.body, refused.body_at) == (Meaning.UNREACHABLE, None, None)
    assert refused == robots.of("http://h2.bad.test")
    why = refused.policy("gossamer", world.clock.now).decide(url("", "h2.bad.test")).why
    assert "closed for now" in why
    assert "of bad.test, which take up the 1,000 bytes of budget.robots_bytes" in why
    assert kept(world) == 800
    other = served(world, "h.good.test", 400)
    assert robots.keep(other, MOST) == other
    # Over restarts, and what needs no room is kept as ever.
    robots = world.frontier("two").robots
    assert robots.keep(served(world, "h4.bad.test", 201), MOST).body is None
    assert robots.keep(served(world, "h5.bad.test", 0), MOST).meaning is Meaning.RULES
    assert kept(world) == 800


def test_a_file_that_takes_the_place_of_another_counts_alone(world: World) -> None:
    robots = world.frontier().robots
    for size in (900, 100, 1_000, 500):
        assert robots.keep(served(world, "bad.test", size), MOST).body is not None
        assert kept(world) == size
    assert robots.keep(served(world, "bad.test", 1_001), MOST).body is None
    assert kept(world) == 0  # nor does the older copy serve


def test_files_that_are_to_be_asked_for_anew_make_room(world: World) -> None:
    robots = world.frontier().robots
    robots.keep(served(world, "old.bad.test", 500), MOST)
    world.later(60)
    robots.keep(served(world, "new.bad.test", 500), MOST)
    assert robots.keep(served(world, "next.bad.test", 400), MOST).body is None
    world.later(DAY.total_seconds() - 30)
    assert robots.keep(served(world, "next.bad.test", 400), MOST).body is not None
    assert robots.of("http://old.bad.test") is None
    assert robots.of("http://new.bad.test") is not None
    assert kept(world) == 900


def test_a_forgotten_host_gives_back_what_it_took(world: World) -> None:
    frontier = world.frontier()
    frontier.robots.keep(served(world, "h1.bad.test", 900), MOST)
    frontier.forget(host="h1.bad.test")
    assert kept(world) == 0
    assert frontier.robots.keep(served(world, "h2.bad.test", 900), MOST).body is not None


def test_people_are_told_why_a_host_is_closed(world: World) -> None:
    frontier: SqlFrontier = world.frontier()
    frontier.add(seeds(url("", "bad.test")))
    frontier.robots.keep(served(world, "bad.test", MOST + 1), MOST)
    host = frontier.host("bad.test")
    assert host is not None
    assert "closed: robots.txt had no room beside the others of bad.test" in host.why


def test_records_expire_on_request_of_a_host_or_all(world: World) -> None:
    frontier = world.frontier()
    robots, now = frontier.robots, NOW + timedelta(hours=1)
    for origin in ("http://a.test", "https://a.test", "http://b.test"):
        robots.keep(record(origin))
    assert robots.expire_stored("a.test", now) == 2
    assert [each.ask_at for each in robots.of_host("a.test")] == [now, now]
    assert [each.ask_at for each in robots.of_host("b.test")] == [NOW + DAY]
    assert robots.expire_stored(None, now) == 1  # what has expired is not counted twice
    assert robots.expire_stored(None, now) == 0
