"""Writes demo pages as RDF/XML."""

from gossamer.demo.content import PageSpec, Rendered
from gossamer.demo.formats.markup import escaped
from gossamer.demo.formats.statements import RDF, RDFS, SCHEMA, XSD, targets, time_type
from gossamer.demo.formats.turtle import document_statements
from gossamer.demo.things import Amount, Code, Item, Link, Text, Thing, Value, Whole
from gossamer.model import Syntax


def rdf_xml(spec: PageSpec, thing: Thing) -> Rendered:
    """The thing as striped RDF/XML: node, property, node."""
    links = "".join(
        f'\n  <rdfs:seeAlso rdf:resource="{escaped(target[1:-1])}"/>' for target in targets(spec)
    )
    type_ = f"s:{thing.item.type}"
    body = (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<rdf:RDF xmlns:rdf="{RDF}" xmlns:rdfs="{RDFS}"'
        f' xmlns:s="{SCHEMA}">\n'
        f'<{type_} rdf:about="#it">{_properties(thing.item, thing.language)}{links}\n</{type_}>\n</rdf:RDF>\n'
    )
    triples = {Syntax.RDF_XML: frozenset(document_statements(spec, thing))}
    return Rendered(body.encode(), "application/rdf+xml", triples)


def _properties(item: Item, language: str) -> str:
    return "".join([_property(f"s:{name}", value, language) for name, value in item.properties])


def _property(name: str, value: Value, language: str) -> str:
    match value:
        case Item():
            inner = f"<s:{value.type}>{_properties(value, language)}\n  </s:{value.type}>"
            return f"\n  <{name}>{inner}</{name}>"
        case Link(target):
            return f'\n  <{name} rdf:resource="{escaped(target)}"/>'
        case Text(text, own):
            return f'\n  <{name} xml:lang="{own or language}">{escaped(text)}</{name}>'
        case Code(text):
            return f"\n  <{name}>{escaped(text)}</{name}>"
        case Whole(number):
            return _typed(name, str(number), "integer")
        case Amount():
            return _typed(name, value.decimal, "decimal")
        case _:
            return _typed(name, value.value, time_type(value.value))


def _typed(name: str, text: str, datatype: str) -> str:
    return f'\n  <{name} rdf:datatype="{XSD}{datatype}">{text}</{name}>'
