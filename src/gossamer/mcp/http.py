"""`/mcp`: the tools over streamable HTTP, each request by itself.

The service reads the request and writes the answer, so its guard, its limits and its shape of errors hold here as
everywhere. What comes in between is the SDK's: one server a request, without a session, which is what
the protocol calls stateless. There is no stream to open, so GET is refused as the protocol allows.
"""

import asyncio
import json
from collections.abc import MutableMapping
from typing import Any, Final

from starlette.responses import Response

from gossamer.mcp.needs import NoMcpError, load_server
from gossamer.mcp.tools import MOST_MESSAGE, Knowledge
from gossamer.service.answers import while_there
from gossamer.service.errors import ProblemError, fault_of
from gossamer.service.routes import JSON, Body, Call, Reply, Route
from gossamer.service.schemas import ANYTHING

PATH: Final = "/mcp"
Message = MutableMapping[str, Any]


async def mcp(call: Call) -> Response:
    """Answer one message of the protocol."""
    try:
        await asyncio.to_thread(load_server)  # the first time, that takes a second
    except NoMcpError as error:
        raise ProblemError(501, "not-installed", str(error)) from None
    return await while_there(call.request, _answered(call))


async def _answered(call: Call) -> Response:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    from gossamer.mcp.server import mcp_server

    service = call.parts.service
    knowledge = Knowledge(
        call.parts.data, call.parts.answering, service.query_time, service.query_rows
    )
    server = mcp_server(knowledge, lambda error: call.parts.tell(fault_of(PATH, error)))
    manager = StreamableHTTPSessionManager(server, json_response=True, stateless=True)
    exchange = _Exchange(json.dumps(call.body).encode())
    async with manager.run():
        await manager.handle_request(call.request.scope, exchange.receive, exchange.send)
    return exchange.response()


class _Exchange:
    """A request that was read, and an answer that is held until it is whole."""

    def __init__(self, body: bytes) -> None:
        self._body = body
        self._was_read = False
        self._start: Message = {"status": 500, "headers": []}
        self._answer = bytearray()

    async def receive(self) -> Message:
        if self._was_read:
            await asyncio.Event().wait()  # whoever leaves ends all of this from outside
        self._was_read = True
        return {"type": "http.request", "body": self._body, "more_body": False}

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._start = message
        else:
            self._answer += message.get("body", b"")

    def response(self) -> Response:
        headers = {
            name.decode("latin-1"): value.decode("latin-1")
            for name, value in self._start["headers"]
        }
        headers.pop("content-length", None)
        return Response(bytes(self._answer), self._start["status"], headers)


ROUTES: Final = (
    Route(
        path=PATH,
        method="POST",
        summary="The tools of MCP",
        handler=mcp,
        replies={200: Reply(doc="An answer of the protocol.", schemas={JSON: ANYTHING})},
        body=Body(
            doc="A message of the protocol.", schemas={JSON: ANYTHING}, most_bytes=MOST_MESSAGE
        ),
        faults=(400, 406, 413, 415, 501),
        takes_anything=True,
        is_listed=False,
        tag="graph",
    ),
)
