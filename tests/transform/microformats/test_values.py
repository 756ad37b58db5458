from typing import Any

import pytest

from gossamer.config import Transform
from gossamer.transform.document import Document
from gossamer.transform.microformats.json_model import microformats_json


def value(element: str) -> Any:
    """The value of the property `x` that the element has in an item."""
    page = f'<base href="http://b.test/y/"><div class="h-test"><b class="p-other"></b>{element}'
    (item,) = microformats_json(Document("http://a.test/", page.encode()))["items"]
    return item["properties"]["x"][0]


@pytest.mark.parametrize(
    ("element", "expected"),
    [
        ('<b class="p-x"> a <i>b</i>\n</b>', "a b"),
        ('<b class="p-x"><script>s</script>a<style>t</style></b>', "a"),
        ('<b class="p-x">a<img alt="b" src="c">d</b>', "abd"),
        ('<b class="p-x">a<img src="c">d</b>', "a http://b.test/y/c d"),
        ('<abbr class="p-x" title="long">short</abbr>', "long"),
        ('<data class="p-x" value="v">w</data>', "v"),
        ('<data class="p-x">w</data>', "w"),
        ('<input class="p-x" value="v">', "v"),
        ('<img class="p-x" alt="a" src="s">', "a"),
        ('<b class="p-x">tel <i class="value">1</i>, <i class="value">2</i></b>', "12"),
        ('<b class="p-x"><i class="value-title" title="t"> </i>b</b>', "t"),
    ],
)
def test_text(element: str, expected: str) -> None:
    assert value(element) == expected


@pytest.mark.parametrize(
    ("element", "expected"),
    [
        ('<a class="u-x" href="z">w</a>', "http://b.test/y/z"),
        ('<a class="u-x" href="">w</a>', "http://b.test/y/"),
        ('<img class="u-x" src="z">', "http://b.test/y/z"),
        ('<video class="u-x" poster="z"></video>', "http://b.test/y/z"),
        ('<object class="u-x" data="z"></object>', "http://b.test/y/z"),
        ('<abbr class="u-x" title="/t">w</abbr>', "http://b.test/t"),
        ('<b class="u-x">http://c.test</b>', "http://c.test"),
    ],
)
def test_addresses(element: str, expected: str) -> None:
    assert value(element) == expected


def test_an_image_with_alternative_text_gives_both() -> None:
    expected = {"value": "http://b.test/y/z", "alt": ""}
    assert value('<img class="u-x" src="z" alt="">') == expected


@pytest.mark.parametrize(
    ("element", "expected"),
    [
        ('<time class="dt-x" datetime="2020-01-01">then</time>', "2020-01-01"),
        ('<time class="dt-x">2020-01-01</time>', "2020-01-01"),
        ('<del class="dt-x" datetime="2020">then</del>', "2020"),
        ('<abbr class="dt-x" title="2020">then</abbr>', "2020"),
        (
            '<b class="dt-x"><abbr class="value" title="2020-01-01">x</abbr>'
            '<i class="value">8pm</i></b>',
            "2020-01-01 20:00",
        ),
        ('<b class="dt-x"><i class="value">noon</i> then</b>', "noon then"),
    ],
)
def test_moments(element: str, expected: str) -> None:
    assert value(element) == expected


def test_an_event_ends_on_the_day_it_starts() -> None:
    start = '<time class="dt-s" datetime="2020-01-01T10:00">x</time>'
    assert value(f'{start}<b class="dt-x"><i class="value">11:00</i></b>') == "2020-01-01 11:00"


def test_a_tag_is_the_last_part_of_its_address() -> None:
    page = b'<div class="hentry"><a rel="tag" href="/tags/caf%C3%A9/?x#y">Coffee</a></div>'
    (item,) = microformats_json(Document("http://a.test/", page))["items"]
    assert item["properties"] == {"category": ["café"]}


@pytest.mark.parametrize(
    ("address", "tag"),
    [
        ("/search?tag=web", "web"),
        ("/?a=b&amp;Tag=caf%C3%A9+noir#x", "café noir"),
        ("/tags/web?page=2", "web"),
        ("/tags/web?tag=", "web"),
        ("/tags/web#a?tag=b", "web"),
    ],
)
def test_a_tag_may_stand_in_the_query(address: str, tag: str) -> None:
    page = f'<div class="hentry"><a rel="tag" href="{address}">Coffee</a></div>'.encode()
    (item,) = microformats_json(Document("http://a.test/", page))["items"]
    assert item["properties"] == {"category": [tag]}


def test_by_the_letter_the_query_of_a_tag_does_not_count() -> None:
    page = b'<div class="hentry"><a rel="tag" href="/search?tag=web">Coffee</a></div>'
    document = Document("http://a.test/", page, options=Transform(strict=True))
    (item,) = microformats_json(document)["items"]
    assert item["properties"] == {"category": ["search"]}
