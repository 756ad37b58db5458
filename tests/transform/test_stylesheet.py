import urllib.request
from pathlib import Path

import pytest
from lxml import etree
from tests.transform.canary import SECRET, canary, making_rdf, sheet

from gossamer.transform import stylesheet
from gossamer.transform.stylesheet import Stylesheet, StylesheetError, compiled

ROOT = etree.fromstring("<a><b>x</b><b>y</b></a>")


def test_a_stylesheet_turns_a_document_into_text() -> None:
    written = Stylesheet(making_rdf("count(//b)")).apply(ROOT)
    assert "<rdf:value>2</rdf:value>" in written


def test_entities_of_a_stylesheet_work() -> None:
    doctype = b'<!DOCTYPE x [<!ENTITY two "2">]>'
    assert "<rdf:value>2" in Stylesheet(doctype + making_rdf("&two;")).apply(ROOT)


def test_generated_names_are_the_same_each_time() -> None:
    source = making_rdf("concat(generate-id(//b[1]), generate-id(//b[2]))")
    again = etree.fromstring(etree.tostring(ROOT))
    assert Stylesheet(source).apply(ROOT) == Stylesheet(source).apply(again)


def test_nothing_outside_is_read_or_written(tmp_path: Path) -> None:
    with canary(tmp_path) as bird:
        attempts = 0
        for source in bird.attempts():
            attempts += 1
            try:
                found = Stylesheet(source).apply(ROOT)
            except StylesheetError as error:
                found = str(error)
            bird.assert_untouched(found)
        assert attempts == 23
        # That the canary sings when it is asked is what makes its silence count.
        with urllib.request.urlopen(bird.addresses[-1]) as answer:
            assert SECRET.encode() in answer.read()
        assert bird.asked == ["/canary.xml"]


@pytest.mark.parametrize(
    ("source", "clause"),
    [
        (b"", "it is no XML"),
        (b"<a>", "it is no XML"),
        (b"<a/>", "it is no stylesheet"),
        (sheet('<xsl:include href="x.xsl"/>'), "its line 1 asks for another"),
        (sheet("", 'xmlns:d="http://exslt.org/dates-and-times"'), "it declares extensions"),
        (b" " * (stylesheet.MOST_BYTES + 1), "it is longer"),
    ],
)
def test_a_stylesheet_that_cannot_be_used_says_why(source: bytes, clause: str) -> None:
    with pytest.raises(StylesheetError, match=clause):
        Stylesheet(source)


def test_endless_recursion_fails() -> None:
    calling = '<xsl:call-template name="x"/>'
    endless = sheet(
        f'<xsl:template match="/">{calling}</xsl:template>'
        f'<xsl:template name="x">{calling}</xsl:template>'
    )
    with pytest.raises(StylesheetError, match="it failed"):
        Stylesheet(endless).apply(ROOT)


def test_output_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stylesheet, "MOST_OUTPUT", 100)
    with pytest.raises(StylesheetError, match="more than 100"):
        Stylesheet(making_rdf("'x'")).apply(ROOT)


def test_the_same_stylesheet_is_compiled_once() -> None:
    assert compiled(making_rdf("1")) is compiled(making_rdf("1"))
