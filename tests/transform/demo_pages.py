"""Demo pages as documents, and what they are said to hold."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tests.demo.formats.reading import Graph, graph, pages

from gossamer.demo.content import Format
from gossamer.model import Problem, Syntax
from gossamer.transform.document import Document, Item


class DemoPage(NamedTuple):
    """A demo page to be transformed."""

    document: Document
    said: Graph


def demo_pages(format_: Format, syntax: Syntax, count: int) -> Iterator[DemoPage]:
    """Demo pages in all charsets, and what they say in one syntax."""
    for read in pages(format_, count):
        document = Document(read.spec.url, read.text.encode(), media_type="text/html")
        yield DemoPage(document, read.graph(syntax))


def graph_of_items(items: Iterable[Item]) -> Graph:
    """The statements that a transform found; problems are none."""
    return graph(f"{item} ." for item in items if isinstance(item, str))


def problems_of(items: Iterable[Item]) -> list[str]:
    """The sentences of the problems that a transform found."""
    return [item.message for item in items if isinstance(item, Problem)]
