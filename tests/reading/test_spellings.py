"""Names of syntaxes in the spellings that people use."""

import pytest

from gossamer.model import Syntax
from gossamer.reading.spellings import meaning, mistake

SPELLINGS = {
    Syntax.JSON_LD: "jsonld json-ld JSON-LD json_ld ld+json application/ld+json JSONLD",
    Syntax.MICROFORMATS: "microformat microformats microformats2 mf2 Micro-Formats",
    Syntax.MICRODATA: "microdata Micro-Data",
    Syntax.RDFA: "rdfa RDFa rdfa-lite",
    Syntax.RDF_XML: "rdfxml RDF/XML application/rdf+xml",
    Syntax.TURTLE: "turtle ttl text/turtle",
    Syntax.N_TRIPLES: "ntriples n-triples N_Triples nt application/n-triples",
    Syntax.JSON_FEED: "jsonfeed json-feed",
    Syntax.RSS: "rss RSS application/rss+xml",
}


@pytest.mark.parametrize("syntax", Syntax)
def test_a_syntax_has_its_own_name_and_all_usual_ones(syntax: Syntax) -> None:
    for spelling in (syntax, syntax.upper(), *SPELLINGS.get(syntax, "").split()):
        found = meaning(spelling)
        assert found is not None, spelling
        assert found.syntax is syntax


def test_open_graph_and_dublin_core_are_one_syntax_with_items_of_two_kinds() -> None:
    for spelling in ("opengraph", "og", "open-graph", "Open Graph", "OGP"):
        assert meaning(spelling) == (Syntax.OPEN_GRAPH, "opengraph")
    for spelling in ("dublincore", "dublin-core", "DC", "dcterms"):
        assert meaning(spelling) == (Syntax.OPEN_GRAPH, "dublincore")
    assert meaning("page") == (Syntax.PAGE, None)
    assert meaning("none") == (None, None)


@pytest.mark.parametrize(
    ("name", "meant"),
    [("rfda", "rdfa"), ("json-dl", "jsonld"), ("dublin", "dublincore"), ("micordata", "microdata")],
)
def test_a_near_miss_is_asked_whether_it_means_the_other(name: str, meant: str) -> None:
    assert mistake(["rdfa", name]) is not None
    assert f"{name!r} is no syntax; did you mean {meant!r}? There are rdfa," in str(mistake([name]))


def test_any_other_word_is_told_what_there_is() -> None:
    assert "'zzz' is no syntax; there are rdfa, jsonld," in str(mistake(["zzz"]))
    assert mistake(["", "rdfa"]) is not None
    assert mistake(["og", "turtle"]) is None
