"""Fetch metadata: which site has a browser send a request, by what the browser says of it. Pure.

Browsers say so in `Sec-Fetch-Site`, `-Mode` and `-Dest`, which no page can change. They leave these
out for plain HTTP to another machine, and old ones always do: then `Origin` and `Referer` tell as
much as they can. Programs send none of these, and are never taken for a page of another site.
"""

from collections.abc import Sequence
from enum import Enum
from urllib.parse import urlsplit

from starlette.datastructures import Headers

from gossamer.service import cors


class Sender(Enum):
    """Who has a request sent."""

    OURSELVES = "a page of ours, an origin that is named, somebody who typed it, or a program"
    LINK = "a page of another site that leads a whole tab here"
    OTHER_SITE = "a page of another site, by script, frame, picture or form"


def sender_of(headers: Headers, origins: Sequence[str]) -> Sender:
    """Who has a GET or HEAD request sent; `origins` are those whose scripts may ask."""
    if not _is_of_another_site(headers, origins):
        return Sender.OURSELVES
    return Sender.LINK if _is_top_level(headers) else Sender.OTHER_SITE


def names_another_site(headers: Headers, origins: Sequence[str]) -> bool:
    """Whether a request that may change things comes from a page of another site."""
    origin = headers.get("origin")
    if cors.is_named(origins, origin):
        return False
    if origin is not None and not _is_ours(origin, headers):
        return True
    return _is_of_another_site(headers, origins)


def _is_of_another_site(headers: Headers, origins: Sequence[str]) -> bool:
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    if cors.is_named(origins, origin) or site == "same-origin":
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
