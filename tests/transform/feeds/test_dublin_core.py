from tests.transform.feeds.reading import read, short

from gossamer.transform.feeds import atom_statements, rss_statements

BOTH = 'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"'
INSIDE = (
    "<dc:title>T</dc:title><dcterms:issued>2024-01-01</dcterms:issued><dc:author>Ada</dc:author>"
)


def test_dublin_core_counts_in_rss_and_atom() -> None:
    rss = read(rss_statements, f"<rss {BOTH}><channel><item>{INSIDE}</item></channel></rss>")
    atom = read(atom_statements, f"<feed {BOTH}><entry>{INSIDE}</entry></feed>")
    for found in ("\n".join(short(rss)), "\n".join(short(atom))):
        assert 'rss:title "T"' in found
        assert 'dcterms:issued "2024-01-01"^^xsd:date' in found
        assert 'foaf:name "Ada"' in found


def test_atom_counts_in_rss_and_a_permalink_is_a_link() -> None:
    items = read(
        rss_statements,
        '<rss xmlns:atom="http://www.w3.org/2005/Atom"><channel><atom:link rel="self" href="/f"/>'
        "<item><guid>http://g.test/</guid><atom:summary>S</atom:summary></item></channel></rss>",
    )
    found = "\n".join(short(items))
    assert '<http://g.test/> rss:link "http://g.test/"' in found
    assert 'rss:description "S"' in found
    assert "/f>" not in found
