import pytest

from gossamer.transform.depth import DEEPEST, MANY, has_few_tags, shallow


@pytest.mark.parametrize("element", ["div", "SECTION", "table", "a"])
def test_what_nests_without_end_is_cut(element: str) -> None:
    deep = f"<{element}>" * 100_000
    assert shallow(deep) == f"<{element}>" * DEEPEST
    assert shallow(deep + f"</{element}>" * 100_000) == f"<{element}>" * DEEPEST


@pytest.mark.parametrize(
    "page",
    [
        "<p>" * 100_000,
        "<li><img src=x><br>" * 50_000,
        "<div><span>x</span></div>" * 50_000,
        "<div>" * (DEEPEST - 1) + "</div>" * 100_000,
        "</div>" * 100_000 + "<div>" * 10,
        "<" * 100_000,
    ],
)
def test_a_long_page_that_is_not_deep_stays_whole(page: str) -> None:
    assert shallow(page) == page


def test_an_ordinary_page_is_not_looked_into() -> None:
    page = "<div>" * MANY
    assert shallow(page) is page
    assert has_few_tags(page.encode())
    assert not has_few_tags(page.encode() + b"<p>")
