"""`/api/search/suggest`: names that begin as somebody types."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from starlette.responses import Response

from gossamer.index.words.asked import MOST_CHARACTERS, Search, SearchError, understood
from gossamer.service.answers import json_answer
from gossamer.service.routes import Call, Parameter, Route, json_reply
from gossamer.service.schemas import FLAG, TEXT, listed, record, text, whole
from gossamer.service.search import found_for

LOOKED_AT: Final = 40  # things that have the words, of which some have them in their names
USUAL: Final = 8
MOST: Final = 20


async def suggest(call: Call) -> Response:
    """A few things with such names, best first; none where there is too little to go by."""
    search = begun(call.given["q"])
    found = [] if search is None else (await found_for(call, search))["results"]
    return json_answer(call.request, {"results": [*named(found, call.given["limit"])]})


def begun(typed: str) -> Search | None:
    """The search for what begins as was typed: the last word may go on."""
    wanted = f"{typed}*" if typed[-1:].isalnum() else typed
    try:
        return Search(text=wanted, limit=LOOKED_AT) if understood(wanted) else None
    except SearchError:  # one letter, or a sign in the wrong place: there is more to come
        return None


def named(found: Iterable[Mapping[str, Any]], most: int) -> Iterator[Mapping[str, Any]]:
    """Those that have the words in their names; things of one name and kind once."""
    seen: set[tuple[str, tuple[str, ...]]] = set()
    for each in found:
        key = each["label"].casefold(), tuple(each["types"])
        if each["label_marks"] and key not in seen and len(seen) < most:
            seen.add(key)
            yield {name: each[name] for name in ("id", "label", "types", "is_page")}


ROUTES: Final = (
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
            Parameter(name="limit", doc="Most names.", schema=whole(1, MOST), default=USUAL),
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
