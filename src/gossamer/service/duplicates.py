"""`/api/duplicates`: pages that are the same thing, and parameters that change nothing."""

from typing import Final

from starlette.responses import Response

from gossamer.duplicates.group import GroupKind
from gossamer.owner.duplicates_answers import STANDINGS
from gossamer.owner.messages import ask
from gossamer.owner.questions import ListDuplicates
from gossamer.service.answers import json_answer, next_page
from gossamer.service.routes import Call, Parameter, Route, json_reply
from gossamer.service.schemas import TEXT, WHOLE, listed, one_of, or_null, record, text, whole

MOST: Final = 1_000
USUAL: Final = 100
MOST_OF_A_HOST: Final = 255
_GROUP: Final = record(
    {
        **dict.fromkeys(("representative", "why", "meaning"), TEXT),
        "others": listed(TEXT),
        "members": WHOLE,
        "kind": one_of(*GroupKind),
    }
)
_PARAMETER: Final = record(
    {
        **dict.fromkeys(("host", "parameter"), TEXT),
        "standing": one_of(*STANDINGS.values()),
        **dict.fromkeys(("agreed", "needed"), WHOLE),
    }
)


async def duplicates(call: Call) -> Response:
    """Groups, a page of them."""
    given = call.given
    question = ListDuplicates(
        host=given["host"] or None, after=given["after"], limit=given["limit"]
    )
    found = await ask(call.parts.answering, question)
    return json_answer(call.request, found, headers=next_page(call.request, found["next"]))


ROUTES: Final = (
    Route(
        path="/api/duplicates",
        summary="Pages that are the same thing, and parameters that change nothing",
        doc="A group has one representative. `next` is the value of `after` for the next page.",
        handler=duplicates,
        parameters=(
            Parameter(
                name="host", doc="Only pages of this host.", schema=text(most=MOST_OF_A_HOST)
            ),
            Parameter(
                name="after",
                doc="Only groups after this one, which is the `next` of the page before.",
                schema=text(most=19, pattern=r"^\d{1,18}$"),
            ),
            Parameter(name="limit", doc="Most on a page.", schema=whole(1, MOST), default=USUAL),
        ),
        replies=json_reply(
            "Groups, and parameters that change nothing.",
            record(
                {
                    "groups": listed(_GROUP),
                    "parameters": listed(_PARAMETER),
                    "next": or_null(TEXT),
                }
            ),
        ),
    ),
)
