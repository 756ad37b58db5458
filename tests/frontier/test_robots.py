from datetime import UTC, datetime, timedelta
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gossamer.frontier.robots import RobotsStore
from gossamer.frontier.sqlite import SqliteStore
from gossamer.politeness.robots.record import Meaning, RobotsRecord

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
