"""`/archived` and `/source`: the archived copy of a page, sandboxed, and its source by lines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from starlette.responses import Response

from gossamer.service.answers import tagged
from gossamer.service.errors import not_found
from gossamer.service.routes import Call, Reply, Route
from gossamer.web.copies import Copy
from gossamer.web.pages.page import URL, copy_of, known_page
from gossamer.web.rendering import PAGE_REPLY, page_answer

# A document of no origin that can do nothing: no script, form, pop-up or plug-in, nothing from
# anywhere, and nobody but our own pages may frame it. Styles inside of it can only colour it.
HARMLESS: Final = {
    "Content-Security-Policy": (
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; "
        "base-uri 'none'; frame-ancestors 'self'"
    ),
    "X-Frame-Options": "SAMEORIGIN",
    "X-DNS-Prefetch-Control": "off",  # a link alone makes browsers look names up
    "Cache-Control": "no-store",
}
MOST_LINES: Final = 20_000


@dataclass(frozen=True, slots=True)
class SourcePage:
    """The source of a page, by lines."""

    url: str
    copy: Copy
    lines: Sequence[str]
    is_cut: bool
    problems: Mapping[int, Sequence[Mapping[str, Any]]]  # by line
    elsewhere: Sequence[Mapping[str, Any]]  # problems of no line, or of one that is not here


async def archived(call: Call) -> Response:
    """Serve the copy as a sandboxed document; anything but HTML as plain text."""
    _, copy = await _kept(call)
    assert copy.text is not None
    media_type = "text/html" if copy.is_html else "text/plain"
    return tagged(call.request, copy.text.encode(), media_type, headers=HARMLESS)


async def source(call: Call) -> Response:
    """Serve the source of a copy by lines, the target of links from problems."""
    told, copy = await _kept(call)
    assert copy.text is not None
    lines = copy.text.splitlines()
    shown = lines[:MOST_LINES]
    problems = told["page"].get("told", [])
    by_line: dict[int, list[Mapping[str, Any]]] = {}
    for problem in problems:
        if 0 < (problem["line"] or 0) <= len(shown):
            by_line.setdefault(problem["line"], []).append(problem)
    page = SourcePage(
        url=told["url"],
        copy=copy,
        lines=shown,
        is_cut=copy.is_cut or len(lines) > MOST_LINES,
        problems=by_line,
        elsewhere=[each for each in problems if each["line"] not in by_line],
    )
    return page_answer(call, "source.html", page)


async def _kept(call: Call) -> tuple[Mapping[str, Any], Copy]:
    told = await known_page(call)
    copy, trouble = await copy_of(call, told)
    if copy is None:
        raise not_found(f"No copy of it can be shown. {trouble}")
    if copy.text is None:
        raise not_found(f"It is no text ({copy.media_type}), and is not shown.")
    return told, copy


ROUTES: Final = (
    Route(
        path="/archived",
        summary="The copy that we keep of a page",
        handler=archived,
        parameters=(URL,),
        replies={200: Reply(doc="The copy.")},
        is_page=True,
    ),
    Route(
        path="/source",
        summary="Its source",
        handler=source,
        parameters=(URL,),
        replies=PAGE_REPLY,
        is_page=True,
    ),
)
