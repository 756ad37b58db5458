"""Keys of indexes: URLs written so that those of a site stand together, as indexes of archives sort them. Pure.

`http://www.example.org/b/?y=1&x=2` is `org,example)/b?x=2&y=1`. Scheme, `www.`, letter case, the order of the query
and usual session numbers make no difference, so whoever looks a page up finds it in whichever spelling. The rules are
those of the library `surt`, which pywb and Common Crawl use; a test compares.
"""

import re
from typing import Final
from urllib.parse import quote_from_bytes, unquote_to_bytes, urlsplit

from gossamer.model import Url

_PLAIN: Final = "!\"$&'()*+,-./:;<=>?@[\\]^_`{|}~"
_WWW: Final = re.compile(r"^www\d*\.")
_PORTS: Final = {"http": 80, "https": 443}
_SESSION_IN_PATH: Final = (
    re.compile(r"^(.*/)\((?:[a-z]\([0-9a-z]{24}\))+\)/([^?]+\.aspx.*)$"),
    re.compile(r"^(.*/)\([0-9a-z]{24}\)/([^?]+\.aspx.*)$"),
)
_SESSION_IN_QUERY: Final = tuple(
    re.compile(rf"^(.*){session}(?:&(.*))?$", re.IGNORECASE)
    for session in (
        "jsessionid=[0-9a-z]{32}",
        "phpsessid=[0-9a-z]{32}",
        "sid=[0-9a-z]{32}",
        "aspsessionid[a-z]{8}=[a-z]{24}",
        "cfid=[^&]+&cftoken=[^&]+",
    )
)


def surt(url: Url) -> str:
    """The key of a page in an index."""
    parts = urlsplit(url)
    host = _WWW.sub("", parts.hostname or "", count=1)
    port = "" if parts.port in (None, _PORTS.get(parts.scheme)) else f":{parts.port}"
    key = f"{','.join(reversed(host.split('.')))}{port}){_path(parts.path)}"
    query = _query(parts.query)
    return f"{key}?{query}" if query else key


def _path(path: str) -> str:
    kept: list[str] = []
    for each in _escaped(path).split("/")[1:]:
        if each == "..":
            kept = kept[:-1] if kept else [each]
        elif each != ".":
            kept.append(each)
    # Empty names are left out, but for the last one: the slash at the end.
    joined = "/".join(["", *(each for each in kept[:-1] if each), *kept[-1:]]) or "/"
    plain = joined.lower()
    for session in _SESSION_IN_PATH:
        plain = session.sub(r"\1\2", plain)
    return plain[:-1] if plain.endswith("/") and len(plain) > 1 else plain


def _query(query: str) -> str:
    plain = _escaped(query)
    for session in _SESSION_IN_QUERY:
        plain = session.sub(lambda found: found[1] + (found[2] or ""), plain)
    return "&".join("=".join(each) for each in sorted(_pairs(plain.lower())))


def _pairs(query: str) -> list[tuple[str, ...]]:
    return [tuple(each.split("=", 1)) for each in query.split("&")]


def _escaped(text: str) -> str:
    """A part of a URL with everything escaped that must be, and nothing else."""
    data, before = text.encode(), None
    while data != before:
        data, before = unquote_to_bytes(data), data
    return quote_from_bytes(data, safe=_PLAIN)
