from tests.transform.rdfa.saying import in_xml, said

XHTML = "application/xhtml+xml"
PAGE = (
    '<html xmlns="http://www.w3.org/1999/xhtml"{}><body><a rel="next" href="2">2</a></body></html>'
)


def test_link_types_mean_something_in_xhtml_1_alone() -> None:
    xhtml_1 = PAGE.format(' version="XHTML+RDFa 1.1"')
    assert said(xhtml_1, XHTML) == ["<> xhv:next <http://page.test/dir/2>"]
    assert said(PAGE.format(""), XHTML) == []
    assert said('<a rel="next" href="2">2</a>') == []


def test_beside_a_property_plain_words_of_rel_are_htmls_own() -> None:
    page = '<p vocab="http://schema.org/"><a property="url" rel="nofollow" href="/x">x</a>'
    assert said(page)[1:] == ["<> s:url <http://page.test/x>"]


def test_in_other_xml_they_are_links_and_the_property_is_text() -> None:
    page = '<p vocab="http://schema.org/"><a property="url" rel="nofollow" href="/x">x</a></p>'
    assert in_xml(page)[1:] == ["<> s:nofollow <http://page.test/x>", '<> s:url "x"']


def test_head_and_body_speak_of_the_page_in_html_alone() -> None:
    page = '<html><body typeof="foaf:Document"></body></html>'
    assert said(page) == ["<> a foaf:Document"]
    assert in_xml(page) == ["_:1 a foaf:Document"]


def test_times_are_typed_in_html_alone() -> None:
    page = '<time property="dc:date" datetime="2012-03-18">then</time>'
    assert said(page) == ['<> dc:date "2012-03-18"^^xsd:date']
    assert in_xml(page) == ['<> dc:date "then"']
