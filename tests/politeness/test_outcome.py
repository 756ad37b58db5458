from datetime import UTC, datetime, timedelta

import pytest

from gossamer.config import Politeness
from gossamer.politeness.delay import LONGEST, pace_for
from gossamer.politeness.outcome import Answered, NoAnswer, Pause, Reported, pause_after

NOW = datetime(2026, 1, 1, tzinfo=UTC)
PACE = pace_for("a.test", Politeness())


def seconds(n: float) -> timedelta:
    return timedelta(seconds=n)


@pytest.mark.parametrize("status", [200, 204, 301, 304, 400, 403, 404, 410, 451])
def test_a_healthy_host_is_not_paused_whatever_it_says_of_the_page(status: int) -> None:
    assert pause_after(Answered(status, seconds(60)), 0, NOW, PACE) is None


@pytest.mark.parametrize("outcome", [Answered(500), Answered(429), NoAnswer("connection reset")])
def test_errors_back_off(outcome: Answered | NoAnswer) -> None:
    assert pause_after(outcome, 1, NOW, PACE) == Pause(
        NOW + seconds(10), "back-off after a failure"
    )
    third = Pause(NOW + seconds(40), "back-off after 3 failures in a row")
    assert pause_after(outcome, 3, NOW, PACE) == third


@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_counts_where_it_is_longer_than_back_off(status: int) -> None:
    asked = pause_after(Answered(status, seconds(60)), 1, NOW, PACE)
    assert asked == Pause(NOW + seconds(60), f"Retry-After, status {status}")
    hasty = pause_after(Answered(status, seconds(0)), 1, NOW, PACE)
    assert hasty == Pause(NOW + seconds(10), "back-off after a failure")


def test_retry_after_counts_on_429_and_503_only() -> None:
    pause = pause_after(Answered(500, seconds(60)), 1, NOW, PACE)
    assert pause == Pause(NOW + seconds(10), "back-off after a failure")


def test_no_pause_is_longer_than_a_year() -> None:
    pause = pause_after(Answered(503, timedelta.max), 1, NOW, PACE)
    assert pause == Pause(NOW + LONGEST, "Retry-After, status 503")


def test_a_report_is_an_answer_where_there_is_a_status() -> None:
    report = Reported(status=503, retry_after="60")
    assert report.outcome(NOW) == Answered(503, seconds(60))
    assert Reported(status=200).outcome(NOW) == Answered(200)
    assert Reported(status=503, retry_after="soon").outcome(NOW) == Answered(503)
    assert Reported(retry_after="60").outcome(NOW).failed


@pytest.mark.parametrize(
    ("told", "lasted"), [(None, 5), (seconds(2), 2), (seconds(9), 5), (seconds(-1), 0)]
)
def test_a_request_lasted_no_longer_than_it_can_have(told: timedelta | None, lasted: float) -> None:
    assert Reported(status=200, took=told).lasted(seconds(5)) == seconds(lasted)
