import asyncio
from contextlib import closing
from pathlib import Path

from gossamer.config import Config, Politeness, Scope
from gossamer.crawling.admission import Admission
from gossamer.crawling.clerk import Clerk
from gossamer.crawling.scoping import Scoping
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.postgres import PostgresStore
from gossamer.frontier.protocol import Ended, NewUrl, Settlement
from gossamer.frontier.sqlite import SqliteStore
from gossamer.model import Url
from gossamer.moments import now_utc
from gossamer.urls.scope import SeedScope

SEED, FAR, DEEP = (Url(f"http://{each}") for each in ("a.test/", "b.test/", "b.test/deep"))


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
    _settle_with_a_link_outside(frontier, FAR)
    return frontier


def _settle_with_a_link_outside(frontier: SqlFrontier, link: Url) -> None:
    for lease in frontier.lease(1):
        page = lease.pages[0]
        frontier.settle([Settlement(page=page, ended=Ended.CONTENT, outside=(link,))], {})


def test_a_first_run_has_nothing_to_catch_up_with(tmp_path: Path) -> None:
    assert caught_up(tmp_path, Scope(kind="host")) == [0]


def test_a_wider_scope_is_caught_up_with_once(tmp_path: Path) -> None:
    caught_up(tmp_path, Scope(kind="host"))
    assert caught_up(tmp_path, Scope(kind="any")) == [1]
    assert caught_up(tmp_path, Scope(kind="any")) == [0]


def test_a_seed_found_on_the_way_widens_the_scope(tmp_path: Path) -> None:
    caught_up(tmp_path, Scope(kind="host"))
    assert caught_up(tmp_path, Scope(kind="host"), later=(SEED, FAR, FAR)) == [0, 0, 1, 0]


def test_what_another_node_found_to_be_a_seed_widens_the_scope_of_all(database: str) -> None:
    async def run(mine: SqlFrontier, theirs: SqlFrontier) -> list[int]:
        with Clerk("test") as clerk, Clerk("other") as other:
            one, two = (
                Scoping(frontier, thread, Admission(Config(), SeedScope(Scope(), [SEED])), now_utc)
                for frontier, thread in ((mine, clerk), (theirs, other))
            )
            found = [await one.catch_up(), await two.catch_up()]
            theirs.add([NewUrl(FAR, seed=True)])
            # They are in step before we have settled what we judged by the narrower scope.
            found += [await two.catch_up()]
            _settle_with_a_link_outside(mine, DEEP)
            found += [await one.catch_up(), await one.catch_up(), await two.catch_up()]
            assert one.admission.scope.admits(FAR) is None
            return found

    with closing(PostgresStore(database)) as store, closing(PostgresStore(database)) as other:
        mine, theirs = (
            SqlFrontier(each, name, Politeness()) for each, name in ((store, "me"), (other, "they"))
        )
        mine.add([NewUrl(SEED, seed=True)])
        assert asyncio.run(run(mine, theirs)) == [0, 0, 0, 1, 0, 0]
        assert mine.page(DEEP) is not None


def test_what_another_node_found_is_heard_of_without_asking_for_all_seeds_each_time(
    database: str,
) -> None:
    with closing(PostgresStore(database)) as store:
        frontier = SqlFrontier(store, "me", Politeness())
        assert frontier.more_seeds(0) == []
        frontier.add([NewUrl(SEED, seed=True), NewUrl(DEEP)])
        assert frontier.more_seeds(0) == [SEED]
        assert frontier.more_seeds(1) == []
