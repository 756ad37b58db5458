"""URL templates: pages of a host whose URLs are made alike often change alike.

What differs among such pages is replaced: numbers, long identifiers, dates, names with hyphens. A host has a
bounded number of templates; past it, the last segment goes too.
"""

import re
from urllib.parse import urlsplit

MOST = 64  # templates of a host
LONGEST = 200  # characters
_NUMBER = re.compile(r"\d+")
_IDENTIFIER = re.compile(r"(?=[^/]*\d)[0-9A-Za-z_-]{12,}|[0-9a-fA-F]{8,}(?:-[0-9a-fA-F]{4,})*")
_LONG = 25  # characters: no word of a site's own


def template(url: str) -> str:
    """The template of a URL, without its host: path and names of parameters, with placeholders."""
    parts = urlsplit(url)
    segments = [_segment(each) for each in parts.path.split("/")]
    names = sorted({each.partition("=")[0] for each in parts.query.split("&") if each})
    query = "?" + "&".join(_NUMBER.sub("#", each) for each in names) if names else ""
    return ("/".join(segments) + query)[:LONGEST]


def coarser(known: str) -> str:
    """The template that holds this one and its neighbours, for a host that has too many: the first segment."""
    first = known.partition("?")[0].split("/")[1:2]
    return "/" + "".join(first) + ("/…" if known.count("/") > 1 else "")


def _segment(segment: str) -> str:
    stem, dot, suffix = segment.rpartition(".")
    if dot and 1 <= len(suffix) <= 5 and suffix.isalpha():
        return f"{_word(stem)}.{suffix}"
    return _word(segment)


def _word(segment: str) -> str:
    if _IDENTIFIER.fullmatch(segment):
        return "{id}"
    joints = sum(map(segment.count, "-_+"))
    if joints >= 2 or len(segment) >= _LONG or "%" in segment:
        return "{name}"
    return _NUMBER.sub("#", segment)
