from pathlib import Path

import pytest
from tests.transform.feeds.reading import URL, about, problems, read, short

from gossamer.transform.feeds.rss import rss_statements

FEED = f"<{URL}>"
DC = 'xmlns:dc="http://purl.org/dc/elements/1.1/"'


def channel(inside: str) -> set[str]:
    items = read(rss_statements, f"<rss {DC}><channel>{inside}</channel></rss>")
    return {line for line in about(items, FEED) if not line.startswith("rss:items")}


def test_a_channel_says_what_it_is() -> None:
    found = channel(
        "<title>T &amp; <![CDATA[<b>U</b>]]></title><link>/home</link><language>en-GB</language>"
        "<description>D</description><pubDate>Mon, 01 Jan 2024 10:00:00 +0200</pubDate>"
        "<lastBuildDate>2024-01-02 10:00</lastBuildDate><category>C</category>"
        "<copyright>(c)</copyright><image><url>/i.png</url><title>no</title></image>"
    )
    assert found == {
        'rss:title "T & <b>U</b>"@en-gb',
        'rss:link "https://example.test/home"',
        'rss:description "D"@en-gb',
        'dcterms:language "en-GB"',
        'dcterms:issued "2024-01-01T10:00:00+02:00"^^xsd:dateTime',
        'dcterms:modified "2024-01-02T10:00:00"^^xsd:dateTime',
        'dcterms:subject "C"@en-gb',
        'dcterms:rights "(c)"@en-gb',
        "schema:image <https://example.test/i.png>",
    }


def test_an_item_says_what_it_is() -> None:
    items = read(
        rss_statements,
        f"""<rss {DC} xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><item>
        <title>T</title><link> /a b </link><description>&lt;p&gt;D</description>
        <content:encoded><![CDATA[<p>E</p>]]></content:encoded><guid>7</guid>
        <dc:date>2024-01-01</dc:date><author>a@b.test (Ada)</author><dc:subject>S</dc:subject>
        <comments>/c</comments><source url="/s">S</source></item></channel></rss>""",
    )
    assert about(items, "<https://example.test/a%20b>") == {
        'rss:title "T"',
        'rss:link "https://example.test/a%20b"',
        'rss:description "<p>D"',
        'content:encoded "<p>E</p>"',
        'dcterms:identifier "7"',
        'dcterms:issued "2024-01-01"^^xsd:date',
        "dcterms:creator _:d1",
        'dcterms:subject "S"',
        "schema:discussionUrl <https://example.test/c>",
        "dcterms:source <https://example.test/s>",
    }
    assert about(items, "_:d1") == {'foaf:name "Ada"', "foaf:mbox <mailto:a@b.test>"}
    assert problems(items) == []


@pytest.mark.parametrize(
    ("inside", "name"),
    [
        ("<link>x</link><guid>http://g.test/</guid>", "<https://example.test/feed/x>"),
        ("<guid>http://g.test/</guid>", "<http://g.test/>"),
        ("<link/><guid isPermaLink='true'>http://g.test/</guid>", "<http://g.test/>"),
        ("<guid isPermaLink='false'>http://g.test/</guid>", "_:d1"),
        ("<guid>tag:x</guid>", "_:d1"),
        ("<link href='/x'/>", "<https://example.test/x>"),
        ("<link xml:base='http://b.test/c/'>x</link>", "<http://b.test/c/x>"),
        ("<link>http://[</link>", "_:d1"),
    ],
)
def test_an_item_is_named_by_its_link_or_permalink(inside: str, name: str) -> None:
    items = read(rss_statements, f"<rss><channel><item>{inside}</item></channel></rss>")
    assert f"_:d0 rdf:_1 {name}" in short(items)


def test_languages_and_bases_are_those_of_the_nearest_element() -> None:
    items = read(
        rss_statements,
        """<rss xml:base="http://b.test/"><channel><title xml:lang="fr">F</title>
        <language>de</language><item xml:base="c/"><link>x</link><title>G</title></item>
        </channel></rss>""",
    )
    assert 'rss:title "F"@fr' in about(items, FEED)
    assert about(items, "<http://b.test/c/x>") == {
        'rss:link "http://b.test/c/x"',
        'rss:title "G"@de',
    }


def test_rss_1_is_the_rdf_it_is() -> None:
    items = read(
        rss_statements,
        """<rdf:RDF xmlns="http://purl.org/rss/1.0/"
        xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><channel rdf:about="c">
        <title>T</title><items><rdf:Seq><rdf:li resource="i"/></rdf:Seq></items></channel>
        <item rdf:about="i"><title>I & J</title></item></rdf:RDF>""",
    )
    assert 'rss:title "T"' in about(items, f"<{URL}c>")
    assert about(items, f"<{URL}i>") == {'rss:title "I & J"'}
    assert f"_:d0 rdf:_1 <{URL}i>" in short(items)
    assert problems(items) == ["An & that stands for itself is read as text."]


def test_rss_0_90_is_no_rdf_to_us() -> None:
    items = read(
        rss_statements,
        """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
        xmlns="http://my.netscape.com/rdf/simple/0.9/"><channel><title>T</title></channel>
        <item><title>I</title><link>http://i.test/</link></item></rdf:RDF>""",
    )
    assert 'rss:title "T"' in about(items, FEED)
    assert 'rss:title "I"' in about(items, "<http://i.test/>")


def test_feeds_as_they_are_found_are_read() -> None:
    items = read(
        rss_statements,
        b"""
Warning: mysql_connect() failed
<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel><title>Caf\xe9 & Bar&nbsp;&hellip;</title>
<item><title>One<link>http://one.test/?a=1&b=2</link></item>
<item><dc:creator>Ada</dc:creator><link>http://two.test/</link></item>
""",
    )
    assert 'rss:title "Café & Bar\xa0…"' in about(items, FEED)
    assert {"<http://two.test/>", "_:d0"} <= {line.split()[0] for line in short(items)}
    assert "dcterms:creator" in str(about(items, "<http://two.test/>"))
    assert len(problems(items)) == 4


def test_a_bad_address_is_a_problem_at_its_line() -> None:
    items = read(rss_statements, "<rss><channel>\n<link>http://[</link></channel></rss>")
    assert problems(items) == ['"http://[" is no IRI; the statement is left out.']


def test_no_file_is_ever_read(tmp_path: Path) -> None:
    canary = tmp_path / "canary.txt"
    canary.write_text("secret")
    text = (
        f'<!DOCTYPE rss [<!ENTITY x SYSTEM "{canary.as_uri()}">]><rss><channel><title>&x;</title>'
    )
    assert "secret" not in str(read(rss_statements, text))


def test_a_long_text_is_read_at_once(full_size: bool) -> None:
    length = 9_000_000 if full_size else 1_000_000
    title = "x" * length
    items = read(rss_statements, f"<rss><channel><title>{title}</title></channel></rss>")
    assert f'rss:title "{title}"' in about(items, FEED)
