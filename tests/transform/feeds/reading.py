"""Feeds read by our own transforms, and written down short."""

from collections.abc import Callable, Iterator

from gossamer.model import Problem
from gossamer.transform.document import Document, Item

URL = "https://example.test/feed/"
PREFIXES = {
    "http://purl.org/rss/1.0/modules/content/": "content:",
    "http://purl.org/rss/1.0/": "rss:",
    "http://purl.org/dc/terms/": "dcterms:",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf:",
    "http://www.w3.org/2001/XMLSchema#": "xsd:",
    "http://schema.org/": "schema:",
    "http://xmlns.com/foaf/0.1/": "foaf:",
}


def read(transform: Callable[[Document], Iterator[Item]], text: str | bytes) -> list[Item]:
    """Everything that the transform yields."""
    body = text.encode() if isinstance(text, str) else text
    return list(transform(Document(URL, body)))


def short(items: list[Item]) -> list[str]:
    """The statements, with prefixes; blank nodes by their labels."""
    return [_short(item) for item in items if isinstance(item, str)]


def about(items: list[Item], subject: str) -> set[str]:
    """What is said of one subject, but for its class."""
    start = f"{subject} "
    lines = (line for line in short(items) if line.startswith(start) and "rdf:type" not in line)
    return {line.removeprefix(start) for line in lines}


def problems(items: list[Item]) -> list[str]:
    """The sentences of the problems."""
    return [item.message for item in items if isinstance(item, Problem)]


def _short(line: str) -> str:
    for namespace, prefix in PREFIXES.items():
        if f"<{namespace}" in line:
            before, *rest = line.split(f"<{namespace}")
            line = before + "".join(prefix + part.replace(">", "", 1) for part in rest)
    return line.replace(Document(URL, b"").blank(""), "_:")
