"""Pages in one line, and what they say in Turtle's short forms, for tests that read well."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from gossamer.config import Transform as Options
from gossamer.model import Problem
from gossamer.transform.document import Document, Item
from gossamer.transform.rdfa import rdfa_statements

URL = "http://page.test/dir/page"
_SHORT = {
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf:",
    "http://www.w3.org/2001/XMLSchema#": "xsd:",
    "http://www.w3.org/ns/rdfa#": "rdfa:",
    "http://purl.org/dc/terms/": "dc:",
    "http://xmlns.com/foaf/0.1/": "foaf:",
    "http://www.w3.org/1999/xhtml/vocab#": "xhv:",
    "http://schema.org/": "s:",
}


def items(
    text: str | bytes,
    media_type: str = "text/html",
    options: Options | None = None,
    contexts: Mapping[str, bytes] = MappingProxyType({}),
) -> list[Item]:
    """Everything a page gives."""
    body = text.encode() if isinstance(text, str) else text
    document = Document(URL, body, media_type=media_type, options=options, contexts=contexts)
    return list(rdfa_statements(document))


def said(
    text: str | bytes,
    media_type: str = "text/html",
    options: Options | None = None,
    contexts: Mapping[str, bytes] = MappingProxyType({}),
) -> list[str]:
    """The statements of a page, shortened: `<>` is the page, `_:1` its first blank node."""
    found = items(text, media_type, options, contexts)
    return [short(item) for item in found if isinstance(item, str)]


def in_xml(text: str) -> list[str]:
    """The statements of an XML document."""
    return said(text, "application/xml")


def problems(text: str, media_type: str = "text/html") -> list[str]:
    """The sentences of the problems of a page."""
    return [item.message for item in items(text, media_type) if isinstance(item, Problem)]


def short(statement: str) -> str:
    """A triple as people write it."""
    statement = re.sub(r"_:b[0-9a-f]{16}r", "_:", statement).replace(f"<{URL}", "<")
    for namespace, prefix in _SHORT.items():
        statement = re.sub(rf"<{re.escape(namespace)}(\w+)>", rf"{prefix}\1", statement)
    return statement.replace(" rdf:type ", " a ")
