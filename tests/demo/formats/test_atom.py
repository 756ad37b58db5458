from collections.abc import Iterator

from lxml import etree
from tests.demo.formats.feed_reading import RSS, TERMS, agent, date_time, quoted, sequence, text_of
from tests.demo.formats.reading import URL, graph, page, pages, xml_root

from gossamer.demo.content import Format
from gossamer.model import Syntax

ATOM = "{http://www.w3.org/2005/Atom}"


def alternate(element: etree._Element) -> str:
    links = [link.get("href") for link in element.findall(f"{ATOM}link") if link.get("rel") is None]
    assert len(links) == 1
    return str(links[0])


def atom_lines(body: bytes) -> Iterator[str]:
    root = xml_root(body)
    language = root.get("{http://www.w3.org/XML/1998/namespace}lang")
    entries = root.findall(f"{ATOM}entry")
    feed = f"<{URL}>"
    yield from sequence(feed, [alternate(entry) for entry in entries])
    yield f'{feed} <{TERMS}language> "{language}" .'
    yield f"{feed} <{RSS}description> {quoted(text_of(root, f'{ATOM}subtitle'))}@{language} ."
    yield from agent(feed, text_of(root, f"{ATOM}author/{ATOM}name"))
    for element in (root, *entries):
        subject = f"<{alternate(element)}>"
        yield f"{subject} <{RSS}link> {quoted(alternate(element))} ."
        yield f"{subject} <{RSS}title> {quoted(text_of(element, f'{ATOM}title'))}@{language} ."
        yield f"{subject} <{TERMS}identifier> {quoted(text_of(element, f'{ATOM}id'))} ."
        yield f"{subject} <{TERMS}modified> {date_time(text_of(element, f'{ATOM}updated'))} ."


def test_the_feed_says_what_it_is_said_to_say() -> None:
    for read in pages(Format.ATOM, 100):
        assert graph(atom_lines(read.rendered.body)) == read.graph(Syntax.ATOM), read.spec


def test_entries_lead_where_the_anchors_lead() -> None:
    root = xml_root(page(1, Format.ATOM).rendered.body)
    assert [alternate(entry) for entry in root.findall(f"{ATOM}entry")] == [
        "http://people.example.test/people/12",
        "http://other.test/a?x=1&y=2",
        "http://people.example.test/up?q=%C3%A9",
        "http://other.test/",
    ]
