import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.http.wire.fields import Malformed, lines
from gossamer.http.wire.response import (
    ResponseHead,
    read_good_response,
    read_response,
    response_end,
    status_line,
)


def test_a_response_is_its_status_and_fields() -> None:
    head = read_response(b"HTTP/1.1 404 Not here\r\nA: 1\r\n\r\n")
    assert head == ResponseHead.of(404, 1, ((b"A", b"1"),))


def test_a_reason_may_be_missing() -> None:
    assert read_response(b"HTTP/1.0 200\r\n\r\n") == ResponseHead.of(200, 0, ())
    assert read_response(b"HTTP/1.0 200 \r\n\r\n") == ResponseHead.of(200, 0, ())


def test_what_has_one_meaning_alone_is_mended() -> None:
    folded = read_response(b"HTTP/1.1 200 OK\r\nA: 1\r\n  2\r\nB: 3\r\n\r\n")
    blank = read_response(b"HTTP/1.1 200 OK\r\nA : 1\r\n\r\n")
    bare = read_response(b"HTTP/1.1 200 OK\nA: 1\n\n")
    assert folded == ResponseHead.of(200, 1, ((b"A", b"1 2"), (b"B", b"3")))
    assert blank == bare == ResponseHead.of(200, 1, ((b"A", b"1"),))


@pytest.mark.parametrize(
    "head",
    [
        b"SSH-2.0\r\n\r\n",
        b"HTTP/1.1 99 X\r\n\r\n",
        b"HTTP/2 200\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nA\0: 1\r\n\r\n",
    ],
)
def test_what_is_no_http_is_no_answer(head: bytes) -> None:
    answer = read_response(head)
    assert isinstance(answer, Malformed)
    assert answer.status == 502


def test_a_head_that_needs_no_mending_is_read_with_what_follows() -> None:
    head = b"HTTP/1.1 200 OK\r\nA:1\r\nB: 2 \r\n\r\n"
    read = ResponseHead.of(200, 1, ((b"A", b"1"), (b"B", b"2")), b"A:1\r\nB: 2 \r\n")
    assert read_good_response(head + b"A: body\r\n\r\n") == (read, len(head))
    for other in (head[:-1], head.replace(b"\r\nB", b"\nB"), head.replace(b"B:", b" B:"), b""):
        assert read_good_response(other) is None
    assert read_good_response(head[:-2] + b"A: 1\r\n" * 500 + b"\r\n") is None


def test_a_head_ends_at_its_first_empty_line() -> None:
    assert response_end(b"HTTP/1.1 200 OK\r\n\r\nbody", 100) == 19
    assert response_end(b"HTTP/1.1 200 OK\n\nbody\r\n\r\n", 100) == 17
    assert response_end(b"HTTP/1.1 200 OK\r\n", 100) is None
    assert isinstance(response_end(b"HTTP/1.1 200 OK\r\n" + b"A" * 200, 100), Malformed)


def test_it_is_written_as_it_is_read() -> None:
    fields = ((b"A", b"1"), (b"B", b"2"))
    assert read_response(status_line(200) + lines(fields) + b"\r\n") == ResponseHead.of(
        200, 1, fields
    )


@given(st.binary(max_size=300))
def test_bytes_of_any_kind_are_a_response_or_malformed(data: bytes) -> None:
    answer = read_response(b"HTTP/1.1 200 OK\r\n" + data + b"\r\n\r\n")
    assert isinstance(answer, (ResponseHead, Malformed))
