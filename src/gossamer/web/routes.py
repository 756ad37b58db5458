"""The table of web pages, beside the REST routes."""

from collections.abc import Sequence
from typing import Final

from gossamer.service.routes import Route
from gossamer.web import assets
from gossamer.web.pages import (
    archived,
    audit,
    changes,
    crawl,
    entity,
    explain,
    freshness,
    hosts,
    log,
    login,
    nodes,
    page,
    problems,
    proxy,
    query,
    report,
    search,
    settings,
    site_owner,
)

PAGES: Final[Sequence[Route]] = (
    *search.ROUTES,
    *entity.ROUTES,
    *query.ROUTES,
    *crawl.ROUTES,
    *hosts.ROUTES,
    *nodes.ROUTES,
    *log.ROUTES,
    *problems.ROUTES,
    *changes.ROUTES,
    *report.ROUTES,
    *freshness.ROUTES,
    *proxy.ROUTES,
    *audit.ROUTES,
    *settings.ROUTES,
    *explain.ROUTES,
    *page.ROUTES,
    *archived.ROUTES,
    *site_owner.ROUTES,
    *login.ROUTES,
    *assets.ROUTES,
)
