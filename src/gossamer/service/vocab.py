"""`/api/vocab`: the classes and properties that the crawl has met."""

from dataclasses import asdict
from typing import Any, Final

from starlette.responses import Response

from gossamer.owner.messages import Record
from gossamer.owner.vocabulary import vocabulary
from gossamer.service.answers import json_answer, while_there
from gossamer.service.routes import Call, Parameter, Route, json_reply
from gossamer.service.schemas import TEXT, WHOLE, listed, or_null, record, table_of, whole
from gossamer.sparql.prefixes import PREFIXES

MOST: Final = 1_000  # of each: pages with more are of no use to anybody
_MET: Final = listed(record({"iri": TEXT, "name": TEXT, "count": WHOLE, "label": or_null(TEXT)}))


async def vocab(call: Call) -> Response:
    """The commonest classes and properties."""
    limit = call.given["limit"]
    found: dict[str, Any] = dict(await while_there(call.request, _find(call)))
    shown = {name: found[name][:limit] for name in ("classes", "properties")}
    return json_answer(call.request, {**found, **shown, "prefixes": dict(PREFIXES)})


async def _find(call: Call) -> Record:
    parts = call.parts
    seconds = parts.service.query_time.total_seconds()

    async def ask() -> Record:
        return asdict(await vocabulary(parts.answering, MOST, seconds))

    return await parts.vocabulary.get(ask)


ROUTES: Final = (
    Route(
        path="/api/vocab",
        summary="The classes and properties that were met",
        doc="Classes with the number of things, properties with the number of statements, the "
        "commonest first; as they were half a minute ago, or now.",
        handler=vocab,
        parameters=(
            Parameter(name="limit", doc="Most of each.", schema=whole(1, MOST), default=100),
        ),
        replies=json_reply(
            "What there is, a query to begin with, and prefixes that need no declaration.",
            record(
                {
                    "classes": _MET,
                    "class_count": WHOLE,
                    "properties": _MET,
                    "property_count": WHOLE,
                    "query": or_null(TEXT),
                    "prefixes": table_of(TEXT),
                }
            ),
        ),
        tag="graph",
    ),
)
