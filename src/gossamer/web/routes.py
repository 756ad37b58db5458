"""The table of pages: one more way in, beside those for programs."""

from collections.abc import Sequence
from typing import Final

from gossamer.service.routes import Route
from gossamer.web import assets
from gossamer.web.pages import entity, login, query, search

PAGES: Final[Sequence[Route]] = (
    *search.ROUTES,
    *entity.ROUTES,
    *query.ROUTES,
    *login.ROUTES,
    *assets.ROUTES,
)
