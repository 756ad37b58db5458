"""Whose pages an answer covers is said, where these are not those of all nodes."""

import json
from pathlib import Path

from tests.cli.conftest import Gossamer, here

from gossamer.config import Frontier
from gossamer.folder.data import DataFolder
from gossamer.nodes.store import NodeStore
from gossamer.settings.crawl_options import CrawlOptions, keep_options
from gossamer.settings.node import open_folder

__all__ = ["here"]  # a fixture


def node(path: Path, address: str, *others: str) -> None:
    """A node's folder, whose crawl has these other nodes."""
    with open_folder(DataFolder(path), Frontier(address=address), joining=True) as place:
        keep_options(place, CrawlOptions({"frontier.local_graph": True}))
        for each in (place.node.name, *others):
            NodeStore(place.store).join(each, "1.0")


def test_a_node_with_a_graph_of_its_own_says_so(
    database: str, tmp_path: Path, here: Gossamer
) -> None:
    data = tmp_path / "node"
    node(data, database)
    asked = ("query", "ASK { ?s ?p ?o }", "--data", str(data))
    assert "This covers" not in here(*asked).stderr  # it is the only one
    node(data, database, "second", "third")
    said = "This covers the pages of this node, 1 of 3"
    assert said in here(*asked).stderr
    assert said in here("export", "--data", str(data)).stderr
    assert said in here("search", "ada", "--data", str(data)).stderr
    found = json.loads(here("search", "ada", "--json", "--data", str(data)).stdout)
    assert found["covers"].startswith(said)


def test_a_folder_that_shares_nothing_says_nothing(tmp_path: Path, here: Gossamer) -> None:
    alone = ("query", "ASK { ?s ?p ?o }", "--data", str(tmp_path / "alone"))
    with open_folder(DataFolder(tmp_path / "alone"), Frontier(), joining=True):
        pass
    assert "This covers" not in here(*alone).stderr
