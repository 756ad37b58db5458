"""Pages in the graph of a node that another node settles: noted before, and dropped then, also after a kill."""

import asyncio
import errno
import os
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.crawl.cases import assignment
from tests.crawl.crawls import PATIENCE, hurried, reaching
from tests.crawl.sites import Sent, served
from tests.frontier.steps import ended

from gossamer.crawl import unsettled
from gossamer.crawl.build import open_crawl
from gossamer.crawl.handle import CrawlHandle
from gossamer.crawl.unsettled import UnsettledPages
from gossamer.errors import DataFolderError, StorageFullError
from gossamer.folder.data import DataFolder
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.postgres import PostgresStore
from gossamer.frontier.protocol import Assignment, Ended
from gossamer.frontier.store import Transaction
from gossamer.index.graph.pages import PageGraphs, PageRefused
from gossamer.index.graph.query import GraphExport
from gossamer.model import Url

SEED = Url("http://a.test/")
SAYS = '<script type="application/ld+json">{"@id": "", "urn:test:says": "x"}</script><a href="/2">2</a>'
GRAPH = b"<http://a.test/>"


def page(number: int, token: int, digest: bytes | None = None) -> Assignment:
    return assignment(digest=digest)._replace(id=number, token=token)


def test_what_a_killed_run_noted_is_left_over(tmp_path: Path) -> None:
    path = tmp_path / "unsettled"
    first = UnsettledPages(path)
    first.note([page(1, 7), page(2, 7), page(3, 8, digest=b"content"), page(4, 8)])
    first.settle([page(2, 7), page(4, 8)], refused=[page(4, 8)])
    assert first.left_over == {4: 8}
    first.close()
    with closing(UnsettledPages(path)) as second:  # what is settled may be left over, and is ours
        assert second.left_over == {1: 7, 2: 7, 4: 8}  # not the one that had content before
        second.note([page(1, 9)])  # it is ours again
        assert second.left_over == {2: 7, 4: 8}
        second.settle([page(1, 9)], refused=())
        second.strike([2])
        assert path.stat().st_size > 0
        second.strike([4])
        assert path.stat().st_size == 0
    with closing(UnsettledPages(path)) as third:
        assert third.left_over == {}


def test_a_page_that_is_ours_again_is_never_taken_for_that_of_the_older_claim(
    tmp_path: Path,
) -> None:
    path = tmp_path / "unsettled"
    with closing(UnsettledPages(path)) as first:
        first.note([page(1, 7)])
        first.settle([page(1, 7)], refused=[page(1, 7)])
        first.note([page(1, 9, digest=b"of another node")])
        assert first.left_over == {}
        first.settle([page(1, 9)], refused=[page(1, 9)])
        assert first.left_over == {}
        first.note([page(1, 10)])
    with closing(UnsettledPages(path)) as second:
        assert second.left_over == {1: 10}


@given(st.integers(min_value=0, max_value=60))
def test_half_a_record_is_no_record(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    path = tmp_path_factory.mktemp("node") / "unsettled"
    with closing(UnsettledPages(path)) as first:
        first.note([page(12, 34), page(56, 78)])
    path.write_bytes(path.read_bytes()[:cut])
    with closing(UnsettledPages(path)) as second:
        assert second.left_over.items() <= {12: 34, 56: 78}.items()
        second.note([page(90, 12)])
    with closing(UnsettledPages(path)) as third:
        assert third.left_over.items() <= {12: 34, 56: 78, 90: 12}.items()
        assert third.left_over[90] == 12


def test_the_file_stays_small_while_there_is_always_something_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unsettled, "MOST_BYTES", 200)
    path = tmp_path / "unsettled"
    with closing(UnsettledPages(path)) as pages:
        for number in range(100):
            pages.note([page(number, number)])
            pages.settle([page(number - 1, number - 1)], refused=())
        assert path.stat().st_size < 300
    with closing(UnsettledPages(path)) as again:
        assert again.left_over[99] == 99


def test_a_file_that_cannot_be_opened_or_written_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(DataFolderError, match="cannot be opened"):
        UnsettledPages(tmp_path / "folder")
    full = Path("/dev/full")
    if not full.exists():
        return
    with closing(UnsettledPages(tmp_path / "unsettled")) as pages:
        pages._file.close()
        pages._file = full.open("ab", buffering=0)
        with pytest.raises(StorageFullError, match=os.strerror(errno.ENOSPC)):
            pages.note([page(1, 1)])


class OvertakenGraph:
    """A graph that stands still after the first batch, until another node has settled its pages."""

    def __init__(self, running: CrawlHandle, overtake: Callable[[], None]) -> None:
        self._running = running
        self._overtake: Callable[[], None] | None = overtake
        self.batches: list[list[tuple[str, bool]]] = []

    async def keep(self, pages: Sequence[PageGraphs]) -> tuple[PageRefused, ...]:
        """Keep pages."""
        self.batches.append([(each.url, each.drop) for each in pages])
        kept = await self._running.graph.keep(pages)
        if (overtake := self._overtake) is not None:
            self._overtake = None
            overtake()
        return kept


def end_claims(txn: Transaction) -> None:
    txn.rows("UPDATE claims SET until = 0 RETURNING token")
    txn.rows("UPDATE hosts SET lease_until = 0, next_at = 0 RETURNING id")


@pytest.mark.parametrize("how", [Ended.CONTENT, Ended.FAILED])
def test_a_page_that_another_node_settled_meanwhile_is_in_its_graph_alone(
    tmp_path: Path, database: str, how: Ended
) -> None:
    async def run() -> tuple[list[list[tuple[str, bool]]], bytes]:
        async with served({SEED: Sent(SAYS)}) as site, asyncio.timeout(PATIENCE):
            config, data = reaching(hurried(), site.address), DataFolder(tmp_path)
            with (
                closing(PostgresStore(database)) as store,
                closing(PostgresStore(database)) as others,
                data.owned(),
            ):
                frontier = SqlFrontier(store, "one", config.politeness)
                other = SqlFrontier(others, "other", config.politeness)

                def overtake() -> None:
                    store.transact(end_claims)
                    (lease,) = other.lease(1)
                    (page,) = lease.pages
                    other.settle([ended(page, how, digest=b"theirs")], {})
                    other.release({lease.token: lease.clock})

                async with open_crawl(data, config, frontier, [SEED], lambda _: None) as running:
                    graph = OvertakenGraph(running, overtake)
                    running.crawl.batches.graph = graph
                    await running.crawl.run()
                    said = await running.graph.export(GraphExport("nquads")).read()
                    return graph.batches, said

    batches, said = asyncio.run(run())
    assert batches == [[(SEED, False)], [(SEED, True)]]
    assert GRAPH not in said
    assert (tmp_path / "unsettled").stat().st_size == 0
