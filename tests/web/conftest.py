"""The same crawl and service as the tests of REST have, asked as a browser would ask."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.service.conftest import ask, crawl
from tests.service.running import Client
from tests.web.reading import Page, read

__all__ = ["ask", "crawl", "look"]

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
Look = Callable[..., Page]


@pytest.fixture(scope="session")
def look(ask: Client) -> Look:
    """Asks for a page; what comes back has to be well-formed and harmless."""

    def looked(path: str, *, status: int = 200, **query: Any) -> Page:
        answer = ask(path, headers={"Accept": BROWSER}, **query)
        assert answer.status == status, answer.body[:2000]
        assert answer.media_type == "text/html"
        return read(answer)

    return looked
