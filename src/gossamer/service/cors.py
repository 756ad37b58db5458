"""Scripts of pages elsewhere: whose may ask us, and what browsers let them see (CORS). Pure.

A browser asks beforehand, without a token, whether such a script may send its request. Only pages
that `service.origins` names hear that it may.
"""

from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response

ANY: Final = "*"
ALLOWED: Final = MappingProxyType(
    {
        "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, DELETE",
        "Access-Control-Allow-Headers": "Accept, Authorization, Content-Type, If-None-Match",
        "Access-Control-Max-Age": "600",
    }
)
SHOWN: Final = (
    "ETag, Link, Retry-After, WWW-Authenticate, "
    "X-Gossamer-Cut, X-Gossamer-Row-Limit, X-Gossamer-Rows"
)


def is_named(origins: Sequence[str], origin: str | None) -> bool:
    """Whether a page of this origin may have its scripts ask."""
    if origin is None:
        return False
    return ANY in origins or origin.lower() in {each.lower().rstrip("/") for each in origins}


def is_preflight(method: str, headers: Headers) -> bool:
    """Whether a browser asks if it may ask."""
    return (
        method == "OPTIONS" and "origin" in headers and "access-control-request-method" in headers
    )


def preflight_answer() -> Response:
    """It may; `show_to` says who."""
    return Response(status_code=204, headers=dict(ALLOWED))


def show_to(origins: Sequence[str], origin: str | None, told: MutableHeaders) -> None:
    """Have browsers show an answer with these headers to a script that may see it."""
    if not origins:
        return
    if ANY not in origins:
        told.add_vary_header("Origin")
    if origin is not None and is_named(origins, origin):
        told["Access-Control-Allow-Origin"] = ANY if ANY in origins else origin
        told["Access-Control-Expose-Headers"] = SHOWN
