import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from gossamer.transform.xml_mend import mended

PIECES = (
    *("<a>", "</a>", "<b c='", "'/>", "&", "&amp;", "&x;", "&nbsp;", "&#1;", "&#x41;", "<", "<!--"),
    *(
        "-->",
        "<![CDATA[",
        "]]>",
        "<?",
        "?>",
        "<!DOCTYPE a [",
        '<!ENTITY x "',
        '">',
        "]>",
        "\0",
        "\n",
    ),
    *("text", '"', "é", "<?xml version='1.0'?>"),
)


def text_of(source: str) -> str:
    root = etree.fromstring(mended(source)[0].encode(), etree.XMLParser(resolve_entities=False))
    return str(root.xpath("string()"))


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<a>this & that</a>", "this & that"),
        ("<a>a &lt; b &amp; c</a>", "a < b & c"),
        ("<a>1 < 2 <3 <? &#0;</a>", "1 < 2 <3 <? \ufffd"),
        ("<a>&eacute;&nbsp;&hellip;&nosuch;</a>", "é\xa0…&nosuch;"),
        ("<a>&#0;&#x1F600;&#xFFFFFF;</a>", "\ufffd😀\ufffd"),
        ("<a>it&#146;s &#X41; &#x80; &#129;</a>", "it’s A € \x81"),  # as HTML reads them
        ("<a><![CDATA[ & &eacute; < ]]>&amp;</a>", " & &eacute; < &"),
        ("<a>x\0\x0by</a>", "xy"),
        ('<!DOCTYPE a [<!ENTITY o "http://o#">]><a>&o;x</a>', "http://o#x"),
        ('Warning: ini\n<?xml version="1.1" encoding="x"?><a>é</a>', "é"),
        ("<a>&amp;eacute; &AMP;</a>", "&eacute; &"),
    ],
)
def test_slips_are_read_as_they_were_meant(source: str, text: str) -> None:
    assert text_of(source) == text


def test_good_xml_is_left_alone() -> None:
    source = "<a b='1'>x &amp; y<!-- & --><?p &?></a>"
    assert mended(source) == (source, [])


def test_each_kind_of_slip_is_told_once_with_its_first_line() -> None:
    problems = mended("<a>\n& & &\n<</a>")[1]
    assert [(problem.message.split(" that")[0], problem.line) for problem in problems] == [
        ("An &", 2),
        ("A <", 3),
    ]


def test_lines_behind_a_slip_count_right() -> None:
    text, problems = mended('junk\n<?xml version="1.0"\n?>\n<!DOCTYPE a [\n]>\n<!--\n-->\n<a>&</a>')
    assert text.count("\n") == 7
    assert problems[-1].line == 8


def test_entities_cannot_make_a_document_much_longer() -> None:
    big = f'<!DOCTYPE a [<!ENTITY x "{"x" * 50_000}">]><a>{"&x;" * 1000}</a>'
    text, problems = mended(big)
    assert len(text) < 1_200_000
    assert "too long" in problems[0].message


@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_any_text_is_mended_without_a_doctype_or_lost_lines(source: str) -> None:
    text, _ = mended(source)
    assert text.count("\n") == source.count("\n")
    assert "\0" not in text


@pytest.mark.parametrize("piece", PIECES)
def test_repetition_takes_no_more_than_its_length(piece: str) -> None:
    # Quadratic work on these would run into the time limit of the test.
    for start in ("", "<a>", "<!DOCTYPE a [", '<!DOCTYPE a [<!ENTITY x "', "<!--"):
        mended(start + piece * 30_000)
