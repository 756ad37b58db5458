"""What is completed from a folder: asked as the shell asks."""

import asyncio
from pathlib import Path

import pyoxigraph as ox
import pytest
from tests.owner.small_crawl import made

from .conftest import Gossamer

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"


def offered(gossamer: Gossamer, *words: str) -> list[str]:
    asked = {"COMP_WORDS": " ".join(("gossamer", *words)), "COMP_CWORD": str(len(words))}
    done = gossamer(_GOSSAMER_COMPLETE="bash_complete", **asked)
    assert done.stderr == ""
    return [line.partition(",")[2] for line in done.stdout.splitlines() if line]


def test_choices_keys_and_folders_complete(gossamer: Gossamer) -> None:
    assert offered(gossamer, "crawl", "--scope", "") == ["page", "host", "site", "any"]
    assert offered(gossamer, "crawl", "--only", "rdfa,json") == ["rdfa,jsonld", "rdfa,jsonfeed"]
    assert offered(gossamer, "crawl", "--config", "politeness.del") == [
        "politeness.delay=",
        "politeness.delays=",
    ]
    assert offered(gossamer, "config", "unset", "crawl.dep") == ["crawl.depth"]
    done = gossamer(
        _GOSSAMER_COMPLETE="bash_complete", COMP_WORDS="gossamer status --data my", COMP_CWORD="3"
    )
    assert done.stdout == "dir,my\n"


def test_hosts_and_types_are_those_of_the_folder(gossamer: Gossamer, tmp_path: Path) -> None:
    folder = tmp_path / "gossamer-data"
    asyncio.run(made(folder))
    hosts = offered(gossamer, "problems", "--host", "")
    assert hosts
    assert all(host.endswith(".test") for host in hosts)
    assert offered(gossamer, "forget", hosts[0][:3])[0].startswith(hosts[0][:3])
    assert "Person" in offered(gossamer, "search", "--type", "p")  # as on most sites
    store, page = ox.Store(str(folder / "graph" / "quads")), ox.NamedNode("http://a.test/good")
    a, kind = ox.NamedNode(f"{RDF}type"), ox.NamedNode("http://schema.org/Pamphlet")
    store.add(ox.Quad(page, a, kind, page))
    del store
    for command in (["search", "--type"], ["table"], ["export", "--type"], ["changes", "--type"]):
        assert offered(gossamer, *command, "p") == ["Pamphlet"]


@pytest.mark.parametrize("damage", [b"", b"no database"])
def test_where_nothing_can_be_had_nothing_is_offered(
    gossamer: Gossamer, tmp_path: Path, damage: bytes
) -> None:
    folder = tmp_path / "gossamer-data"
    assert offered(gossamer, "problems", "--host", "") == []
    assert not folder.exists()
    folder.mkdir()
    (folder / "frontier.db").write_bytes(damage)
    assert offered(gossamer, "problems", "--host", "") == []
    assert "Person" in offered(gossamer, "search", "--type", "Per")
