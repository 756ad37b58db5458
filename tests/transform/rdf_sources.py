"""Small RDF documents, read by our own transforms."""

from gossamer.model import Problem, Syntax
from gossamer.transform.document import Document, Item
from gossamer.transform.rdf import rdf_statements

URL = "https://example.test/a/b"
RDF_XML_START = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e.test/">\n'
)


def read(text: str | bytes, syntax: Syntax, url: str = URL) -> list[Item]:
    """Everything that the transform yields."""
    body = text.encode() if isinstance(text, str) else text
    return list(rdf_statements(Document(url, body), syntax))


def read_xml(inside: str, before: str = "", after: str = "</rdf:RDF>") -> list[Item]:
    """The same of what stands inside rdf:RDF."""
    return read(f"{before}{RDF_XML_START}{inside}{after}", Syntax.RDF_XML)


def statements(items: list[Item]) -> list[str]:
    """Triples alone, blank nodes shortened to their labels."""
    names = Document(URL, b"").blank("")
    return [item.replace(names, "_:") for item in items if isinstance(item, str)]


def problems(items: list[Item]) -> list[tuple[int | None, str]]:
    """Problems alone: where, and what."""
    return [(item.line, item.message) for item in items if isinstance(item, Problem)]
