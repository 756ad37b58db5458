"""What our SPARQL endpoint is, in RDF: SPARQL 1.1 Service Description. Pure."""

from typing import Final

import pyoxigraph as ox

from gossamer.index.asking import RDF

SD: Final = "http://www.w3.org/ns/sparql-service-description#"
FORMATS: Final = "http://www.w3.org/ns/formats/"
_FORMATS: Final = (
    *("SPARQL_Results_JSON", "SPARQL_Results_XML", "SPARQL_Results_CSV", "SPARQL_Results_TSV"),
    *("Turtle", "N-Triples", "RDF_XML", "JSON-LD", "TriG", "N-Quads"),
)


def description(endpoint: str, format_: str) -> bytes:
    """The description of the service at an address, in one of the formats of triples."""
    service = ox.NamedNode(endpoint)
    dataset, default = ox.BlankNode("dataset"), ox.BlankNode("default")
    a = ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
    triples = [
        ox.Triple(service, a, _sd("Service")),
        ox.Triple(service, _sd("endpoint"), service),
        ox.Triple(service, _sd("supportedLanguage"), _sd("SPARQL11Query")),
        ox.Triple(service, _sd("feature"), _sd("UnionDefaultGraph")),
        *(
            ox.Triple(service, _sd("resultFormat"), ox.NamedNode(FORMATS + each))
            for each in _FORMATS
        ),
        ox.Triple(service, _sd("defaultDataset"), dataset),
        ox.Triple(dataset, a, _sd("Dataset")),
        ox.Triple(dataset, _sd("defaultGraph"), default),
        ox.Triple(default, a, _sd("Graph")),
    ]
    prefixes = {"sd": SD, "formats": FORMATS}
    written = ox.serialize(triples, format=RDF[format_], prefixes=prefixes)
    assert written is not None
    return written


def _sd(name: str) -> ox.NamedNode:
    return ox.NamedNode(SD + name)
