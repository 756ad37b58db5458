from collections.abc import Iterable
from operator import itemgetter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.fetch.transfer import (
    MAX_UNREAD_BYTES,
    Patience,
    Stop,
    Transfer,
    TransferLimits,
    Wanted,
)
from gossamer.model import BodyState, Cause, ResponseHead, Url

URL = Url("http://site.test/")
LIMITS = TransferLimits(max_header_bytes=1000, max_body_bytes=100)
UNREAD = [b"301 Moved", b"404 No", b"503 Busy", b"999 Odd"]
MOMENTS = st.integers(1, 100).map(float)


def transfer(
    limits: TransferLimits = LIMITS, wanted: Wanted | None = None, *, asked: bool = True
) -> Transfer:
    patience = Patience(
        connect_by=10, total_by=60, first_byte=30, low_speed_bytes=0, low_speed_time=20
    )
    begun = Transfer(URL, limits, patience, lambda: 1.5, wanted)
    if asked:
        begun.asked()
    return begun


def feed(begun: Transfer, lines: Iterable[bytes], *chunks: bytes) -> bool:
    """Hand it over as curl does; whether it wanted all of it."""
    return all(begun.add_header(line + b"\r\n") for line in lines) and all(
        begun.add_body(chunk) for chunk in chunks
    )


def test_headers_are_kept_as_they_came() -> None:
    begun = transfer()
    assert feed(begun, [b"HTTP/1.1 200 OK", b"Set-A: 1", b"SET-A:2 ", b"X: caf\xe9", b""])
    assert begun.head == ResponseHead(URL, 200, (("Set-A", "1"), ("SET-A", "2"), ("X", "caf\xe9")))


def test_a_folded_value_is_one_value() -> None:
    begun = transfer()
    assert feed(begun, [b"HTTP/1.1 200 OK", b"X: one", b"\t two", b""])
    assert begun.head.headers == (("X", "one two"),)


@pytest.mark.parametrize("path", ["/città", "/верх", "/Å", "/à/à"])
def test_a_value_keeps_bytes_that_are_spaces_in_another_encoding(path: str) -> None:
    plain, folded = transfer(), transfer()
    assert feed(plain, [b"HTTP/1.1 301 Moved", b"Location: " + path.encode() + b" \t", b""])
    assert feed(folded, [b"HTTP/1.1 301 Moved", b"Location:", b" " + path.encode(), b""])
    assert plain.head.location == folded.head.location == path


@given(st.binary(max_size=50))
def test_no_value_can_break_a_line_of_ours(value: bytes) -> None:
    begun = transfer()
    feed(begun, [b"HTTP/1.1 200 OK", b"ETag: " + value])
    assert not {"\r", "\n", "\0"} & set("".join(value for _, value in begun.head.headers))


def test_an_interim_answer_gives_way_to_the_final_one() -> None:
    asked_about: list[ResponseHead] = []

    def remember(head: ResponseHead) -> bool:
        asked_about.append(head)
        return True

    begun = transfer(wanted=remember)
    interim = [b"HTTP/1.1 103 Early Hints", b"Link: </a>", b""]
    assert feed(begun, [*interim, b"HTTP/1.1 404 No", b"A: 1", b""], b"gone")
    assert asked_about == [ResponseHead(URL, 404, (("A", "1"),))]


def test_what_comes_before_our_request_is_a_proxys_own_answer() -> None:
    begun = transfer(asked=False)
    assert feed(begun, [b"HTTP/1.1 200 Connection established", b"Via: proxy", b""])
    assert not begun.head_complete
    begun.asked()
    assert feed(begun, [b"HTTP/2 404", b"a: 1", b""])
    assert (begun.head.status, begun.head.headers, begun.http_version) == (404, (("a", "1"),), "2")


def test_trailers_are_not_headers() -> None:
    begun = transfer()
    assert feed(begun, [b"HTTP/1.1 200 OK", b""], b"body")
    assert begun.add_header(b"Trailer: 1\r\n")
    assert begun.head.headers == ()


def test_headers_beyond_the_limit_end_it() -> None:
    begun = transfer(TransferLimits(max_header_bytes=40, max_body_bytes=100))
    assert not feed(begun, [b"HTTP/1.1 200 OK", b"X: " + b"x" * 40])
    assert begun.stopped == Stop(Cause.HEADER_TOO_LARGE, "The headers are larger than 40 bytes.")


def test_a_body_beyond_the_limit_ends_it() -> None:
    begun = transfer()
    assert not feed(begun, [b"HTTP/1.1 200 OK", b""], b"x" * 100, b"x")
    assert begun.stopped == Stop(Cause.TOO_LARGE, "The body is larger than 100 bytes.")


def test_a_body_announced_beyond_the_limit_is_not_begun() -> None:
    begun = transfer()
    assert not feed(begun, [b"HTTP/1.1 200 OK", b"Content-Length: 101", b""])
    assert begun.stopped
    assert begun.stopped.reason is Cause.TOO_LARGE


@pytest.mark.parametrize(
    "lines",
    [
        [b"Content-Length: 100"],
        [b"Content-Length: many"],
        [b"Content-Length: \xb2"],
        [b"Content-Length: 999", b"Transfer-Encoding: chunked"],
    ],
)
def test_only_a_length_that_counts_is_held_against_a_body(lines: list[bytes]) -> None:
    assert feed(transfer(), [b"HTTP/1.1 200 OK", *lines, b""], b"body")


def test_the_first_bytes_are_enough_where_the_caller_says_so() -> None:
    begun = transfer(TransferLimits(max_header_bytes=1000, max_body_bytes=3, first_bytes=5))
    assert not feed(begun, [b"HTTP/1.1 200 OK", b"Content-Length: 999", b""], b"abc", b"defg")
    assert begun.body == b"abcde"
    assert begun.stopped == Stop(BodyState.CUT)


def test_a_body_nobody_wants_is_not_begun() -> None:
    begun = transfer(wanted=lambda head: head.media_type == "text/html")
    assert not feed(begun, [b"HTTP/1.1 200 OK", b"Content-Type: video/mp4", b""])
    assert begun.stopped == Stop(BodyState.SKIPPED)


@pytest.mark.parametrize("status", UNREAD)
@pytest.mark.parametrize("limits", [LIMITS, LIMITS._replace(first_bytes=5)])
def test_an_answer_that_is_not_read_is_taken_only_while_that_is_cheap(
    status: bytes, limits: TransferLimits
) -> None:
    begun = transfer(limits)
    assert feed(begun, [b"HTTP/1.1 " + status, b""], b"x" * MAX_UNREAD_BYTES)
    assert begun.body == b"x" * MAX_UNREAD_BYTES
    assert not begun.add_body(b"x")
    assert (begun.stopped, begun.body) == (Stop(BodyState.SKIPPED), b"")


@pytest.mark.parametrize("status", UNREAD)
def test_an_answer_that_is_not_read_is_not_begun_where_it_is_large(status: bytes) -> None:
    begun = transfer()
    length = b"Content-Length: %d" % (MAX_UNREAD_BYTES + 1)
    assert not feed(begun, [b"HTTP/1.1 " + status, length, b""])
    assert begun.stopped == Stop(BodyState.SKIPPED)
    assert begun.head.status == int(status[:3])


@pytest.mark.parametrize(
    "lines",
    [[b"HTTP/1.1 304 Not Modified"], [b"HTTP/1.1 204 No"], [b"HTTP/1.1 200 OK", b"Content-Length: 0"]],
)  # fmt: skip
def test_nobody_is_asked_about_a_body_that_is_not_there(lines: list[bytes]) -> None:
    assert feed(transfer(wanted=lambda head: False), [*lines, b""])


def test_a_question_that_crashes_ends_it_and_is_kept() -> None:
    def crash(head: ResponseHead) -> bool:
        raise KeyError(head.status)

    begun = transfer(wanted=crash)
    assert not feed(begun, [b"HTTP/1.1 200 OK", b""])
    assert isinstance(begun.crash, KeyError)


def test_the_first_reason_to_stop_counts() -> None:
    begun = transfer()
    begun.stop(Cause.SLOW, "first")
    begun.stop(Cause.STOPPED, "second")
    assert begun.stopped == Stop(Cause.SLOW, "first")


@given(st.lists(st.binary(max_size=40)))
def test_no_line_raises(lines: list[bytes]) -> None:
    begun = transfer()
    feed(begun, lines)
    assert begun.received > 0 or not lines


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
