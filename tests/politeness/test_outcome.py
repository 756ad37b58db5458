from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gossamer.config import Politeness
from gossamer.politeness.clock import HostClock
from gossamer.politeness.delay import LONGEST, Pace, pace_for
from gossamer.politeness.evidence import FORGIVEN, NO_EVIDENCE, Bearing, HostEvidence
from gossamer.politeness.outcome import (
    Answered,
    NoAnswer,
    Pause,
    Reported,
    backoff,
    pause_after,
    pause_after_reading,
    retry_after,
)

NOW = datetime(2026, 1, 1, tzinfo=UTC)
PACE = pace_for("a.test", Politeness())
ONCE = HostEvidence(1)
lengths = st.timedeltas(timedelta(0), timedelta(days=3650))
HURRIED = pace_for("a.test", Politeness(delay=timedelta(0)))
NOON = datetime(2026, 1, 1, 12, 0, 0, tzinfo=UTC)


def seconds(n: float) -> timedelta:
    return timedelta(seconds=n)


@pytest.mark.parametrize("status", [200, 204, 301, 304, 400, 403, 404, 410, 451])
def test_a_healthy_host_is_not_paused_whatever_it_says_of_the_page(status: int) -> None:
    assert pause_after(Answered(status, seconds(60)), NO_EVIDENCE, NOW, PACE) is None


@pytest.mark.parametrize("outcome", [Answered(500), Answered(429), NoAnswer("connect")])
def test_evidence_against_the_host_backs_off(outcome: Answered | NoAnswer) -> None:
    assert pause_after(outcome, ONCE, NOW, PACE) == Pause(
        NOW + seconds(10), "back-off after a failure"
    )
    third = Pause(NOW + seconds(40), "back-off after 3 failures in a row")
    assert pause_after(outcome, HostEvidence(3), NOW, PACE) == third
    forgiven = Pause(NOW + seconds(10), "back-off after 3 failures in a row")
    assert pause_after(outcome, HostEvidence(1, (7, 8, 9)), NOW, PACE) == forgiven


@pytest.mark.parametrize("outcome", [Answered(500), Answered(501), NoAnswer("reset")])
def test_without_evidence_against_the_host_nothing_is_paused(outcome: Answered | NoAnswer) -> None:
    assert pause_after(outcome, HostEvidence(0, (7, 8)), NOW, PACE) is None


@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_counts_where_it_is_longer_than_back_off(status: int) -> None:
    asked = pause_after(Answered(status, seconds(60)), ONCE, NOW, PACE)
    assert asked == Pause(NOW + seconds(60), f"Retry-After, status {status}")
    hasty = pause_after(Answered(status, seconds(0)), ONCE, NOW, PACE)
    assert hasty == Pause(NOW + seconds(10), "back-off after a failure")


def test_retry_after_counts_on_429_and_503_only() -> None:
    pause = pause_after(Answered(500, seconds(60)), ONCE, NOW, PACE)
    assert pause == Pause(NOW + seconds(10), "back-off after a failure")


def test_no_pause_is_longer_than_a_year() -> None:
    pause = pause_after(Answered(503, timedelta.max), ONCE, NOW, PACE)
    assert pause == Pause(NOW + LONGEST, "Retry-After, status 503")


def test_a_quota_that_is_used_up_pauses_the_host_whatever_the_status() -> None:
    for status in (200, 304, 404):
        pause = pause_after(Answered(status, None, seconds(60)), NO_EVIDENCE, NOW, PACE)
        assert pause == Pause(NOW + seconds(60), "RateLimit")
    for outcome in (Answered(429, None, seconds(60)), Answered(500, seconds(5), seconds(60))):
        assert pause_after(outcome, ONCE, NOW, PACE) == Pause(NOW + seconds(60), "RateLimit")
    hasty = pause_after(Answered(429, None, seconds(5)), ONCE, NOW, PACE)
    assert hasty == Pause(NOW + seconds(10), "back-off after a failure")
    endless = pause_after(Answered(200, None, timedelta.max), NO_EVIDENCE, NOW, PACE)
    assert endless == Pause(NOW + LONGEST, "RateLimit")


def test_retry_after_counts_where_it_and_a_quota_say_when() -> None:
    both = pause_after(Answered(429, seconds(30), seconds(60)), ONCE, NOW, PACE)
    assert both == Pause(NOW + seconds(30), "Retry-After, status 429")


def test_the_clock_keeps_a_pause_for_a_quota_after_a_good_answer() -> None:
    outcome = Reported(status=200, quota_wait=seconds(60)).outcome(NOW)
    clock = HostClock().start(1, NOW, NOW + seconds(9), PACE)
    clock = clock.finish(1, NOW, seconds(0), outcome, PACE)
    assert (clock.evidence, clock.ready_at(PACE)) == (NO_EVIDENCE, NOW + seconds(60))
    assert clock.delay(PACE).source == "RateLimit"


def test_a_report_is_an_answer_where_there_is_a_status() -> None:
    report = Reported(status=503, retry_after="60")
    assert report.outcome(NOW) == Answered(503, seconds(60))
    assert Reported(status=200).outcome(NOW) == Answered(200)
    assert Reported(status=503, retry_after="soon").outcome(NOW) == Answered(503)
    assert Reported(retry_after="60").outcome(NOW).bearing is Bearing.DOUBT
    cut = Reported(status=200, is_whole=False).outcome(NOW, "http://a.test/")
    assert cut == Answered(200, url="http://a.test/", is_whole=False)
    assert Reported(cause="connect").outcome(NOW, "http://a.test/") == NoAnswer(
        "connect", "http://a.test/"
    )


@pytest.mark.parametrize(
    ("told", "lasted"), [(None, 5), (seconds(2), 2), (seconds(9), 5), (seconds(-1), 0)]
)
def test_a_request_lasted_no_longer_than_it_can_have(told: timedelta | None, lasted: float) -> None:
    assert Reported(status=200, took=told).lasted(seconds(5)) == seconds(lasted)


def test_the_first_failure_costs_the_first_wait_and_each_further_one_doubles_it() -> None:
    waits = [backoff(n, timedelta(seconds=10), timedelta(hours=1)) for n in range(5)]
    assert [wait.total_seconds() for wait in waits] == [0, 10, 20, 40, 80]


@given(st.integers(1, 200), lengths, lengths)
def test_back_off_never_falls_while_failures_go_on_and_never_passes_its_cap(
    failures: int, first: timedelta, most: timedelta
) -> None:
    wait = backoff(failures, first, most)
    assert backoff(failures - 1, first, most) <= wait <= most


@given(st.timedeltas(timedelta(microseconds=1), timedelta(days=1)), lengths)
def test_failures_without_end_reach_the_cap(first: timedelta, most: timedelta) -> None:
    assert backoff(10**9, first, most) == most


def length(seconds: float, troubles: int, pace: Pace = PACE) -> float | None:
    pause = pause_after_reading(seconds, troubles, NOW, pace)
    return None if pause is None else (pause.until - NOW).total_seconds()


def test_a_host_rests_as_long_as_its_page_was_read() -> None:
    assert length(4.0, 0) == 4.0
    pause = pause_after_reading(4.0, 0, NOW, PACE)
    assert pause is not None
    assert pause.source == "1 × last reading of 4 s"


def test_where_the_delay_is_nothing_no_reading_is_charged() -> None:
    assert length(4.0, FORGIVEN, HURRIED) is None


def test_some_pages_that_fail_are_forgiven_and_more_are_a_back_off_that_doubles() -> None:
    assert [length(1.0, count) for count in range(6)] == [1.0, 1.0, 1.0, 10.0, 20.0, 40.0]
    assert length(1.0, 100) == 3600.0
    assert length(0.0, FORGIVEN + 1, HURRIED) == 10.0


def test_a_back_off_beyond_our_patience_parks_the_host() -> None:
    pause = pause_after_reading(10.0, 9, NOW, PACE)
    assert pause is not None
    parked = HostClock(rested_from=NOW).with_pause(pause).parked(NOW, PACE)
    assert parked is not None
    assert "9 pages in a row that took too much to read" in parked.why


@given(st.floats(0, 10**7), st.integers(0, 100), st.floats(0, 10**6), st.floats(0, 10**6))
def test_a_reading_makes_a_wait_longer_and_never_shorter(
    seconds: float, troubles: int, took: float, later: float
) -> None:
    clock = HostClock().started(1, NOW, NOW + timedelta(days=30))
    ended = NOW + timedelta(seconds=took)
    clock = clock.finish(1, ended, timedelta(seconds=took), Answered(200), PACE)
    read_at = ended + timedelta(seconds=later)
    pause = pause_after_reading(seconds, troubles, read_at, PACE)
    charged = clock if pause is None else clock.with_pause(pause)
    assert charged.ready_at(PACE) >= clock.ready_at(PACE)
    # Nobody asks before the reading is over; one that took no time is not charged.
    asked_at = max(read_at, charged.ready_at(PACE))
    assert asked_at >= read_at + timedelta(seconds=seconds) - timedelta(seconds=1)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120),
        (" 120 ", 120),
        ("0", 0),
        ("000", 0),
        ("120.7", 120),
        ("Thu, 01 Jan 2026 12:02:00 GMT", 120),
        ("Thursday, 01-Jan-26 12:02:00 GMT", 120),
        ("Thu Jan  1 12:02:00 2026", 120),
        ("Thu, 01 Jan 2026 14:02:00 +0200", 120),
        ("Thu, 01 Jan 2026 11:00:00 GMT", 0),  # past: no wait
    ],
)
def test_seconds_and_all_three_date_formats_are_understood(value: str, seconds: int) -> None:
    assert retry_after(value, NOON) == timedelta(seconds=seconds)


@pytest.mark.parametrize(
    "value",
    [
        *("", " ", "-1", "NaN", "inf", "1e9", "soon", "1 hour", "٣", "0x10", "12,5"),
        *("Thu, 99 Jan 2026", "Thu, 01 Jan 2026 12:02:00 GMT" + " " * 40 + "!", "x" * 1_000_000),
    ],
)
def test_what_is_neither_seconds_nor_a_date_says_nothing(value: str) -> None:
    assert retry_after(value, NOON) is None


@pytest.mark.parametrize(
    "value", ["9" * 10, "9" * 5_000, "9" * 400 + ".5", "Fri, 31 Dec 9999 23:59:59 GMT"]
)
def test_waits_without_end_are_cut_to_a_year(value: str) -> None:
    assert retry_after(value, NOON) == LONGEST


@given(st.text() | st.from_regex(r"[A-Z][a-z]{2}, \d+ [A-Z][a-z]{2} \d+ [\d:]+ [A-Z+\d-]*"))
@example("Mon, 1 Jan 0001 00:00:00 +2359")
@example("Fri, 31 Dec 9999 23:59:59 -2359")
def test_any_text_gives_nothing_or_a_wait_within_bounds(value: str) -> None:
    wait = retry_after(value, NOON)
    assert wait is None or timedelta(0) <= wait <= LONGEST


@given(st.datetimes(datetime(2026, 1, 1, 12), datetime(2026, 12, 31), timezones=st.just(UTC)))
def test_a_date_is_waited_for_to_the_second(moment: datetime) -> None:
    moment = moment.replace(microsecond=0)
    wait = retry_after(format_datetime(moment, usegmt=True), NOON)
    assert wait is not None
    assert NOON + wait == moment
