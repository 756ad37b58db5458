"""The suite `rdf`: W3C cases of Turtle, TriG, N-Triples, N-Quads and RDF/XML, by the public call."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pyoxigraph as ox

import gossamer


class Case(NamedTuple):
    """One case of the suite: `rdf-turtle/literal`, what is asked for, and whether we do it."""

    id: str
    outcome: str
    passes: bool


def count(suites: Path) -> tuple[int, int]:
    """How many cases of the suite pass, and how many there are."""
    passing = [case.passes for case in cases(suites)]
    return sum(passing), len(passing)


def cases(suites: Path) -> Iterator[Case]:
    """All cases of the suite, in its order."""
    folder = suites / "rdf"
    for case in json.loads((folder / "manifest.json").read_text()):
        yield Case(case["id"], case["outcome"], _passes(folder, case))


def _passes(folder: Path, case: dict[str, Any]) -> bool:
    page = gossamer.extract(
        (folder / case["input"]).read_bytes(),
        url=case["url"],
        content_type=case["content_type"],
        keep_graphs=True,
    )
    match case["outcome"]:
        case "negative":
            return page.problems != ()
        case "positive":
            return page.problems == ()
    expected = folder / case["expect"]
    return page.problems == () and _graph(page.nquads) == _graph(expected.read_bytes())


def _graph(nquads: bytes) -> frozenset[str]:
    """A dataset, whatever its blank nodes are called."""
    dataset = ox.Dataset(ox.parse(nquads, ox.RdfFormat.N_QUADS))
    dataset.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return frozenset(map(str, dataset))
