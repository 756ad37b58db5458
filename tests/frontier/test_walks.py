from collections.abc import Callable
from datetime import timedelta

import pytest

from gossamer.frontier import walks
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
COPY = "a.warc.gz:0"


def known(frontier: SqlFrontier, address: Url) -> PageState:
    page = frontier.page(address)
    assert page is not None
    return page


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Changes of many pages take several transactions: here of two pages each."""
    monkeypatch.setattr(walks, "AT_ONCE", 2)


# Limits


def test_a_larger_depth_goes_on_from_what_is_known(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED, limits=Limits(depth=2))
    frontier.add(seeds(url("0")))
    assert urls_of(crawl(frontier, CHAIN)) == [url("0"), url("1"), url("2")]
    frontier.set_limits(Limits(depth=4))
    assert urls_of(crawl(frontier, CHAIN)) == [url("3"), url("4")]
    frontier.set_limits(Limits())
    assert urls_of(crawl(frontier, CHAIN)) == [url(str(n)) for n in range(5, 10)]
    assert counted(frontier) == real_counts(world)


def test_a_smaller_depth_leaves_out_what_is_pending(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add([NewUrl(url(str(n), f"h{n % 3}.test"), depth=n) for n in range(9)])
    frontier.set_limits(Limits(depth=3))
    assert frontier.counts().beyond == 5
    assert sorted(page.depth for page in handed(frontier)) == [0, 1, 2, 3]
    frontier.set_limits(Limits(depth=6))
    assert frontier.counts().beyond == 2
    assert counted(frontier) == real_counts(world)


@pytest.mark.parametrize("reopened", [False, True])
def test_a_limit_set_later_counts_the_shortest_way_that_was_found_without_one(
    world: World, reopened: bool
) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.set_limits(Limits())
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
    frontier.set_limits(limits)
    assert [known(frontier, url(each)).depth for each in "0234x"] == [0, 0, 1, 2, 3]
    assert sorted(urls_of(crawl(frontier, leads))) == sorted([url("5"), url("x")])
    assert counted(frontier) == real_counts(world)


@pytest.mark.parametrize("how", ["lapses", "retry", "refused", "aside", "taken over"])
def test_what_comes_back_under_a_smaller_depth_is_beyond_it(world: World, how: str) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add([NewUrl(url("1"), depth=3)])
    lease = only(frontier)
    (page,) = lease.pages
    if how not in ("lapses", "taken over"):
        kinds = {"retry": Ended.RETRY, "refused": Ended.REFUSED, "aside": Ended.ASIDE}
        settle(frontier, ended(page, kinds[how]))
        frontier.release({lease.token: lease.clock})
    frontier.set_limits(Limits(depth=2))
    world.later(200)
    if how == "refused":
        assert frontier.refetch(world.clock.now) == 0  # for it is not asked for
    if how == "aside":
        frontier.readmit(lambda _: True)
    if how == "taken over":
        frontier.take_over()
    assert handed(frontier) == []
    assert known(frontier, url("1")).state == "beyond"
    assert counted(frontier) == real_counts(world)
    frontier.set_limits(Limits(depth=3))
    assert urls_of(handed(frontier)) == [url("1")]


@pytest.mark.parametrize("how", [Ended.CONTENT, Ended.FAILED, Ended.REDIRECTED, Ended.SKIPPED])
def test_a_page_that_was_asked_for_is_asked_for_again_whatever_the_depth(
    world: World, how: Ended
) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add([NewUrl(url("1"), depth=3)])
    lease = only(frontier)
    settle(frontier, ended(lease.pages[0], how))
    frontier.release({lease.token: lease.clock})
    frontier.set_limits(Limits(depth=2))
    world.later(200)
    assert frontier.refetch(world.clock.now, within_depth=True) == 0
    assert known(frontier, url("1")).state == "settled"
    assert frontier.refetch(world.clock.now) == 1
    for _ in range(2):  # it stays so when whoever had it dies, and when limits change
        assert urls_of(handed(frontier)) == [url("1")]
        frontier.take_over()
        frontier.set_limits(Limits(depth=1))
        world.later(200)
    (page,) = handed(frontier)
    settle(frontier, ended(page, Ended.CONTENT, url("2")))
    assert frontier.page(url("2")) is None  # new pages keep to the limit
    assert handed(frontier) == []
    assert counted(frontier) == real_counts(world)


def test_a_page_that_was_had_and_then_refused_is_asked_for_again_too(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add([NewUrl(url("1"), depth=3)])
    for how in (Ended.CONTENT, Ended.REFUSED):
        (page,) = handed(frontier)
        settle(frontier, ended(page, how, digest=b"1"))
        frontier.set_limits(Limits(depth=2))
        world.later(200)
        assert frontier.refetch(world.clock.now) == 1
    assert counted(frontier) == real_counts(world)


# Scope


def test_a_wider_scope_takes_up_links_that_were_out_of_it(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add(seeds(url("1"), url("2")))
    one, two = only(frontier).pages
    outside = links(url("x", "b.test"), url("y", "c.test"))
    settle(frontier, ended(one, outside=outside), ended(two, outside=outside[:1]))
    assert frontier.readmit(lambda _: False) == 0
    assert frontier.readmit(lambda each: "b.test" in each) == 1
    assert urls_of(handed(frontier)) == [url("x", "b.test")]
    assert known(frontier, url("x", "b.test")).depth == 1
    assert frontier.readmit(lambda each: "b.test" in each) == 0
    assert frontier.readmit(lambda _: True) == 1
    assert urls_of(handed(frontier)) == [url("y", "c.test")]
    assert counted(frontier) == real_counts(world)


def test_a_wider_scope_takes_up_pages_that_were_put_aside(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add([NewUrl(url(str(n))) for n in range(5)])
    lease = only(frontier)
    settle(frontier, *(ended(page, Ended.ASIDE) for page in lease.pages))
    frontier.release({lease.token: lease.clock})
    assert frontier.counts().aside == 5
    assert frontier.readmit(lambda each: each != url("3")) == 4
    assert frontier.counts().aside == 1
    assert urls_of(handed(frontier)) == [url(str(n)) for n in (0, 1, 2, 4)]
    assert counted(frontier) == real_counts(world)


def test_where_a_seed_redirected_out_of_scope_becomes_a_seed_in_a_wider_one(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add(seeds(url("")))
    away = links(url("", "www.a.test"))
    settle(frontier, ended(only(frontier).pages[0], Ended.REDIRECTED)._replace(outside=away))
    frontier.readmit(lambda _: True)
    (page,) = handed(frontier)
    assert (page.seed, page.hops, page.depth) == (True, 1, 0)


def test_a_wider_scope_keeps_to_the_depth_limit_and_a_larger_one_goes_on(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED, limits=Limits(depth=0))
    frontier.add(seeds(url("1")))
    lease = only(frontier)
    (page,) = lease.pages
    settle(frontier, ended(page, Ended.CONTENT, url("2"), outside=links(url("", "b.test"))))
    assert frontier.readmit(lambda _: True) == 0
    assert handed(frontier) == []
    frontier.set_limits(Limits(depth=1))
    assert urls_of([*handed(frontier), *frontier.more(lease, 9)]) == [url("", "b.test"), url("2")]


def test_links_taken_up_pass_a_better_depth_on(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED, limits=Limits(depth=5))
    frontier.add([NewUrl(url("1"), depth=3)])
    lease = only(frontier)
    settle(frontier, ended(lease.pages[0], outside=links(url("2"))))
    frontier.readmit(lambda _: True)
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
    assert frontier.refetch(START) == 0
    assert frontier.refetch(world.clock.now) == 4
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
    frontier.refetch(world.clock.now)
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
    assert frontier.refetch(world.clock.now - 2 * DAY) == 1
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
        lambda frontier: frontier.refetch(START),
        lambda frontier: frontier.set_limits(Limits()),
        lambda frontier: frontier.readmit(lambda _: True),
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


def told(world: World) -> SqlFrontier:
    """A page with a copy, one without, and one that said nothing; all with an ETag."""
    frontier = world.frontier(politeness=HURRIED)
    frontier.add(seeds(*(url(name) for name in "cws")))
    pages = {page.url[-1]: page for page in handed(frontier)}
    settle(
        frontier,
        ended(pages["c"], quads=3, etag='"c"', digest=b"c", archived=COPY),
        ended(pages["w"], quads=2, etag='"w"', digest=b"w"),
        ended(pages["s"], etag='"s"', digest=b"s"),
    )
    return frontier


def page(frontier: SqlFrontier, name: str) -> PageState:
    found = frontier.page(url(name))
    assert found is not None
    return found


def test_it_is_known_whether_any_page_said_something(world: World) -> None:
    assert not world.frontier("two").says_something()
    assert told(world).says_something()


def test_what_only_the_graph_kept_is_asked_for_as_for_the_first_time(world: World) -> None:
    frontier = told(world)
    assert frontier.lose_unarchived() == 1
    assert (page(frontier, "w").quads, page(frontier, "w").etag) == (0, None)
    assert (page(frontier, "c").quads, page(frontier, "c").etag) == (3, '"c"')
    assert page(frontier, "s").etag == '"s"'
    assert frontier.lose_unarchived() == 0


@pytest.mark.parametrize("how", [Ended.FAILED, Ended.REFUSED])
def test_a_page_that_kept_what_it_said_is_in_no_other_case(world: World, how: Ended) -> None:
    frontier = told(world)
    world.later(60)
    frontier.refetch(world.clock.now)
    world.later(70)
    settle(
        frontier,
        *(ended(each, how, etag=each.etag, keep_content=True) for each in handed(frontier)),
    )
    assert [each.url for each in frontier.archived(0, 10)] == [url("c")]
    assert frontier.lose_unarchived() == 1
    assert (page(frontier, "w").quads, page(frontier, "c").quads) == (0, 3)


def test_the_copy_of_a_failure_or_a_redirect_is_none_of_content(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add(seeds(url("1"), url("2")))
    one, two = handed(frontier)
    settle(
        frontier,
        ended(one, Ended.FAILED, status=404, archived=COPY),
        ended(two, Ended.REDIRECTED, url("3"), status=301, archived=COPY),
    )
    assert frontier.archived(0, 10) == []


def test_a_copy_that_cannot_be_read_is_none(world: World) -> None:
    frontier = told(world)
    (archived,) = frontier.archived(0, 10)
    frontier.drop_unreadable([archived.id])
    assert (page(frontier, "c").quads, page(frontier, "c").etag) == (0, None)
    frontier.drop_unreadable([])
    assert page(frontier, "w").quads == 2
