"""`/entity`: everything known about one entity, and which pages say so."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from starlette.responses import Response

from gossamer.index.entities.vocabulary import RDF_TYPE
from gossamer.index.graph.blanks import SCHEME
from gossamer.owner.messages import Record
from gossamer.owner.node_answers import coverage
from gossamer.owner.things import MOST_USES
from gossamer.owner.vocabulary import Asker
from gossamer.service.answers import TRIPLES, wanted, while_there
from gossamer.service.entity import ID, describe_entity, neighbours, thing_in, triples_of
from gossamer.service.routes import Call, Parameter, Route
from gossamer.service.schemas import one_of
from gossamer.web.addresses import address, outside
from gossamer.web.files import TRIPLE_TITLES, as_file, wanted_file
from gossamer.web.icons import kind_icon
from gossamer.web.nested import Nested, nested_things
from gossamer.web.rendering import HTML, PAGE_REPLY, page_answer
from gossamer.web.star import HEIGHT, WIDTH, Point, star
from gossamer.web.wording import kind, middle, readable

FILES: Final = ("turtle", "jsonld", "ntriples", "rdfxml")
OFFERS: Final = {HTML: HTML, **TRIPLES}  # a page first: whoever takes anything gets that
MOST_SOURCES: Final = 60
MOST_LINKS: Final = 12  # of one property


@dataclass(frozen=True, slots=True)
class Source:
    """A page that describes the entity, with its footnote number."""

    number: int
    url: str


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a property, with its sources."""

    told: Mapping[str, Any]
    sources: Sequence[Source]
    others: int  # sources that are not listed
    nested: Nested | None  # what a thing without a name is


@dataclass(frozen=True, slots=True)
class Property:
    """A property and its values."""

    iri: str
    title: str
    name: str
    values: Sequence[Value]
    more: int  # values that are not shown
    all_values: str  # the address of a query for them


@dataclass(frozen=True, slots=True)
class Leading:
    """Entities that refer to this one by one property."""

    title: str
    links: Sequence[Mapping[str, Any]]
    more: int


@dataclass(frozen=True, slots=True)
class EntityPage:
    """The contents of the page about an entity."""

    told: Record
    title: str
    role: str  # what it is, where nobody says so
    icon: str
    properties: Sequence[Property]
    sources: Sequence[Source]
    leading: Sequence[Leading]
    points: Sequence[Point]
    neighbour_count: int
    files: Mapping[str, str]  # title to address
    image: str | None
    of_type: str | None  # the address of a search for what is of this type
    with_property: str | None  # the address of a query for what has this property
    is_page: bool  # that was crawled, and has a page of its own here
    shows_pictures: bool
    covers: Sequence[str]  # a sentence, where only one node's pages are covered
    width: int = WIDTH
    height: int = HEIGHT
    most_uses: int = MOST_USES


async def entity(call: Call) -> Response:
    """Serve an entity in the requested format."""
    return await while_there(call.request, _entity(call))


async def _entity(call: Call) -> Response:
    thing = await thing_in(call)
    if (name := call.given["to"]) is not None:
        wished = wanted_file(name)
        return as_file(await triples_of(call, thing, [wished]), "thing", wished)
    formats = wanted(call.request.headers.get("accept"), OFFERS)
    if formats and formats[0].format != HTML:
        triples = wanted(call.request.headers.get("accept"), TRIPLES)
        return await triples_of(call, thing, triples)
    told = await describe_entity(call, thing)
    return page_answer(call, "entity.html", await _page(call, told))


async def _page(call: Call, told: Record) -> EntityPage:
    asker = Asker(call.parts.answering, call.parts.service.query_time.total_seconds())
    nested = await nested_things(asker, _blanks(told))
    around = list(neighbours(told))
    numbers = _numbers(told)
    return EntityPage(
        told=told,
        title=told["label"] or _nameless(told),
        role=_role(told),
        icon=kind_icon(told["types"]),
        properties=[_property(told, each, numbers, nested) for each in told["properties"]],
        sources=[*numbers.values()],
        leading=[*_leading(told, nested)],
        points=star(around),
        neighbour_count=len({each.id for each in around}),
        files={TRIPLE_TITLES[to]: address("/entity", id=told["id"], to=to) for to in FILES},
        image=outside(told["image"]),
        of_type=address("/search", type=told["id"]) if told["uses"]["type"] else None,
        with_property=_with_property(told["id"]) if told["uses"]["property"] else None,
        is_page=told["id"] in told["pages"],
        shows_pictures=call.parts.service.pictures,
        covers=await coverage(call.parts.answering),
    )


def _nameless(told: Record) -> str:
    if told["types"]:
        return f"A nameless {readable(told['types'][0])}"
    if any(told["uses"].values()):
        return kind(told["id"])
    return "Something nameless" if told["id"].startswith(SCHEME) else middle(told["id"])


def _role(told: Record) -> str:
    if told["uses"]["type"]:
        return "Class"
    return "Property" if told["uses"]["property"] else "Thing"


def _with_property(iri: str) -> str:
    query = f"SELECT ?thing ?value {{ ?thing <{iri}> ?value }} LIMIT 200"
    return address("/query", query=query)


def _blanks(told: Record) -> Iterator[str]:
    for property_ in told["properties"]:
        yield from (value["value"] for value in property_["values"] if value["type"] == "thing")
    yield from (link["id"] for link in told["links_here"] if link["label"] is None)


def _numbers(told: Record) -> Mapping[str, Source]:
    """The pages that say something, numbered in the order in which a reader meets them."""
    urls = dict.fromkeys(
        url
        for property_ in told["properties"]
        for value in property_["values"]
        for url in value["pages"]
    )
    return {url: Source(number, url) for number, url in enumerate([*urls][:MOST_SOURCES], 1)}


def _property(
    thing: Record,
    told: Mapping[str, Any],
    numbers: Mapping[str, Source],
    nested: Mapping[str, Nested],
) -> Property:
    iri = told["iri"]
    title = "is a" if iri == RDF_TYPE else readable(iri)
    values = [_value(each, numbers, nested) for each in told["values"]]
    more = told["value_count"] - len(values)
    subjects = " ".join(f"<{each}>" for each in thing["same_as"])
    query = f"SELECT DISTINCT ?value {{ VALUES ?thing {{ {subjects} }} ?thing <{iri}> ?value }}"
    asking = address("/query", query=query)
    return Property(iri, title, told["name"], alike_once(values), more, asking)


def alike_once(values: Sequence[Value]) -> Sequence[Value]:
    """Merge nested nodes with equal statements, keeping all their sources."""
    kept: dict[object, Value] = {}
    for value in values:
        key = (value.told["type"], value.told["value"], value.told["language"])
        same = (
            value.nested if value.nested and value.nested.facts else (*key, value.told["datatype"])
        )
        before = kept.get(same)
        kept[same] = value if before is None else _together(before, value)
    return list(kept.values())


def _together(one: Value, other: Value) -> Value:
    sources = sorted({*one.sources, *other.sources}, key=lambda source: source.number)
    return replace(one, sources=sources, others=max(one.others, other.others))


def _value(
    told: Mapping[str, Any], numbers: Mapping[str, Source], nested: Mapping[str, Nested]
) -> Value:
    sources = [numbers[url] for url in told["pages"] if url in numbers]
    inside = nested.get(told["value"]) if told["type"] == "thing" else None
    whole = {**dict.fromkeys(("label", "language", "datatype")), **told}
    return Value(whole, sources, told["page_count"] - len(sources), inside)


def _leading(told: Record, nested: Mapping[str, Nested]) -> Iterator[Leading]:
    """What leads here, by property; a thing once, whoever says so."""
    found: dict[str, dict[str, Mapping[str, Any]]] = {}
    for link in told["links_here"]:
        if link["property"] != RDF_TYPE:  # which are told to be of this type
            label = link["label"] or (nested[link["id"]].kind if link["id"] in nested else None)
            named = {**link, "label": label}
            found.setdefault(link["property"], {}).setdefault(link["id"], named)
    for property_, links in found.items():
        shown = sorted(
            links.values(), key=lambda link: (link["label"] is None, link["label"] or "")
        )
        yield Leading(readable(property_), shown[:MOST_LINKS], max(0, len(shown) - MOST_LINKS))


ROUTES: Final = (
    Route(
        path="/entity",
        summary="All that is known of one thing",
        handler=entity,
        parameters=(
            ID,
            Parameter(name="to", doc="As a file in this syntax.", schema=one_of(*FILES)),
        ),
        replies=PAGE_REPLY,
        is_page=True,
    ),
)
