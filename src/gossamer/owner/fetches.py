"""What the graph says about fetches of pages: the queries, and what their answers mean. Pure.

All of it is read from `PAGE#fetch`, which only we write: no page can speak there.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from gossamer.index.names import fetch_graph, page_name
from gossamer.owner.messages import Record

PREFIXES: Final = """PREFIX gossamer: <urn:gossamer:>
PREFIX prov: <http://www.w3.org/ns/prov#>
PREFIX dcterms: <http://purl.org/dc/terms/>
"""


def problems_query(urls: Iterable[str]) -> str:
    """What is wrong in these pages."""
    fetches = " ".join(f"<{fetch_graph(page_name(url))}>" for url in urls)
    return f"""{PREFIXES}SELECT ?fetch ?syntax ?line ?message {{
  VALUES ?fetch {{ {fetches} }}
  GRAPH ?fetch {{
    ?fetch gossamer:problem ?problem . ?problem dcterms:description ?message
    OPTIONAL {{ ?problem gossamer:syntax ?syntax }}
    OPTIONAL {{ ?problem gossamer:line ?line }}
  }}
}}"""


def problems_by_page(answer: bytes) -> dict[str, list[Record]]:
    """The answer to `problems_query`, by name of the fetch's graph, in the order of lines."""
    found: dict[str, list[Record]] = {}
    for row in _rows(answer):
        told = {"syntax": row.get("syntax"), "line": _number(row), "message": row["message"]}
        found.setdefault(row["fetch"], []).append(told)
    for each in found.values():
        each.sort(key=lambda told: (told["line"] or 0, told["message"]))
    return found


def fetch_query(url: str) -> str:
    """Every statement about a page's fetch itself."""
    fetch = fetch_graph(page_name(url))
    return f"SELECT ?p ?o {{ GRAPH <{fetch}> {{ <{fetch}> ?p ?o }} }}"


def fetch_record(answer: bytes) -> Record | None:
    """The answer to `fetch_query`: what the last fetch came to, None where there was none."""
    found: dict[str, list[str]] = {}
    for row in _rows(answer):
        found.setdefault(row["p"].rpartition("#")[2].rpartition(":")[2], []).append(row["o"])
    if "outcome" not in found:
        return None
    return {
        "outcome": found["outcome"][0],
        "finished_at": found.get("endedAtTime", [None])[0],
        "syntaxes": sorted(found.get("syntax", [])),
    }


def _rows(answer: bytes) -> Iterable[Mapping[str, str]]:
    rows: list[dict[str, Any]] = json.loads(answer)["results"]["bindings"]
    return ({name: term["value"] for name, term in row.items()} for row in rows)


def _number(row: Mapping[str, str]) -> int | None:
    return int(row["line"]) if "line" in row else None
