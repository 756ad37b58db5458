"""What tests of the service share: a real crawl of the demo web, and a service over it."""

from collections.abc import Iterator

import pytest
from tests.crawl.crawls import crawled, hurried, reaching
from tests.service.running import TOKEN, Client, service_on

from gossamer.config import Service
from gossamer.demo.process import DemoServer
from gossamer.demo.world import World
from gossamer.folder.data import DataFolder

WORLD = World(seed=3, pages=40, hosts=4)


@pytest.fixture(scope="session")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> DataFolder:
    """The data folder of a crawl of the demo web."""
    folder = tmp_path_factory.mktemp("crawl") / "data"
    with DemoServer(WORLD) as demo:
        crawled(folder, reaching(hurried(), demo.address), [WORLD.front(0)])
    return DataFolder(folder)


@pytest.fixture(scope="session")
def ask(crawl: DataFolder) -> Iterator[Client]:
    """A client of a service over that crawl."""
    with service_on(crawl, Service(token=TOKEN)) as client:
        yield client
