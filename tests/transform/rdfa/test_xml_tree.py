import pytest
from tests.transform.rdfa.saying import in_xml, problems, said

SVG = "image/svg+xml"


def test_prefixes_are_those_that_xml_declares_too() -> None:
    assert in_xml('<a xmlns:ex="http://ex.test/"><b property="ex:name">n</b></a>') == [
        '<> <http://ex.test/name> "n"'
    ]


def test_xml_base_changes_references_within() -> None:
    page = '<a xml:base="http://base.test/"><b property="dc:title">t</b><c xml:base="/sub/" about="x" property="dc:title">u</c></a>'
    assert in_xml(page) == [
        '<http://base.test/> dc:title "t"',
        '<http://base.test/sub/x> dc:title "u"',
    ]


def test_the_base_of_xhtml_is_its_base_element() -> None:
    page = (
        '<html xmlns="http://www.w3.org/1999/xhtml"><head><base href="http://base.test/x"/></head>'
        '<body xml:base="http://not.test/"><p property="dc:title">t</p></body></html>'
    )
    assert said(page, "application/xhtml+xml") == ['<http://base.test/x> dc:title "t"']


def test_languages_are_those_of_xml() -> None:
    page = '<a xml:lang="de" lang="fr"><b property="dc:title">t</b></a>'
    assert in_xml(page) == ['<> dc:title "t"@de']


def test_svg_is_xml() -> None:
    page = '<svg xmlns="http://www.w3.org/2000/svg"><desc property="dc:title">A square</desc></svg>'
    assert said(page, SVG) == ['<> dc:title "A square"']


def test_a_link_waits_for_elements_that_carry_nothing_else() -> None:
    page = '<a rel="dc:source"><b><c href="x"/></b></a>'
    assert in_xml(page) == ["<> dc:source <http://page.test/dir/x>"]


def test_markup_keeps_the_namespaces_that_it_needs() -> None:
    page = '<a xmlns="http://n.test/" prefix="ex: http://ex.test/" property="dc:title" datatype="rdf:XMLLiteral">t &amp; <b c="d">u</b></a>'
    assert in_xml(page) == [
        '<> dc:title "t &amp; <b c=\\"d\\" xmlns=\\"http://n.test/\\" xmlns:ex=\\"http://ex.test/\\">u</b>"^^rdf:XMLLiteral'
    ]


def test_html_literals_have_no_namespaces() -> None:
    page = '<a xmlns="http://n.test/" property="dc:title" datatype="rdf:HTML"><b>u</b>!</a>'
    assert in_xml(page) == ['<> dc:title "<b>u</b>!"^^rdf:HTML']


def test_what_came_before_a_fault_is_kept_and_the_fault_is_told() -> None:
    page = '<a><b property="dc:title">t</b><c'
    assert in_xml(page) == ['<> dc:title "t"']
    assert len(problems(page, "application/xml")) == 1


@pytest.mark.parametrize(
    "text",
    [
        '<!DOCTYPE a SYSTEM "http://outside.test/x.dtd"><a><b property="dc:title">t</b></a>',
        '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a><b property="dc:title">t</b>&x;</a>',
    ],
)
def test_nothing_outside_is_read(text: str) -> None:
    assert in_xml(text) == ['<> dc:title "t"']


def test_an_entity_bomb_does_not_go_off() -> None:
    levels = "".join(
        f'<!ENTITY e{n} "{"&e" + str(n - 1) + ";" if n else "x"}{"&e" + str(n - 1) + ";" if n else "x"}">'
        for n in range(40)
    )
    text = (
        f'<!DOCTYPE a [{levels}]><a><b property="dc:title">&e39;</b><c property="dc:date">d</c></a>'
    )
    assert in_xml(text)[-1] == '<> dc:date "d"'


@pytest.mark.parametrize("text", ["", "rel", "<", "<?xml version='1.0'?>", "property=", "\0\0rel"])
def test_what_is_no_xml_says_nothing(text: str) -> None:
    assert in_xml(text) == []
