"""`/api/search` and its suggestions: entities and pages by words."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from starlette.responses import Response

from gossamer.index.words.asked import MOST_CHARACTERS, Search, SearchError, understood
from gossamer.index.words.searching import MOST_RESULTS, MOST_SKIPPED
from gossamer.owner.messages import ask
from gossamer.owner.questions import SearchWords
from gossamer.service.answers import json_answer, while_there
from gossamer.service.routes import Call, Parameter, Route, json_reply
from gossamer.service.schemas import (
    FLAG,
    NUMBER,
    TEXT,
    WHOLE,
    listed,
    one_of,
    or_null,
    record,
    table_of,
    text,
    whole,
)

LIMIT: Final = 10
LOOKED_AT: Final = 40  # things that have the words, of which some have them in their names
USUAL_SUGGESTIONS: Final = 8
MOST_SUGGESTIONS: Final = 20
_SHORT: Final = text(most=2_000, least=1)
_RESULT: Final = record(
    {
        **dict.fromkeys(("id", "label"), TEXT),
        **dict.fromkeys(("language", "description", "image"), or_null(TEXT)),
        **dict.fromkeys(("types", "names", "pages", "hosts", "same_as", "dates"), listed(TEXT)),
        **dict.fromkeys(("page_count", "host_count", "links_in", "links_out", "alike"), WHOLE),
        "is_page": FLAG,
        "is_part": FLAG,
        "score": NUMBER,
        "snippet": or_null(record({"text": TEXT})),
    }
)
_FOUND: Final = record(
    {
        "total": WHOLE,
        "relaxed": FLAG,
        "results": listed(_RESULT),
        "facets": record(
            dict.fromkeys(("types", "hosts", "languages"), table_of(WHOLE)),
        ),
        "behind": or_null(TEXT),
        "covers": or_null(TEXT),
        "unknown_types": listed(record({"type": TEXT, "near": or_null(TEXT), "count": WHOLE})),
        "documents": WHOLE,
        "seconds": NUMBER,
        "next": or_null(WHOLE),
    }
)


async def search(call: Call) -> Response:
    """What has the words that were asked for, best first."""
    found = await find_entities(call, asked_in(call))
    return json_answer(call.request, found, news={**found, "seconds": None})


async def suggest(call: Call) -> Response:
    """A few things with such names, best first; none where there is too little to go by."""
    search = begun(call.given["q"])
    found = [] if search is None else (await find_entities(call, search))["results"]
    return json_answer(call.request, {"results": [*named(found, call.given["limit"])]})


def asked_in(call: Call) -> Search:
    """The search that a call with our parameters asks for."""
    given = call.given
    return Search(
        text=given["q"],
        types=given["type"],
        not_types=given["not_type"],
        hosts=given["host"],
        properties=given["property"],
        languages=given["lang"],
        since=given["since"],
        until=given["until"],
        within=tuple(given["in"]),
        form=given["form"],
        fold=given["fold"],
        limit=given["limit"],
        skip=given["offset"],
    )


async def find_entities(call: Call, asked: Search) -> dict[str, Any]:
    """The answer to a search."""
    asking = ask(call.parts.answering, SearchWords(asked))
    return dict(await while_there(call.request, asking))


def begun(typed: str) -> Search | None:
    """The search for what begins as was typed: the last word may go on."""
    wanted = f"{typed}*" if typed[-1:].isalnum() else typed
    try:
        return Search(text=wanted, limit=LOOKED_AT) if understood(wanted) else None
    except SearchError:  # one letter, or a sign in the wrong place: there is more to come
        return None


def named(found: Iterable[Mapping[str, Any]], most: int) -> Iterator[Mapping[str, Any]]:
    """Things that have the words in their names; those of one name and kind once."""
    seen: set[tuple[str, tuple[str, ...]]] = set()
    for each in found:
        key = each["label"].casefold(), tuple(each["types"])
        if each["label_marks"] and key not in seen and len(seen) < most:
            seen.add(key)
            yield {name: each[name] for name in ("id", "label", "types", "is_page")}


PARAMETERS: Final = (
    Parameter(name="q", doc="Words.", schema=text(most=MOST_CHARACTERS), default=""),
    Parameter(
        name="type",
        doc="Only things of this type: Person, schema:Person, or an IRI. Subclasses of "
        "schema.org's are found too; schema: is all of a vocabulary.",
        schema=_SHORT,
        many=True,
    ),
    Parameter(name="not_type", doc="No things of this type.", schema=_SHORT, many=True),
    Parameter(name="host", doc="Only what it tells.", schema=_SHORT, many=True),
    Parameter(
        name="property",
        doc="Only things that have it: birthDate, schema:birthDate, or an IRI.",
        schema=_SHORT,
        many=True,
    ),
    Parameter(name="lang", doc="Only text in it: en, pt-BR.", schema=_SHORT, many=True),
    Parameter(name="since", doc="Only things with a date from then on: 2024-05-17."),
    Parameter(name="until", doc="Only things with a date until then."),
    Parameter(
        name="in",
        doc="Only words in names and titles, in the visible text of pages, or in data.",
        schema=one_of("title", "text", "data"),
        many=True,
    ),
    Parameter(name="form", doc="Only pages, or none.", schema=one_of("page", "thing")),
    Parameter(
        name="fold",
        doc="false: entities that look the same are results of their own.",
        schema=FLAG,
        default=True,
    ),
    Parameter(name="limit", doc="Most results.", schema=whole(1, MOST_RESULTS), default=LIMIT),
    Parameter(name="offset", doc="Leave out so many.", schema=whole(0, MOST_SKIPPED), default=0),
)
ROUTES: Final = (
    Route(
        path="/api/search",
        summary="Find things and pages by words",
        doc='All words have to be there: "a phrase", begin*, nearly~ and -not narrow it down. '
        "Entities that look the same are one result; its `alike` says how many others there are, and "
        "`total` counts entities. `next` is the offset of the next page. Where nothing is found, `unknown_types` has those "
        "of the types that nothing is of, with the one that was probably meant. Where words are "
        "still taking up what the last pages say, `behind` says so; where only pages of one of many nodes are "
        "covered, `covers` does.",
        handler=search,
        parameters=PARAMETERS,
        replies=json_reply("What was found, and facets of all of it.", _FOUND),
        tag="graph",
    ),
    Route(
        path="/api/search/suggest",
        summary="Names that begin as somebody types",
        handler=suggest,
        parameters=(
            Parameter(
                name="q",
                doc="What was typed so far.",
                schema=text(most=MOST_CHARACTERS),
                default="",
            ),
            Parameter(
                name="limit",
                doc="Most names.",
                schema=whole(1, MOST_SUGGESTIONS),
                default=USUAL_SUGGESTIONS,
            ),
        ),
        replies=json_reply(
            "Things with such names, best first.",
            record(
                {
                    "results": listed(
                        record({"id": TEXT, "label": TEXT, "types": listed(TEXT), "is_page": FLAG})
                    )
                }
            ),
        ),
        tag="graph",
    ),
)
