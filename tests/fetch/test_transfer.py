from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.fetch.patience import Patience
from gossamer.fetch.transfer import MAX_UNREAD_BYTES, Limits, Stop, Transfer, Wanted
from gossamer.model import BodyState, Cause, ResponseHead, Url

URL = Url("http://site.test/")
LIMITS = Limits(max_header_bytes=1000, max_body_bytes=100)


def transfer(
    limits: Limits = LIMITS, wanted: Wanted | None = None, *, asked: bool = True
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
    begun = transfer(Limits(max_header_bytes=40, max_body_bytes=100))
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
    begun = transfer(Limits(max_header_bytes=1000, max_body_bytes=3, first_bytes=5))
    assert not feed(begun, [b"HTTP/1.1 200 OK", b"Content-Length: 999", b""], b"abc", b"defg")
    assert begun.body == b"abcde"
    assert begun.stopped == Stop(BodyState.CUT)


def test_a_body_nobody_wants_is_not_begun() -> None:
    begun = transfer(wanted=lambda head: head.media_type == "text/html")
    assert not feed(begun, [b"HTTP/1.1 200 OK", b"Content-Type: video/mp4", b""])
    assert begun.stopped == Stop(BodyState.SKIPPED)


UNREAD = [b"301 Moved", b"404 No", b"503 Busy", b"999 Odd"]


@pytest.mark.parametrize("status", UNREAD)
@pytest.mark.parametrize("limits", [LIMITS, LIMITS._replace(first_bytes=5)])
def test_an_answer_that_is_not_read_is_taken_only_while_that_is_cheap(
    status: bytes, limits: Limits
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
