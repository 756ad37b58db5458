"""`/api/proxy`: what a proxy on the folder did and does, for those who watch it."""

from typing import Final

from starlette.responses import Response

from gossamer.owner.messages import Record, UnableError, ask
from gossamer.owner.questions import ProxyState
from gossamer.service.answers import json_answer
from gossamer.service.routes import Call, Route, json_reply
from gossamer.service.schemas import FLAG, NUMBER, TEXT, WHOLE, listed, or_null, record, table_of


async def proxy_of(call: Call) -> Record | None:
    """What a proxy in this process, or in that which owns the folder, is at; None: there is none."""
    if call.parts.proxy is not None:
        return call.parts.proxy()
    try:
        shown: Record | None = (await ask(call.parts.answering, ProxyState()))["proxy"]
    except UnableError:
        return None
    return shown


async def proxy(call: Call) -> Response:
    """Answer with all figures of the proxy."""
    return json_answer(call.request, {"proxy": await proxy_of(call)})


_COUNTS: Final = table_of(WHOLE)
_TALLY: Final = {"requests": WHOLE, "waiting": WHOLE}
_PROXY: Final = record(
    {
        "address": TEXT,
        **dict.fromkeys(
            ("connections", "received_bytes", "sent_bytes", "tunnels", "tunnel_bytes"), WHOLE
        ),
        "waited_seconds": NUMBER,
        **dict.fromkeys(("answers", "statuses", "stages", "cache"), _COUNTS),
        "intercepts": FLAG,
        "clients": listed(record({"client": TEXT, **_TALLY})),
        "hosts": listed(record({"host": TEXT, **_TALLY})),
        "requests": listed(
            record(
                {
                    **dict.fromkeys(("client", "method", "url", "stage"), TEXT),
                    **dict.fromkeys(("seconds", "waited"), NUMBER),
                }
            )
        ),
    }
)

ROUTES: Final = (
    Route(
        path="/api/proxy",
        summary="What the proxy did and does",
        doc=(
            "Sums since it began; clients and hosts that have requests in hand; and those requests, "
            "the oldest first. Null where no proxy runs in this process or in the one that owns the folder."
        ),
        handler=proxy,
        replies=json_reply("The proxy, if there is one.", record({"proxy": or_null(_PROXY)})),
        tag="monitoring",
    ),
)
