"""The table of pages."""

from tests.service.running import Client

from gossamer.web.app import ROUTES
from gossamer.web.routes import PAGES


def test_pages_are_not_in_the_description_for_programs(ask: Client) -> None:
    described = ask("/openapi.json").json["paths"]
    assert not {page.path for page in PAGES} & set(described)


def test_no_page_changes_anything() -> None:
    assert all(page.is_page and not page.changes for page in PAGES)
    assert {page.path for page in PAGES if page.method != "GET"} == {"/login", "/logout"}
    assert all(page in ROUTES for page in PAGES)
