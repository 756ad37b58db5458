import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.http.wire.fields import (
    REQUEST_DROPS,
    RESPONSE_DROPS,
    Malformed,
    goes_on,
    has_bare_line_feed,
    has_been_here,
    indexed,
    items,
    keeps_alive,
    passed_on,
    read_fields,
    split_fields,
    values,
    via,
)
from gossamer.http.wire.framing import Sized, response_framing
from gossamer.http.wire.response import ResponseHead, read_response, response_block


def test_fields_are_read_in_their_order_without_outer_blanks() -> None:
    fields = read_fields(b"A: 1\r\nb:\t2 \r\nA:3\r\nEmpty:\r\n", 0, 10)
    assert fields == ((b"A", b"1"), (b"b", b"2"), (b"A", b"3"), (b"Empty", b""))
    assert not isinstance(fields, Malformed)
    assert values(indexed(fields), b"a") == [b"1", b"3"]
    assert split_fields(b"") == ()


def test_items_of_a_list_are_told_apart_in_small_letters() -> None:
    fields = ((b"Connection", b"close, X-A"), (b"connection", b" ,y"))
    assert items(indexed(fields), b"connection") == [b"close", b"x-a", b"y"]


def test_too_many_fields_are_too_many() -> None:
    answer = read_fields(b"A: 1\r\n" * 3, 0, 2)
    assert isinstance(answer, Malformed)
    assert answer.status == 431


@pytest.mark.parametrize(
    ("line", "word"),
    [
        (b" a: 1", "folded"),
        (b"\ta: 1", "folded"),
        (b"a: \x00", "NUL"),
        (b"a: 1\r2", "bare"),
        (b"a", "colon"),
        (b"a : 1", "blank"),
        (b"a\xff: 1", "name"),
        (b": 1", "name"),
        (b"a: \x07", "control"),
    ],
)
def test_what_is_wrong_is_said(line: bytes, word: str) -> None:
    answer = read_fields(b"ok: 1\r\n" + line + b"\r\n", 0, 10)
    assert isinstance(answer, Malformed)
    assert answer.status == 400
    assert word in answer.why


def test_a_line_feed_alone_is_noticed() -> None:
    assert has_bare_line_feed(b"a\r\nb\nc")
    assert not has_bare_line_feed(b"a\r\nb\r\n")


@given(st.binary(max_size=200))
def test_bytes_of_any_kind_are_fields_or_malformed(block: bytes) -> None:
    answer = read_fields(block + b"\r\n", 0, 100)
    if not isinstance(answer, Malformed):
        for name, value in answer:
            assert name
            assert not set(value) & set(b"\0\r\n")


def test_what_is_for_this_hop_goes_no_further() -> None:
    fields = (
        (b"Accept", b"*/*"),
        (b"Connection", b"X-Mine, close"),
        (b"X-Mine", b"1"),
        (b"Proxy-Authorization", b"Basic eA=="),
        (b"TE", b"trailers"),
        (b"Upgrade", b"websocket"),
        (b"X-Gossamer-Max-Wait", b"1"),
    )
    assert passed_on(fields, indexed(fields), REQUEST_DROPS) == ((b"Accept", b"*/*"),)


def test_a_client_cannot_have_us_drop_what_the_origin_relies_on() -> None:
    fields = ((b"Connection", b"Cookie, Cache-Control"), (b"Cookie", b"a"), (b"X", b"1"))
    assert passed_on(fields, indexed(fields), RESPONSE_DROPS) == ((b"Cookie", b"a"), (b"X", b"1"))


def test_a_connection_goes_on_by_the_rules_of_its_version() -> None:
    def alive(minor: int, *connection: bytes) -> bool:
        return keeps_alive(indexed(tuple((b"Connection", each) for each in connection)), minor)

    assert alive(1)
    assert not alive(1, b"Close")
    assert not alive(0)
    assert alive(0, b"keep-alive")
    assert not alive(1, b"keep-alive", b"x, close")


def test_a_server_that_states_two_lengths_is_not_asked_again_over_the_same_connection() -> None:
    both = ((b"Content-Length", b"1"), (b"Transfer-Encoding", b"chunked"))
    assert goes_on(indexed(both[:1]), 1)
    assert goes_on(indexed(both[1:]), 1)
    assert not goes_on(indexed(both), 1)


@pytest.mark.parametrize(
    ("came", "goes"),
    [
        (b"A:1\r\nContent-Length: 3\r\n", b"A:1\r\nContent-Length: 3\r\n"),
        (
            b"A: 1\r\nConnection: B\r\nB: 2\r\nContent-Length: 3\r\n",
            b"A: 1\r\nContent-Length: 3\r\n",
        ),
        (b"Content-Length: 3\r\ncontent-length: 3\r\n", b"Content-Length: 3\r\n"),
        (b"Transfer-Encoding: chunked\r\nContent-Length: 3\r\nA: 1\r\n", b"A: 1\r\n"),
        (b"Via: 1.1 far\r\nA: 1\r\n", b"A: 1\r\n"),
        (b"A: 1\r\n  2\r\n", b"A: 1 2\r\n"),
    ],
)
def test_a_response_goes_on_as_it_came_but_for_what_is_for_this_hop(
    came: bytes, goes: bytes
) -> None:
    head = read_response(b"HTTP/1.1 200 OK\r\n" + came + b"\r\n")
    assert isinstance(head, ResponseHead)
    assert response_block(head) == goes


NAMES = [b"Content-Length", b"Transfer-Encoding", b"Connection", b"X"]
VALUES = [b"", b",", b"3", b"4", b"identity", b"chunked", b"gzip", b"Content-Length", b"close"]


@given(st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(VALUES)), max_size=4))
def test_a_length_that_counts_here_is_told_to_the_next_hop_and_no_other(
    fields: list[tuple[bytes, bytes]],
) -> None:
    head = ResponseHead.of(200, 1, tuple(fields))
    framing = response_framing(head.named, head.status, to_head=False)
    told = indexed(split_fields(response_block(head))).get(b"content-length")
    if not isinstance(framing, Malformed):
        assert told == ([b"%d" % framing.length] if isinstance(framing, Sized) else None)


def test_what_has_no_body_has_no_length() -> None:
    assert response_block(ResponseHead.of(204, 1, ((b"Content-Length", b"3"),))) == b""


def test_via_tells_who_was_on_the_way() -> None:
    fields = ((b"Via", b"1.0 far"), (b"Via", b"1.1 near"))
    assert via(indexed(fields), 1, b"us") == b"1.0 far, 1.1 near, 1.1 us"
    assert via({}, 0, b"us") == b"1.0 us"


def test_we_know_ourselves_among_others() -> None:
    assert has_been_here({b"via": [b"1.0 far, 1.1 us (gossamer)"]}, b"us")
    assert not has_been_here({b"via": [b"1.1 usual"]}, b"us")
