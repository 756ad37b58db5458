"""`/proxy`: clients of the proxy, their requests, and who waits for which host."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from starlette.responses import Response

from gossamer.service.proxy import proxy_of
from gossamer.service.routes import Call, Route
from gossamer.web.rendering import PAGE_REPLY, page_answer

WORDS: Final[Mapping[str, str]] = {
    "reading": "being read",
    "waiting": "waits for its turn",
    "asking": "at the server",
    "answering": "being answered",
    "tunnel": "tunnel",
}


@dataclass(frozen=True, slots=True)
class ProxyPage:
    """The contents of the page: the state of the proxy, if there is one."""

    proxy: Mapping[str, Any] | None
    words: Mapping[str, str]  # for the stages of a request


async def proxy(call: Call) -> Response:
    """Serve totals, clients, hosts and requests in progress."""
    return page_answer(call, "proxy.html", ProxyPage(await proxy_of(call), WORDS))


ROUTES: Final = (
    Route(
        path="/proxy",
        summary="What the proxy does",
        handler=proxy,
        replies=PAGE_REPLY,
        is_page=True,
    ),
)
