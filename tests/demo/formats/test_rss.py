from collections.abc import Iterator

import pyoxigraph as ox
from lxml import etree
from tests.demo.formats.feed_reading import (
    RDF,
    RSS,
    SCHEMA,
    TERMS,
    XSD,
    agent,
    date_time,
    quoted,
    sequence,
    text_of,
)
from tests.demo.formats.reading import URL, Page, graph, graph_of, pages, xml_root

from gossamer.demo.content import Format
from gossamer.model import Syntax

ITUNES = "{http://www.itunes.com/dtds/podcast-1.0.dtd}"
CREATOR = "{http://purl.org/dc/elements/1.1/}creator"
FEED = f"<{URL}>"


def rss_lines(channel: etree._Element) -> Iterator[str]:
    items = channel.findall("item")
    language = text_of(channel, "language")
    yield from sequence(FEED, [text_of(item, "link") for item in items])
    yield f'{FEED} <{TERMS}language> "{language}" .'
    yield f"{FEED} <{RSS}description> {quoted(text_of(channel, 'description'))}@{language} ."
    if (creator := channel.findtext(CREATOR)) is not None:
        yield from agent(FEED, creator)
    if "itunes" in channel.nsmap:
        yield f"{FEED} <{RDF}type> <{SCHEMA}PodcastSeries> ."
    for element in (channel, *items):
        subject = f"<{text_of(element, 'link')}>"
        yield f"{subject} <{RSS}link> {quoted(text_of(element, 'link'))} ."
        yield f"{subject} <{RSS}title> {quoted(text_of(element, 'title'))}@{language} ."
    for number, item in enumerate(items):
        yield from item_lines(item, f"<{text_of(item, 'link')}>", f"_:media{number}")


def item_lines(item: etree._Element, subject: str, media: str) -> Iterator[str]:
    if (guid := item.findtext("guid")) is not None:
        yield f"{subject} <{TERMS}identifier> {quoted(guid)} ."
    if (moment := item.findtext("pubDate")) is not None:
        yield f"{subject} <{TERMS}issued> {date_time(moment)} ."
    if (enclosure := item.find("enclosure")) is not None:
        minutes, seconds = text_of(item, f"{ITUNES}duration").split(":")
        episode = text_of(item, f"{ITUNES}episode")
        yield f"{subject} <{RDF}type> <{SCHEMA}PodcastEpisode> ."
        yield f'{subject} <{SCHEMA}duration> "PT{minutes}M{seconds}S"^^<{XSD}duration> .'
        yield f'{subject} <{SCHEMA}episodeNumber> "{episode}"^^<{XSD}integer> .'
        yield f"{subject} <{SCHEMA}associatedMedia> {media} ."
        yield f"{media} <{RDF}type> <{SCHEMA}MediaObject> ."
        yield f"{media} <{SCHEMA}contentUrl> <{enclosure.get('url')}> ."
        yield f'{media} <{SCHEMA}encodingFormat> "{enclosure.get("type")}" .'
        yield f'{media} <{SCHEMA}contentSize> "{enclosure.get("length")}" .'


def dress(read: Page) -> str:
    root = xml_root(read.rendered.body)
    if root.tag == f"{{{RDF}}}RDF":
        return "1.0"
    return f"{root.get('version')} {' '.join(prefix or '' for prefix in root.nsmap)}".strip()


def test_the_feed_says_what_it_is_said_to_say() -> None:
    for read in pages(Format.RSS, 150):
        if dress(read) == "1.0":
            found = graph_of(read.rendered.body, ox.RdfFormat.RDF_XML)
        else:
            channel = xml_root(read.rendered.body).find("channel")
            assert channel is not None
            found = graph(rss_lines(channel))
        assert found == read.graph(Syntax.RSS), read.spec


def test_every_dress_of_rss_occurs() -> None:
    assert {dress(read) for read in pages(Format.RSS, 60)} == {
        *("2.0 dc", "2.0 itunes", "1.0", "0.91"),
    }
