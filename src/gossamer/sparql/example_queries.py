"""Queries over any crawl, to begin with: `gossamer query --example NAME`."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True)
class Example:
    """A query and what it tells."""

    tells: str
    text: str


# What is said about a fetch stands in the graph that is named by the fetch: no page can speak there.
EXAMPLES: Final = MappingProxyType(
    {
        "types": Example(
            "the types of entities, and on how many pages they are",
            """SELECT ?type (COUNT(DISTINCT ?thing) AS ?things) (COUNT(DISTINCT ?page) AS ?pages) {
  GRAPH ?page { ?thing a ?type }
  FILTER (!STRENDS(STR(?page), "#fetch"))
}
GROUP BY ?type ORDER BY DESC(?things) ?type LIMIT 50""",
        ),
        "predicates": Example(
            "which properties are used, and how often",
            """SELECT ?predicate (COUNT(*) AS ?statements) (COUNT(DISTINCT ?page) AS ?pages) {
  GRAPH ?page { ?thing ?predicate ?value }
  FILTER (!STRENDS(STR(?page), "#fetch"))
}
GROUP BY ?predicate ORDER BY DESC(?statements) ?predicate LIMIT 50""",
        ),
        "names": Example(
            "entities with a name, and their types",
            """SELECT DISTINCT ?name ?type ?page {
  GRAPH ?page { ?thing schema:name|foaf:name|rdfs:label|dcterms:title|og:title ?name ; a ?type }
}
ORDER BY STR(?name) LIMIT 100""",
        ),
        "hosts": Example(
            "how many pages and statements each host has",
            """SELECT ?host (COUNT(?page) AS ?pages) (SUM(?quads) AS ?statements) {
  GRAPH ?fetch { ?fetch gossamer:quads ?quads ; prov:used ?page }
  BIND (REPLACE(STR(?page), "^[a-z]+://([^/]*)/.*$", "$1") AS ?host)
}
GROUP BY ?host ORDER BY DESC(?pages) ?host LIMIT 100""",
        ),
        "syntaxes": Example(
            "the syntaxes of pages",
            """SELECT ?syntax (COUNT(?fetch) AS ?pages) {
  GRAPH ?fetch { ?fetch gossamer:syntax ?syntax ; prov:used ?page }
}
GROUP BY ?syntax ORDER BY DESC(?pages)""",
        ),
        "richest": Example(
            "the pages with the most statements",
            """SELECT ?page ?quads {
  GRAPH ?fetch { ?fetch gossamer:quads ?quads ; prov:used ?page }
}
ORDER BY DESC(?quads) ?page LIMIT 20""",
        ),
        "recent": Example(
            "the pages fetched last",
            """SELECT ?at ?outcome ?page {
  GRAPH ?fetch { ?fetch prov:endedAtTime ?at ; gossamer:outcome ?outcome ; prov:used ?page }
}
ORDER BY DESC(?at) LIMIT 20""",
        ),
        "pages-failed": Example(
            "which pages failed, and why",
            """SELECT ?page ?cause ?why {
  GRAPH ?fetch { ?fetch gossamer:outcome ?outcome ; prov:used ?page .
    OPTIONAL { ?fetch gossamer:cause ?cause } OPTIONAL { ?fetch dcterms:description ?why } }
  FILTER (?outcome IN ("failed", "missing"))
}
ORDER BY ?cause ?page LIMIT 100""",
        ),
        "pages-refused": Example(
            "which pages were refused, and why; `gossamer status` counts links that were not followed",
            """SELECT ?page ?cause ?why {
  GRAPH ?fetch { ?fetch gossamer:outcome "refused" ; prov:used ?page .
    OPTIONAL { ?fetch gossamer:cause ?cause } OPTIONAL { ?fetch dcterms:description ?why } }
}
ORDER BY ?cause ?page LIMIT 100""",
        ),
        "problems": Example(
            "problems in pages",
            """SELECT ?page ?syntax ?line ?message {
  GRAPH ?fetch { ?fetch gossamer:problem ?problem ; prov:used ?page .
    ?problem dcterms:description ?message
    OPTIONAL { ?problem gossamer:syntax ?syntax } OPTIONAL { ?problem gossamer:line ?line } }
}
ORDER BY ?page ?line LIMIT 100""",
        ),
        "redirects": Example(
            "which pages redirect",
            """SELECT ?page ?target {
  GRAPH ?fetch { ?fetch prov:used ?page . ?page gossamer:redirectsTo ?target }
}
ORDER BY ?page LIMIT 100""",
        ),
    }
)
