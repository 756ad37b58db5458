"""Feeds read by hand, element by element, as docs/vocabularies.md has it."""

from collections.abc import Iterator
from email.utils import parsedate_to_datetime

from lxml import etree

RSS = "http://purl.org/rss/1.0/"
TERMS = "http://purl.org/dc/terms/"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
XSD = "http://www.w3.org/2001/XMLSchema#"
SCHEMA = "http://schema.org/"
FOAF = "http://xmlns.com/foaf/0.1/"


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def date_time(text: str) -> str:
    if not text[0].isdigit():
        text = parsedate_to_datetime(text).strftime("%Y-%m-%dT%H:%M:%SZ")
    return f'"{text}"^^<{XSD}dateTime>'


def text_of(element: etree._Element, name: str) -> str:
    found = element.findtext(name)
    assert found is not None, name
    return found


def sequence(feed: str, targets: list[str]) -> Iterator[str]:
    yield f"{feed} <{RDF}type> <{RSS}channel> ."
    yield f"{feed} <{RSS}items> _:seq ."
    yield f"_:seq <{RDF}type> <{RDF}Seq> ."
    for number, target in enumerate(targets, 1):
        yield f"_:seq <{RDF}_{number}> <{target}> ."
        yield f"<{target}> <{RDF}type> <{RSS}item> ."


def agent(feed: str, name: str) -> Iterator[str]:
    yield f"{feed} <{TERMS}creator> _:agent ."
    yield f"_:agent <{RDF}type> <{FOAF}Agent> ."
    yield f"_:agent <{FOAF}name> {quoted(name)} ."
