"""Turtle, with prefixes, nesting and relative IRIs; and N-Triples, with nothing of the sort."""

from gossamer.demo.content import PageSpec, Rendered
from gossamer.demo.formats.statements import (
    RDFS,
    SCHEMA,
    XSD,
    Dialect,
    as_decimal,
    literal,
    see_also,
    statements,
    subject_of,
    targets,
    time_type,
)
from gossamer.demo.things import Amount, Code, Item, Link, Text, Thing, Value, Whole
from gossamer.model import Syntax


def document_statements(spec: PageSpec, thing: Thing) -> list[str]:
    """What every RDF document says: words in the thing's language, and its links."""
    dialect = Dialect("b", thing.language, None, as_decimal)
    return statements(thing.item, subject_of(spec), dialect) + see_also(spec)


def n_triples(spec: PageSpec, thing: Thing) -> Rendered:
    """The statements as N-Triples, one per line."""
    lines = document_statements(spec, thing)
    body = "\n".join(lines) + "\n"
    return Rendered(body.encode(), "application/n-triples", {Syntax.N_TRIPLES: frozenset(lines)})


def turtle(spec: PageSpec, thing: Thing) -> Rendered:
    """The entity as hand-written Turtle."""
    links = targets(spec)
    seen = f" ;\n    rdfs:seeAlso {', '.join(links)}" if links else ""
    body = (
        f"@prefix schema: <{SCHEMA}> .\n@prefix rdfs: <{RDFS}> .\n@prefix xsd: <{XSD}> .\n\n"
        f"<#it> {_predicates(thing.item, thing.language, '    ')}{seen} .\n"
    )
    triples = {Syntax.TURTLE: frozenset(document_statements(spec, thing))}
    return Rendered(body.encode(), "text/turtle; charset=utf-8", triples)


def _predicates(item: Item, language: str, indent: str) -> str:
    parts = [f"a schema:{item.type}"]
    parts += [f"schema:{name} {_term(value, language, indent)}" for name, value in item.properties]
    return f" ;\n{indent}".join(parts)


def _term(value: Value, language: str, indent: str) -> str:
    match value:
        case Item():
            return f"[ {_predicates(value, language, indent + '    ')} ]"
        case Text(text, own):
            return literal(text, own or language)
        case Code(text):
            return literal(text)
        case Link(target):
            return f"<{target}>"
        case Whole(number):
            return str(number)
        case Amount():
            return value.decimal
        case _:
            return f'"{value.value}"^^xsd:{time_type(value.value)}'
