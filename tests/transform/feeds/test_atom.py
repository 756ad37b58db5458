import pytest
from tests.transform.feeds.reading import URL, about, problems, read, short

from gossamer.transform.feeds.atom import atom_statements

FEED = f"<{URL}>"
ATOM = 'xmlns="http://www.w3.org/2005/Atom"'


def test_a_feed_says_what_it_is() -> None:
    items = read(
        atom_statements,
        f"""<feed {ATOM} xml:lang="de"><id>urn:x</id><title type="html">&lt;b>T</title>
        <subtitle type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">S <b>t</b></div></subtitle>
        <link rel="self" href="x"/><link href="/home"/><updated>2024-01-01T00:00:00Z</updated>
        <author><name>Ada</name><uri>/ada</uri><email>a@b.test</email></author>
        <category term="t" label="L"/><category term="u"/><rights>R</rights>
        <icon>/i.ico</icon><logo>/l.png</logo></feed>""",
    )
    assert about(items, FEED) == {
        'dcterms:identifier "urn:x"',
        'dcterms:language "de"',
        'rss:title "<b>T"@de',
        'rss:description "S t"@de',
        'rss:link "https://example.test/home"',
        'dcterms:modified "2024-01-01T00:00:00Z"^^xsd:dateTime',
        "dcterms:creator _:d0",
        'dcterms:subject "L"@de',
        'dcterms:subject "t"',
        'dcterms:subject "u"@de',
        'dcterms:rights "R"@de',
        "schema:image <https://example.test/l.png>",
        "rss:items _:d1",
    }
    assert about(items, "_:d0") == {
        'foaf:name "Ada"',
        "foaf:mbox <mailto:a@b.test>",
        "foaf:homepage <https://example.test/ada>",
    }
    assert problems(items) == []


def test_an_entry_says_what_it_is() -> None:
    items = read(
        atom_statements,
        f"""<feed {ATOM}><entry xml:base="e/"><title>T</title><id>urn:y</id><summary>S</summary>
        <link href="1"/><link rel="replies" href="r"/><link rel="via" href="v"/>
        <link rel="http://www.iana.org/assignments/relation/related" href="w"/>
        <link rel="enclosure" href="m" type="audio/mpeg" length="3" title="M"/>
        <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>C<br/></p></div></content>
        <published>2024-01-01T00:00:00Z</published><source><id>http://s.test/</id></source>
        </entry></feed>""",
    )
    assert about(items, f"<{URL}e/1>") == {
        'rss:title "T"',
        'dcterms:identifier "urn:y"',
        'rss:description "S"',
        f'rss:link "{URL}e/1"',
        f"schema:discussionUrl <{URL}e/r>",
        f"dcterms:references <{URL}e/v>",
        f"dcterms:references <{URL}e/w>",
        "schema:associatedMedia _:d1",
        'content:encoded "<p>C<br/></p>"',
        'dcterms:issued "2024-01-01T00:00:00Z"^^xsd:dateTime',
        "dcterms:source <http://s.test/>",
    }
    assert about(items, "_:d1") == {
        f"schema:contentUrl <{URL}e/m>",
        'schema:encodingFormat "audio/mpeg"',
        'schema:contentSize "3"',
        'schema:name "M"',
    }


@pytest.mark.parametrize(
    ("inside", "name"),
    [
        ("<link href='/a'/><link href='/b'/>", "<https://example.test/a>"),
        ("<link rel='self' href='/a'/><id>http://i.test/</id>", "<http://i.test/>"),
        ("<id>urn:x</id>", "_:d1"),
        ("", "_:d1"),
    ],
)
def test_an_entry_is_named_by_its_link_or_id(inside: str, name: str) -> None:
    items = read(atom_statements, f"<feed {ATOM}><entry>{inside}</entry></feed>")
    assert f"_:d0 rdf:_1 {name}" in short(items)


def test_a_lone_entry_speaks_for_itself() -> None:
    items = read(atom_statements, f"<entry {ATOM}><link href='/a'/><title>T</title></entry>")
    assert short(items) == [
        "<https://example.test/a> rdf:type rss:item",
        '<https://example.test/a> rss:link "https://example.test/a"',
        '<https://example.test/a> rss:title "T"',
    ]


@pytest.mark.parametrize("namespace", ["", 'xmlns="http://purl.org/atom/ns#"'])
def test_older_and_undeclared_atom_is_read(namespace: str) -> None:
    items = read(
        atom_statements,
        f"<feed {namespace}><tagline>G</tagline><entry><issued>2004</issued>"
        "<modified>2005</modified><link href='/a'/></entry></feed>",
    )
    assert 'rss:description "G"' in about(items, FEED)
    assert about(items, "<https://example.test/a>") == {
        'dcterms:issued "2004"^^xsd:gYear',
        'dcterms:modified "2005"^^xsd:gYear',
        'rss:link "https://example.test/a"',
    }
