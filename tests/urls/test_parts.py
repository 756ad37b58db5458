import pytest
from ada_url import URL
from hypothesis import given
from hypothesis import strategies as st
from tests.urls.strategies import urls

from gossamer.model import Url
from gossamer.urls.parts import host_of, is_address, origin_of, path_of, site_of


@pytest.mark.parametrize(
    ("url", "host", "origin", "path"),
    [
        ("http://a/", "a", "http://a", "/"),
        ("https://a/", "a", "https://a", "/"),
        ("https://example.test/a/b?c=/d", "example.test", "https://example.test", "/a/b?c=/d"),
        ("http://example.test:8080/?q", "example.test", "http://example.test:8080", "/?q"),
        ("http://[::1]/", "[::1]", "http://[::1]", "/"),
        ("http://[::1]:8080/x:y", "[::1]", "http://[::1]:8080", "/x:y"),
        ("http://127.0.0.1:1/", "127.0.0.1", "http://127.0.0.1:1", "/"),
    ],
)
def test_a_url_has_a_host_an_origin_and_a_path(url: str, host: str, origin: str, path: str) -> None:
    assert (host_of(Url(url)), origin_of(Url(url)), path_of(Url(url))) == (host, origin, path)


@given(urls)
def test_origin_and_path_make_the_url_again(url: Url) -> None:
    assert origin_of(url) + path_of(url) == url


@given(urls)
def test_the_parts_are_those_a_parser_finds(url: Url) -> None:
    parsed = URL(url)
    assert origin_of(url) == parsed.origin
    assert host_of(url) == (parsed.hostname.removesuffix(".") or parsed.hostname)
    assert path_of(url).partition("?")[0] == parsed.pathname
    assert is_address(parsed.hostname) == (parsed.host_type != 0)


def test_the_dot_of_the_root_makes_no_second_host() -> None:
    assert host_of(Url("http://example.test./")) == host_of(Url("http://example.test/"))
    assert host_of(Url("http://./")) == "."


@pytest.mark.parametrize(
    ("host", "site"),
    [
        ("www.example.org", "example.org"),
        ("a.b.example.co.uk", "example.co.uk"),
        ("example.org", "example.org"),
        ("alice.github.io", "alice.github.io"),
        ("www.shop.test", "shop.test"),
        ("www.xn--85x722f.com.cn", "xn--85x722f.com.cn"),
        ("co.uk", "co.uk"),
        ("localhost", "localhost"),
        ("127.0.0.1", "127.0.0.1"),
        ("[::1]", "[::1]"),
        (".", "."),
        ("a..b", "a..b"),
    ],
)
def test_the_site_of_a_host_is_its_registrable_domain(host: str, site: str) -> None:
    assert site_of(host) == site


def test_a_host_longer_than_any_name_is_a_site_of_its_own() -> None:
    host = "a." * 30_000 + "test"
    assert site_of(host) == host


@given(st.builds(host_of, urls))
def test_a_site_is_its_own_site(host: str) -> None:
    assert site_of(site_of(host)) == site_of(host)


def test_the_sites_kept_in_memory_are_bounded() -> None:
    assert site_of.cache_info().maxsize is not None
