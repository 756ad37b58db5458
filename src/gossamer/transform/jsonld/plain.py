"""A fast path for blocks with only the schema.org context: JSON directly to statements.

They are nearly all the JSON-LD there is on the web, and need next to nothing of JSON-LD: every
name has a meaning, values are strings, numbers and further objects. What goes beyond that is
not plain, and left to a whole processor; where this module answers, it answers the same.
"""

import re
from collections.abc import Container, Iterable
from decimal import Decimal
from functools import lru_cache
from typing import Final, NamedTuple

from gossamer.model import Problem, Syntax
from gossamer.transform.document import Item
from gossamer.transform.iris import join
from gossamer.transform.jsonld.contexts import only_language
from gossamer.transform.jsonld.processing import Json
from gossamer.transform.jsonld.schema_org import PREFIXES, SCHEMA, TERMS, is_schema_org
from gossamer.transform.jsonld.writing import Writer, is_good_name
from gossamer.transform.terms import XSD, A, Term, Triple, ending, literal, spelled
from gossamer.wording import quoted

_KEYWORD_MEMBER: Final = re.compile(r'"@([a-zA-Z]*)"\s*:')
_HANDLED: Final = frozenset({"context", "graph", "id", "type", "value", "language"})
_USUAL: Final = ('"@context"', '"@type"', '"@id"', '"@graph"')
_VALUE_MEMBERS: Final = frozenset({"@value", "@language", "@type"})
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*")
# JSON-LD 1.1: a term is a prefix if its IRI ends with a delimiter.
_PREFIXES: Final = {name: iri for name, iri in PREFIXES.items() if iri[-1] in ":/?#[]@"}
_STRIPPED: Final = " \t\n\r\f"  # as browsers strip it from what is to be an IRI
_MOST: Final = 2**53  # up to here whole numbers and doubles are the same thing


class NotPlainError(Exception):
    """The block needs a full JSON-LD processor."""


class Property(NamedTuple):
    """What the schema.org context says about a member's name."""

    predicate: str  # in angle brackets; a keyword without
    coercion: str  # of strings: "@id", a datatype, or nothing
    ending: str  # of literals with that datatype; nothing, if they have none
    is_good: bool  # as a predicate


def plain_items(
    value: Json,
    text: str,
    base: str,
    given: Container[str],
    writer: Writer,
    *,
    forgiving: bool = False,
) -> list[Item]:
    """The statements of a plain block: each node, then those nested in it.

    `text` is the JSON that the value was read from; `given` are addresses of contexts that were
    brought along and count instead of what we know. May raise NotPlainError; if forgiving, as
    one is with a block that is in error, members that are not plain are left out instead.
    """
    tops = value if isinstance(value, list) else [value]
    if text.count('"@context"') != len(tops):  # each of them has one, and nothing inside them
        raise NotPlainError("contexts elsewhere")
    languages = {_language(top, given) for top in tops}
    if len(languages) != 1:
        raise NotPlainError("several languages, or nothing at all")
    block = _Block(base, writer, languages.pop(), forgiving=forgiving)
    for member in _nodes(value, tops, text):
        block.add_node(member)
        block.describe_all()
    return block.items


def _language(top: Json, given: Container[str]) -> str | None:
    """The language of a block's strings, whose context is that of schema.org."""
    context = top.get("@context") if isinstance(top, dict) else None
    language = None
    if isinstance(context, list) and len(context) == 2:
        context, own = context
        language = only_language(own)
        if language is None:
            raise NotPlainError("a context of its own")
    if not isinstance(context, str) or not is_schema_org(context) or context in given:
        raise NotPlainError("other contexts")
    return language


def _nodes(value: Json, tops: list[Json], text: str) -> list[Json]:
    if not _has_usual_keywords(text) and not _HANDLED.issuperset(_KEYWORD_MEMBER.findall(text)):
        raise NotPlainError("other keywords")
    if '"@graph"' not in text or not any("@graph" in top for top in tops):
        return tops
    if tops is value or len(value) > 2:
        raise NotPlainError("a graph with a name")
    members = value["@graph"]
    return members if isinstance(members, list) else [members]


def _has_usual_keywords(text: str) -> bool:
    """Whether no others begin so, as in nearly every block: counting is sooner done than looking."""
    return text.count('"@') == sum(map(text.count, _USUAL))


class _Block:
    def __init__(self, base: str, writer: Writer, language: str | None, *, forgiving: bool) -> None:
        self._base = base
        self._writer = writer
        self._ending = ending(language)  # of strings that are nothing else
        self._forgiving = forgiving
        self._nodes: list[tuple[Term | None, dict[str, Json]]] = []  # to be described
        self.items: list[Item] = []

    def add_node(self, members: Json) -> Term | None:
        """Queue an object for description and return its term."""
        if not isinstance(members, dict) or not members:
            raise NotPlainError("no node")
        if "@id" in members or "id" in members:
            subject = self._named(members)
        else:
            subject = self._writer.new_blank()
        self._nodes.append((subject, members))
        return subject

    def _named(self, members: dict[str, Json]) -> Term | None:
        if "@id" in members and "id" in members:
            raise NotPlainError("two identifiers")
        return self._node(members.get("@id", members.get("id")))

    def describe_all(self) -> None:
        """Yield the statements of the queued nodes and of those nested in them."""
        for subject, members in self._nodes:  # grows meanwhile
            for name, value in members.items():
                try:
                    self._describe(subject, name, value)
                except NotPlainError as error:
                    if not self._forgiving:
                        raise
                    message = f"{quoted(name)} is left out: {error}."
                    self.items.append(Problem(message, Syntax.JSON_LD))
        self._nodes.clear()
        self.items += self._writer.problems()

    def _describe(self, subject: Term | None, name: str, value: Json) -> None:
        predicate, coercion, end, is_good = _property(name)
        values = value if value.__class__ is list else (value,)
        if not is_good:
            if predicate == "@type":
                self._state_types(subject, values)
                return
            if predicate == "@id":
                return
            self._writer.is_name(predicate)  # which reports it; what is below it is still said
            subject = None
        for each in values:
            if each.__class__ is not str:
                term = self._object(each, coercion)
            elif coercion == "@id":
                term = self._node(each)
            else:
                term = spelled(each, end or self._ending)
            if term and subject:
                self.items.append(Triple(f"{subject} {predicate} {term}"))

    def _state_types(self, subject: Term | None, values: Iterable[Json]) -> None:
        for value in values:
            if not isinstance(value, str):
                raise NotPlainError("a type that is no name")
            name = _class(value)
            if self._writer.is_name(name) and subject:
                self.items.append(Triple(f"{subject} {A} {name}"))

    def _object(self, value: Json, coercion: str) -> Term | None:
        if value is None:
            return None
        if value.__class__ is dict:
            return self._value_object(value) if "@value" in value else self.add_node(value)
        if coercion not in ("", "@id"):
            raise NotPlainError("a number with another type")
        return _native(value)

    def _value_object(self, members: dict[str, Json]) -> Term | None:
        value, language, type_ = (members.get(name) for name in ("@value", "@language", "@type"))
        if not members.keys() <= _VALUE_MEMBERS or (language and type_):
            raise NotPlainError("a value object with more to it")
        if language is None and type_ is None:
            return literal(value) if isinstance(value, str) else _native(value)
        if not isinstance(value, str) or not isinstance(language or type_, str):
            raise NotPlainError("a value object with something else in it")
        if language:
            return literal(value, language)
        datatype = _class(type_)
        return literal(value, None, datatype[1:-1]) if self._writer.is_name(datatype) else None

    def _node(self, name: Json) -> Term | None:
        if not isinstance(name, str):
            raise NotPlainError("an identifier that is no text")
        name = name.strip(_STRIPPED)
        if name.startswith(("https://", "http://")):  # as nearly all do
            return self._writer.node(f"<{name}>")
        return self._writer.node(_absolute(name) or f"<{_relative(self._base, name)}>")


@lru_cache(maxsize=8192)  # the same ones page after page
def _property(name: str) -> Property:
    if name in ("@context", "@id", "id"):
        return Property("@id", "", "", is_good=False)
    if name in ("@type", "type"):
        return Property("@type", "", "", is_good=False)
    definition = TERMS.get(name)
    coercion = (
        "" if definition is None or isinstance(definition, str) else definition.get("@type", "")
    )
    predicate = _class(name)
    end = ending(None, coercion) if coercion not in ("", "@id") else ""
    return Property(predicate, coercion, end, is_good_name(predicate))


@lru_cache(maxsize=8192)
def _class(name: str) -> str:
    """The IRI of a name in the vocabulary, in angle brackets."""
    if ":" in name[1:]:
        iri = _absolute(name)
        if iri is None or iri[0] != "<":
            raise NotPlainError("a name that is neither of a vocabulary nor an IRI")
        return iri
    match TERMS.get(name):
        case str(iri) | {"@id": str(iri)} if iri[0] != "@":
            return f"<{iri}>"
        case str():
            raise NotPlainError("a keyword")
    if not name or name[0] == "@":
        raise NotPlainError("a keyword")
    return f"<{SCHEMA}{name}>"


def _absolute(name: str) -> str | None:
    """The IRI, or the blank node, that a name with a colon stands for; None if it is relative."""
    prefix, colon, rest = name.partition(":")
    if not colon:
        return None
    if prefix == "_":
        return name
    if rest[:2] != "//" and prefix in _PREFIXES:
        return f"<{_PREFIXES[prefix]}{rest}>"
    if not _SCHEME.fullmatch(prefix):
        raise NotPlainError("a colon in a relative reference")
    return f"<{name}>"


def _relative(base: str, reference: str) -> str:
    if reference[:1] == "@":
        raise NotPlainError("a keyword")
    return join(base, reference)


def _native(value: Json) -> Term:
    """A number or a truth value as JSON-LD writes them in RDF."""
    if isinstance(value, bool):
        return literal("true" if value else "false", None, f"{XSD}boolean")
    if isinstance(value, float) and not value.is_integer():
        return literal(_canonical_double(value), None, f"{XSD}double")
    if not isinstance(value, int | float) or not value or abs(value) > _MOST:
        raise NotPlainError("a number near a limit, or no number")
    return literal(str(int(value)), None, f"{XSD}integer")


def _canonical_double(number: float) -> str:
    """As XML Schema would have it: one digit before the point, at least one after it."""
    sign, digits, exponent = Decimal(repr(number)).normalize().as_tuple()
    assert isinstance(exponent, int)  # it is finite
    first, *rest = (str(digit) for digit in digits)
    return f"{'-' * sign}{first}.{''.join(rest) or '0'}E{exponent + len(rest)}"
