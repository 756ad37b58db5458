import gc

from gossamer.config import Transform
from gossamer.transform.document import Document
from gossamer.transform.microformats.marks import MAX_NESTED, Marks, marks_of
from gossamer.transform.microformats.parsing import parsed
from gossamer.transform.microformats.reading import Reader


def marked(page: str, options: Transform | None = None) -> Marks:
    return marks_of(Document("http://a.test/", page.encode(), options=options))


def test_a_property_belongs_to_the_nearest_item_around_it() -> None:
    marks = marked(
        '<div class="h-entry"><p><i class="p-a">x</i></p><div class="h-card"><i class="p-b">y</i>'
        '</div><i class="p-c">z</i></div><i class="p-d">w</i>'
    )
    entry, card = marks.roots
    assert marks.top == [entry]
    assert entry.root
    assert card.root
    assert [mark.names.properties[0].name for mark in entry.root.properties] == ["a", "c"]
    assert [mark.names.properties[0].name for mark in card.root.properties] == ["b"]
    assert entry.root.children == [card]


def test_a_value_belongs_to_the_nearest_property_around_it() -> None:
    marks = marked(
        '<div class="h-card"><b class="value">0</b><p class="p-tel"><i class="value">1</i>'
        '<i class="p-x"><b class="value">2<b class="value">3</b></b></i></p></div>'
    )
    assert marks.roots[0].root
    outer, inner = marks.roots[0].root.properties
    assert [mark.element.text() for mark in outer.values] == ["1"]
    assert [mark.element.text() for mark in inner.values] == ["23"]


def test_what_stands_in_a_template_is_not_on_the_page() -> None:
    assert not marked('<template class="h-card"><p class="h-card">x</p></template>').roots


def test_an_element_with_class_and_rel_is_looked_at_once() -> None:
    marks = marked('<div class="hentry"><a class="entry-title" rel="bookmark" href=x>y</a></div>')
    assert marks.roots[0].root
    assert len(marks.roots[0].root.properties) == 1


def test_depth_is_limited_and_told() -> None:
    page = "<div>" * 30 + '<p class="h-card">x'
    assert not marked(page).too_deep
    deep = marked(page, Transform(max_depth=20))
    assert deep.too_deep
    assert not deep.roots


def test_nesting_of_names_is_limited_and_told() -> None:
    nested = marked('<span class="h-card">' * (MAX_NESTED + 3))
    assert len(nested.roots) == MAX_NESTED
    assert nested.too_deep


def test_nothing_points_outwards_so_that_pages_are_let_go_at_once() -> None:
    page = b'<div class="h-feed"><p class="h-entry"><a class="p-name u-url" href=x>y</a>' * 20
    parsed(warm := Document("http://a.test/", page), Reader(warm))
    gc.collect()
    gc.disable()
    try:
        document = Document("http://a.test/", page)
        parsed(document, Reader(document))
        del document
        assert gc.collect() == 0
    finally:
        gc.enable()
