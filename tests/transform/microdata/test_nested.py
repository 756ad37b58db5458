import pytest
from tests.transform.demo_pages import problems_of
from tests.transform.microdata.reading import SCHEMA, URL, found, items

from gossamer.config import Transform as Options
from gossamer.transform.depth import DEEPEST


def test_an_item_without_a_type_takes_over_that_around_it() -> None:
    markup = f"""<div itemscope itemtype="{SCHEMA}A" itemid=#1><p itemprop=a itemscope itemid=#2>
        <b itemprop=b itemscope itemid=#3><i itemprop=c>d</i></b></p></div>"""
    assert {
        f"<{URL}#1> <{SCHEMA}a> <{URL}#2>",
        f"<{URL}#2> <{SCHEMA}b> <{URL}#3>",
        f'<{URL}#3> <{SCHEMA}c> "d"',
    } < found(markup)


def test_an_item_that_is_no_property_starts_anew() -> None:
    markup = f"""<div itemscope itemtype="{SCHEMA}A" itemid=#1><p itemscope itemid=#2>
        <b itemprop=b>c</b></p></div>"""
    assert f'<{URL}#2> <{URL}#b> "c"' in found(markup)


@pytest.mark.parametrize(
    "markup",
    [
        "<b itemprop=a>c</b>",
        "<p itemprop=a itemscope><b itemprop=a>c</b></p>",
        "<p itemprop-reverse=a itemscope><b itemprop=a>c</b></p>",
        "<p itemprop itemscope><b itemprop=a>c</b></p>",
        "<p itemtype=http://a.test/T itemid=x>c</p>",
    ],
)
def test_a_property_of_nothing_says_nothing(markup: str) -> None:
    assert found(markup) == frozenset()


def test_items_too_deep_are_left_out_with_a_problem() -> None:
    markup = "<p itemscope>" + "<span itemprop=a itemscope>" * 40 + "<b itemprop=c>d</b>"
    read = items(markup, Options(max_depth=16))
    assert sum(isinstance(item, str) for item in read) == 15
    assert set(problems_of(read)) == {"Items are nested too deep; the innermost are left out."}


def test_a_hundred_thousand_nested_items_are_no_trouble(full_size: bool) -> None:
    count = 100_000 if full_size else 20_000
    read = items("<span itemscope>" + "<span itemprop=a itemscope>" * count)
    assert sum(isinstance(item, str) for item in read) == 511


def test_properties_deep_in_other_markup_cost_no_more(full_size: bool) -> None:
    count = 50_000 if full_size else 10_000
    markup = "<body itemscope>" + "<span>" * (DEEPEST - 10) + "<b itemprop=a>c</b>" * count
    assert sum(isinstance(item, str) for item in items(markup)) == count
