from selectolax.lexbor import LexborHTMLParser

from gossamer.transform.microdata.skeleton import Skeleton


def properties(markup: str) -> list[tuple[list[str | None], bool]]:
    """For each top-level item: the names of its properties, and whether it met one twice."""
    skeleton = Skeleton(LexborHTMLParser(markup))
    found = (skeleton.properties(item) for item in skeleton.top_items)
    return [([each.attributes["itemprop"] for each in own], twice) for own, twice in found]


def test_an_item_has_the_properties_within_it_but_not_within_its_items() -> None:
    markup = """<div itemscope><p><b itemprop=a><i itemprop=b></i></b></p>
        <p itemprop=c itemscope><i itemprop=d></i></p><p itemscope><i itemprop=e></i></p></div>"""
    assert properties(markup) == [(["a", "b", "c"], False), (["e"], False)]


def test_references_add_in_document_order() -> None:
    markup = """<p id=x><i itemprop=a></i></p><div itemscope itemref="z x nowhere">
        <i itemprop=b></i></div><p id=z itemprop=c></p>"""
    assert properties(markup) == [(["a", "b", "c"], False)]


def test_an_element_met_twice_counts_once() -> None:
    markup = """<div itemscope itemref="x y"></div><p id=x><i itemprop=a></i>
        <b id=y><i itemprop=b></i></b></p>"""
    assert properties(markup) == [(["a", "b"], True)]


def test_an_item_may_lie_within_what_it_refers_to() -> None:
    markup = "<p id=x><i itemprop=a></i><span itemscope itemref=x></span></p>"
    assert properties(markup) == [(["a"], False)]


def test_the_first_of_several_with_one_id_is_meant() -> None:
    markup = """<div itemscope itemref=x></div><p id=x><i itemprop=a></i></p>
        <p id=x><i itemprop=b></i></p>"""
    assert properties(markup) == [(["a"], False)]


def test_what_stands_in_a_template_is_not_on_the_page() -> None:
    markup = "<div itemscope><template><i itemprop=a></i></template><i itemprop=b></i></div>"
    assert properties(markup) == [(["b"], False)]
