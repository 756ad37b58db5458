from typing import Any

import pytest

from gossamer.transform.document import Document
from gossamer.transform.microformats.json_model import microformats_json


def properties(element: str) -> Any:
    (item,) = microformats_json(Document("http://a.test/", element.encode()))["items"]
    return item["properties"]


@pytest.mark.parametrize(
    ("element", "name"),
    [
        ('<p class="h-card"> Ada\n</p>', "Ada"),
        ('<img class="h-card" alt="Ada">', "Ada"),
        ('<p class="h-card"><abbr title="Ada">A</abbr></p>', "Ada"),
        ('<p class="h-card"><b><img alt="Ada"></b></p>', "Ada"),
        ('<p class="h-card"><b><i><img alt="Ada"></i></b> L</p>', "Ada L"),
        ('<p class="h-card"><img alt="">Ada</p>', "Ada"),
        ('<p class="h-card"><img src="x">Ada</p>', "Ada"),
        ('<p class="h-card"><abbr title="Ada">A</abbr><b>L</b></p>', "AL"),
    ],
)
def test_the_name_is_the_text_or_what_stands_for_it(element: str, name: str) -> None:
    assert properties(element)["name"] == [name]


@pytest.mark.parametrize("inside", ['<b class="p-x">y</b>', '<b class="e-x">y</b>'])
def test_no_name_is_implied_beside_other_text(inside: str) -> None:
    assert "name" not in properties(f'<p class="h-card">Ada {inside}</p>')


@pytest.mark.parametrize(
    ("element", "found"),
    [
        ('<a class="h-card" href="x">Ada</a>', "url"),
        ('<p class="h-card"><a href="x">Ada</a> <b>L</b></p>', "url"),
        ('<p class="h-card"><b><a href="x">Ada</a></b></p>', "url"),
        ('<p class="h-card"><img src="x"> Ada</p>', "photo"),
        ('<p class="h-card"><b><object data="x">Ada</object></b></p>', "photo"),
    ],
)
def test_the_only_link_or_picture_is_that_of_the_item(element: str, found: str) -> None:
    assert properties(element)[found] == ["http://a.test/x"]


@pytest.mark.parametrize(
    "element",
    [
        '<p class="h-card"><a href="x">Ada</a> <a href="y">L</a></p>',
        '<p class="h-card"><b><a href="x">Ada</a></b> <i>L</i></p>',
        '<p class="h-card"><a href="x">Ada</a> <b class="u-y">z</b></p>',
        '<p class="h-card"><a href="x" class="h-card">Ada</a></p>',
        '<p class="vcard"><a href="x">Ada</a></p>',
    ],
)
def test_of_several_or_beside_others_none_is(element: str) -> None:
    assert "url" not in properties(element)
