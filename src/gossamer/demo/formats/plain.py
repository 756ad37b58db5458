"""Plain HTML: a title, prose and links; only the page itself speaks."""

from gossamer.demo.content import PageSpec, Rendered
from gossamer.demo.formats.page import encoded, html, page_statements
from gossamer.demo.things import Thing
from gossamer.model import Syntax


def plain(spec: PageSpec, thing: Thing) -> Rendered:
    """The page without any markup for machines."""
    body, content_type = encoded(spec, thing, html(spec, thing))
    return Rendered(body, content_type, {Syntax.PAGE: page_statements(spec, thing)})
