"""Addresses in pages."""

from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.web.addresses import address, entity_address, host_in, outside, page_address

ANY = st.text(max_size=50)


def test_parameters_that_are_none_are_left_out_and_lists_are_given_again() -> None:
    assert address("/search") == "/search"
    assert address("/search", q="a b", type=["A", "B"], lang=None) == "/search?q=a+b&type=A&type=B"


@given(ANY)
def test_any_name_comes_back_out_of_its_address(name: str) -> None:
    for made, parameter in ((entity_address(name), "id"), (page_address(name), "url")):
        found = parse_qs(urlsplit(made).query, keep_blank_values=True, errors="surrogatepass")
        assert found == {parameter: [name]}


@pytest.mark.parametrize(
    "url",
    ["javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:alert(1)", "java\nscript:alert(1)",
     "data:text/html,x", "vbscript:x", "file:///etc/passwd", "//evil.test/", "/here", "http:/x", "http://",
     "http://[", "\thttp://a.test/", "urn:x", "", "mailto:a@b.test", "http://a.test/\nx"],
)  # fmt: skip
def test_what_could_do_harm_is_no_link(url: str) -> None:
    assert outside(url) is None


def test_addresses_of_the_web_are_links() -> None:
    for url in ("http://a.test/", "https://a.test/x?y#z", "HTTPS://A.test/", "https://ü.test/ö"):
        assert outside(url) == url
    assert outside(None) is None


@given(ANY)
def test_every_link_is_http(url: str) -> None:
    found = outside(url)
    assert found is None or found.lower().startswith(("http://", "https://"))


def test_a_host_is_told_where_there_is_one() -> None:
    assert host_in("https://a.test:8080/x") == "a.test"
    assert host_in("urn:isbn:1") == host_in("http://[") == ""
