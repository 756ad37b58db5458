from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from gossamer.politeness.audit import Sent, audited, sent_requests

START = datetime(2026, 1, 2, tzinfo=UTC)


def sent(started: float, ended: float, delay: float = 1, host: str = "a.test") -> Sent:
    seconds = timedelta(seconds=1)
    return Sent(host, START + started * seconds, START + ended * seconds, delay * seconds)


def test_gaps_are_from_the_end_of_a_response_to_the_next_start() -> None:
    (audit,) = audited([sent(0, 1), sent(2.5, 3), sent(4, 9)])
    assert (audit.requests, audit.violations) == (3, 0)
    assert audit.smallest_gap == timedelta(seconds=1)


def test_a_request_that_came_too_soon_is_a_violation() -> None:
    (audit,) = audited([sent(0, 1), sent(1.9, 2), sent(2.5, 3, delay=0.5)])
    assert audit.violations == 1
    assert audit.smallest_gap == timedelta(seconds=0.5)


def test_two_at_once_are_a_violation_too() -> None:
    (audit,) = audited([sent(0, 10), sent(1, 2), sent(11.5, 12)])
    assert audit.violations == 1
    assert audit.smallest_gap == timedelta(seconds=-9)


def test_where_several_may_be_in_flight_so_many_are_no_violation() -> None:
    overlapping = [sent(0, 10), sent(1, 9), sent(2, 8)]
    (audit,) = audited(overlapping, per_host=3)
    assert (audit.violations, audit.smallest_gap) == (0, timedelta(seconds=1))
    (audit,) = audited([*overlapping, sent(3, 4)], per_host=3)
    assert (audit.violations, audit.smallest_gap) == (1, timedelta(seconds=-7))
    (audit,) = audited([*overlapping, sent(3, 4)], per_host=4)
    assert audit.violations == 0


def test_several_in_flight_rest_after_each_start_and_each_end() -> None:
    (audit,) = audited([sent(0, 10), sent(0.5, 2)], per_host=2)
    assert (audit.violations, audit.smallest_gap) == (1, timedelta(seconds=0.5))
    (audit,) = audited([sent(0, 10), sent(1, 2), sent(2.5, 3)], per_host=2)
    assert (audit.violations, audit.smallest_gap) == (1, timedelta(seconds=0.5))


def test_the_worst_host_comes_first_and_a_single_request_has_no_gap() -> None:
    audits = audited([sent(0, 1, host="b.test"), sent(0, 1), sent(1, 2), sent(0, 1, host="c.test")])
    assert [audit.host for audit in audits] == ["a.test", "b.test", "c.test"]
    assert audits[1].smallest_gap is None
    assert audits[1].record()["smallest_gap"] is None


@given(st.lists(st.tuples(st.floats(0, 5), st.floats(0, 5)), min_size=1), st.floats(0, 3))
def test_whoever_waits_out_the_delay_violates_nothing(
    steps: list[tuple[float, float]], delay: float
) -> None:
    requests, now = [], START
    for rest, took in steps:
        started = now + timedelta(seconds=delay) + timedelta(seconds=rest)
        now = started + timedelta(seconds=took)
        requests.append(Sent("a.test", started, now, timedelta(seconds=delay)))
    (audit,) = audited(reversed(requests))
    assert audit.violations == 0


def test_only_whole_requests_are_read_from_a_log() -> None:
    good: dict[str, object] = {
        "event": "requested",
        "host": "a.test",
        "started_at": START.isoformat(),
        "ended_at": START.isoformat(),
        "delay": 1.0,
    }
    events: list[dict[str, object]] = [
        good,
        {"event": "started"},
        {**good, "delay": "x"},
        {"event": "requested"},
    ]
    assert list(sent_requests(events)) == [sent(0, 0)]


def test_a_gap_between_two_nodes_is_as_exact_as_their_clocks_are_known() -> None:
    def event(node: str, start: float, within: float) -> dict[str, object]:
        moment = datetime(2026, 1, 2, tzinfo=UTC)
        return {
            "event": "requested",
            "node": node,
            "host": "a.test",
            "started_at": (moment + timedelta(seconds=start)).isoformat(),
            "ended_at": (moment + timedelta(seconds=start)).isoformat(),
            "delay": 1.0,
            "clock_within": within,
        }

    def violations(second: str, within: float) -> int:
        events = [event("one", 0, within), event(second, 0.9, within)]
        return audited(sent_requests(events))[0].violations

    assert violations("one", 0.1) == 1
    assert violations("two", 0.1) == 0
    assert violations("two", 0.04) == 1
