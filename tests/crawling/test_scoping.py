import asyncio
from contextlib import closing
from pathlib import Path

from gossamer.config import Config, Politeness, Scope
from gossamer.crawling.admission import Admission
from gossamer.crawling.clerk import Clerk
from gossamer.crawling.scoping import Scoping
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import Ended, NewUrl, Outlink, Settlement
from gossamer.frontier.sqlite import SqliteStore
from gossamer.model import Url
from gossamer.moments import now_utc
from gossamer.urls.scope import SeedScope

SEED, FAR = Url("http://a.test/"), Url("http://b.test/")


def caught_up(folder: Path, scope: Scope, *, later: tuple[Url, ...] = ()) -> list[int]:
    """How many URLs are taken up, now and after further seeds."""

    async def run(frontier: SqlFrontier) -> list[int]:
        with Clerk("test") as clerk:
            known = SeedScope(scope, frontier.seeds())
            scoping = Scoping(frontier, clerk, Admission(Config(), known), now_utc)
            found = [await scoping.catch_up()]
            for seed in later:
                known.add_seed(seed)
                found.append(await scoping.catch_up())
            return found

    with closing(SqliteStore(folder / "frontier.db")) as store:
        return asyncio.run(run(_with_a_link_outside(store)))


def _with_a_link_outside(store: SqliteStore) -> SqlFrontier:
    frontier = SqlFrontier(store, "test", Politeness())
    frontier.take_over()
    frontier.add([NewUrl(SEED, seed=True)])
    for lease in frontier.lease(1):
        page = lease.pages[0]
        outside = (Outlink(FAR),)
        frontier.settle([Settlement(page=page, ended=Ended.CONTENT, outside=outside)], {})
    return frontier


def test_a_first_run_has_nothing_to_catch_up_with(tmp_path: Path) -> None:
    assert caught_up(tmp_path, Scope(kind="host")) == [0]


def test_a_wider_scope_is_caught_up_with_once(tmp_path: Path) -> None:
    caught_up(tmp_path, Scope(kind="host"))
    assert caught_up(tmp_path, Scope(kind="any")) == [1]
    assert caught_up(tmp_path, Scope(kind="any")) == [0]


def test_a_seed_found_on_the_way_widens_the_scope(tmp_path: Path) -> None:
    caught_up(tmp_path, Scope(kind="host"))
    assert caught_up(tmp_path, Scope(kind="host"), later=(SEED, FAR, FAR)) == [0, 0, 1, 0]
