from hypothesis import given
from hypothesis import strategies as st

from gossamer.proxy.wire.fields import Malformed
from gossamer.proxy.wire.request import RequestHead, head_end, read_request


def test_a_request_is_its_line_and_fields() -> None:
    head = read_request(b"GET http://a.test/ HTTP/1.0\r\nHost: a.test\r\n\r\n")
    assert head == RequestHead.of("GET", b"http://a.test/", 0, ((b"Host", b"a.test"),))


def test_a_connection_goes_on_by_the_rules_of_its_version() -> None:
    def goes_on(version: str, *connection: str) -> bool:
        lines = "".join(f"Connection: {each}\r\n" for each in connection)
        head = read_request(f"GET / HTTP/{version}\r\n{lines}\r\n".encode())
        assert isinstance(head, RequestHead)
        return head.keeps_alive

    assert goes_on("1.1")
    assert not goes_on("1.1", "Close")
    assert not goes_on("1.0")
    assert goes_on("1.0", "keep-alive")
    assert not goes_on("1.1", "keep-alive", "x, close")


def test_a_head_ends_at_its_empty_line() -> None:
    assert head_end(b"GET / HTTP/1.1\r\nA: 1\r\n\r\nrest", 100) == 24
    assert head_end(b"GET / HTTP/1.1\r\nA: 1\r\n", 100) is None


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
