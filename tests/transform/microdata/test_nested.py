import pytest
from tests.transform.demo_pages import graph_of_items, problems_of
from tests.transform.microdata.reading import SCHEMA, URL, found, items

from gossamer.config import Transform as Options
from gossamer.transform.depth import DEEPEST
from gossamer.transform.microdata.nested import ORPHAN, TOO_DEEP


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
    strict = items(markup, Options(strict=True))
    assert graph_of_items(strict) == frozenset()
    assert problems_of(strict) == []


@pytest.mark.parametrize(
    "refers", ["", "<i itemscope itemref=z></i>"]
)  # read in one way or the other
def test_an_item_that_is_a_property_of_nothing_is_an_item(refers: str) -> None:
    orphan = f"<p itemprop=a itemscope itemtype={SCHEMA}Offer><b itemprop=price>1</b>{{}}</p>"
    inner = f"<q itemprop=seller itemscope itemtype={SCHEMA}Person></q>"
    read = items(orphan.format(inner) + refers)
    assert problems_of(read) == [ORPHAN.message]
    plain = orphan.replace("itemprop=a ", "").format(inner)
    assert graph_of_items(read) == found(plain)


def test_what_is_nested_too_deep_is_not_found_again_as_an_orphan() -> None:
    depth = 20
    deep = "<p itemscope>" + "<i itemprop=a itemscope>" * depth + "</i>" * depth
    read = items(deep.replace("<p", "<div"), Options(max_depth=16))
    assert problems_of(read) == [TOO_DEEP.message]


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
