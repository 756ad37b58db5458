"""A query as a value: which graphs it is asked of, what it may cost, and the formats that answers come in."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType
from typing import Final

import pyoxigraph as ox


@dataclass(frozen=True, slots=True)
class Dataset:
    """Graphs by name, as SPARQL 1.1 Protocol has them (section 2.1.4).

    One that names none is all there is, with the union of all graphs as the default graph.
    """

    default: tuple[str, ...] = ()  # the union of these is the default graph
    named: tuple[str, ...] = ()  # what GRAPH finds

    @property
    def is_everything(self) -> bool:
        """Whether no graph is left out."""
        return not (self.default or self.named)


EVERYTHING = Dataset()


@dataclass(frozen=True, slots=True)
class QueryLimits:
    """What a question may cost. Time in which the asker does not take the answer is free."""

    time: timedelta | None = timedelta(seconds=60)
    rows: int | None = None
    max_age: timedelta = timedelta(0)  # of what it is asked of: older is cheaper
    timed: bool = False  # what it cost is to be told


USUAL_LIMITS = QueryLimits()


@dataclass(frozen=True, slots=True)
class GraphQuery:
    """A SPARQL query: one value, from whoever asks to the process that answers."""

    text: str
    formats: tuple[str, ...]  # the first that suits the kind of query
    limits: QueryLimits = USUAL_LIMITS
    dataset: Dataset = EVERYTHING


@dataclass(frozen=True, slots=True)
class GraphExport:
    """Everything in the graph, or one graph of it; or what pages of some hosts say, or things of some types."""

    format: str
    graph: str | None = None
    types: tuple[str, ...] = ()  # `Person`, `schema:Person`, or an IRI; one is enough
    hosts: tuple[str, ...] = ()  # of pages; one is enough
    fetches: bool = True  # with statements about fetches

    @property
    def is_part(self) -> bool:
        """Whether some of the graph is left out."""
        return bool(self.types or self.hosts or not self.fetches)


RDF: Final[Mapping[str, ox.RdfFormat]] = MappingProxyType(
    {
        "nquads": ox.RdfFormat.N_QUADS,
        "trig": ox.RdfFormat.TRIG,
        "ntriples": ox.RdfFormat.N_TRIPLES,
        "turtle": ox.RdfFormat.TURTLE,
        "rdfxml": ox.RdfFormat.RDF_XML,
        "jsonld": ox.RdfFormat.JSON_LD,
        "n3": ox.RdfFormat.N3,
    }
)
"""The formats of CONSTRUCT, DESCRIBE and exports, by name."""
ENTITIES: Final = "entities"
"""The format of exports that is none of RDF: what is known of each thing, as lines of JSON."""
TABLE: Final = "table"
"""The format of what pages say of the things of some types: a line of JSON a thing, for `tables`."""
BY_PAGE: Final = "by-page"
"""The format of statements for tables: N-Quads, graph by graph, with what is known of each page before."""
ROW_FORMATS: Final = ("json", "csv", "tsv", "xml")
"""The formats of SELECT and ASK; `results.ROWS` has their writers."""
