"""Paths of pages: made from a page's place, and read back to it.

A path always holds the page's index within its host, so reading it back is a matter
of finding that number and asking whether its page has this very path. Folders put
pages on shelves, and robots.txt speaks of shelves only: that is how the demo web
knows what is forbidden without matching a single rule.
"""

import re
from enum import StrEnum

from gossamer.demo.content import Format

SECTIONS = ("people", "events", "products", "recipes", "datasets", "articles")

_SUFFIXES = {
    Format.RSS: ".rss",
    Format.ATOM: ".atom",
    Format.JSON_LD: ".jsonld",
    Format.RDF_XML: ".rdf",
    Format.TURTLE: ".ttl",
    Format.N_TRIPLES: ".nt",
}
HTML_FORMATS = tuple(format_ for format_ in Format if format_ not in _SUFFIXES)

_INDEX = re.compile(r"(?:/|=)(\d{1,7})(?![^/.&])")


class Shelf(StrEnum):
    """Which part of a host a page stands in."""

    PUBLIC = "public"
    PRIVATE = "private"  # /private/…
    PRIVATE_OPEN = "private-open"  # /private/open/…, which some robots.txt allow again
    DRAFTS = "drafts"  # /drafts/…
    PRINT = "print"  # …/print, at the very end


def shelf_of(path: str) -> Shelf:
    """The shelf of any path, whether or not a page is there."""
    if path.startswith("/private/open/"):
        return Shelf.PRIVATE_OPEN
    if path.startswith("/private/"):
        return Shelf.PRIVATE
    if path.startswith("/drafts/"):
        return Shelf.DRAFTS
    return Shelf.PRINT if path.endswith("/print") else Shelf.PUBLIC


def page_path(index: int, format_: Format, draw: int) -> str:
    """The path of page `index` of a host; `draw` is its luck in the choice of shelves."""
    if index == 0:
        return "/"
    suffix = _SUFFIXES.get(format_) or ("", ".html")[draw >> 8 & 1]
    if suffix.startswith(".") and draw >> 9 & 3 == 0:
        suffix = ""  # a name that does not tell the format; the Content-Type does
    section = SECTIONS[(draw >> 16) % len(SECTIONS)]
    match draw % 24:
        case 0 | 1:
            return f"/private/{index}{suffix}"
        case 2:
            return f"/private/open/{index}{suffix}"
        case 3:
            return f"/drafts/{index}{suffix}"
        case 4:
            return f"/{section}/{index}/print"
        case 5:
            return f"/{section}/{index}/printed"  # a near miss for `/*/print$`
        case 6 | 7:
            return f"/show?id={index}&in={section}"
        case 8:
            return f"/caf%C3%A9/{section}/{index}{suffix}"
        case 9:
            return f"/{section}/{index}/"
        case _:
            return f"/{section}/{index}{suffix}"


def index_in(path: str) -> int | None:
    """The page index a path speaks of, if any; the page may have another path all the same."""
    if path == "/":
        return 0
    match = _INDEX.search(path)
    return int(match[1]) if match else None


def relative(base: str, path: str) -> str:
    """A reference that leads from one path of a host to another without naming the root."""
    depth = base.partition("?")[0].count("/") - 1
    return ("../" * depth or "./") + path.removeprefix("/")
