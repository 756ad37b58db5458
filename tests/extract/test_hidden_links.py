"""Addresses that pages have for their scripts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.extract.hidden_links import MOST, hidden_links
from gossamer.transform.document import Document

PAGE = "http://www.a.test/dir/page"


def found(markup: str) -> list[str]:
    links = hidden_links(Document(PAGE, markup.encode()))
    return [url.removeprefix("http://www.a.test") for url in links]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<div data-href='/a'>", ["/a"]),
        ("<div data-href='b' data-url=' /c '>", ["/c"]),
        ("<div data-url='http://shop.a.test/d'>", ["http://shop.a.test/d"]),
        ("<div data-url='http://b.test/d'>", []),
        ("<div data-link='javascript:x()' data-src=/e.jpg>", []),
        ("<button onclick=\"location.href='/f?g=1'\">", ["/f?g=1"]),
        ("<p onclick=\"alert('no / path')\">", []),
        ("<img srcset='/h 1x, /i.webp 2x'>", ["/h"]),
        ('<script type=\'application/json\'>{"x": {"y": ["/j", "k", 1, null]}}</script>', ["/j"]),
        ("<script type='application/json'>{broken \"/j\"</script>", []),
        ('<script type=\'application/ld+json\'>{"url": "/l"}</script>', []),
        ('<script>window.__INITIAL_STATE__ = {"a": "\\/m\\/n"}</script>', ["/m/n"]),
        ("<script>fetch('/api')</script>", []),
        ("<script>self.__NUXT__={p:'/o'}</script>", ["/o"]),
        ("<div data-href='/dir/page'>", []),
        ("<base href='http://www.a.test/x/'><div data-href='/p'>", ["/p"]),
        ("<div data-page='/_next/static/chunks/q'>", []),
    ],
)
def test_what_looks_like_a_page_of_the_site_is_found(markup: str, expected: list[str]) -> None:
    assert found(markup) == expected


def test_a_page_has_so_many_at_most() -> None:
    many = ", ".join(f'"/{number}"' for number in range(10 * MOST))
    assert len(found(f"<script type=application/json>[{many}]</script>")) == MOST
    assert found(f"<script type=application/json>{'[' * 200_000}</script>") == []


@given(st.text(alphabet="<>=\"'/ adiv-hrefscriptjson{}[],:x", max_size=200))
def test_no_markup_is_beyond_reading(markup: str) -> None:
    found(markup)
    found(f"<script type=application/json>{markup}</script>")
