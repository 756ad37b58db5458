"""Microdata as the tests read it."""

from tests.demo.formats.reading import Graph, graph
from tests.transform.demo_pages import graph_of_items, problems_of

from gossamer.config import Transform as Options
from gossamer.transform.document import Document, Item
from gossamer.transform.microdata import microdata_statements

URL = "http://a.test/dir/page"
SCHEMA = "http://schema.org/"


def items(markup: str, options: Options | None = None) -> list[Item]:
    """What a page with this markup says."""
    document = Document(URL, markup.encode(), media_type="text/html", options=options)
    return list(microdata_statements(document))


def found(markup: str) -> Graph:
    """The same as a graph, where nothing is wrong with it."""
    read = items(markup)
    assert problems_of(read) == []
    return graph_of_items(read)


def thing(inner: str) -> str:
    """A thing of schema.org with a name of its own, so that graphs are easy to write down."""
    return f'<div itemscope itemid="#it" itemtype="{SCHEMA}Thing">{inner}</div>'


def said(*objects: str) -> Graph:
    """The graph of that thing with these objects of its property `p`."""
    subject = f"<{URL}#it>"
    type_ = f"{subject} <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <{SCHEMA}Thing> ."
    return graph([type_, *(f"{subject} <{SCHEMA}p> {each} ." for each in objects)])
