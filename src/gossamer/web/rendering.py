"""Renders templates to pages; crawled text is escaped everywhere."""

from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import Response

from gossamer import __version__
from gossamer.service.answers import tagged
from gossamer.service.guard import HEADERS
from gossamer.service.routes import Call, Reply
from gossamer.web import wording
from gossamer.web.addresses import entity_address, outside, page_address, source_address
from gossamer.web.assets import STATIC, asset, bundle
from gossamer.web.icons import icon

HTML: Final = "text/html"
TEMPLATES: Final = STATIC.parent / "templates"
CSP: Final = "Content-Security-Policy"
WITH_PICTURES: Final = HEADERS[CSP].replace(
    "img-src 'self' data:", "img-src 'self' data: https: http:"
)
LINKED_BY: Final = "Accept, Sec-Fetch-Site"  # what decides whether a question is asked at once
PAGE_REPLY: Final = {200: Reply(doc="A page.")}


def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals.update(
        asset=asset,
        bundle=bundle,
        icon=icon,
        version=__version__,
        entity_address=entity_address,
        page_address=page_address,
        source_address=source_address,
        outside=outside,
    )
    made.filters.update(wording.FILTERS)
    return made


_ENVIRONMENT: Final = _environment()


def rendered(template: str, page: object) -> bytes:
    """Render a template with a value, which it sees as `page`."""
    return _ENVIRONMENT.get_template(template).render(page=page).encode()


def page_answer(
    call: Call,
    template: str,
    page: object,
    *,
    status: int = 200,
    headers: dict[str, str] | None = None,
) -> Response:
    """The response with a rendered page; 304 if the request has its entity tag."""
    body = rendered(template, page)
    told = {"Vary": "Accept", **(headers or {})}
    if call.parts.service.pictures:
        told.setdefault(CSP, WITH_PICTURES)
    return tagged(call.request, body, HTML, status=status, headers=told)


def plain_page(title: str, body: Markup, *, status: int = 200) -> Response:
    """Render a page from a title and safe markup."""
    made = _ENVIRONMENT.get_template("plain.html").render(title=title, body=body)
    return Response(made, status, {"Vary": "Accept"}, HTML)
