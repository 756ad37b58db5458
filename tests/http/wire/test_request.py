import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.http.wire.fields import Malformed
from gossamer.http.wire.request import (
    MOST_FIELDS,
    MOST_REMEMBERED_BYTES,
    Authority,
    RequestHead,
    Target,
    head_end,
    is_one_head,
    read_authority,
    read_request,
    read_server,
    read_url,
    read_url_inside,
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


def host(text: str) -> list[bytes]:
    return [text.encode()]


@pytest.mark.parametrize(
    ("target", "named", "url"),
    [
        ("http://a.test/x?q=1", "a.test", "http://a.test/x?q=1"),
        ("HTTP://A.TEST:80/./x#y", "a.test", "http://a.test/x"),
        ("https://a.test:443", "a.test:443", "https://a.test/"),
        ("http://[::1]:8080/", "[::1]:8080", "http://[::1]:8080/"),
    ],
)
def test_a_url_is_the_canonical_one_if_host_agrees(target: str, named: str, url: str) -> None:
    assert read_url(target.encode(), host(named), 1) == url


@pytest.mark.parametrize(
    ("target", "named", "status"),
    [
        ("/x", "a.test", 400),
        ("*", "a.test", 400),
        ("a.test:80", "a.test", 400),
        ("ftp://a.test/", "a.test", 501),
        ("http://", "a.test", 400),
        ("http://a.test:99999/", "a.test", 400),
        ("http://a.test/", "a.test:8080", 400),
        ("http://a.test/", "", 400),
        ("http://a.test/", "a.test/x", 400),
        ("http://a.test/", "x@a.test", 400),
    ],
)
def test_what_is_no_url_of_its_host_is_refused(target: str, named: str, status: int) -> None:
    answer = read_url(target.encode(), host(named), 1)
    assert isinstance(answer, Malformed)
    assert answer.status == status


@pytest.mark.parametrize(
    ("origin", "target"),
    [
        (None, b"http://a.test:8080"),
        ("http://a.test:8080", b"http://a.test:8080"),
        ("http://a.test:8080", b"*"),
    ],
)
def test_a_url_without_a_path_may_mean_a_server(origin: str | None, target: bytes) -> None:
    server = read_server(origin, target, host("a.test:8080"), 1)
    assert isinstance(server, Target)
    assert server.url == "http://a.test:8080/"
    assert server.line == b" * HTTP/1.1\r\nHost: a.test:8080\r\n"


@pytest.mark.parametrize("target", [b"http://a.test/", b"http://a.test?x", b"/", b"/*"])
def test_with_a_path_or_a_query_it_is_a_page(target: bytes) -> None:
    assert read_server("http://a.test", target, host("a.test"), 1) is None


def test_nobody_knows_which_server_is_meant_without_a_connection_to_it() -> None:
    assert isinstance(read_server(None, b"*", host("a.test"), 1), Malformed)
    assert isinstance(read_server("http://a.test", b"*", host("b.test"), 1), Malformed)


def test_a_tunnel_leads_to_a_host_and_a_port() -> None:
    assert read_authority(b"A.test:443", host("a.test:443"), 1) == Authority("a.test", 443)
    assert read_authority(b"a.test:8443", host("a.test"), 1) == Authority("a.test", 8443)
    assert read_authority(b"[::1]:443", host("[::1]:443"), 1) == Authority("[::1]", 443)


@pytest.mark.parametrize(
    "target", [b"a.test", b"a.test:0", b"a.test:70000", b"x@a.test:443", b"a.test:443/x"]
)
def test_nothing_else_does(target: bytes) -> None:
    assert isinstance(read_authority(target, (), 0), Malformed)
    assert isinstance(read_authority(b"a.test:443", host("b.test:443"), 1), Malformed)


def test_the_front_page_of_a_tunnel_has_its_port_where_it_is_unusual() -> None:
    assert Authority("a.test", 443).url == "https://a.test/"
    assert Authority("a.test", 8443).url == "https://a.test:8443/"
    assert Authority("a.test", 80).url == "http://a.test/"


def test_inside_a_connection_a_path_is_enough() -> None:
    inside = read_url_inside("https://a.test", b"/x", host("a.test"), 1)
    assert inside == "https://a.test/x"
    assert (
        read_url_inside("https://a.test", b"https://a.test/y", host("a.test"), 1)
        == "https://a.test/y"
    )


def test_inside_a_connection_no_other_host_is_asked_for() -> None:
    for target, named in ((b"/x", "b.test"), (b"https://b.test/x", "b.test")):
        assert isinstance(read_url_inside("https://a.test", target, host(named), 1), Malformed)
