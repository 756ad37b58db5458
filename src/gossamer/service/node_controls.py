"""`/api/nodes/…`: pause, resume, stop and drain the nodes of the crawl, with the token."""

from typing import Final

from starlette.responses import RedirectResponse, Response

from gossamer.owner.messages import ask
from gossamer.owner.questions import NodeSteering, SteerNodes
from gossamer.service.answers import json_answer
from gossamer.service.errors import ProblemError
from gossamer.service.routes import (
    FORM,
    JSON,
    Body,
    Call,
    Handler,
    Reply,
    Route,
    fields_of,
    json_reply,
    media_type_of,
)
from gossamer.service.schemas import FLAG, TEXT, WHOLE, Schema, listed, or_null, record, text
from gossamer.service.tokens import way_back

MOST_NODES: Final = 1_000
MOST_OF_A_NAME: Final = 300
PAGE: Final = "/nodes"

_STANDING: Final = record(
    {
        "node": TEXT,
        "state": TEXT,
        "wish": or_null(TEXT),
        "left": FLAG,
        "silent_seconds": or_null(WHOLE),
        "hosts_held": WHOLE,
        "in_flight": WHOLE,
        "waiting": WHOLE,
    }
)
_TOLD: Final = record({"nodes": listed(_STANDING)})
_WHICH: Final[Schema] = record(
    {"nodes": listed(text(most=MOST_OF_A_NAME, least=1), most=MOST_NODES)},
    optional=("nodes",),
    closed=True,
)


def steering(how: NodeSteering) -> Handler:
    """The handler that tells nodes something."""

    async def steer(call: Call) -> Response:
        is_form = media_type_of(call.request) == FORM
        nodes = _nodes(call, is_form=is_form)
        if how == "drain" and not nodes:
            raise ProblemError(400, "no-node", "Name the nodes that are to drain, in `nodes`.")
        told = await ask(call.parts.answering, SteerNodes(how, nodes))
        if told["unknown"]:
            known = ", ".join(told["known"]) or "none"
            missing = ", ".join(name[:100] for name in told["unknown"])
            raise ProblemError(
                404,
                "no-such-node",
                f"No node of this crawl is called {missing}. There are: {known}.",
            )
        if not told["nodes"]:
            raise ProblemError(409, "no-node", "No node of this crawl is running.")
        if is_form:
            return RedirectResponse(way_back(fields_of(call).get("next"), PAGE), 303)
        return json_answer(call.request, {"nodes": told["nodes"]})

    return steer


def _nodes(call: Call, *, is_form: bool) -> tuple[str, ...]:
    if is_form:
        name = fields_of(call).get("node", "").strip()
        return (name[:MOST_OF_A_NAME],) if name else ()
    return tuple((call.body or {}).get("nodes", ()))


def _route(how: NodeSteering, summary: str, doc: str = "") -> Route:
    return Route(
        path=f"/api/nodes/{how}",
        method="POST",
        summary=summary,
        doc=f"{doc} Nodes hear of it with their next heartbeat, within five seconds.".strip(),
        handler=steering(how),
        body=Body(
            doc="JSON, or a form with one `node` and the path to go back to as `next`; without nodes, all.",
            schemas={JSON: _WHICH, FORM: TEXT},
            required=False,
        ),
        replies={
            **json_reply("The nodes that were told, and how they stand.", _TOLD),
            303: Reply(doc="For a form: back to where it was sent from."),
        },
        faults=(404, 409),
        changes=True,
    )


ROUTES: Final = (
    _route("pause", "Have nodes ask for nothing for now"),
    _route("resume", "Have paused nodes go on"),
    _route("stop", "End nodes in good order, as Ctrl-C does"),
    _route(
        "drain",
        "Take nodes out of the crawl",
        "They take no more hosts, keep what they have asked for, and end with exit status 0.",
    ),
)
