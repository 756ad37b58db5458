"""Writes demo pages as Atom 1.0."""

from gossamer.demo.content import PageSpec, Rendered
from gossamer.demo.formats.feeds import (
    Entry,
    channel_statements,
    creator_statements,
    entries,
    entry_statements,
    moment,
)
from gossamer.demo.formats.markup import escaped
from gossamer.demo.formats.statements import DCTERMS, iri, literal
from gossamer.demo.things import Thing
from gossamer.model import Syntax


def atom(spec: PageSpec, thing: Thing) -> Rendered:
    """A feed whose entries are the page's links."""
    listed = entries(spec)
    url, updated = escaped(spec.url), moment(spec.number, 0)
    body = f"""<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{thing.language}">
<id>{url}</id>
<title>{escaped(thing.name)}</title>
<subtitle>{escaped(thing.description)}</subtitle>
<link rel="self" type="application/atom+xml" href="{url}"/>
<link href="{url}"/>
<updated>{updated.rfc3339}</updated>
<author><name>{escaped(thing.name)}</name></author>
{"".join([_entry(entry) for entry in listed])}</feed>
"""
    feed = iri(spec.url)
    lines = channel_statements(spec, thing, listed)
    lines += [
        f"{feed} <{DCTERMS}identifier> {literal(spec.url)} .",
        f'{feed} <{DCTERMS}language> "{thing.language}" .',
        f"{feed} <{DCTERMS}modified> {updated.term} .",
        *creator_statements(feed, "_:c", thing.name),
    ]
    for entry in listed:
        lines += entry_statements(entry, thing.language)
        lines.append(f"{entry.subject} <{DCTERMS}identifier> {literal(entry.target)} .")
        lines.append(f"{entry.subject} <{DCTERMS}modified> {entry.at.term} .")
    return Rendered(body.encode(), "application/atom+xml", {Syntax.ATOM: frozenset(lines)})


def _entry(entry: Entry) -> str:
    target = escaped(entry.target)
    return f"""<entry>
<id>{target}</id>
<title>{escaped(entry.title)}</title>
<link href="{target}"/>
<updated>{entry.at.rfc3339}</updated>
</entry>
"""
