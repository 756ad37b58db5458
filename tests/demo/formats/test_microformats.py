import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import mf2py
import pytest
from tests.demo.formats.reading import HTML_FORMATS, URL, graph, pages

from gossamer.demo.content import Format
from gossamer.model import Syntax

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "vocabularies.md"
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
XSD = "http://www.w3.org/2001/XMLSchema#"
# mf2py tells of a deprecation in the parser that it uses, not of our pages.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


class Vocabulary:
    """The tables of docs/vocabularies.md: what a microformat means."""

    def __init__(self) -> None:
        text = DOCUMENT.read_text("utf-8")
        self._prefixes = dict(re.findall(r"(?m)^\| `(\w+:)` \| `([^`]+)` \|$", text))
        section = text.partition("\n## Microformats\n")[2].partition("\n## ")[0]
        classes = re.findall(r"(?m)^\| `(h-\w+)` \| `([^`]+)` \|$", section)
        self.classes = {root: self._expanded(name) for root, name in classes}
        self.properties: dict[str, Mapping[str, tuple[tuple[str, ...], str]]] = {}
        for heading, table in re.findall(r"(?m)^(`h-.*`)\n\n((?:\|.*\n)+)", section):
            for root in re.findall(r"`([^`]+)`", heading):
                self.properties[root] = dict(self._rows(table))

    def _rows(self, table: str) -> Iterator[tuple[str, tuple[tuple[str, ...], str]]]:
        for name, statement, kind in re.findall(r"(?m)^\| `([^`]+)` \| (.+) \| (\S+) \|$", table):
            path = tuple(self._expanded(part) for part in re.findall(r"`([^`]+)`", statement))
            yield name, (path, kind)

    def _expanded(self, name: str) -> str:
        prefix, _, local = name.partition(":")
        known = {**self._prefixes, "schema:": "http://schema.org/"}
        return f"<{known[prefix + ':']}{local}>"


VOCABULARY = Vocabulary()
OFFER = "<http://schema.org/Offer>"


class Reader:
    """From the intermediate model of microformats to statements, by the document alone."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._nodes = 0

    def item(self, item: dict[str, Any]) -> str:
        subject = f"<{URL}#{item['id']}>" if "id" in item else self._node()
        (root,) = item["type"]
        self.lines.append(f"{subject} {TYPE} {VOCABULARY.classes[root]} .")
        for name, values in item["properties"].items():
            path, kind = VOCABULARY.properties[root][name]
            for value in values:
                self._say(subject, path, self._term(value, kind, item["lang"]))
        return subject

    def _node(self) -> str:
        self._nodes += 1
        return f"_:n{self._nodes}"

    def _say(self, subject: str, path: tuple[str, ...], term: str) -> None:
        if len(path) == 2:
            offer = self._node()
            self.lines += [f"{subject} {path[0]} {offer} .", f"{offer} {TYPE} {OFFER} ."]
            subject = offer
        self.lines.append(f"{subject} {path[-1]} {term} .")

    def _term(self, value: Any, kind: str, language: str) -> str:
        match kind:
            case "node":
                return self.item(value)
            case "text":
                return f'"{value}"@{language}'
            case "code":
                return f'"{value}"'
            case "IRI":
                return f"<{value}>"
            case "telephone":
                return f"<tel:{re.sub('[^+0-9]', '', value)}>"
            case "time":
                return time(value)
        assert kind == "decimal"
        return f'"{value}"^^<{XSD}decimal>'


def time(value: str) -> str:
    value = re.sub(r"([+-]\d\d)(\d\d)$", r"\1:\2", value) if "T" in value else value
    kind = "duration" if value[0] == "P" else "dateTime" if "T" in value else "date"
    return f'"{value}"^^<{XSD}{kind}>'


def test_mf2py_finds_what_the_page_is_said_to_hold_by_the_document() -> None:
    for read in pages(Format.MICROFORMATS, 60):
        reader = Reader()
        (item,) = mf2py.parse(read.text, url=URL)["items"]
        assert reader.item(item) == f"<{URL}#it>"
        assert graph(reader.lines) == read.graph(Syntax.MICROFORMATS), read.spec


@pytest.mark.parametrize("format_", HTML_FORMATS)
def test_a_page_holds_microformats_only_if_it_says_so(format_: Format) -> None:
    for read in pages(format_, 3):
        found = bool(mf2py.parse(read.text, url=URL)["items"])
        assert found == (Syntax.MICROFORMATS in read.rendered.triples)


def test_every_kind_of_thing_has_its_microformat() -> None:
    roots = {
        mf2py.parse(read.text, url=URL)["items"][0]["type"][0]
        for read in pages(Format.MICROFORMATS, 30)
    }
    assert roots == {"h-card", "h-event", "h-product", "h-recipe", "h-entry"}
