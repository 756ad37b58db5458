"""Pages of other sites: which of them has a browser ask us (fetch metadata), and whose scripts may (CORS). Pure.

Browsers tell the site in `Sec-Fetch-Site`, `-Mode` and `-Dest`, which no page can change. They leave these
out for plain HTTP to another machine, and old ones always do: then `Origin` and `Referer` tell as
much as they can. Programs send none of these, and are never taken for a page of another site.

Before a script of such a page may send its request, a browser asks whether it may, without a token. Only
pages that `service.origins` names hear that it may.
"""

from collections.abc import Sequence
from enum import Enum
from types import MappingProxyType
from typing import Final
from urllib.parse import urlsplit

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
    "X-Gossamer-Cut, X-Gossamer-Hint, X-Gossamer-Row-Limit, X-Gossamer-Rows"
)


class Sender(Enum):
    """The sender of a request, as the browser tells."""

    OURSELVES = "a page of ours, an origin that is named, somebody who typed it, or a program"
    LINK = "a page of another site that leads a whole tab here"
    OTHER_SITE = "a page of another site, by script, frame, picture or form"


def sender_of(headers: Headers, origins: Sequence[str]) -> Sender:
    """The sender of a GET or HEAD request; `origins` are those whose scripts may ask."""
    if not _is_of_another_site(headers, origins):
        return Sender.OURSELVES
    return Sender.LINK if _is_top_level(headers) else Sender.OTHER_SITE


def names_another_site(headers: Headers, origins: Sequence[str]) -> bool:
    """Whether a request that may change things comes from a page of another site."""
    origin = headers.get("origin")
    if is_named(origins, origin):
        return False
    if origin is not None and not _is_ours(origin, headers):
        return True
    return _is_of_another_site(headers, origins)


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
    """The answer to a preflight request that is allowed; `show_to` says to whom."""
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


def _is_of_another_site(headers: Headers, origins: Sequence[str]) -> bool:
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    if is_named(origins, origin) or site == "same-origin":
        return False
    if origin is not None and not _is_ours(origin, headers):
        return True
    if site is not None:
        # `same-site` too: every port of localhost is one site, and so are all names of a company.
        return site != "none"
    referer = headers.get("referer")
    return origin is None and referer is not None and not _is_ours(referer, headers)


def _is_top_level(headers: Headers) -> bool:
    """Whether a browser opens this in a tab, for somebody to look at."""
    if "prefetch" in headers.get("sec-purpose", headers.get("purpose", "")):
        return False  # nobody looks at it yet
    if "sec-fetch-site" in headers:
        is_navigation = headers.get("sec-fetch-mode") == "navigate"
        return is_navigation and headers.get("sec-fetch-dest") == "document"
    # Without metadata a link and a frame look the same, and our pages refuse to be framed.
    return "origin" not in headers and "text/html" in headers.get("accept", "")


def _is_ours(address: str, headers: Headers) -> bool:
    """Whether an origin or an address is at the name that was asked for."""
    try:
        netloc = urlsplit(address).netloc
    except ValueError:
        return False
    return bool(netloc) and netloc.lower() == headers.get("host", "").lower()
