"""The directory of the keys that sign our requests, for servers that check them."""

from typing import Final

from starlette.responses import Response

from gossamer.identity.directory import DIRECTORY_PATH, DIRECTORY_TYPE, MAX_AGE
from gossamer.identity.signer import signer_for
from gossamer.moments import now_utc
from gossamer.service.errors import ProblemError
from gossamer.service.routes import Call, Reply, Route
from gossamer.service.schemas import TEXT, listed, record

_KEYS: Final = record(
    {"keys": listed(record(dict.fromkeys(("kty", "crv", "kid", "x", "use"), TEXT)))}
)


async def directory(call: Call) -> Response:
    """The public keys, signed for whoever asked."""
    parts = call.parts
    signer = signer_for(parts.data, parts.in_force.settings.config.identity, now_utc)
    if not signer.ring().keys:
        raise ProblemError(404, "no-identity", "This crawler signs nothing: it has no identity.")
    body, fields = signer.directory(call.request.headers["host"].lower())
    headers = {"Cache-Control": f"max-age={MAX_AGE}", **dict(fields)}
    return Response(body, media_type=DIRECTORY_TYPE, headers=headers)


ROUTES: Final = (
    Route(
        path=DIRECTORY_PATH,
        summary="The keys that sign our requests",
        doc="Public keys as a JSON Web Key Set, with a signature for the host that was asked.",
        handler=directory,
        replies={200: Reply(doc="The keys.", schemas={DIRECTORY_TYPE: _KEYS})},
        faults=(404,),
        is_open=True,
        tag="politeness",
    ),
)
