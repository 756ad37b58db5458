from selectolax.lexbor import LexborHTMLParser

from gossamer.transform.microformats.items import Item, Plain

ELEMENT = LexborHTMLParser("<p>").css("p")[0]


def test_items_share_nothing_they_gather() -> None:
    first, second = (Item(("h-card",), None, ELEMENT) for _ in range(2))
    first.properties["name"] = [Plain("x", ELEMENT)]
    first.children.append(second)
    assert second.properties == {}
    assert second.children == []


def test_items_alike_are_not_the_same() -> None:
    assert Item(("h-card",), None, ELEMENT) != Item(("h-card",), None, ELEMENT)
