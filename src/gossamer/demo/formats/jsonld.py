"""JSON-LD: in script elements of HTML pages, and as documents of its own."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from gossamer.demo.content import PageSpec, Rendered
from gossamer.demo.formats.page import PLAIN, Head, encoded, html, page_statements
from gossamer.demo.formats.statements import (
    RDFS,
    SCHEMA,
    Dialect,
    as_canonical_double,
    as_string,
    see_also,
    statements,
    subject_of,
    targets,
)
from gossamer.demo.things import (
    Amount,
    Code,
    Duration,
    Item,
    Link,
    Moment,
    Text,
    Thing,
    Value,
    Whole,
)
from gossamer.model import Syntax

REMOTE: Final = "https://schema.org"
# What the schema.org context says of the properties that our things have.
_IRI_PROPERTIES: Final = frozenset({"sameAs", "url", "license", "contentUrl"})
_DATE_PROPERTIES: Final = frozenset(
    {"birthDate", "startDate", "endDate", "datePublished", "dateModified"}
)
_INLINE: Final[Mapping[str, object]] = {
    "@vocab": SCHEMA,
    **{name: {"@type": "@id"} for name in sorted(_IRI_PROPERTIES)},
    **{name: {"@type": "Date"} for name in sorted(_DATE_PROPERTIES)},
}
_SEE_ALSO: Final = {"seeAlso": {"@id": f"{RDFS}seeAlso", "@type": "@id"}}

Members = dict[str, Any]


def json_ld_in_html(spec: PageSpec, thing: Thing) -> Rendered:
    """An HTML page with one clean script block."""
    members = members_of(spec, thing, _INLINE if thing.style % 4 == 0 else REMOTE)
    script = document(members, ascii_only=needs_ascii(spec))
    return page_with_block(spec, thing, script, json_ld_statements(spec, thing))


def json_ld(spec: PageSpec, thing: Thing) -> Rendered:
    """A document; its links are `rdfs:seeAlso`."""
    members = members_of(spec, thing, [_INLINE if thing.style % 4 == 0 else REMOTE, _SEE_ALSO])
    members["seeAlso"] = [target[1:-1] for target in targets(spec)]
    triples = {Syntax.JSON_LD: json_ld_statements(spec, thing).union(see_also(spec))}
    return Rendered(document(members, ascii_only=False).encode(), "application/ld+json", triples)


def block(script: str) -> str:
    """A JSON-LD script element for the head."""
    return f'<script type="application/ld+json">\n{script}\n</script>\n'


def needs_ascii(spec: PageSpec) -> bool:
    """Whether JSON must escape: character references mean nothing within a script."""
    return not spec.charset.lower().startswith("utf")


def page_with_block(spec: PageSpec, thing: Thing, script: str, found: frozenset[str]) -> Rendered:
    """A page whose head holds that block, and what a right extractor finds in it."""
    body, content_type = encoded(spec, thing, html(spec, thing, PLAIN, Head("", block(script))))
    triples = {Syntax.PAGE: page_statements(spec, thing), Syntax.JSON_LD: found}
    return Rendered(body, content_type, triples)


def json_ld_statements(spec: PageSpec, thing: Thing, language: str | None = None) -> frozenset[str]:
    """What the block says, under the schema.org context."""
    dialect = Dialect(
        "j",
        language,
        language,
        as_canonical_double if _bare_amounts(thing) else as_string(language),
        moment=f"{SCHEMA}Date",  # the context types these properties so, time or no time
        durations=False,
    )
    return frozenset(statements(thing.item, subject_of(spec), dialect))


def _bare_amounts(thing: Thing) -> bool:
    """Whether this page writes prices as JSON numbers; most write them as strings."""
    return thing.style % 5 == 0


def members_of(spec: PageSpec, thing: Thing, context: object) -> Members:
    """The members of the object that describes the thing."""
    name = "#it" if thing.style % 2 else subject_of(spec)[1:-1]
    return {"@context": context, "@id": name, **_object(thing.item, _bare_amounts(thing))}


def _object(item: Item, bare: bool) -> Members:
    members: Members = {"@type": item.type}
    for name, value in item.properties:
        written = _WRITTEN[type(value)](name, value, bare)
        if name not in members:
            members[name] = written
        elif isinstance(members[name], list):
            members[name].append(written)
        else:
            members[name] = [members[name], written]
    return members


def _text(name: str, text: Text, bare: bool) -> object:
    return {"@value": text.value, "@language": text.language} if text.language else text.value


def _link(name: str, link: Link, bare: bool) -> object:
    return link.iri if name in _IRI_PROPERTIES else {"@id": link.iri}


def _amount(name: str, amount: Amount, bare: bool) -> object:
    return amount.hundredths / 100 if bare else amount.decimal


_WRITTEN: Final[Mapping[type[Value], Callable[[str, Any, bool], object]]] = {
    Text: _text,
    Link: _link,
    Amount: _amount,
    Code: lambda name, code, bare: code.value,
    Moment: lambda name, moment, bare: moment.value,
    Duration: lambda name, duration, bare: duration.value,
    Whole: lambda name, whole, bare: whole.value,
    Item: lambda name, item, bare: _object(item, bare),
}


def document(members: Members, *, ascii_only: bool) -> str:
    """Format a document with one member a line. A `<` is escaped, or a name could close the script element."""
    lines = [
        f'  "{name}": {json.dumps(value, ensure_ascii=ascii_only)}'
        for name, value in members.items()
    ]
    return ("{\n" + ",\n".join(lines) + "\n}").replace("<", "\\u003c")
