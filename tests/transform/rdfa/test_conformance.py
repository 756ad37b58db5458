"""The RDFa 1.1 suite of the W3C: a query over each page's graph, and what it must answer."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest

from gossamer.config import Transform as Options
from gossamer.transform.document import Document
from gossamer.transform.rdfa import rdfa_statements
from gossamer.transform.terms import InGraph

pytestmark = pytest.mark.needs_suites

COUNTS = {
    "rdfa1.1": 905,
    "rdfa1.1-lite": 225,
    "rdfa1.1-proc": 29,
    "rdfa1.1-role": 27,
    "rdfa1.1-vocab": 36,
}
ABOUT_IMPLIED_LINKS = dict.fromkeys(
    ("rdfa1.1/xhtml1/0076", "rdfa1.1/xhtml1/0077"),
    "asks for the statements of stylesheet and icon links, which are left out unless `transform.implied_links`",
)

Entry = dict[str, Any]


def failures(suites: Path, *, implied_links: bool) -> Iterator[str]:
    folder = suites / "rdfa"
    known = json.loads((folder / "documents.json").read_text())
    contexts = {address: (folder / name).read_bytes() for address, name in known.items()}
    for entry in entries(suites):
        if answer(folder, entry, contexts, implied_links=implied_links) != entry["expected"]:
            yield entry["id"]


def entries(suites: Path) -> list[Entry]:
    found: list[Entry] = json.loads((suites / "rdfa" / "manifest.json").read_text())
    return found


def answer(folder: Path, entry: Entry, contexts: dict[str, bytes], *, implied_links: bool) -> bool:
    processor_graph = entry["option"] == "rdfagraph=processor"
    options = Options(
        strict=True,
        processor_graph=processor_graph,
        expand_vocabularies=entry["option"] == "vocab_expansion=true",
        implied_links=implied_links,
    )
    document = Document(
        entry["url"],
        (folder / entry["input"]).read_bytes(),
        media_type=entry["content_type"],
        options=options,
        contexts=contexts,
    )
    lines = []
    for item in rdfa_statements(document):
        if processor_graph and isinstance(item, InGraph):
            lines.append(f"{item.triple} .")
        elif not processor_graph and isinstance(item, str):
            lines.append(f"{item} .")
    store = ox.Store()
    store.load("\n".join(lines).encode(), format=ox.RdfFormat.N_TRIPLES)
    return bool(store.query((folder / entry["query"]).read_text()))


def test_the_suite_has_as_many_entries_as_we_count(suites: Path) -> None:
    assert Counter(entry["version"] for entry in entries(suites)) == COUNTS


def test_every_entry_is_answered_as_expected(suites: Path) -> None:
    assert list(failures(suites, implied_links=True)) == []


def test_only_implied_links_are_missing_by_default(suites: Path) -> None:
    assert set(failures(suites, implied_links=False)) == ABOUT_IMPLIED_LINKS.keys()
