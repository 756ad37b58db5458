"""A real crawl of the demo web with its log, and a service over it, asked as a browser would ask."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest
from tests.crawl.crawls import crawled, hurried, reaching
from tests.service.conftest import WORLD, ask
from tests.service.running import Client
from tests.web.reading import Page, read

from gossamer.config import KeptReport, Log
from gossamer.demo.process import DemoServer
from gossamer.folder.data import DataFolder
from gossamer.log import JsonLog

__all__ = ["ask", "crawl", "look"]

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
Look = Callable[..., Page]


@pytest.fixture(scope="session")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> DataFolder:
    """The data folder of a crawl of the demo web."""
    data = DataFolder(tmp_path_factory.mktemp("crawl") / "data")
    with DemoServer(WORLD) as demo:
        config = replace(reaching(hurried(), demo.address), report=KeptReport(keep=True))
        done = crawled(data.path, config, [WORLD.front(0)])
    with closing(JsonLog(data.log_folder, Log())) as log:
        for event in done.events:
            log(event)
    return data


@pytest.fixture(scope="session")
def look(ask: Client) -> Look:
    """Asks for a page; what comes back has to be well-formed and harmless."""

    def looked(path: str, *, status: int = 200, **query: Any) -> Page:
        answer = ask(path, headers={"Accept": BROWSER}, **query)
        assert answer.status == status, answer.body[:2000]
        assert answer.media_type == "text/html"
        return read(answer)

    return looked
