import pytest

from gossamer.proxy.wire.fields import Malformed
from gossamer.proxy.wire.target import (
    Authority,
    Target,
    read_authority,
    read_server,
    read_url,
    read_url_inside,
)


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
