"""`/trace`: the last requests that were sent, out of the log of all nodes."""

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from starlette.responses import Response

from gossamer.events import Requested, RequestFailed
from gossamer.log import log_files
from gossamer.nodes.log_reading import by_database_clock
from gossamer.owner.log_answers import MOST_LINES
from gossamer.owner.messages import ask
from gossamer.owner.questions import LogLines
from gossamer.service.answers import json_answer
from gossamer.service.routes import Call, Parameter, Route, json_reply
from gossamer.service.schemas import TEXT, listed, record, text, whole
from gossamer.settings.node import known_node

NAMES: Final = (Requested.name, RequestFailed.name)
BLOCK_BYTES: Final = 256 * 1024
MOST_BYTES: Final = 32 * 1024 * 1024  # of log that is looked through
MOST_SHOWN: Final = 1_000


async def trace(call: Call) -> Response:
    """The last requests, the latest first."""
    found = await recent_requests(call, call.given["limit"], call.given["host"])
    return json_answer(call.request, {"requests": found})


async def recent_requests(
    call: Call, limit: int, host: str | None = None
) -> Sequence[Mapping[str, Any]]:
    """The latest requests of all nodes, to this host or any, the latest first; by the database's clock."""
    node = known_node(call.parts.data)
    if node.address is None:
        log = call.parts.data.log_folder
        found = await asyncio.to_thread(last_requests, log, limit, host)
        return [{"node": node.name, **each} for each in found]
    requests: list[Mapping[str, Any]] = []
    before: str | None = None
    while len(requests) < limit:
        some = min(limit - len(requests), MOST_LINES)
        question = LogLines(host=host, events=NAMES, before=before, limit=some)
        told = await ask(call.parts.answering, question)
        requests += map(by_database_clock, told["lines"])
        if (before := told["next"]) is None:
            break
    return requests


def last_requests(folder: Path, limit: int, host: str | None = None) -> list[dict[str, Any]]:
    """The latest events about requests, to this host or any, the latest first."""
    found: list[dict[str, Any]] = []
    for line in last_lines(folder):
        event = _event(line)
        if event is not None and host in (None, event.get("host")):
            found.append(event)
            if len(found) == limit:
                break
    return found


def last_lines(folder: Path, block: int = BLOCK_BYTES, most: int = MOST_BYTES) -> Iterator[bytes]:
    """The lines of a log from its end, within a limit on how much of it is read."""
    for path in reversed(log_files(folder)):
        with path.open("rb") as file:
            at, held = file.seek(0, 2), b""
            while at > 0 and most > 0:
                size = min(block, at)
                at, most = at - size, most - size
                file.seek(at)
                first, *lines = (file.read(size) + held).split(b"\n")
                yield from reversed(lines)
                held = first  # its beginning may be in the block before
            if at == 0:
                yield held
        if most <= 0:
            return


def _event(line: bytes) -> dict[str, Any] | None:
    # Most lines are about something else: they need not be read as JSON.
    if not any(name.encode() in line for name in NAMES):
        return None
    try:
        event = json.loads(line)
    except ValueError:  # torn by a crash
        return None
    is_one = isinstance(event, dict) and event.get("event") in NAMES
    return event if is_one else None


ROUTES: Final = (
    Route(
        path="/trace",
        summary="The last requests that were sent",
        handler=trace,
        parameters=(
            Parameter(name="host", doc="Only to this host.", schema=text(most=260)),
            Parameter(name="limit", doc="Most.", schema=whole(1, MOST_SHOWN), default=100),
        ),
        replies=json_reply(
            "Events of the log of all nodes, the latest first.",
            record(
                {"requests": listed(record({"node": TEXT, "at": TEXT, "event": TEXT, "url": TEXT}))}
            ),
        ),
        tag="monitoring",
    ),
)
