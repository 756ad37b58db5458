import pytest
from lxml import etree

from gossamer.transform.feeds.elements import (
    inside,
    name_of,
    prefix_of,
    source_of,
    text_of,
    written_out,
)
from gossamer.transform.feeds.values import Scope


def test_names_go_by_namespace_and_not_by_prefix() -> None:
    source = (
        '<x xmlns:i="HTTP://www.itunes.com/DTDs/Podcast-1.0.dtd" xmlns:o="http://other.test/">'
        "<i:Duration/><o:title/><pubDate/></x>"
    )
    assert [name_of(each) for each in etree.fromstring(source)] == [
        "itunes:duration",
        "",
        "pubdate",
    ]
    assert prefix_of("http://search.yahoo.com/mrss") == "media:"


def test_a_prefix_that_nobody_declared_is_well_known() -> None:
    root = etree.fromstring("<x><dc:date/></x>", etree.XMLParser(recover=True))
    assert name_of(root[0]) == "dc:date"


@pytest.mark.parametrize(
    ("attributes", "scope"),
    [
        ("", Scope("https://a.test/b/", "en")),
        ('xml:base="c/"', Scope("https://a.test/b/c/", "en")),
        ('xml:base="//["', Scope("https://a.test/b/", "en")),
        ('xml:lang=" de "', Scope("https://a.test/b/", "de")),
        ('xml:lang=""', Scope("https://a.test/b/", None)),
    ],
)
def test_base_and_language_are_those_of_the_nearest_element(attributes: str, scope: Scope) -> None:
    element = etree.fromstring(f"<x {attributes}/>")
    assert inside(Scope("https://a.test/b/", "en"), element) == scope


def test_markup_is_written_out_without_the_namespaces_around_it() -> None:
    source = (
        '<a:content xmlns:a="http://www.w3.org/2005/Atom" xmlns="http://www.w3.org/1999/xhtml">'
        '1 &lt; 2 <b class="c">x</b><br/></a:content>'
    )
    element = etree.fromstring(source)
    assert written_out(element) == '1 &lt; 2 <b class="c">x</b><br/>'
    assert source_of(element) == written_out(element)
    assert text_of(element) == "1 < 2 x"
    assert source_of(etree.fromstring("<x>a &lt;b&gt;</x>")) == "a <b>"
