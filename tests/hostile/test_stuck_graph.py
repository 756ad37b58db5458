"""A graph process that is stuck is ended by its owner, and the crawl goes on."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.crawl.sites import crawled_site

from gossamer.crawl import steady_graph as steady
from gossamer.errors import GraphError
from gossamer.index import opening as graphs
from gossamer.index.graph import client
from gossamer.index.graph.client import GraphProcess
from gossamer.index.graph.pages import PageGraphs
from gossamer.index.graph.process import program as real_program
from gossamer.processes.process import Program

STUCK_SECONDS = 0.3  # of CPU for one request: what is honest here takes a tenth of it at most

# Run in the graph process instead of what writes pages: some words keep it busy for good.
STUCK_MODULE = """
from collections import deque
from itertools import repeat
from gossamer.index.graph import process
from gossamer.index.graph.store import GraphStore

write = GraphStore.replace


def stuck(store, pages, changed=None):
    said = b"".join(page.nquads or b"" for page in pages)
    if b"native" in said:
        deque(repeat(None), maxlen=0)  # without end, and without a look at signals
    while b"loop" in said:
        pass
    return write(store, pages, changed)


def main(told, descriptor, owner):
    GraphStore.replace = stuck
    process.main(told, descriptor, owner)
"""


class ImpatientGraph(GraphProcess):
    """A graph process that is taken for stuck soon."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named, stuck_seconds=STUCK_SECONDS)


@pytest.fixture(autouse=True)
def stuck_graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Graph processes spin where a page says "native" or "loop"."""
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / "stuck_graph.py").write_text(STUCK_MODULE)

    def program(*given: Any, **named: Any) -> Program:
        made = real_program(*given, **named)
        return Program("stuck_graph:main", made.told, (*made.path, str(tmp_path / "modules")))

    monkeypatch.setattr(client, "writing", program)


def test_a_crawl_goes_on_when_a_page_keeps_the_graph_busy_for_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graphs, "GraphProcess", ImpatientGraph)
    monkeypatch.setattr(steady, "ATTEMPTS", 2)
    title = "<title>{}</title>".format
    pages = {
        "http://a.test/": title("before") + '<a href="/2">x</a><a href="/3">x</a>',
        "http://a.test/2": title("native"),
        "http://a.test/3": title("beside") + '<a href="/4">x</a>',
        "http://a.test/4": title("after"),
    }
    crawl, _ = crawled_site(tmp_path / "data", pages, ["http://a.test/"])
    assert all(word in crawl.nquads for word in (b'"before"', b'"beside"', b'"after"'))
    assert b'"native"' not in crawl.nquads
    assert {url: each.state for url, each in crawl.pages.items()} == dict.fromkeys(pages, "settled")


def test_a_process_that_is_stuck_in_a_loop_is_ended(tmp_path: Path) -> None:
    line = b'<http://a.test/> <http://b.test/p> "loop" <http://a.test/> .\n'

    async def run() -> None:
        async with GraphProcess(tmp_path / "graph", stuck_seconds=STUCK_SECONDS) as graph:
            with pytest.raises(GraphError, match="was stuck, and was ended"):
                await graph.replace([PageGraphs("http://a.test/", line, b"")])

    asyncio.run(run())
