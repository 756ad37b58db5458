import pytest

from gossamer.detect.claims import claim_of
from gossamer.detect.kinds import Family, Kind
from gossamer.detect.markup import html_kind, junk_kind, markup_kind
from gossamer.model import RootElement, Syntax

RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'


def kind(text: str, header: str | None = None) -> Kind | None:
    return markup_kind(text.encode(), claim_of("", header))


def syntax(text: str, header: str | None = None) -> Syntax | None:
    found = kind(text, header)
    return found.evidence[0].syntax if found and found.evidence else None


@pytest.mark.parametrize(
    ("text", "header", "media_type"),
    [
        ("<html>", None, "text/html"),
        ("<html xmlns='http://www.w3.org/1999/xhtml'>", None, "text/html"),
        ("<html xmlns='http://www.w3.org/1999/xhtml'>", "text/xml", "application/xhtml+xml"),
        ("<html xmlns='http://www.w3.org/1999/xhtml'>", "text/html", "text/html"),
        ("<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'>", None, "application/xhtml+xml"),
        ("<?xml version='1.0'?><div>", "text/html", "text/html"),
        ("<?xml version='1.0'?><a:b xmlns:a='urn:a'/>", "text/html", "application/xml"),
        ("<html>", "application/xhtml+xml", "application/xhtml+xml"),
        ("<svg/>", "text/xml", "image/svg+xml"),
        ("<a/>", "text/xml", "text/xml"),
        ("<?xml version='1.0'?><a/>", "text/plain", "application/xml"),
        ("<!DOCTYPE a><a/>", None, "application/xml"),
    ],
)  # fmt: skip
def test_markup_has_a_media_type(text: str, header: str | None, media_type: str) -> None:
    found = kind(text, header)
    assert found
    assert found.media_type == media_type


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("<html> a <page> .", "text/turtle"),
        ("<a> <b> <c> .", None),
        ("<p>Hello</p>", "text/plain"),
        ("<p>Hello</p>", "text/turtle"),
        ("<http://x.test/a> <http://x.test/b> 1 .", None),
        ("<foo>", None),
        ("text", "text/html"),
        ("<a/>", "application/json"),
    ],
)
def test_what_may_be_something_else_is_no_markup(text: str, header: str | None) -> None:
    assert kind(text, header) is None


def test_rss_1_0_counts_as_rss_and_other_rdf_as_rdf() -> None:
    rss = 'xmlns="http://purl.org/rss/1.0/"'
    assert syntax(f"<rdf:RDF {RDF} {rss}><channel>") is Syntax.RSS
    assert syntax(f"<rdf:RDF {RDF} {rss}><item>") is Syntax.RDF_XML
    assert syntax(f"<rdf:RDF {RDF}><channel>") is Syntax.RDF_XML
    old = 'xmlns="http://my.netscape.com/rdf/simple/0.9/"'
    assert syntax(f"<rdf:RDF {RDF} {old}><channel>") is Syntax.RSS


def test_names_count_together_with_their_namespaces() -> None:
    assert syntax("<RDF xmlns='urn:other'/>", "text/xml") is None
    assert syntax("<RDF/>", "text/xml") is Syntax.RDF_XML
    assert syntax("<feed/>", "text/xml") is None
    assert syntax("<feed/>", "application/atom+xml") is Syntax.ATOM
    assert syntax("<rss xmlns='http://backend.userland.com/rss2'/>") is Syntax.RSS


def test_a_feed_without_a_namespace_is_atom_if_its_first_element_is() -> None:
    assert syntax("<feed><title>T</title>", "text/xml") is Syntax.ATOM
    assert syntax("<feed version='0.3'> <!-- A - B --> <entry/>", "text/xml") is Syntax.ATOM
    assert syntax("<feed><grain>barley</grain>", "text/xml") is None
    assert syntax("<feed xmlns='urn:other'><title>T</title>", "text/xml") is None


def test_junk_is_skipped_only_where_a_guess_is_welcome() -> None:
    text = b"oops\n<rss version='2.0'/>"
    found = junk_kind(text, claim_of("", "application/rss+xml"))
    assert found
    assert found.evidence[0].syntax is Syntax.RSS
    assert found.root == RootElement("rss", None)
    assert junk_kind(text, claim_of("", "text/plain")) is None
    page = junk_kind(b"oops\n<html>", claim_of("", None))
    assert page
    assert page.family is Family.HTML


def test_a_warning_does_not_hide_a_page() -> None:
    page = "<br /><b>Warning</b>: oops<br /><?xml version='1.0'?><html><p typeof=a>"
    found = kind(page, "text/html")
    assert found
    assert [each.syntax for each in found.evidence] == [Syntax.PAGE, Syntax.RDFA]


def test_anything_can_be_read_as_a_page() -> None:
    assert html_kind(b"", claim_of("", None)).evidence[0].syntax is Syntax.PAGE
