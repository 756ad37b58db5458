"""Elements of feeds: their names, text, line and scope."""

from copy import deepcopy
from dataclasses import replace
from functools import lru_cache
from typing import Final

from lxml import etree

from gossamer.transform.feeds.values import Scope
from gossamer.transform.iris import join, mended

_XML: Final = "{http://www.w3.org/XML/1998/namespace}"
XHTML: Final = "{http://www.w3.org/1999/xhtml}"
# Feeds do not agree on large letters, `https` and the last character. Without a prefix: RSS.
_NAMESPACES: Final = {
    "": "",
    "http://purl.org/rss/1.0/": "",
    "http://backend.userland.com/rss": "",
    "http://backend.userland.com/rss2": "",
    "http://backend.userland.com/rss2.1": "",
    "http://blogs.law.harvard.edu/tech/rss": "",
    "http://my.netscape.com/rdf/simple/0.9/": "",
    "http://channel.netscape.com/rdf/simple/0.9/": "",
    "http://www.w3.org/2005/atom": "atom:",
    "http://purl.org/atom/ns#": "atom:",
    "http://purl.org/echo/": "atom:",  # names of Atom before it had one
    "http://purl.org/pie/": "atom:",
    "http://example.com/newformat#": "atom:",
    "http://example.com/necho": "atom:",
    "http://purl.org/dc/elements/1.1/": "dc:",
    "http://purl.org/dc/terms/": "dcterms:",
    "http://purl.org/rss/1.0/modules/content/": "content:",
    "http://www.itunes.com/dtds/podcast-1.0.dtd": "itunes:",
    "http://search.yahoo.com/mrss/": "media:",
    "http://www.w3.org/1999/xhtml": "xhtml:",
    "https://podcastindex.org/namespace/1.0": "podcast:",
    "https://github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md": "podcast:",
}
PODCASTS: Final = frozenset(("itunes:", "podcast:"))


def prefix_of(namespace: str | None) -> str | None:
    """Our prefix for a namespace; None if feeds do not use it."""
    return _PREFIXES.get(_key(namespace or ""))


def _key(namespace: str) -> str:
    return namespace.strip().lower().removeprefix("https").removeprefix("http").rstrip("/#")


_PREFIXES: Final = {_key(namespace): prefix for namespace, prefix in _NAMESPACES.items()}


def name_of(element: etree._Element) -> str:
    """The lower-case name of an element with our prefix: `title`, `dc:date`, `itunes:duration`."""
    return _name(element.tag)


@lru_cache(maxsize=1024)
def _name(tag: object) -> str:
    name = str(tag)
    if not name.startswith("{"):
        return name.lower()  # a prefix that nobody declared is part of the name, and well known
    namespace, _, local = name[1:].partition("}")
    prefix = prefix_of(namespace)
    return "" if prefix is None else f"{prefix}{local.lower()}"


def line_of(element: etree._Element) -> int | None:
    """The line of an element in the document."""
    line: object = element.sourceline
    return line if isinstance(line, int) else None


def inside(scope: Scope, element: etree._Element) -> Scope:
    """The scope (base and language) inside an element."""
    if not element.attrib:
        return scope
    base, language = element.get(f"{_XML}base"), element.get(f"{_XML}lang")
    if base is not None:
        scope = replace(scope, base=mended(join(scope.base, base)) or scope.base)
    return scope if language is None else replace(scope, language=language.strip() or None)


def text_of(element: etree._Element) -> str:
    """All text in an element."""
    return (element.text or "") if not len(element) else str(element.xpath("string()"))


def source_of(element: etree._Element) -> str:
    """The text of an element; child elements instead of text are serialised."""
    return (element.text or "") if not len(element) else written_out(element)


def written_out(element: etree._Element) -> str:
    """The contents of an element as markup, XHTML without its namespace."""
    copy = deepcopy(element)
    copy.tail = None
    copy.attrib.clear()
    for each in copy.iter():
        if isinstance(each.tag, str) and each.tag.startswith(XHTML):
            each.tag = each.tag[len(XHTML) :]
    copy.tag = "x"
    etree.cleanup_namespaces(copy)
    written = etree.tostring(copy, encoding="unicode")
    return written[written.index(">") + 1 : -len("</x>")]
