from pathlib import Path

from gossamer.config import Config, Index
from gossamer.data import DataFolder
from gossamer.graph import graph_of, servers_of
from gossamer.index.client import GraphProcess
from gossamer.index.server.client import ServerGraph


def test_the_graph_is_in_the_folder_unless_a_server_is_named(tmp_path: Path) -> None:
    data = DataFolder(tmp_path)
    assert isinstance(graph_of(data, Config()), GraphProcess)
    elsewhere = Config(index=Index(url="http://localhost:7878/"))
    assert isinstance(graph_of(data, elsewhere), ServerGraph)


def test_whoever_crawls_keeps_off_all_addresses_of_the_server() -> None:
    index = Index(url="http://localhost:7878", update_url="http://Other.test:80/update")
    assert servers_of(Config(index=index)) == ["http://localhost:7878/", "http://other.test/update"]
    assert servers_of(Config()) == []
