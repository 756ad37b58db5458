"""The description of the SPARQL endpoint, read by an independent reader."""

import pytest
from rdflib import Graph, Namespace, URIRef
from rdflib.namespace import RDF

from gossamer.service.sparql import SD, description

ENDPOINT = "http://localhost:8717/sparql"
NAMES = Namespace(SD)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [("turtle", "turtle"), ("rdfxml", "xml"), ("ntriples", "nt")],
)
def test_the_endpoint_says_what_it_is_and_can(ours: str, theirs: str) -> None:
    graph = Graph().parse(description(ENDPOINT, ours), format=theirs)
    service = URIRef(ENDPOINT)
    assert (service, RDF.type, NAMES.Service) in graph
    assert (service, NAMES.endpoint, service) in graph
    assert (service, NAMES.supportedLanguage, NAMES.SPARQL11Query) in graph
    assert (service, NAMES.feature, NAMES.UnionDefaultGraph) in graph
    assert (None, NAMES.supportedLanguage, NAMES.SPARQL11Update) not in graph
    assert len(list(graph.objects(service, NAMES.resultFormat))) == 10
