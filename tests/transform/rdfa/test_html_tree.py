from selectolax.lexbor import LexborHTMLParser
from tests.transform.rdfa.saying import said

from gossamer.transform.rdfa.html_tree import html_elements


def names(page: str) -> list[str]:
    return [element.name for element in html_elements(LexborHTMLParser(page), page.encode())]


def test_only_what_speaks_and_what_is_around_it_is_looked_at() -> None:
    page = (
        '<html lang="en"><body><a href="x"><i><b property="dc:title">t</b></i></a><a href="y">z</a>'
    )
    assert names(page) == ["html", "a", "b"]


def test_links_of_every_page_are_passed_over() -> None:
    assert names('<link rel="stylesheet" href="x"><a rel="nofollow" href="y">y</a>') == []


def test_they_count_where_a_vocabulary_may_be_set() -> None:
    assert names('<body vocab="http://v.test/"><a rel="nofollow" href="y">y</a>') == ["body", "a"]


def test_what_may_name_an_object_counts_within_a_link_that_waits_for_one() -> None:
    page = (
        '<p><a href="x">x</a></p><ul rel="dc:relation"><li rel="dc:source"><a href="y">y</a></ul>'
    )
    assert names(page) == ["ul", "li", "a"]


def test_an_element_that_matches_twice_comes_once_in_document_order() -> None:
    assert names("<p typeof=x property=y><b property=z></b></p><i property=y>") == ["p", "b", "i"]


def test_attributes_without_a_value_are_empty() -> None:
    tree = LexborHTMLParser("<p property typeof></p>")
    (element,) = html_elements(tree, b"")
    assert element.attributes == {"property": "", "typeof": ""}


def test_declarations_alone_make_an_element_matter() -> None:
    assert said('<p xmlns:ex="http://ex.test/"><b property="EX:name">n</b></p>') == [
        '<> <http://ex.test/name> "n"'
    ]


def test_markup_becomes_well_formed_xml() -> None:
    page = (
        '<p property="dc:title" datatype="rdf:XMLLiteral">a<br>&amp;<b class="x">c</b><i></i>d</p>'
    )
    xmlns = 'xmlns=\\"http://www.w3.org/1999/xhtml\\"'
    assert said(page) == [
        f'<> dc:title "a<br {xmlns}/>&amp;<b class=\\"x\\" {xmlns}>c</b><i {xmlns}/>d"^^rdf:XMLLiteral'
    ]


def test_markup_is_kept_as_html_for_html_literals() -> None:
    page = '<p property="dc:title" datatype="rdf:HTML">a<br><b>c</b></p>'
    assert said(page) == ['<> dc:title "a<br><b>c</b>"^^rdf:HTML']


def test_templates_say_nothing() -> None:
    assert said('<template><p property="dc:title">not yet</p></template>') == []
