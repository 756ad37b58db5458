"""RSS in four dresses: 2.0, 2.0 as a podcast, 1.0 (which is RDF) and 0.91."""

from collections.abc import Callable
from typing import Final

from gossamer.demo.content import PageSpec, Rendered
from gossamer.demo.formats.feeds import (
    RSS,
    Entry,
    channel_statements,
    creator_statements,
    entries,
    entry_statements,
)
from gossamer.demo.formats.markup import escaped
from gossamer.demo.formats.statements import DCTERMS, RDF, SCHEMA, TYPE, XSD, iri, literal, typed
from gossamer.demo.things import Thing
from gossamer.model import Syntax

ITUNES: Final = "http://www.itunes.com/dtds/podcast-1.0.dtd"
DC: Final = "http://purl.org/dc/elements/1.1/"
_DECLARATION: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
_Feed = tuple[str, list[str]]  # the document, and its statements beyond those of every feed


def rss(spec: PageSpec, thing: Thing) -> Rendered:
    """A feed whose items are the page's links, in the dress that the thing's style picks."""
    listed = entries(spec)
    body, more = _DRESSES[thing.style % len(_DRESSES)](spec, thing, listed)
    lines = channel_statements(spec, thing, listed) + more
    for entry in listed:
        lines += entry_statements(entry, thing.language)
    return Rendered(body.encode(), "application/rss+xml", {Syntax.RSS: frozenset(lines)})


def _rss_2(spec: PageSpec, thing: Thing, listed: list[Entry]) -> _Feed:
    items = "".join(
        f"""<item>
<title>{escaped(entry.title)}</title>
<link>{escaped(entry.target)}</link>
<guid isPermaLink="false">{spec.number}-{index}</guid>
<pubDate>{entry.at.rfc822}</pubDate>
</item>
"""
        for index, entry in enumerate(listed)
    )
    feed = iri(spec.url)
    lines = [_language(feed, thing), *creator_statements(feed, "_:c", thing.name)]
    for index, entry in enumerate(listed):
        lines.append(f'{entry.subject} <{DCTERMS}identifier> "{spec.number}-{index}" .')
        lines.append(f"{entry.subject} <{DCTERMS}issued> {entry.at.term} .")
    creator = f"<dc:creator>{escaped(thing.name)}</dc:creator>\n"
    return _document(f'2.0" xmlns:dc="{DC}', spec, thing, creator + items), lines


def _podcast(spec: PageSpec, thing: Thing, listed: list[Entry]) -> _Feed:
    episodes = list(enumerate(listed, 1))
    items = "".join(
        f"""<item>
<title>{escaped(entry.title)}</title>
<link>{escaped(entry.target)}</link>
<pubDate>{entry.at.rfc822}</pubDate>
<enclosure url="{_sound(spec, episode)}" length="{episode}000" type="audio/mpeg"/>
<itunes:duration>{episode}:30</itunes:duration>
<itunes:episode>{episode}</itunes:episode>
</item>
"""
        for episode, entry in episodes
    )
    feed = iri(spec.url)
    lines = [_language(feed, thing), f"{feed} {TYPE} <{SCHEMA}PodcastSeries> ."]
    for episode, entry in episodes:
        lines += _episode(spec, episode, entry)
    return _document(f'2.0" xmlns:itunes="{ITUNES}', spec, thing, items), lines


def _sound(spec: PageSpec, episode: int) -> str:
    return f"http://id.test/sound/{spec.number}/{episode}.mp3"


def _episode(spec: PageSpec, episode: int, entry: Entry) -> list[str]:
    subject, media = entry.subject, f"_:e{episode}"
    duration = typed(f"PT{episode}M30S", f"{XSD}duration")
    return [
        f"{subject} {TYPE} <{SCHEMA}PodcastEpisode> .",
        f"{subject} <{DCTERMS}issued> {entry.at.term} .",
        f"{subject} <{SCHEMA}duration> {duration} .",
        f"{subject} <{SCHEMA}episodeNumber> {typed(str(episode), f'{XSD}integer')} .",
        f"{subject} <{SCHEMA}associatedMedia> {media} .",
        f"{media} {TYPE} <{SCHEMA}MediaObject> .",
        f"{media} <{SCHEMA}contentUrl> <{_sound(spec, episode)}> .",
        f'{media} <{SCHEMA}encodingFormat> "audio/mpeg" .',
        f'{media} <{SCHEMA}contentSize> "{episode}000" .',
    ]


def _rss_091(spec: PageSpec, thing: Thing, listed: list[Entry]) -> _Feed:
    items = "".join(
        f"<item><title>{escaped(entry.title)}</title><link>{escaped(entry.target)}</link></item>\n"
        for entry in listed
    )
    return _document("0.91", spec, thing, items), [_language(iri(spec.url), thing)]


def _document(version: str, spec: PageSpec, thing: Thing, items: str) -> str:
    return f"""{_DECLARATION}<rss version="{version}">
<channel>
<title>{escaped(thing.name)}</title>
<link>{escaped(spec.url)}</link>
<description>{escaped(thing.description)}</description>
<language>{thing.language}</language>
<docs>http://id.test/{thing.kind}/{thing.number}</docs>
{items}</channel>
</rss>
"""


def _language(feed: str, thing: Thing) -> str:
    return f'{feed} <{DCTERMS}language> "{thing.language}" .'


def _rss_1(spec: PageSpec, thing: Thing, listed: list[Entry]) -> _Feed:
    """RDF/XML, read as such: text in the language of `xml:lang`, links without one."""
    lang = f' xml:lang="{thing.language}"'
    url = escaped(spec.url)
    members = "".join(
        [f'<rdf:li rdf:resource="{escaped(entry.subject[1:-1])}"/>\n' for entry in listed]
    )
    items = "".join(
        f"""<item rdf:about="{escaped(entry.subject[1:-1])}">
<title{lang}>{escaped(entry.title)}</title>
<link>{escaped(entry.target)}</link>
<dc:date>{entry.at.rfc3339}</dc:date>
</item>
"""
        for entry in listed
    )
    body = f"""{_DECLARATION}<rdf:RDF xmlns="{RSS}" xmlns:rdf="{RDF}" xmlns:dc="{DC}">
<channel rdf:about="{escaped(iri(spec.url)[1:-1])}">
<title{lang}>{escaped(thing.name)}</title>
<link>{url}</link>
<description{lang}>{escaped(thing.description)}</description>
<items><rdf:Seq>
{members}</rdf:Seq></items>
</channel>
{items}</rdf:RDF>
"""
    dates = [f"{entry.subject} <{DC}date> {literal(entry.at.rfc3339)} ." for entry in listed]
    return body, dates


_DRESSES: Final[tuple[Callable[[PageSpec, Thing, list[Entry]], _Feed], ...]] = (
    *(_rss_2, _rss_2, _podcast, _rss_1, _rss_091),
)
