from datetime import timedelta
from pathlib import Path

from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import Ended, Trouble, TroubledPage
from gossamer.frontier.schema import TROUBLED
from gossamer.frontier.sqlite import SqliteStore
from gossamer.frontier.troubles import cause_in

from .steps import HURRIED, ended, handed, seeds, settle, url
from .worlds import START, World


def unlucky(world: World) -> SqlFrontier:
    """One page of each kind, a second apart, and one that went well."""
    frontier = world.frontier(politeness=HURRIED)
    frontier.add(seeds(*(url(name) for name in "frpwo"), url("f", "b.test")))
    pages = {f"{page.host[0]}{page.url[-1]}": page for page in handed(frontier)}
    status = {"status": 500, "why": "status-500: The server answered 500."}
    soon = START + timedelta(hours=1)
    for settlement in (
        ended(pages["ao"], quads=3),
        ended(pages["af"], Ended.FAILED, **status),
        ended(pages["ar"], Ended.REFUSED, why="robots: Line 3 forbids it."),
        ended(pages["ap"], problems=2),
        ended(pages["aw"], Ended.RETRY, why="timeout: It took too long.", retry_at=soon),
        ended(pages["bf"], Ended.FAILED, why="status-404: The server answered 404.", status=404),
    ):
        world.later(1)
        settle(frontier, settlement)
    return frontier


def test_all_that_did_not_go_well_is_told_the_latest_first(world: World) -> None:
    frontier = unlucky(world)
    found = frontier.troubled()
    assert [(page.url, page.kind) for page in found] == [
        (url("f", "b.test"), Trouble.FAILED),
        (url("p"), Trouble.PROBLEMS),
        (url("r"), Trouble.REFUSED),
        (url("f"), Trouble.FAILED),
        (url("w"), Trouble.RETRY),
    ]
    assert (found[1].problems, found[1].why) == (2, None)
    assert (found[3].status, found[3].attempts) == (500, 1)
    assert found[0].settled_at is not None
    assert found[4].why == "timeout: It took too long."


def test_it_can_be_narrowed_to_a_kind_a_host_and_a_number(world: World) -> None:
    frontier = unlucky(world)
    failed = frontier.troubled(kinds=[Trouble.FAILED])
    assert [page.url for page in failed] == [url("f", "b.test"), url("f")]
    assert [page.url for page in frontier.troubled(host="b.test")] == [url("f", "b.test")]
    assert len(frontier.troubled(limit=2)) == 2
    assert frontier.troubled(host="unknown.test") == []


def test_the_list_goes_on_after_a_place_and_misses_none(world: World) -> None:
    frontier = unlucky(world)
    all_pages = frontier.troubled()
    found, after = list[TroubledPage](), None
    for _ in all_pages:
        (page,) = frontier.troubled(limit=1, after=after)
        after = page.place
        found.append(page)
    assert found == all_pages
    assert frontier.troubled(after=after) == []
    assert frontier.troubled(host="b.test", after=all_pages[0].place) == []


def test_failures_and_refusals_are_counted_by_cause(world: World) -> None:
    causes = unlucky(world).causes()
    assert causes[Ended.FAILED] == {"status-500": 1, "status-404": 1}
    assert causes[Ended.REFUSED] == {"robots": 1}


def test_a_page_without_a_reason_has_an_unknown_cause() -> None:
    assert (cause_in(None), cause_in("robots: Line 3.")) == ("unknown", "robots")


def test_the_list_is_read_from_an_index(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "frontier.db")
    sql = f"EXPLAIN QUERY PLAN SELECT url FROM pages WHERE {TROUBLED} AND ended = 'failed' "
    plan = store.read(lambda txn: txn.rows(sql + "ORDER BY settled_at DESC, id DESC LIMIT 5"))
    store.close()
    assert [row[-1] for row in plan] == ["SCAN pages USING INDEX pages_troubled"]


def test_problems_are_summed_over_all_pages(world: World) -> None:
    assert unlucky(world).problems() == 2
