"""What RSS and Atom have in common: the links of a page as dated entries.

All feeds mean the same in RDF, whatever their dress: RSS 1.0 with Dublin Core terms. See
docs/vocabularies.md, "Feeds".
"""

from datetime import date
from functools import lru_cache
from typing import Final, NamedTuple

from gossamer.demo.content import PageSpec
from gossamer.demo.formats.markup import clean
from gossamer.demo.formats.statements import (
    DCTERMS,
    FOAF,
    RDF,
    TYPE,
    XSD,
    iri,
    literal,
    resolved,
    typed,
)
from gossamer.demo.things import Thing

RSS: Final = "http://purl.org/rss/1.0/"
_FIRST_DAY: Final = date(2020, 1, 1).toordinal()
_HOURS_BETWEEN: Final = 7
# Not strftime: names of days and months would follow the locale.
_DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS: Final = (
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)


class Moment(NamedTuple):
    """One moment in the two spellings of feeds."""

    rfc3339: str
    rfc822: str

    @property
    def term(self) -> str:
        """The value as an RDF term."""
        return typed(self.rfc3339, f"{XSD}dateTime")


class Entry(NamedTuple):
    """One link of the page, as feeds tell it."""

    target: str  # absolute
    subject: str  # the same as a term
    title: str
    at: Moment


def entries(spec: PageSpec) -> list[Entry]:
    """What a feed lists; a link that leads nowhere is left out."""
    return [
        Entry(target, iri(target), clean(anchor.label).strip(), moment(spec.number, index))
        for index, anchor in enumerate(spec.anchors)
        if (target := resolved(spec.url, anchor.href))
    ]


def moment(number: int, index: int) -> Moment:
    """When the entry at that place was written: the first is the newest."""
    hours = number % 2000 * 24 - index * _HOURS_BETWEEN
    return _moment(hours // 24, hours % 24)


@lru_cache(maxsize=100_000)
def _moment(days: int, hour: int) -> Moment:
    day = date.fromordinal(_FIRST_DAY + days)
    name, month = _DAYS[day.weekday()], _MONTHS[day.month - 1]
    return Moment(
        f"{day.isoformat()}T{hour:02}:00:00Z",
        f"{name}, {day.day:02} {month} {day.year} {hour:02}:00:00 GMT",
    )


def channel_statements(spec: PageSpec, thing: Thing, listed: list[Entry]) -> list[str]:
    """The statements of every feed about itself."""
    feed, sequence, language = iri(spec.url), "_:s", thing.language
    lines = [
        f"{feed} {TYPE} <{RSS}channel> .",
        f"{feed} <{RSS}title> {literal(thing.name, language)} .",
        f"{feed} <{RSS}link> {literal(spec.url)} .",
        f"{feed} <{RSS}description> {literal(thing.description, language)} .",
        f"{feed} <{RSS}items> {sequence} .",
        f"{sequence} {TYPE} <{RDF}Seq> .",
    ]
    lines += [f"{sequence} <{RDF}_{n}> {entry.subject} ." for n, entry in enumerate(listed, 1)]
    return lines


def entry_statements(entry: Entry, language: str) -> list[str]:
    """The statements of every feed about an entry."""
    lines = [
        f"{entry.subject} {TYPE} <{RSS}item> .",
        f"{entry.subject} <{RSS}link> {literal(entry.target)} .",
    ]
    if entry.title:
        lines.append(f"{entry.subject} <{RSS}title> {literal(entry.title, language)} .")
    return lines


def creator_statements(subject: str, node: str, name: str) -> tuple[str, ...]:
    """Statements about the author of an entry. A name is in no language."""
    return (
        f"{subject} <{DCTERMS}creator> {node} .",
        f"{node} {TYPE} <{FOAF}Agent> .",
        f"{node} <{FOAF}name> {literal(name)} .",
    )
