import asyncio
from contextlib import closing
from pathlib import Path

import pytest
from tests.owner.small_crawl import made

from gossamer.config import Politeness
from gossamer.crawling.clerk import Clerk
from gossamer.data import DataFolder
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.sqlite import SqliteStore
from gossamer.index.client import GraphProcess
from gossamer.index.folder import GraphUnusableError
from gossamer.lost_graph import is_lost, refuse_lost


async def lost(data: DataFolder, graph_folder: Path) -> bool:
    with closing(SqliteStore(data.frontier_file)) as store, Clerk("test") as clerk:
        frontier = SqlFrontier(store, "one", Politeness())
        async with GraphProcess(graph_folder) as graph:
            found = await is_lost(graph, frontier, clerk)
            if found:
                with pytest.raises(GraphUnusableError, match="`gossamer rebuild` makes it anew"):
                    await refuse_lost(graph, frontier, clerk, graph_folder)
            else:
                await refuse_lost(graph, frontier, clerk, graph_folder)
    return found


def test_an_empty_graph_is_lost_only_where_pages_said_something(tmp_path: Path) -> None:
    async def run() -> None:
        data = await made(tmp_path / "crawl")
        assert not await lost(data, data.graph_folder)
        assert await lost(data, tmp_path / "another")
        fresh = DataFolder(tmp_path / "fresh")
        fresh.make()
        assert not await lost(fresh, fresh.graph_folder)

    asyncio.run(run())
