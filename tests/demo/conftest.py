"""One well-behaved and one malicious world, each served by a process of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.demo.walker import Client

from gossamer.demo.process import DemoServer
from gossamer.demo.world import World

WORLD = World(seed=7, pages=500, hosts=26, crawl_delay=0.25)
MALICE = World(seed=3, pages=900, hosts=12, malice=True, slow_seconds=0.2)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoServer]:
    """The well-behaved world."""
    with DemoServer(WORLD, log=_log(tmp_path_factory)) as running:
        yield running


@pytest.fixture(scope="session")
def malice(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoServer]:
    """The malicious world."""
    with DemoServer(MALICE, log=_log(tmp_path_factory)) as running:
        yield running


@pytest.fixture
def client(server: DemoServer) -> Iterator[Client]:
    """A connection to the well-behaved world."""
    client = Client(server.address)
    yield client
    client.close()


@pytest.fixture
def malice_client(malice: DemoServer) -> Iterator[Client]:
    """A connection to the malicious world."""
    client = Client(malice.address)
    yield client
    client.close()


def _log(folders: pytest.TempPathFactory) -> Path:
    return folders.mktemp("demo") / "access.jsonl"
