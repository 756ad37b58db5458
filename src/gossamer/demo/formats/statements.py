"""Statements as N-Triples lines: how each syntax types the values of a thing.

One spelling for each statement, so that the same one from two syntaxes is one line.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import ada_url

from gossamer.demo.content import PageSpec
from gossamer.demo.things import Amount, Code, Duration, Item, Link, Moment, Text, Whole

RDF: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS: Final = "http://www.w3.org/2000/01/rdf-schema#"
XSD: Final = "http://www.w3.org/2001/XMLSchema#"
SCHEMA: Final = "http://schema.org/"
DCTERMS: Final = "http://purl.org/dc/terms/"
FOAF: Final = "http://xmlns.com/foaf/0.1/"
TYPE: Final = f"<{RDF}type>"
SEE_ALSO: Final = f"<{RDFS}seeAlso>"

_PLAIN_IRI: Final = re.compile(r"\w+://[\w.-]+(?::\d+)?/[\w./?=&~;,+-]*#?[\w-]*", re.ASCII)
_AUTHORITY: Final = re.compile(r"\w+://\[[0-9a-f:.]+\]", re.ASCII)
_NOT_IN_IRI: Final = re.compile(r'[\x00-\x20\x7f<>"{}|^`\\\[\]]|%(?![0-9A-Fa-f]{2})')
_NOT_IN_LITERAL: Final = re.compile(r'["\\\n\r]')
_LITERAL_ESCAPES: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r"}
# What needs no parser to be joined: no dots, no escapes, no host that could be a number or IDN.
_PLAIN_PATH: Final = re.compile(r"/(?:[\w~-][\w.~/-]*)?(?:\?[\w=&.-]*)?", re.ASCII)
_PLAIN_URL: Final = re.compile(r"http://(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]+(/.*)", re.ASCII)


def iri(text: str) -> str:
    """An IRI as N-Triples has it; what no IRI may hold is percent-encoded."""
    return f"<{text}>" if _PLAIN_IRI.fullmatch(text) else f"<{_mended(text)}>"


def _mended(text: str) -> str:
    # Brackets may stand around a network address, a number sign before the fragment: nowhere else.
    address = _AUTHORITY.match(text)
    start = address.end() if address else 0
    rest, sign, fragment = text[start:].partition("#")
    inner = _NOT_IN_IRI.sub(_percent, fragment).replace("#", "%23")
    return text[:start] + _NOT_IN_IRI.sub(_percent, rest) + sign + inner


def _percent(match: re.Match[str]) -> str:
    return f"%{ord(match[0]):02X}"


def subject_of(spec: PageSpec) -> str:
    """The thing that a page is about, as a term: every format calls it `#it`."""
    return iri(f"{spec.url}#it")


def literal(text: str, language: str | None = None) -> str:
    """A plain literal, or one in a language."""
    quoted = _NOT_IN_LITERAL.sub(lambda match: _LITERAL_ESCAPES[match[0]], text)
    return f'"{quoted}"@{language}' if language else f'"{quoted}"'


def typed(text: str, datatype: str) -> str:
    """A literal of that datatype."""
    return f'"{text}"^^<{datatype}>'


def resolved(base: str, href: str) -> str | None:
    """Where a link leads, by the rules of browsers; None if nowhere."""
    plain = _PLAIN_URL.fullmatch(href)
    if _PLAIN_PATH.fullmatch(plain[1] if plain else href) and "/." not in href:
        return href if plain else base[: base.index("/", 8)] + href
    try:
        return str(ada_url.join_url(base, href))
    except ValueError:
        return None


class Dialect(NamedTuple):
    """How one syntax turns values into terms."""

    label: str  # what blank nodes of this syntax are called, so that two syntaxes share none
    text_language: str | None  # of words that name no language of their own
    code_language: str | None  # of strings that are no words
    amount: Callable[[Amount], str]
    moment: str | None = None  # datatype of all dates and times; None: XML Schema's, by their looks
    durations: bool = True  # whether they are typed, or strings
    vocabulary: str = SCHEMA


def statements(item: Item, subject: str, dialect: Dialect) -> list[str]:
    """All that is said of an item, whose name is the subject, and of the items within it."""
    lines: list[str] = []
    _describe(item, subject, "_:" + dialect.label, dialect, lines)
    return lines


def _describe(item: Item, subject: str, label: str, dialect: Dialect, lines: list[str]) -> None:
    vocabulary = dialect.vocabulary
    lines.append(f"{subject} {TYPE} <{vocabulary}{item.type}> .")
    for index, (name, value) in enumerate(item.properties):
        if type(value) is Item:
            node = f"{label}{index}"
            lines.append(f"{subject} <{vocabulary}{name}> {node} .")
            _describe(value, node, f"{node}x", dialect, lines)
        else:
            lines.append(f"{subject} <{vocabulary}{name}> {_TERMS[type(value)](value, dialect)} .")


def _moment(value: Moment, dialect: Dialect) -> str:
    return typed(value.value, dialect.moment or XSD + time_type(value.value))


def _duration(value: Duration, dialect: Dialect) -> str:
    if dialect.durations:
        return typed(value.value, f"{XSD}duration")
    return literal(value.value, dialect.code_language)


_TERMS: Final[Mapping[type, Callable[[Any, Dialect], str]]] = {
    Text: lambda value, dialect: literal(value.value, value.language or dialect.text_language),
    Code: lambda value, dialect: literal(value.value, dialect.code_language),
    Moment: _moment,
    Duration: _duration,
    Whole: lambda value, dialect: typed(str(value.value), f"{XSD}integer"),
    Amount: lambda value, dialect: dialect.amount(value),
    Link: lambda value, dialect: f"<{value.iri}>",
}


def as_decimal(amount: Amount) -> str:
    """The term of an amount in RDF documents and RDFa."""
    return typed(amount.decimal, f"{XSD}decimal")


def as_double(amount: Amount) -> str:
    """The term of an amount in microdata: its own spelling, typed as a double."""
    return typed(amount.decimal, f"{XSD}double")


def as_canonical_double(amount: Amount) -> str:
    """The term of a JSON number: `12.9` is `1.29E1`."""
    digits = str(amount.hundredths)
    mantissa = f"{digits[0]}.{digits[1:].rstrip('0') or '0'}"
    return typed(f"{mantissa}E{len(digits) - 3}", f"{XSD}double")


def as_string(language: str | None) -> Callable[[Amount], str]:
    """The terms of amounts that JSON-LD gives in quotes, under that default language."""
    return lambda amount: literal(amount.decimal, language)


def targets(spec: PageSpec) -> list[str]:
    """Where the links of a document lead, as terms; a link that leads nowhere is left out."""
    found = (resolved(spec.url, anchor.href) for anchor in spec.anchors)
    return [iri(target) for target in found if target]


def see_also(spec: PageSpec) -> list[str]:
    """What the links of an RDF document say."""
    subject = subject_of(spec)
    return [f"{subject} {SEE_ALSO} {target} ." for target in targets(spec)]


def time_type(text: str) -> str:
    """The name of the XML Schema type that a moment or duration has by its looks."""
    if text.startswith("P"):
        return "duration"
    return "dateTime" if "T" in text else "date"
