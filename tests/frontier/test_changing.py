from collections.abc import Callable
from datetime import timedelta

import pytest

from gossamer.frontier import changing
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import Ended, Forgotten, HostStage, Limits, NewUrl, PageState
from gossamer.model import Url
from gossamer.politeness.robots.record import Meaning, RobotsRecord

from .steps import (
    HURRIED,
    counted,
    crawl,
    ended,
    fetched,
    handed,
    links,
    only,
    real_counts,
    seeds,
    settle,
    tables,
    url,
    urls_of,
)
from .worlds import START, World

DAY = timedelta(days=1)
CHAIN = {url(str(n)): [url(str(n + 1))] for n in range(9)}


def known(frontier: SqlFrontier, address: Url) -> PageState:
    page = frontier.page(address)
    assert page is not None
    return page


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Changes of many pages take several transactions: here of two pages each."""
    monkeypatch.setattr(changing, "AT_ONCE", 2)


# Limits


def test_a_larger_depth_goes_on_from_what_is_known(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED, limits=Limits(depth=2))
    frontier.add(seeds(url("0")))
    assert urls_of(crawl(frontier, CHAIN)) == [url("0"), url("1"), url("2")]
    frontier.limit(Limits(depth=4))
    assert urls_of(crawl(frontier, CHAIN)) == [url("3"), url("4")]
    frontier.limit(Limits())
    assert urls_of(crawl(frontier, CHAIN)) == [url(str(n)) for n in range(5, 10)]
    assert counted(frontier) == real_counts(world)


def test_a_smaller_depth_leaves_out_what_is_pending(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add([NewUrl(url(str(n), f"h{n % 3}.test"), depth=n) for n in range(9)])
    frontier.limit(Limits(depth=3))
    assert frontier.counts().beyond == 5
    assert sorted(page.depth for page in handed(frontier)) == [0, 1, 2, 3]
    frontier.limit(Limits(depth=6))
    assert frontier.counts().beyond == 2
    assert counted(frontier) == real_counts(world)


@pytest.mark.parametrize("reopened", [False, True])
def test_a_limit_set_later_counts_the_shortest_way_that_was_found_without_one(
    world: World, reopened: bool
) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.limit(Limits())
    frontier.add(seeds(url("0")))
    leads = {**CHAIN, url("4"): [url("5"), url("x")]}  # of which the last is at depth 5
    for _ in range(5):
        lease = only(frontier)
        settle(frontier, *(ended(page, Ended.CONTENT, *leads[page.url]) for page in lease.pages))
        frontier.release({lease.token: lease.clock})
    frontier.add(seeds(url("2")))
    assert known(frontier, url("x")).depth == 5, "nothing depends on it yet"
    limits = Limits(depth=3)
    if reopened:
        frontier = world.frontier(politeness=HURRIED, limits=limits)
    frontier.limit(limits)
    assert [known(frontier, url(each)).depth for each in "0234x"] == [0, 0, 1, 2, 3]
    assert sorted(urls_of(crawl(frontier, leads))) == sorted([url("5"), url("x")])
    assert counted(frontier) == real_counts(world)


@pytest.mark.parametrize("how", ["lapses", "retry", "again", "aside", "taken over"])
def test_what_comes_back_under_a_smaller_depth_is_beyond_it(world: World, how: str) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add([NewUrl(url("1"), depth=3)])
    lease = only(frontier)
    (page,) = lease.pages
    if how not in ("lapses", "taken over"):
        kinds = {"retry": Ended.RETRY, "again": Ended.CONTENT, "aside": Ended.ASIDE}
        settle(frontier, ended(page, kinds[how]))
        frontier.release({lease.token: lease.clock})
    frontier.limit(Limits(depth=2))
    world.later(200)
    if how == "again":
        assert frontier.again(world.clock.now) == 0  # for it is not asked for
    if how == "aside":
        frontier.reconsider(lambda _: True)
    if how == "taken over":
        frontier.take_over()
    assert handed(frontier) == []
    assert known(frontier, url("1")).state == "beyond"
    assert counted(frontier) == real_counts(world)
    frontier.limit(Limits(depth=3))
    assert urls_of(handed(frontier)) == [url("1")]


# Scope


def test_a_wider_scope_takes_up_links_that_were_out_of_it(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add(seeds(url("1"), url("2")))
    one, two = only(frontier).pages
    outside = links(url("x", "b.test"), url("y", "c.test"))
    settle(frontier, ended(one, outside=outside), ended(two, outside=outside[:1]))
    assert frontier.reconsider(lambda _: False) == 0
    assert frontier.reconsider(lambda each: "b.test" in each) == 1
    assert urls_of(handed(frontier)) == [url("x", "b.test")]
    assert known(frontier, url("x", "b.test")).depth == 1
    assert frontier.reconsider(lambda each: "b.test" in each) == 0
    assert frontier.reconsider(lambda _: True) == 1
    assert urls_of(handed(frontier)) == [url("y", "c.test")]
    assert counted(frontier) == real_counts(world)


def test_a_wider_scope_takes_up_pages_that_were_put_aside(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add([NewUrl(url(str(n))) for n in range(5)])
    lease = only(frontier)
    settle(frontier, *(ended(page, Ended.ASIDE) for page in lease.pages))
    frontier.release({lease.token: lease.clock})
    assert frontier.counts().aside == 5
    assert frontier.reconsider(lambda each: each != url("3")) == 4
    assert frontier.counts().aside == 1
    assert urls_of(handed(frontier)) == [url(str(n)) for n in (0, 1, 2, 4)]
    assert counted(frontier) == real_counts(world)


def test_where_a_seed_redirected_out_of_scope_becomes_a_seed_in_a_wider_one(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add(seeds(url("")))
    away = links(url("", "www.a.test"))
    settle(frontier, ended(only(frontier).pages[0], Ended.REDIRECTED)._replace(outside=away))
    frontier.reconsider(lambda _: True)
    (page,) = handed(frontier)
    assert (page.seed, page.hops, page.depth) == (True, 1, 0)


def test_a_wider_scope_keeps_to_the_depth_limit_and_a_larger_one_goes_on(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED, limits=Limits(depth=0))
    frontier.add(seeds(url("1")))
    lease = only(frontier)
    (page,) = lease.pages
    settle(frontier, ended(page, Ended.CONTENT, url("2"), outside=links(url("", "b.test"))))
    assert frontier.reconsider(lambda _: True) == 0
    assert handed(frontier) == []
    frontier.limit(Limits(depth=1))
    assert urls_of([*handed(frontier), *frontier.more(lease, 9)]) == [url("", "b.test"), url("2")]


def test_links_taken_up_pass_a_better_depth_on(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED, limits=Limits(depth=5))
    frontier.add([NewUrl(url("1"), depth=3)])
    lease = only(frontier)
    settle(frontier, ended(lease.pages[0], outside=links(url("2"))))
    frontier.reconsider(lambda _: True)
    assert known(frontier, url("2")).depth == 4
    frontier.add([NewUrl(url("1"), depth=1)])
    assert known(frontier, url("2")).depth == 2


# Again


def test_only_what_was_settled_before_is_fetched_again(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add([NewUrl(url(str(n))) for n in range(5)])
    lease = only(frontier)
    kinds = [Ended.CONTENT, Ended.FAILED, Ended.REFUSED, Ended.REDIRECTED]
    told = zip(lease.pages, kinds, strict=False)
    settle(frontier, *(ended(page, kind) for page, kind in told))
    world.later(3600)
    frontier.renew([lease.token])
    assert frontier.again(START) == 0
    assert frontier.again(world.clock.now) == 4
    counts = frontier.counts()
    assert (counts.pending, counts.handed) == (4, 1)
    assert dict(counts.ended) == dict.fromkeys(kinds, 1)  # until they end otherwise
    assert counted(frontier) == real_counts(world)
    assert [host.content for host in frontier.hosts()] == [1]


def test_a_page_fetched_again_begins_its_attempts_anew(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add(seeds(url("1")))
    lease = only(frontier)
    settle(frontier, ended(lease.pages[0], Ended.FAILED))
    assert known(frontier, url("1")).attempts == 1
    world.later(1)
    frontier.again(world.clock.now)
    assert known(frontier, url("1")).attempts == 0


def test_pages_of_a_host_that_were_refused_for_a_reason_are_taken_up(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add([NewUrl(url(str(n))) for n in range(7)] + [NewUrl(url("4", "b.test"))])
    for page in handed(frontier):
        why = "robots: closed" if page.url[-1] in "012" else "robots: closed for now, 1%"
        how = Ended.FAILED if page.url == url("6") else Ended.REFUSED
        settle(frontier, ended(page, how, why=why))
    assert frontier.reopen("a.test", "robots: closed for now") == 3
    assert known(frontier, url("4", "b.test")).state == "settled"
    frontier.take_over()
    assert sorted(urls_of(handed(frontier))) == [url("3"), url("4"), url("5")]
    assert counted(frontier) == real_counts(world)


def test_what_is_settled_later_than_that_is_left(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    for n in range(3):
        frontier.add(seeds(url(str(n), f"h{n}.test")))
        settle(frontier, *map(ended, handed(frontier)))
        world.later(86_400)
    assert frontier.again(world.clock.now - 2 * DAY) == 1
    assert urls_of(handed(frontier)) == [url("0", "h0.test")]


# Forgetting


def robots(host: str) -> RobotsRecord:
    return RobotsRecord(
        origin=f"https://{host}",
        meaning=Meaning.NO_RULES,
        cause="404",
        answered_at=START,
        ask_at=START + DAY,
    )


def test_a_forgotten_host_leaves_its_clock_and_nothing_else(world: World) -> None:
    frontier = world.frontier(limits=Limits(depth=3))
    hosts = ("a.test", "b.test")
    frontier.add([NewUrl(url(str(n), host)) for n in range(5) for host in hosts])
    for host in hosts:
        frontier.robots.keep(robots(host))
    leases = {lease.host: lease for lease in frontier.lease(2, pages=3)}
    for lease in leases.values():
        page, failing, _ = lease.pages
        settle(
            frontier,
            ended(page, Ended.CONTENT, url("x", lease.host), archived=f"{lease.host} 0"),
            ended(failing, Ended.FAILED, outside=links(url("", "c.test"))),
        )
    clock = fetched(leases["a.test"].clock, world.clock.now)
    frontier.settle([], {leases["a.test"].token: clock})
    before = tables(world)
    gone = frontier.forget(host="a.test")
    assert {each.url for each in gone} == {url(path) for path in "01234x"}
    assert Forgotten(url("0"), "a.test 0") in gone
    after = tables(world)
    assert after["hosts"][0][:20] == before["hosts"][0][:20], "clock, lease and all stay"
    assert len(after["pages"]) == len(before["pages"]) / 2
    assert len(after["outlinks"]) == len(before["outlinks"]) / 2 == 2
    assert frontier.robots.of_host("a.test") == []
    assert len(frontier.robots.of_host("b.test")) == 1
    assert counted(frontier) == real_counts(world)
    assert [host.content for host in frontier.hosts()] == [0, 1]
    assert frontier.forget(host="a.test") == frontier.forget(host="nobody.test") == []


def test_held_pages_of_a_forgotten_host_cannot_be_settled(world: World) -> None:
    frontier = world.frontier()
    frontier.add(seeds(url("1"), url("2")))
    lease = only(frontier)
    frontier.forget(host="a.test")
    frontier.add(seeds(url("3"), url("4")))  # in the places of the others, if these are reused
    before = tables(world)
    assert settle(frontier, *(ended(page, Ended.CONTENT, url("x")) for page in lease.pages)).stale
    assert tables(world) == before
    world.later(130)
    assert urls_of(handed(frontier)) == [url("3"), url("4")]
    assert counted(frontier) == real_counts(world)


def test_what_was_forgotten_can_be_found_again(world: World) -> None:
    frontier = world.frontier()
    frontier.add(seeds(url("1"), url("2")))
    assert [each.url for each in frontier.forget(url=url("1"))] == [url("1")]
    assert frontier.page(url("1")) is None
    assert frontier.counts().known == 1
    assert frontier.add([NewUrl(url("1"))]) == 1
    assert frontier.page(url("1"))


def test_a_forgotten_page_takes_its_robots_rules_not_along(frontier: SqlFrontier) -> None:
    frontier.add(seeds(url("1")))
    frontier.robots.keep(robots("a.test"))
    frontier.forget(url=url("1"))
    assert frontier.robots.of_host("a.test")


def test_forgetting_needs_a_name(frontier: SqlFrontier) -> None:
    with pytest.raises(ValueError, match="name a host"):
        frontier.forget()


def test_a_host_that_was_full_and_forgotten_can_begin_anew(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED, limits=Limits(per_host=1))
    frontier.add(seeds(url("1"), url("2")))
    crawl(frontier, {})
    assert frontier.counts().hosts[HostStage.FULL] == 1
    frontier.forget(host="a.test")
    frontier.add(seeds(url("3")))
    assert urls_of(crawl(frontier, {})) == [url("3")]


@pytest.mark.parametrize(
    "change",
    [
        lambda frontier: frontier.again(START),
        lambda frontier: frontier.limit(Limits()),
        lambda frontier: frontier.reconsider(lambda _: True),
        lambda frontier: frontier.forget(host="b.test"),
        lambda frontier: frontier.take_over(),
    ],
)
def test_a_change_that_concerns_nothing_changes_nothing(
    world: World, change: Callable[[SqlFrontier], object]
) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add(seeds(url("1"), url("2")))
    crawl(frontier, {url("1"): [url("3")]})
    world.later(1)
    frontier.lease(1)
    world.later(130)
    frontier.lease(1)  # claims are gone
    before = tables(world)
    change(frontier)
    assert tables(world) == before


# Records of the archive


def test_pages_whose_records_moved_are_found_again(world: World) -> None:
    frontier = world.frontier()
    pages = [url(str(number)) for number in range(5)]
    frontier.add(seeds(*pages))
    for page in handed(frontier):
        file = "a.warc.gz" if page.url in pages[:3] else "ab.warc.gz"
        settle(frontier, ended(page, archived=f"{file}:{page.id}:9"))
    before = {page: known(frontier, page).archived for page in pages}
    first, second = before[pages[0]], before[pages[1]]
    assert first is not None
    assert second is not None
    assert frontier.move("a.warc.gz", {first: "b.warc.gz:1:9", second: "b.warc.gz:2:9"}) == 2
    after = {page: known(frontier, page).archived for page in pages}
    assert [after[page] for page in pages[:2]] == ["b.warc.gz:1:9", "b.warc.gz:2:9"]
    assert [after[page] for page in pages[2:]] == [before[page] for page in pages[2:]]
