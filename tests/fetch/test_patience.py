from operator import itemgetter

from hypothesis import given
from hypothesis import strategies as st

from gossamer.fetch.patience import Patience
from gossamer.model import Cause


def patience(
    *, connect: float = 10, total: float = 60, first_byte: float = 30, speed: int = 100
) -> Patience:
    return Patience(
        connect_by=connect,
        total_by=total,
        first_byte=first_byte,
        low_speed_bytes=speed,
        low_speed_time=20,
    )


def test_a_connection_that_does_not_come_about_is_given_up() -> None:
    assert patience().verdict(9.9, 0) == 10
    assert patience().verdict(10, 0) is Cause.TIMEOUT_CONNECT


def test_the_wait_for_the_first_byte_begins_with_the_request() -> None:
    waiting = patience()
    waiting.asked(5)
    assert waiting.verdict(10, 0) == 30  # low speed could begin to count now, and end then
    assert waiting.verdict(30, 0) == 35
    assert waiting.verdict(35, 0) is Cause.TIMEOUT_FIRST_BYTE


def test_slowness_counts_from_the_first_byte() -> None:
    slow = patience()
    slow.asked(0)
    slow.answered(25)
    assert slow.verdict(26, 10) == 45
    assert slow.verdict(45, 1_999) is Cause.SLOW


def test_an_answer_must_stay_fast_enough() -> None:
    fading = patience(total=1000)
    fading.asked(0)
    fading.answered(0)
    assert fading.verdict(20, 2_000) == 40
    assert fading.verdict(40, 3_999) is Cause.SLOW


def test_no_speed_is_too_slow_where_the_limit_is_zero() -> None:
    lenient = patience(speed=0)
    lenient.asked(0)
    lenient.answered(0)
    assert lenient.verdict(20, 0) == 40


def test_the_total_limit_ends_what_all_others_let_pass() -> None:
    fast = patience()
    fast.asked(0)
    fast.answered(0)
    assert fast.verdict(59, 10**9) == 60
    assert fast.verdict(60, 10**9) is Cause.TIMEOUT_TOTAL


MOMENTS = st.integers(1, 100).map(float)


@given(MOMENTS, MOMENTS, MOMENTS, MOMENTS, MOMENTS)
def test_no_limit_runs_out_unseen_between_two_looks(
    connect: float, first_byte: float, total: float, asked: float, answer_took: float
) -> None:
    asked, answered = asked - 0.5, asked - 0.5 + answer_took - 0.25  # never at a deadline itself
    if asked > connect:
        expected = (connect, Cause.TIMEOUT_CONNECT)
    elif answered > asked + first_byte:
        expected = (asked + first_byte, Cause.TIMEOUT_FIRST_BYTE)
    else:
        expected = (answered + 20, Cause.SLOW)
    watched = patience(connect=connect, first_byte=first_byte, total=total)
    sooner = min((total, Cause.TIMEOUT_TOTAL), expected, key=itemgetter(0))
    assert looked_at(watched, asked, answered) == sooner


def looked_at(watched: Patience, asked: float, answered: float) -> tuple[float, Cause]:
    """When the verdict falls, and which, if we look only when we were told to."""
    now = 0.0
    while not isinstance(verdict := watched.verdict(now, 0), Cause):
        assert verdict > now
        now = verdict
        if watched.asked_at is None and asked < now:
            watched.asked(asked)
        if watched.answered_at is None and answered < now and watched.asked_at is not None:
            watched.answered(answered)
    return now, verdict
