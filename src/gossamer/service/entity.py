"""`/api/entity`: all that is known of one entity, as JSON or as RDF, and its neighbours as a graph."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from starlette.responses import Response

from gossamer.index.entities import short_name
from gossamer.index.entities.vocabulary import NAMES, RDF_TYPE
from gossamer.index.graph.blanks import SCHEME, iri_of
from gossamer.index.graph.query import QueryLimits
from gossamer.owner.messages import Record
from gossamer.owner.questions import Query
from gossamer.owner.things import Thing, construct_query, find_thing, record_of_thing
from gossamer.owner.vocabulary import Asker
from gossamer.owner.words_answers import why_left_out
from gossamer.service.answers import TRIPLES, Wanted, begin_answer, json_answer, wanted, while_there
from gossamer.service.errors import not_found
from gossamer.service.routes import JSON, Call, Parameter, Reply, Route, json_reply
from gossamer.service.schemas import (
    ANYTHING,
    FLAG,
    TEXT,
    WHOLE,
    listed,
    one_of,
    or_null,
    record,
    text,
    whole,
)
from gossamer.service.sparql import response_of

USUAL_NEIGHBOURS: Final = 40
MOST_NEIGHBOURS: Final = 200
MOST_ROWS: Final = 2_000
_VALUE: Final = record(
    {
        "type": one_of("iri", "thing", "text", "triple"),
        "value": TEXT,
        "pages": listed(TEXT),
        "page_count": WHOLE,
    }
)
_PROPERTY: Final = record(
    {
        "iri": TEXT,
        "name": TEXT,
        "label": or_null(TEXT),
        "value_count": WHOLE,
        "values": listed(_VALUE),
    }
)
_LINK: Final = record(
    {"id": TEXT, "property": TEXT, "name": TEXT, "page": or_null(TEXT), "label": or_null(TEXT)}
)
_THING: Final = record(
    {
        "id": TEXT,
        **dict.fromkeys(("label", "language", "description", "image"), or_null(TEXT)),
        **dict.fromkeys(("types", "names", "pages", "same_as"), listed(TEXT)),
        "page_count": WHOLE,
        "properties": listed(_PROPERTY),
        "links_here": listed(_LINK),
        "uses": record({"type": WHOLE, "property": WHOLE}),
        "cut": FLAG,
        "left_out": or_null(TEXT),
    }
)
# JSON first: whoever takes anything gets that.
_OFFERS: Final = {JSON: JSON, **{name: each for name, each in TRIPLES.items() if name != JSON}}


async def entity(call: Call) -> Response:
    """What is known, in the format that is wanted."""
    return await while_there(call.request, _entity(call))


async def thing_in(call: Call) -> Thing:
    """The thing that a call names; raises `ProblemError` where there is none."""
    seconds = call.parts.service.query_time.total_seconds()
    thing = await find_thing(call.parts.answering, call.given["id"], seconds)
    if thing is None:
        raise not_found(f"Nothing that was crawled speaks of {call.given['id'][:200]}.")
    return thing


async def describe_entity(call: Call, thing: Thing) -> Record:
    """All that is known of it."""
    seconds = call.parts.service.query_time.total_seconds()
    names = {thing.home, *thing.members}
    left_out = await asyncio.to_thread(why_left_out, call.parts.data, names)
    return await record_of_thing(call.parts.answering, thing, seconds, left_out)


async def triples_of(call: Call, thing: Thing, formats: Sequence[Wanted]) -> Response:
    """Every statement about a thing, in the first of these formats that suits."""
    service = call.parts.service
    question = Query(
        construct_query(thing),
        tuple(dict.fromkeys(each.format for each in formats)),
        QueryLimits(time=service.query_time, rows=service.query_rows),
    )
    answer = call.parts.answering.answer(question)
    return response_of(await begin_answer(answer), formats, service.query_rows)


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


async def _entity(call: Call) -> Response:
    thing = await thing_in(call)
    formats = wanted(call.request.headers.get("accept"), _OFFERS)
    if formats and formats[0].format != JSON:
        accepted = wanted(call.request.headers.get("accept"), TRIPLES)
        return await triples_of(call, thing, accepted)
    return json_answer(call.request, await describe_entity(call, thing), headers={"Vary": "Accept"})


async def _graph(call: Call) -> Mapping[str, Any]:
    told = await describe_entity(call, await thing_in(call))
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


def _in_turn(told: Record) -> Iterator[Neighbour]:
    """Neighbours in order: those with names first, for they tell more where not all are drawn."""
    yield from sorted(neighbours(told), key=lambda each: each.label is None)


ID: Final = Parameter(
    name="id",
    doc="Its id, as search tells it, or any IRI.",
    schema=text(most=4_000, least=1),
    required=True,
)
ROUTES: Final = (
    Route(
        path="/api/entity",
        summary="All that is known of one thing",
        doc="Each value with the pages that say so, and what links here; as RDF if the Accept header "
        "asks for it.",
        handler=entity,
        parameters=(ID,),
        replies={
            200: Reply(
                doc="What is known.",
                schemas={JSON: _THING, **{n: ANYTHING for n in _OFFERS if n != JSON}},
            )
        },
        tag="graph",
    ),
    Route(
        path="/api/entity/graph",
        summary="A thing and its neighbours, to be drawn",
        handler=graph,
        parameters=(
            ID,
            Parameter(
                name="limit",
                doc="Most neighbours.",
                schema=whole(1, MOST_NEIGHBOURS),
                default=USUAL_NEIGHBOURS,
            ),
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
