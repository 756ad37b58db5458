"""`/api/entity/graph`: a thing and what it is linked with, as nodes and edges to be drawn."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from starlette.responses import Response

from gossamer.index.blanks import SCHEME, iri_of
from gossamer.index.entities import short_name
from gossamer.index.entities.vocabulary import NAMES, RDF_TYPE
from gossamer.owner.messages import Record
from gossamer.service.answers import json_answer
from gossamer.service.entity import ID, thing_in, told_of
from gossamer.service.routes import Call, Parameter, Route, json_reply
from gossamer.service.schemas import FLAG, TEXT, listed, or_null, record, whole
from gossamer.service.streams import while_there
from gossamer.vocabulary import Asker

USUAL: Final = 40
MOST: Final = 200
MOST_ROWS: Final = 2_000


class Neighbour(NamedTuple):
    """One link between a thing and another."""

    id: str
    label: str | None
    property: str
    name: str  # of the property, shortened
    leads_here: bool


async def graph(call: Call) -> Response:
    """A thing and its neighbours."""
    return json_answer(call.request, await while_there(call.request, _graph(call)))


async def _graph(call: Call) -> Mapping[str, Any]:
    told = await told_of(call, await thing_in(call))
    found = drawn(told, call.given["limit"])
    asker = Asker(call.parts.answering, call.parts.service.query_time.total_seconds())
    names = await _names(asker, [node["id"] for node in found["nodes"] if node["label"] is None])
    nodes = [{**node, "label": node["label"] or names.get(node["id"])} for node in found["nodes"]]
    return {**found, "nodes": nodes}


async def _names(asker: Asker, ids: Sequence[str]) -> Mapping[str, str]:
    """What to call things without an address: the name that a page gives them, else what they are."""
    nameless = [each for each in ids if each.startswith(SCHEME)]
    if not nameless:
        return {}
    things = " ".join(f"<{each}>" for each in nameless)
    properties = " ".join(f"<{each}>" for each in (*NAMES, RDF_TYPE))
    rows = await asker.rows(
        f"SELECT ?s ?p ?o {{ VALUES ?s {{ {things} }} VALUES ?p {{ {properties} }} ?s ?p ?o }} "
        f"ORDER BY ?o LIMIT {MOST_ROWS}"
    )
    return called(rows)


def called(rows: Iterable[Mapping[str, Mapping[str, Any]]]) -> Mapping[str, str]:
    """Thing to the most telling of the names and types that rows have of it."""
    best: dict[str, tuple[int, str]] = {}
    for row in rows:
        subject, property_, value = row["s"], row["p"]["value"], row["o"]
        if subject["type"] != "bnode" or (value["type"] != "literal" and property_ != RDF_TYPE):
            continue
        text = value["value"]
        is_type = property_ == RDF_TYPE
        found = NAMES.get(property_, len(NAMES)), (is_type and short_name(text)) or text
        thing = iri_of(subject)
        if thing not in best or found[0] < best[thing][0]:
            best[thing] = found
    return {thing: text for thing, (_, text) in best.items()}


def drawn(told: Record, most: int) -> Mapping[str, Any]:
    """The nodes, the thing itself first, and edges between them; so many neighbours at most."""
    nodes = {told["id"]: {"id": told["id"], "label": told["label"], "is_own": True}}
    edges: dict[tuple[str, str, str], Mapping[str, str]] = {}
    cut = bool(told["cut"])
    for each in _in_turn(told):
        if each.id not in nodes and len(nodes) > most:
            cut = True
            continue
        nodes.setdefault(each.id, {"id": each.id, "label": each.label, "is_own": False})
        ends = (each.id, told["id"]) if each.leads_here else (told["id"], each.id)
        edge = {"from": ends[0], "to": ends[1], "property": each.property, "name": each.name}
        edges.setdefault((*ends, each.property), edge)
    return {"nodes": [*nodes.values()], "edges": [*edges.values()], "cut": cut}


def neighbours(told: Record) -> Iterator[Neighbour]:
    """What a thing leads to, and then what leads to it. Types and their things are no neighbours."""
    own = {told["id"], *told["same_as"]}
    for property_ in told["properties"]:
        for value in property_["values"]:
            is_other = value["type"] in ("iri", "thing") and value["value"] not in own
            if is_other and property_["iri"] != RDF_TYPE:
                iri, name = property_["iri"], short_name(property_["iri"]) or property_["name"]
                yield Neighbour(value["value"], value["label"], iri, name, leads_here=False)
    for link in told["links_here"]:
        if link["property"] == RDF_TYPE:
            continue
        name = short_name(link["property"]) or link["name"]
        yield Neighbour(link["id"], link["label"], link["property"], name, leads_here=True)


def _in_turn(told: Record) -> Iterator[Neighbour]:
    """Those with names first: they tell more, where not all are drawn."""
    yield from sorted(neighbours(told), key=lambda each: each.label is None)


ROUTES: Final = (
    Route(
        path="/api/entity/graph",
        summary="A thing and its neighbours, to be drawn",
        handler=graph,
        parameters=(
            ID,
            Parameter(name="limit", doc="Most neighbours.", schema=whole(1, MOST), default=USUAL),
        ),
        replies=json_reply(
            "Nodes, the thing itself first, and edges; `cut` where there are more.",
            record(
                {
                    "nodes": listed(record({"id": TEXT, "label": or_null(TEXT), "is_own": FLAG})),
                    "edges": listed(
                        record({"from": TEXT, "to": TEXT, "property": TEXT, "name": TEXT})
                    ),
                    "cut": FLAG,
                }
            ),
        ),
        tag="graph",
    ),
)
