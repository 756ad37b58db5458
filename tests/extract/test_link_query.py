import pytest

from gossamer.errors import ConfigError
from gossamer.extract.link_query import LinkQuery
from gossamer.model import Link, Url

NQUADS = b"""<http://a.test/#it> <http://v.test/page> <http://b.test/x#y> <http://a.test/> .
<http://a.test/#it> <http://v.test/page> <urn:isbn:1> <http://a.test/> .
<http://a.test/#it> <http://v.test/page> "http://c.test/" <http://a.test/> .
<http://a.test/#it> <http://v.test/page> _:b <http://a.test/#graph-1> .
<http://a.test/#it> <http://v.test/other> <http://d.test/> <http://a.test/#graph-1> .
"""


def test_the_answers_that_are_pages_are_links() -> None:
    query = LinkQuery("SELECT ?page { ?thing <http://v.test/page> ?page }")
    assert list(query.links(NQUADS)) == [Link(Url("http://b.test/x"), source="query")]


def test_all_graphs_of_the_page_are_asked() -> None:
    query = LinkQuery("SELECT ?page { ?thing <http://v.test/other> ?page }")
    assert [link.url for link in query.links(NQUADS)] == ["http://d.test/"]
    assert list(query.links(b"")) == []


def test_the_usual_prefixes_need_no_declaration() -> None:
    said = NQUADS.replace(b"http://v.test/page", b"http://www.w3.org/2000/01/rdf-schema#seeAlso")
    query = LinkQuery("SELECT ?page { ?thing rdfs:seeAlso ?page }")
    assert [link.url for link in query.links(said)] == ["http://b.test/x"]


def test_a_query_may_not_ask_others() -> None:
    with pytest.raises(ConfigError, match="SERVICE"):
        LinkQuery("SELECT ?x { SERVICE <http://127.0.0.1:9/> { ?x ?y ?z } }")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "crawl.follow_query: This is no SPARQL query: line 1, column 1: "),
        ("SELECT ?x {\n  ?x ?y\n}", "line 3, column 1: “}” cannot"),
        ("nonsense", "no SPARQL query"),
        ("SELECT ?x { ?x ?y '\\U00110000' }", "no SPARQL query"),
        ("INSERT DATA { <a:a> <a:a> <a:a> }", "no SPARQL query"),
        ("LOAD <http://127.0.0.1:9/>", "no SPARQL query"),
        ("ASK {}", "a SELECT of one variable"),
        ("CONSTRUCT WHERE { ?s ?p ?o }", "a SELECT of one variable"),
        ("SELECT * { ?s ?p ?o }", "a SELECT of one variable"),
    ],
)
def test_a_wrong_query_is_told_before_the_first_page(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        LinkQuery(text)
