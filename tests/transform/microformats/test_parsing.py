from gossamer.transform.document import Document
from gossamer.transform.microformats.items import Nested, Parsed
from gossamer.transform.microformats.parsing import parsed
from gossamer.transform.microformats.reading import Reader


def parse(page: str) -> Parsed:
    document = Document("http://a.test/", page.encode())
    return parsed(document, Reader(document))


def test_items_come_in_the_order_of_the_document() -> None:
    found = parse(
        '<div class="h-feed" id="f"><p class="h-entry" id="e"><b class="p-author h-card" id="a">x'
        '</b></p><p class="h-cite" id="c">y</p></div><p class="h-adr" id="z">z</p>'
    )
    assert [item.element.id for item in found.all_items] == ["f", "e", "a", "c", "z"]
    assert [item.types[0] for item in found.items] == ["h-feed", "h-adr"]
    assert [item.types[0] for item in found.items[0].children] == ["h-entry", "h-cite"]


def test_a_name_or_an_address_stands_for_a_nested_item() -> None:
    page = (
        '<div class="h-entry"><div class="p-a u-b dt-c h-card">'
        '<i class="p-name">Ada</i> <a class="u-url" href="/ada">2020</a></div></div>'
    )
    properties = parse(page).items[0].properties
    texts = {name: values[0].text for name, values in properties.items()}
    assert texts == {"a": "Ada", "b": "http://a.test/ada", "c": "Ada 2020"}
    assert all(isinstance(values[0], Nested) for values in properties.values())


def test_a_name_that_is_no_text_does_not_stand_for_an_item() -> None:
    page = '<p class="h-entry"><b class="p-a h-card"><i class="u-name">x</i> y</b></p>'
    assert parse(page).items[0].properties["a"][0].text == "x y"


def test_an_empty_id_is_none() -> None:
    found = parse('<p class="h-card" id="">x</p><p class="h-card" id="i">x</p>')
    assert [item.id for item in found.items] == [None, "i"]
