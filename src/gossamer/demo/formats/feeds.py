"""RSS and Atom feeds, whose entries are the links of the page.

Both mean the same in RDF, whatever their dress: RSS 1.0 with Dublin Core terms. See
docs/vocabularies.md, "Feeds".
"""

from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from gossamer.demo.content import PageSpec, Rendered
from gossamer.demo.formats.markup import clean, escaped
from gossamer.demo.formats.statements import DCTERMS, RDF, TYPE, XSD, iri, literal, resolved, typed
from gossamer.demo.things import Thing
from gossamer.model import Syntax

RSS: Final = "http://purl.org/rss/1.0/"
_FIRST_DAY: Final = datetime(2020, 1, 1, tzinfo=UTC)
_DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS: Final = (
    "Jan",
    "Feb",
    "Mar",
    "Apr",
    "May",
    "Jun",
    "Jul",
    "Aug",
    "Sep",
    "Oct",
    "Nov",
    "Dec",
)


class Entry(NamedTuple):
    """One link of the page, as feeds tell it."""

    target: str  # absolute
    title: str
    at: datetime


def _entries(spec: PageSpec) -> list[Entry]:
    """What a feed lists; a link that leads nowhere is left out."""
    first = _FIRST_DAY + timedelta(days=spec.number % 2000)
    return [
        Entry(target, clean(anchor.label), first + timedelta(hours=7 * index))
        for index, anchor in enumerate(spec.anchors)
        if (target := resolved(spec.url, anchor.href))
    ]


def rss(spec: PageSpec, thing: Thing) -> Rendered:
    """RSS 2.0."""
    entries = _entries(spec)
    items = "".join(
        f"""<item>
<title>{escaped(entry.title)}</title>
<link>{escaped(entry.target)}</link>
<pubDate>{_rfc822(entry.at)}</pubDate>
</item>
"""
        for entry in entries
    )
    body = f"""<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0">
<channel>
<title>{escaped(thing.name)}</title>
<link>{escaped(spec.url)}</link>
<description>{escaped(thing.description)}</description>
<language>{thing.language}</language>
{items}</channel>
</rss>
"""
    lines = _channel(spec, thing, entries)
    lines.append(f"{iri(spec.url)} <{RSS}link> {literal(spec.url)} .")
    lines.append(f'{iri(spec.url)} <{DCTERMS}language> "{thing.language}" .')
    for entry in entries:
        lines += _item(entry, thing.language)
        lines.append(f"{iri(entry.target)} <{DCTERMS}issued> {_moment(entry.at)} .")
    return Rendered(body.encode(), "application/rss+xml", {Syntax.RSS: frozenset(lines)})


def atom(spec: PageSpec, thing: Thing) -> Rendered:
    """Atom 1.0."""
    entries = _entries(spec)
    updated = max((entry.at for entry in entries), default=_FIRST_DAY)
    items = "".join(
        f"""<entry>
<id>{escaped(entry.target)}</id>
<title>{escaped(entry.title)}</title>
<link href="{escaped(entry.target)}"/>
<updated>{_rfc3339(entry.at)}</updated>
</entry>
"""
        for entry in entries
    )
    body = f"""<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{thing.language}">
<id>{escaped(spec.url)}</id>
<title>{escaped(thing.name)}</title>
<subtitle>{escaped(thing.description)}</subtitle>
<link rel="self" href="{escaped(spec.url)}"/>
<updated>{_rfc3339(updated)}</updated>
{items}</feed>
"""
    lines = _channel(spec, thing, entries)
    lines.append(f"{iri(spec.url)} <{DCTERMS}modified> {_moment(updated)} .")
    for entry in entries:
        lines += _item(entry, thing.language)
        lines.append(f"{iri(entry.target)} <{DCTERMS}modified> {_moment(entry.at)} .")
    return Rendered(body.encode(), "application/atom+xml", {Syntax.ATOM: frozenset(lines)})


def _channel(spec: PageSpec, thing: Thing, entries: list[Entry]) -> list[str]:
    feed = iri(spec.url)
    lines = [
        f"{feed} {TYPE} <{RSS}channel> .",
        f"{feed} <{RSS}title> {literal(thing.name, thing.language)} .",
        f"{feed} <{RSS}description> {literal(thing.description, thing.language)} .",
        f"{feed} <{RSS}items> _:s .",
        f"_:s {TYPE} <{RDF}Seq> .",
    ]
    lines += [f"_:s <{RDF}_{n}> {iri(entry.target)} ." for n, entry in enumerate(entries, 1)]
    return lines


def _item(entry: Entry, language: str) -> list[str]:
    subject = iri(entry.target)
    return [
        f"{subject} {TYPE} <{RSS}item> .",
        f"{subject} <{RSS}title> {literal(entry.title, language)} .",
        f"{subject} <{RSS}link> {literal(entry.target)} .",
    ]


def _rfc3339(at: datetime) -> str:
    return f"{at:%Y-%m-%dT%H:%M:%S}Z"


def _rfc822(at: datetime) -> str:
    # Not strftime: names of days and months would follow the locale.
    return f"{_DAYS[at.weekday()]}, {at.day:02} {_MONTHS[at.month - 1]} {at:%Y %H:%M:%S} GMT"


def _moment(at: datetime) -> str:
    return typed(_rfc3339(at), f"{XSD}dateTime")
