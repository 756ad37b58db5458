from collections.abc import Iterator

import pytest
from tests.index.server.gate import Gate
from tests.index.server.oxigraph import Oxigraph


@pytest.fixture(scope="module")
def running_oxigraph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Oxigraph]:
    with Oxigraph(tmp_path_factory.mktemp("oxigraph")) as server:
        yield server


@pytest.fixture
def oxigraph(running_oxigraph: Oxigraph) -> Oxigraph:
    """A real server with nothing in it."""
    running_oxigraph.update("DROP ALL")
    return running_oxigraph


@pytest.fixture
def gate(oxigraph: Oxigraph) -> Iterator[Gate]:
    """A way to it that can be closed."""
    with Gate(oxigraph.url) as gate:
        yield gate
