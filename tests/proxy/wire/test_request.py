from hypothesis import given
from hypothesis import strategies as st

from gossamer.proxy.wire.fields import Malformed
from gossamer.proxy.wire.request import (
    MOST_FIELDS,
    MOST_REMEMBERED_BYTES,
    RequestHead,
    head_end,
    is_one_head,
    read_request,
)


def test_a_request_is_its_line_and_fields() -> None:
    head = read_request(b"GET http://a.test/ HTTP/1.0\r\nHost: a.test\r\n\r\n")
    assert isinstance(head, RequestHead)
    assert (head.method, head.target, head.minor) == ("GET", b"http://a.test/", 0)
    assert (head.hosts, head.header.fields) == ([b"a.test"], ())


def read(*lines: str) -> RequestHead | Malformed:
    return read_request("\r\n".join(["GET / HTTP/1.1", *lines, "", ""]).encode())


def test_host_is_told_apart_from_what_is_the_same_in_all_requests_of_a_program() -> None:
    one = read("A: 1", "Host: a.test", "B: 2")
    other = read("hOST:\tb.test ", "A: 1", "B: 2")
    assert isinstance(one, RequestHead)
    assert isinstance(other, RequestHead)
    assert one.header is other.header
    assert one.header.fields == ((b"A", b"1"), (b"B", b"2"))
    assert (one.hosts, other.hosts) == ([b"a.test"], [b"b.test"])


def test_no_host_gets_lost() -> None:
    for lines, hosts in (
        (["A: 1"], []),
        (["X-Host: a", "Not-Host: b"], []),
        (["Host:"], [b""]),
        (["Host: a", "A: 1", "Host: b"], [b"a", b"b"]),
        (["Host: a", "Host: a"], [b"a", b"a"]),
    ):
        head = read(*lines)
        assert isinstance(head, RequestHead)
        assert [*head.hosts] == hosts


def test_lines_around_a_host_are_not_joined_by_taking_it_out() -> None:
    for lines in (["A: 1", "Host: a", " b: 2"], ["Host: a", " b"], [" Host: a"], ["Host : a"]):
        assert isinstance(read(*lines), Malformed)


def test_a_long_header_is_read_each_time() -> None:
    long = f"A: {'x' * MOST_REMEMBERED_BYTES}"
    one, other = read(long), read(long)
    assert isinstance(one, RequestHead)
    assert isinstance(other, RequestHead)
    assert one.header is not other.header
    assert one.header.fields == other.header.fields


def test_host_counts_among_the_fields() -> None:
    assert isinstance(read("Host: a", *["A: 1"] * (MOST_FIELDS - 1)), RequestHead)
    many = read("Host: a", *["A: 1"] * MOST_FIELDS)
    assert isinstance(many, Malformed)
    assert many.status == 431


def test_a_head_ends_at_its_empty_line() -> None:
    assert head_end(b"GET / HTTP/1.1\r\nA: 1\r\n\r\nrest", 100) == 24
    assert head_end(b"GET / HTTP/1.1\r\nA: 1\r\n", 100) is None


def test_one_head_is_told_from_more_and_from_less() -> None:
    head = b"GET / HTTP/1.1\r\nA: 1\r\n\r\n"
    assert is_one_head(head, 100)
    for other in (head[:-1], head + b"x", head * 2, b"\r\n" + head, b"\r\n\r\n", b""):
        assert not is_one_head(other, 100)
    assert not is_one_head(head, len(head) - 1)


def test_a_head_without_end_is_not_waited_for() -> None:
    long_line = head_end(b"GET /" + b"a" * 200, 100)
    long_head = head_end(b"GET / HTTP/1.1\r\n" + b"A: 1\r\n" * 50, 100)
    no_carriage = head_end(b"GET / HTTP/1.1\nA: 1\n\n", 100)
    assert [
        each.status for each in (long_line, long_head, no_carriage) if isinstance(each, Malformed)
    ] == [414, 431, 400]


@given(st.binary(max_size=300))
def test_bytes_of_any_kind_are_a_request_or_malformed(data: bytes) -> None:
    head = read_request(data + b"\r\n\r\n")
    if isinstance(head, RequestHead):
        assert head.method.isascii()
        assert b" " not in head.target
        assert head.minor in (0, 1)
    else:
        assert head.status in (400, 414, 431, 501, 505)
