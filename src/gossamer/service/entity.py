"""`/api/entity`: all that is known of one thing, as JSON or as RDF."""

import asyncio
from collections.abc import Sequence
from typing import Final

from starlette.responses import Response

from gossamer.index.words.folder import WordsFolder
from gossamer.index.words.skipped import read_skipped
from gossamer.owner.messages import Question, Record
from gossamer.service.answers import json_answer
from gossamer.service.errors import not_found
from gossamer.service.negotiation import TRIPLES, Wanted, wanted
from gossamer.service.routes import JSON, Call, Parameter, Reply, Route
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
)
from gossamer.service.sparql import response_of
from gossamer.service.streams import begun, while_there
from gossamer.things import Thing, construct_query, record_of_thing, thing_named

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
    thing = await thing_named(call.parts.answering, call.given["id"], seconds)
    if thing is None:
        raise not_found(f"Nothing that was crawled speaks of {call.given['id'][:200]}.")
    return thing


async def told_of(call: Call, thing: Thing) -> Record:
    """All that is known of it."""
    seconds = call.parts.service.query_time.total_seconds()
    left_out = await asyncio.to_thread(_left_out, call, thing)
    return await record_of_thing(call.parts.answering, thing, seconds, left_out)


def _left_out(call: Call, thing: Thing) -> str | None:
    """Why words leave a thing out, or any of its names; None where they do not."""
    names = {thing.home, *thing.members}
    for each in read_skipped(WordsFolder(call.parts.data.words_folder).skipped):
        if each.iri in names:  # after the first death of the process, too: nobody watches over us
            return f"It has no name or description here, because {each.why}."
    return None


async def _entity(call: Call) -> Response:
    thing = await thing_in(call)
    formats = wanted(call.request.headers.get("accept"), _OFFERS)
    if formats and formats[0].format != JSON:
        accepted = wanted(call.request.headers.get("accept"), TRIPLES)
        return await triples_of(call, thing, accepted)
    return json_answer(call.request, await told_of(call, thing), headers={"Vary": "Accept"})


async def triples_of(call: Call, thing: Thing, formats: Sequence[Wanted]) -> Response:
    """Every statement about a thing, in the first of these formats that suits."""
    service = call.parts.service
    question = Question(
        what="query",
        texts=(construct_query(thing),),
        formats=tuple(dict.fromkeys(each.format for each in formats)),
        seconds=service.query_time.total_seconds(),
        limit=service.query_rows,
    )
    answer = call.parts.answering.answer(question)
    return response_of(await begun(answer), formats, question.limit)


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
)
