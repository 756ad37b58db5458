import json
from datetime import UTC, datetime, timedelta

from gossamer.events import EVENTS, Event, Parked, Requested


def test_every_kind_of_event_is_in_the_vocabulary() -> None:
    # By name: a class with slots is made twice, and Python remembers both.
    assert {kind.__name__ for kind in EVENTS.values()} == {
        kind.__name__ for kind in Event.__subclasses__()
    }
    assert all(kind.__doc__ for kind in EVENTS.values())


def test_moments_and_times_become_plain_values() -> None:
    moment = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    event = Requested(
        host="a.test",
        url="http://a.test/",
        purpose="robots",
        started_at=moment,
        ended_at=moment,
        status=200,
        bytes=10,
        delay=timedelta(seconds=1.5),
        delay_source="default",
    )
    record = json.loads(json.dumps(event.record()))
    assert record["started_at"] == "2026-01-02T03:04:05.000000+00:00"
    assert record["delay"] == 1.5


def test_the_line_for_people_names_the_fields() -> None:
    moment = datetime(2026, 1, 2, tzinfo=UTC)
    event = Parked(host="a.test", until=moment, why="Retry-After 600 s")
    assert (
        event.sentence()
        == "a.test is parked until 2026-01-02T00:00:00.000000+00:00: Retry-After 600 s"
    )


def test_no_event_has_a_field_by_a_name_that_the_log_has_for_all() -> None:
    for kind in EVENTS.values():
        assert not {"at", "event", "level", "node", "clock_ahead", "clock_within"} & {
            *kind.field_names()
        }
