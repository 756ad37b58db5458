import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from gossamer.transform.nearest import Nearest


def first(html: LexborHTMLParser, selector: str) -> LexborNode:
    node = html.css_first(selector)
    assert node is not None
    return node


def test_an_element_has_its_own_note_or_that_of_the_nearest_around_it() -> None:
    html = LexborHTMLParser("<div id=a><p id=b><i id=c></i></p></div><b id=d></b>")
    nearest: Nearest[str | None] = Nearest(None)
    nearest.note(first(html, "#a"), "outer")
    nearest.note(first(html, "#c"), "inner")
    assert [nearest.of(first(html, f"#{name}")) for name in "abcd"] == [
        "outer",
        "outer",
        "inner",
        None,
    ]
    assert nearest.of(None) is None


def test_a_note_may_be_nothing() -> None:
    html = LexborHTMLParser("<div id=a><p id=b><i id=c></i></p></div>")
    nearest: Nearest[str | None] = Nearest("default")
    nearest.note(first(html, "#b"), None)
    assert nearest.of(first(html, "#c")) is None
    assert nearest.of(first(html, "#a")) == "default"


def test_no_depth_is_too_deep_and_no_climb_is_made_twice() -> None:
    depth = 20_000
    html = LexborHTMLParser("<body>" + "<span>" * depth + "<b></b>" * depth)
    nearest: Nearest[int] = Nearest(7)
    # Each from the bottom anew would be 400 million steps.
    assert {nearest.of(node) for node in html.css("b")} == {7}


@pytest.mark.parametrize("name", ["a", "b", "c", "d", "e"])
def test_around_an_element_is_what_its_parent_has(name: str) -> None:
    html = LexborHTMLParser("<div id=a><p id=b><i id=c><u id=d><s id=e></s></u></i></p></div>")
    nearest: Nearest[str | None] = Nearest(None)
    nearest.note(first(html, "#a"), "outer")
    nearest.note(first(html, "#d"), "inner")
    node = first(html, f"#{name}")
    assert nearest.around(node) == nearest.of(node.parent)
    assert nearest.around(node) == {"a": None, "e": "inner"}.get(name, "outer")
