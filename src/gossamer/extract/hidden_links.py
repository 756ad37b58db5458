"""Addresses that a page has for its scripts: in `data-` attributes, `onclick`, `srcset`, and JSON in scripts. Pure.

Much of it is no link, so a crawl follows these only if asked to, on the same site, and last. What looks like a file of
a page's looks (pictures, styles, fonts, scripts) is left out.
"""

import json
import re
from collections.abc import Iterator
from typing import Final

from selectolax.lexbor import LexborNode

from gossamer.extract.base import Base
from gossamer.model import Refusal, Url
from gossamer.transform.document import Document
from gossamer.urls import canonical, host_of, site_of

MOST: Final = 200  # addresses of one page
MOST_LOOKED_AT: Final = 20_000  # strings
_LONGEST: Final = 2_000  # characters of an address
_MOST_JSON: Final = 4 * 1024 * 1024  # characters of one script
_SCRIPTS: Final = "script"
_ELEMENTS: Final = (
    "[onclick],[srcset],[data-href],[data-url],[data-link],[data-path],[data-src],[data-target-url],"
    "[data-permalink],[data-uri],[data-page],[data-page-url],[data-navigate]"
)
_NAMED: Final = re.compile(r"data-(?:[\w-]*(?:href|url|uri|link|path|page|navigate)[\w-]*|src)$")
# A path or an address in quotation marks, as scripts have it.
_QUOTED: Final = re.compile(r"""["'`]((?:https?:)?/[^"'`\\\s<>]{1,2000})["'`]""")
_ADDRESS: Final = re.compile(r"(?:https?:/)?/[^\s\"'<>\\{}|^`]*")
_NO_PAGE: Final = re.compile(
    r"\.(?:avif|bmp|css|cur|eot|gif|gz|ico|jpe?g|js|json|m?jsx?|map|mp[34]|ogg|otf|png|svg|tiff?|ttf|"
    r"wasm|web[mp]|woff2?|zip)$|/(?:_next/static|static/|assets?/|fonts?/|images?/|img/)|^//[^/]*$",
    re.IGNORECASE,
)
# `window.__STATE__ = {…}` and its kind; what is inside is found as quoted strings.
_JSON_TYPE: Final = re.compile(r"^(?:application|text)/(?:[\w.-]+\+)?json\b", re.IGNORECASE)
_UNDERSCORED: Final = re.compile(r"__([A-Z_]++)")
_STATE: Final = re.compile(r"DATA|STATE|PROPS|APOLLO|NUXT")


def hidden_links(document: Document) -> list[Url]:
    """The addresses of the same site that a page has for its scripts, each once."""
    page = canonical(document.html_base)
    if isinstance(page, Refusal):
        return []
    site, joined = site_of(host_of(page)), Base(page).joined
    found: dict[Url, None] = {}
    for number, reference in enumerate(_references(document)):
        if number >= MOST_LOOKED_AT or len(found) >= MOST:
            break
        if len(reference) > _LONGEST or _NO_PAGE.search(reference.partition("?")[0]):
            continue
        url = joined(reference)
        if not isinstance(url, Refusal) and site_of(host_of(url)) == site:
            found[url] = None
    found.pop(page, None)
    return [*found]


def _references(document: Document) -> Iterator[str]:
    for node in document.html.css(_ELEMENTS):
        yield from _of_element(node)
    for script in document.html.css(_SCRIPTS):
        yield from _of_script(script)


def _of_element(node: LexborNode) -> Iterator[str]:
    for name, value in node.attributes.items():
        if not value:
            continue
        if name == "onclick":
            yield from (found[1] for found in _QUOTED.finditer(value[: 10 * _LONGEST]))
        elif name == "srcset":
            for candidate in value[: 10 * _LONGEST].split(","):
                yield candidate.strip().partition(" ")[0]
        elif _NAMED.match(name) and _ADDRESS.fullmatch(text := value.strip()):
            yield text


def _of_script(script: LexborNode) -> Iterator[str]:
    attributes = script.attributes
    kind = (attributes.get("type") or "").strip()
    if kind.lower() == "application/ld+json":
        return  # which is data, and is read as that
    text = script.text(deep=True)
    if len(text) > _MOST_JSON:
        return
    if _JSON_TYPE.match(kind):
        yield from _of_json(text)
    elif _has_state(text):
        yield from (found[1] for found in _QUOTED.finditer(text.replace("\\/", "/")))


def _has_state(text: str) -> bool:
    names = (found[1].rpartition("__")[0] for found in _UNDERSCORED.finditer(text))
    return any(_STATE.search(name) for name in names)


def _of_json(text: str) -> Iterator[str]:
    try:
        waiting = [json.loads(text)]
    except (ValueError, RecursionError):
        return
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            waiting += reversed(each.values())
        elif isinstance(each, list):
            waiting += reversed(each)
        elif isinstance(each, str) and _ADDRESS.fullmatch(each):
            yield each
