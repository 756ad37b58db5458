import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.freshness.templates import LONGEST, coarser, template

SITE = "https://shop.test"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("/product/1", "/product/20345"),
        ("/product/red-shoes-for-rain", "/product/blue-hat-with-rim"),
        ("/2026/11/19/first-thing-to-say", "/2025/01/02/last-thing-to-say"),
        ("/item/3f2504e0-4f89-11d3-9a0c-0305e82c3301", "/item/11d39a0c"),
        ("/p/a.html?page=1&sort=name", "/p/a.html?sort=price&page=7"),
        ("/video/dQw4w9WgXcQ1", "/video/a8dQ_w9WgXcQ"),
        ("/wiki/Caf%C3%A9", "/wiki/Z%C3%BCrich"),
    ],
)
def test_urls_that_are_made_alike_have_one_template(one: str, other: str) -> None:
    assert template(SITE + one) == template(SITE + other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("/", "/about"), ("/product/1", "/review/1"), ("/a?id=1", "/a?page=1"), ("/a.html", "/a.rss")],
)
def test_urls_that_differ_in_kind_do_not(one: str, other: str) -> None:
    assert template(SITE + one) != template(SITE + other)


def test_a_segment_with_very_many_dots_is_one_name() -> None:
    assert template(f"{SITE}/{'a.' * 50_000}b") == "/{name}.b"


@given(st.text(alphabet="abz/09-_.?&=%", max_size=80))
def test_templates_are_short_and_those_of_templates_no_finer(path: str) -> None:
    found = template(f"{SITE}/{path}")
    assert len(found) <= LONGEST
    assert len(coarser(found)) <= len(found) + 1
