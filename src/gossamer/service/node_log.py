"""`/api/log`: the log of the crawl, of all nodes where they share a database."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from starlette.responses import Response

from gossamer.events import EVENTS, LEVELS
from gossamer.owner.messages import Record, ask
from gossamer.owner.questions import LogLines
from gossamer.service.answers import json_answer, next_page
from gossamer.service.errors import ProblemError
from gossamer.service.routes import Call, Parameter, Route, json_reply
from gossamer.service.schemas import FLAG, TEXT, listed, one_of, or_null, record, text, whole
from gossamer.values import read

MOST_ON_A_PAGE: Final = 1_000
USUAL: Final = 200


def filters(*blank: str) -> Sequence[Parameter]:
    """The parameters that narrow a log down; a form of a page sends `blank` ones, too."""
    events, levels = one_of(*blank, *EVENTS), one_of(*blank, *LEVELS)
    return (
        Parameter(name="node", doc="Only of this node.", schema=text(most=300)),
        Parameter(name="host", doc="Only about this host.", schema=text(most=260)),
        Parameter(
            name="event", doc="Only this kind; may be given again.", schema=events, many=True
        ),
        Parameter(name="level", doc="Only this level and those above.", schema=levels),
        Parameter(name="since", doc="Only younger lines, such as `1h`.", schema=text(most=20)),
        Parameter(name="after", doc="Where the page before ended.", schema=text(most=60)),
        Parameter(name="limit", doc="Most.", schema=whole(1, MOST_ON_A_PAGE), default=USUAL),
    )


async def log_of(call: Call) -> Record:
    """The lines that a request asks for."""
    given = call.given
    return await ask(call.parts.answering, question_of(given))


def question_of(given: Mapping[str, Any]) -> LogLines:
    """The question that these parameters ask."""
    return LogLines(
        node=given["node"] or None,
        host=given["host"] or None,
        events=tuple(filter(None, given["event"])),
        level=given["level"] or None,
        age=_age(given["since"]) if given["since"] else None,
        before=given["after"],
        limit=given["limit"],
    )


def _age(written: str) -> timedelta:
    try:
        age = read(timedelta, written, at_least=0)
    except ValueError as error:
        raise ProblemError(400, "bad-parameter", f"`since`: {error}.") from None
    assert isinstance(age, timedelta)
    return age


async def log(call: Call) -> Response:
    """The newest lines."""
    told = await log_of(call)
    headers = next_page(call.request, told["next"])
    return json_answer(call.request, told, headers=headers)


ROUTES: Final = (
    Route(
        path="/api/log",
        summary="The log of the crawl",
        doc="Lines of the log, the newest first, each with its `node`. Nodes that share a database send "
        "theirs there every few seconds, without the queries of URLs unless `log.share_queries` is set; a "
        "crawl of one node has them in its folder. Moments are by the node's own clock, which was "
        "`clock_ahead` seconds ahead of the database's.",
        handler=log,
        parameters=filters(),
        replies=json_reply(
            "Lines, and where older ones begin.",
            record(
                {
                    "lines": listed(
                        record({"node": TEXT, "at": TEXT, "event": TEXT, "level": TEXT})
                    ),
                    "next": or_null(TEXT),
                    "is_shared": FLAG,
                }
            ),
        ),
        tag="monitoring",
    ),
)
