from tests.transform.feeds.reading import about, read, short

from gossamer.transform.feeds import atom_statements, rss_statements

NAMESPACES = (
    'xmlns:media="http://search.yahoo.com/mrss/" '
    'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" '
    'xmlns:podcast="https://podcastindex.org/namespace/1.0"'
)


def item(inside: str) -> set[str]:
    items = read(
        rss_statements,
        f"<rss {NAMESPACES}><channel><item><link>/e</link>{inside}</item></channel></rss>",
    )
    said = about(items, "<https://example.test/e>") - {'rss:link "https://example.test/e"'}
    nodes = {line.split()[-1] for line in said if line.split()[-1].startswith("_:")}
    return said.union(*(about(items, node) for node in nodes))


def test_an_enclosure_is_a_media_object() -> None:
    assert item('<enclosure url="a.mp3" length="123" type="audio/mpeg"/>') == {
        "schema:associatedMedia _:d1",
        "schema:contentUrl <https://example.test/feed/a.mp3>",
        'schema:encodingFormat "audio/mpeg"',
        'schema:contentSize "123"',
    }


def test_media_in_groups_counts_as_media() -> None:
    found = item(
        '<media:group><media:content url="/v.mp4" fileSize="9" type="video/mp4" duration="75"'
        ' width="640" height="tall"><media:title>V</media:title><media:thumbnail url="/t.png"/>'
        "</media:content></media:group>"
    )
    assert found == {
        'rss:title "V"',
        "schema:associatedMedia _:d1",
        "schema:contentUrl <https://example.test/v.mp4>",
        'schema:encodingFormat "video/mp4"',
        'schema:contentSize "9"',
        'schema:name "V"',
        'schema:duration "PT75S"^^xsd:duration',
        'schema:width "640"^^xsd:integer',
        'schema:height "tall"',
        "schema:thumbnailUrl <https://example.test/t.png>",
    }


def test_episodes_say_what_podcast_programs_ask() -> None:
    found = item(
        "<itunes:duration>1:02:30</itunes:duration><itunes:episode>4</itunes:episode>"
        "<podcast:season>2</podcast:season><itunes:summary>S</itunes:summary>"
        "<itunes:explicit>no</itunes:explicit><podcast:transcript url='/t.vtt'/>"
        "<podcast:person href='/ada'>Ada</podcast:person><itunes:image href='/i.png'/>"
        "<itunes:author>Bob</itunes:author>"
    )
    assert found == {
        'schema:duration "PT1H2M30S"^^xsd:duration',
        'schema:episodeNumber "4"^^xsd:integer',
        'schema:seasonNumber "2"^^xsd:integer',
        'schema:abstract "S"',
        'schema:isFamilyFriendly "true"^^xsd:boolean',
        "schema:transcript <https://example.test/t.vtt>",
        "schema:actor _:d1",
        'foaf:name "Ada"',
        "foaf:homepage <https://example.test/ada>",
        "schema:thumbnailUrl <https://example.test/i.png>",
        "dcterms:creator _:d2",
        'foaf:name "Bob"',
    }


def test_an_item_with_an_enclosure_is_an_episode_of_a_podcast() -> None:
    items = read(
        rss_statements,
        f"<rss {NAMESPACES}><channel><item><link>/e</link><enclosure url='x'/></item>"
        "<item><link>/f</link></item></channel></rss>",
    )
    assert [line for line in short(items) if "Podcast" in line] == [
        "<https://example.test/feed/> rdf:type schema:PodcastSeries",
        "<https://example.test/e> rdf:type schema:PodcastEpisode",
    ]


def test_media_elements_count_in_atom_as_well() -> None:
    items = read(
        atom_statements,
        f'<feed xmlns="http://www.w3.org/2005/Atom" {NAMESPACES}><entry><link href="/e"/>'
        '<media:group><media:thumbnail url="/t.png"/></media:group></entry></feed>',
    )
    said = about(items, "<https://example.test/e>")
    assert "schema:thumbnailUrl <https://example.test/t.png>" in said
