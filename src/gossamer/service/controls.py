"""`/api/crawl`: what the crawl is about; begin, pause, resume and stop it, with the token."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta
from typing import Any, Final

from starlette.responses import RedirectResponse, Response

from gossamer.errors import ConfigError, GossamerError
from gossamer.model import Refusal, Url
from gossamer.owner.messages import Record, UnableError, ask
from gossamer.owner.questions import AddSeeds, SteerCrawl, Steering, Who
from gossamer.owner.unix_socket import NoOwnerError
from gossamer.service.answers import json_answer
from gossamer.service.child_crawl import ChildCrawl, Order
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
from gossamer.service.schemas import (
    ANYTHING,
    FLAG,
    TEXT,
    WHOLE,
    Schema,
    listed,
    one_of,
    or_null,
    record,
    text,
)
from gossamer.service.tokens import way_back
from gossamer.settings import sources as settings
from gossamer.urls import seed

MOST_SEEDS: Final = 1_000
MOST_OF_A_SEED: Final = 2_000
SECTIONS: Final = (
    "crawl",
    "scope",
    "politeness",
    "sitemaps",
)  # whose keys a crawl may be begun with
START_SECONDS: Final = 20.0  # until a crawl answers; longer, and it is still about to
POLL_SECONDS: Final = 0.1
NO_CRAWL: Final = ProblemError(409, "no-crawl", "No crawl is running here.")

_STATES: Final = ("running", "paused", "stopping", "starting", "none")
_CHILD: Final = record(
    {
        "process": WHOLE,
        "began_at": TEXT,
        "ended_at": or_null(TEXT),
        "status": or_null(WHOLE),
        "summary": or_null({"type": "object"}),
        "lines": listed(TEXT),
    }
)
_STATE: Final = record(
    {
        "state": one_of(*_STATES),
        "process": or_null(WHOLE),
        "can_start": FLAG,
        "begun_here": or_null(_CHILD),
        "added": WHOLE,  # seeds that the crawl that runs did not know
        "known": WHOLE,
    },
    optional=("added", "known"),
)
_ORDER: Final[Schema] = record(
    {
        "seeds": listed(text(most=MOST_OF_A_SEED, least=1), most=MOST_SEEDS),
        "options": {"type": "object", "additionalProperties": ANYTHING},
        "again": FLAG,
    },
    optional=("seeds", "options", "again"),
    closed=True,
)
_NOTHING: Final[Schema] = record({}, closed=True)


async def state(call: Call) -> Response:
    """What the crawl is about."""
    return json_answer(call.request, await state_of(call))


async def state_of(call: Call) -> Record:
    """The state of the crawl, for those who show it."""
    who, child = await _who(call), call.parts.child
    is_crawl = who is not None and who["command"] == "crawl"
    starting = child is not None and child.process is not None and not is_crawl
    return {
        "state": who["state"] if who and is_crawl else "starting" if starting else "none",
        "process": who["process"] if who and is_crawl else child.process if child else None,
        "can_start": child is not None and not is_crawl and not starting,
        "begun_here": child.record() if child else None,
    }


def steering(how: Steering) -> Handler:
    """The handler that tells a crawl something."""

    async def steer(call: Call) -> Response:
        try:
            await ask(call.parts.answering, SteerCrawl(how))
        except (UnableError, NoOwnerError):
            raise NO_CRAWL from None
        return await _answer(call)

    return steer


async def start(call: Call) -> Response:
    """Begin a crawl, or have the one that runs take on more."""
    order, who = _order(call), await _who(call)
    if who is not None and who["command"] == "crawl":
        return await _answer(call, also=await _add(call, order))
    child = call.parts.child
    if child is None:
        raise ProblemError(
            409, "cannot-start", "This service is part of a crawl that is about to end."
        )
    if child.process is not None:
        raise ProblemError(409, "starting", "A crawl is about to begin here.")
    await child.start(order)
    await _begin(call, child)
    return await _answer(call, 201)


async def _begin(call: Call, child: ChildCrawl) -> None:
    """Wait until the crawl answers; raises what it says where it ends before that."""
    with suppress(TimeoutError):
        async with asyncio.timeout(START_SECONDS):
            while child.process is not None:
                who = await _who(call)
                if who is not None and who["process"] == child.process:
                    return
                await asyncio.sleep(POLL_SECONDS)
    told = child.record()
    if told is not None and told["status"]:
        said = " ".join(told["lines"][-1:]).removeprefix("gossamer: ")
        raise ProblemError(422, "not-started", said or f"It ended with {told['status']}.")


async def _add(call: Call, order: Order) -> Record:
    if order.options:
        raise ProblemError(
            409, "running", "A crawl is running. Its options are changed with PUT /api/config/KEY."
        )
    if not order.seeds and not order.again:
        raise ProblemError(409, "running", "A crawl is running. Name seeds to add them to it.")
    question = AddSeeds(tuple(order.seeds), timedelta(0) if order.again else None)
    told = await ask(call.parts.answering, question)
    return {"added": told["added"], "known": told["known"]}


async def _who(call: Call) -> Record | None:
    """The owner of the folder; None while it changes hands."""
    with suppress(NoOwnerError, GossamerError):
        return await ask(call.parts.answering, Who())
    return None


async def _answer(call: Call, status: int = 200, also: Record | None = None) -> Response:
    if media_type_of(call.request) == FORM:
        return RedirectResponse(way_back(fields_of(call).get("next"), "/crawl"), 303)
    told = {**await state_of(call), **(also or {})}
    return json_answer(call.request, told, status=status)


def _order(call: Call) -> Order:
    told = call.body or {}
    if isinstance(told, bytes):
        told = _order_in(fields_of(call))
    options: Mapping[str, Any] = told.get("options", {})
    for name, raw in options.items():
        if settings.key_named(name, "options").name.partition(".")[0] not in SECTIONS:
            raise ConfigError(
                f"options: {name} is set before a crawl begins, with PUT /api/config."
            )
        settings.read_remote_value(name, raw, "options")
    if not told.get("seeds", True) and not told.get("again"):
        raise ProblemError(400, "no-seed", "Name an address to begin with, one a line.")
    seeds = [_seed(each) for each in told.get("seeds", ())]
    return Order(seeds=seeds, options=options, again=told.get("again", False))


def _order_in(fields: Mapping[str, str]) -> dict[str, Any]:
    """An order that came as a form: a seed a line, and options by key."""
    seeds = [line.strip() for line in fields.get("seeds", "").splitlines() if line.strip()]
    if len(seeds) > MOST_SEEDS:
        raise ProblemError(400, "bad-body", f"There may be {MOST_SEEDS:,} seeds at once.")
    options = {name: raw for name, raw in fields.items() if "." in name and raw.strip()}
    told = {"options": options, "again": "again" in fields}
    return {"seeds": seeds, **told} if "seeds" in fields else told


def _seed(given: str) -> Url:
    url = seed(given)
    if isinstance(url, Refusal):
        raise ProblemError(400, "bad-seed", f"{given[:100]}: {url.why}")
    return url


def _route(name: str, summary: str, handler: Handler, body: Schema, doc: str = "") -> Route:
    return Route(
        path=f"/api/crawl/{name}",
        method="POST",
        summary=summary,
        doc=doc,
        handler=handler,
        body=Body(
            doc="Nothing, JSON, or a form with the path to go back to as `next`.",
            schemas={JSON: body, FORM: TEXT},
            required=False,
        ),
        replies={
            **json_reply("What the crawl is about now.", _STATE),
            **(json_reply("It has begun.", _STATE, 201) if name == "start" else {}),
            303: Reply(doc="For a form: back to where it was sent from."),
        },
        faults=(409,),
        changes=True,
    )


ROUTES: Final = (
    Route(
        path="/api/crawl",
        summary="What the crawl is about, and how the last one ended that was begun here",
        handler=state,
        replies=json_reply("Its state.", _STATE),
    ),
    _route("pause", "Have the crawl ask for nothing for now", steering("pause"), _NOTHING),
    _route("resume", "Have a paused crawl go on", steering("resume"), _NOTHING),
    _route("stop", "End the crawl in good order", steering("stop"), _NOTHING),
    _route(
        "start",
        "Begin a crawl, or have the one that runs take on more",
        start,
        _ORDER,
        "Without seeds, the crawl in the folder goes on from where it was. `options` are keys of "
        "`crawl`, `scope`, `politeness` and `sitemaps`; `again` asks for known pages anew.",
    ),
)
