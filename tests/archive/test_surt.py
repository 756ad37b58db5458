"""Keys of indexes; pairs of URL and key as the library `surt` has them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.archive.surt import surt
from gossamer.model import Url
from gossamer.urls import seed


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("http://example.org/", "org,example)/"),
        ("https://www.example.org/", "org,example)/"),
        ("http://www2.example.co.uk/", "uk,co,example)/"),
        ("http://www.www.org/", "org,www)/"),
        ("http://example.org:8080/a", "org,example:8080)/a"),
        ("http://127.0.0.1/a", "1,0,0,127)/a"),
        ("http://[::1]:9/a", "::1:9)/a"),
        ("http://example.org/A/B/", "org,example)/a/b"),
        ("http://example.org//a///b", "org,example)/a/b"),
        ("http://example.org/a?B=2&a=1&a=", "org,example)/a?a=&a=1&b=2"),
        ("http://example.org/a?", "org,example)/a"),
        ("http://example.org/%7Ea%20b/%C3%A9", "org,example)/~a%20b/%c3%a9"),
        ("http://example.org/%252Fa", "org,example)/a"),
        ("http://example.org/a?sid=0123456789abcdef0123456789ABCDEF&b=1", "org,example)/a?b=1"),
        ("http://example.org/a?x=1&CFID=1&CFTOKEN=2", "org,example)/a?&x=1"),
        ("http://example.org/(abcdefghijklmnopqrstuvwx)/Shop.aspx", "org,example)/shop.aspx"),
    ],
)
def test_a_key_is_the_one_that_others_use(url: str, key: str) -> None:
    assert surt(Url(url)) == key


@given(st.text(max_size=40), st.text(max_size=40))
def test_a_key_is_one_word_of_plain_letters(path: str, query: str) -> None:
    url = seed(f"http://site.test/{path}?{query}")
    if isinstance(url, str):
        key = surt(url)
        assert key.isascii()
        assert key.isprintable()
        assert " " not in key
