from datetime import timedelta
from pathlib import Path

from gossamer.config import Politeness
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.hosts import StoredHosts
from gossamer.frontier.overview import cause_in
from gossamer.frontier.protocol import (
    Counts,
    Ended,
    HostStage,
    Limits,
    NewUrl,
    Trouble,
    TroubledPage,
)
from gossamer.frontier.schema import TROUBLED
from gossamer.frontier.sqlite import SqliteStore
from gossamer.model import Url
from gossamer.politeness.clock import HostClock
from gossamer.politeness.delay import Delay, pace_for
from gossamer.politeness.evidence import HostEvidence
from gossamer.politeness.ledger import HostLedger
from gossamer.politeness.outcome import Pause

from .steps import (
    HURRIED,
    counted,
    ended,
    fetched,
    handed,
    only,
    real_counts,
    seeds,
    settle,
    url,
)
from .worlds import START, World

HOUR = timedelta(hours=1)


def zoo(world: World) -> SqlFrontier:
    """A frontier with a host in every stage."""
    politeness = Politeness(delays={"own.test": HOUR})
    frontier = world.frontier("one", politeness, limits=Limits(per_host=1))
    names = ("full", "waiting", "parked", "own", "idle", "leased")
    frontier.add([NewUrl(url(path, f"{name}.test")) for name in names for path in "12"])
    frontier.forget(url=url("2", "idle.test"))
    leases = {lease.host.partition(".")[0]: lease for lease in frontier.lease(9, pages=1)}
    del leases["leased"]
    for name, lease in leases.items():
        how = Ended.CONTENT if name in ("full", "idle") else Ended.FAILED
        settle(frontier, ended(lease.pages[0], how))
    world.later(1.1)
    clocks = {name: fetched(lease.clock, START) for name, lease in leases.items()}
    clocks["waiting"] = fetched(leases["waiting"].clock, world.clock.now)
    pause = Pause(START + HOUR, "Retry-After, status 503")
    clocks["parked"] = clocks["parked"]._replace(pause=pause)
    frontier.release({lease.token: clocks[name] for name, lease in leases.items()})
    world.later(0.1)
    assert frontier.lease(9) == []  # that one of them is full turns out now
    frontier.add([NewUrl(url("1", "ready.test"))])
    return frontier


def test_hosts_are_where_they_are_and_why(world: World) -> None:
    hosts = {host.host.partition(".")[0]: host for host in zoo(world).hosts()}
    stages = {name: host.stage for name, host in hosts.items()}
    assert stages == {
        "full": HostStage.FULL,
        "waiting": HostStage.WAITING,
        "parked": HostStage.PARKED,
        "own": HostStage.WAITING,
        "idle": HostStage.IDLE,
        "leased": HostStage.LEASED,
        "ready": HostStage.READY,
    }
    assert "Retry-After, status 503" in hosts["parked"].why
    assert hosts["parked"].until is not None
    assert hosts["parked"].until >= START + HOUR
    assert "configured for own.test" in hosts["own"].why
    assert hosts["own"].delay == HOUR
    assert "default" in hosts["waiting"].why
    assert hosts["leased"].why == "held by one"
    assert hosts["leased"].node == "one"
    assert hosts["leased"].until is not None
    assert "limit" in hosts["full"].why
    assert (hosts["ready"].why, hosts["ready"].until, hosts["ready"].node) == ("", None, None)
    assert {name: host.pending for name, host in hosts.items()} == {
        "full": 1,
        "waiting": 1,
        "parked": 1,
        "own": 1,
        "idle": 0,
        "leased": 1,
        "ready": 1,
    }
    assert hosts["full"].content == 1


def test_hosts_and_counts_agree(world: World) -> None:
    frontier = zoo(world)
    frontier.add([NewUrl(url(path, "broken.test")) for path in "123"])
    (lease,) = [each for each in frontier.lease(9) if each.host == "broken.test"]
    settle(frontier, ended(lease.pages[0], Ended.RETRY))
    hosts, counts = frontier.hosts(), frontier.counts()
    assert sum(counts.hosts.values()) == len(hosts)
    assert sum(each.pending for each in hosts) == counts.pending
    assert sum(each.waiting for each in hosts) == counts.waiting == 1
    assert sum(each.content for each in hosts) == counts.with_content


def test_a_host_is_found_by_its_name(world: World) -> None:
    frontier = zoo(world)
    for host in frontier.hosts():
        assert frontier.host(host.host) == host
    assert frontier.host("nobody.test") is None


def test_nodes_are_told_with_what_they_hold_and_brought(world: World) -> None:
    frontier = zoo(world)
    (one,) = frontier.nodes()
    assert (one.node, one.hosts, one.pages) == ("one", 1, 2)
    assert one.until is not None
    assert one.until > world.clock.now
    assert one.seen_at is not None
    assert one.seen_at <= world.clock.now
    other = world.frontier("two", HURRIED)
    assert [(each.node, each.hosts) for each in other.nodes()] == [("one", 1)]
    other.lease(1)
    assert [(each.node, each.hosts) for each in other.nodes()] == [("one", 1), ("two", 1)]


def test_a_node_is_heard_of_when_it_renews(world: World) -> None:
    frontier = world.frontier("one", HURRIED)
    frontier.add(seeds(url("1")))
    lease = only(frontier)
    world.later(7)
    (before,) = frontier.nodes()
    frontier.renew([lease.token])
    (after,) = frontier.nodes()
    assert before.seen_at is not None
    assert after.seen_at is not None
    assert (after.seen_at - before.seen_at).total_seconds() >= 7


def test_counts_and_lists_of_hosts_agree(world: World) -> None:
    frontier = zoo(world)
    hosts = frontier.hosts()
    counts = frontier.counts()
    for stage in HostStage:
        listed = [host.host for host in hosts if host.stage is stage]
        assert counts.hosts[stage] == len(listed) > 0
        assert [host.host for host in frontier.hosts(stage=stage)] == listed
    assert counted(frontier) == real_counts(world)
    assert counts.full == 1


def test_hosts_come_by_name_some_at_a_time(world: World) -> None:
    frontier = zoo(world)
    names = [host.host for host in frontier.hosts()]
    assert names == sorted(names)
    assert [host.host for host in frontier.hosts(limit=2)] == names[:2]
    assert [host.host for host in frontier.hosts(after=names[1], limit=2)] == names[2:4]
    assert frontier.hosts(after=names[-1]) == []


def test_the_moments_at_which_something_is_ready_are_known(world: World) -> None:
    frontier = world.frontier()
    assert frontier.counts() == Counts(hosts=dict.fromkeys(HostStage, 0))
    frontier.add(seeds(url("1"), url("2")))
    at = frontier.counts().next_at
    assert at is not None
    assert at <= START
    lease = only(frontier, pages=1)
    at = frontier.counts().next_at
    assert at is not None
    assert at >= lease.until
    slow = lease.clock.with_crawl_delay(Delay(60.0, "Crawl-delay"))
    settle(frontier, ended(lease.pages[0], Ended.RETRY, retry_at=START + timedelta(seconds=30)))
    frontier.release({lease.token: fetched(slow, START)})
    at = frontier.counts().next_at
    assert at is not None
    assert START + timedelta(seconds=30) <= at < START + timedelta(seconds=31)


def test_a_url_that_is_not_known_is_not_known(frontier: SqlFrontier) -> None:
    frontier.add(seeds(url("1")))
    assert frontier.page(url("2")) is None
    assert frontier.page(url("1", "b.test")) is None


def test_a_page_is_known_from_its_first_link_on(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add([NewUrl(url("1"), 2, 7, 1, seed=True)])
    page = frontier.page(url("1"))
    assert page
    assert (page.url, page.depth, page.priority, page.hops, page.seed, page.state) == (
        url("1"),
        2,
        7,
        1,
        True,
        "pending",
    )
    assert (page.ended, page.settled_at, page.retry_at) == (None, None, None)
    assert (page.quads, page.problems, page.attempts) == (0, 0, 0)
    lease = only(frontier)
    page = frontier.page(url("1"))
    assert page
    assert page.state == "handed out"
    retry_at = START + timedelta(minutes=1)
    settle(frontier, ended(lease.pages[0], Ended.RETRY, retry_at=retry_at, why="time-out"))
    page = frontier.page(url("1"))
    assert page
    assert (page.state, page.why, page.attempts) == ("waiting", "time-out", 1)
    assert page.retry_at is not None
    assert retry_at <= page.retry_at < retry_at + timedelta(seconds=1)


def test_the_nearest_page_of_an_origin_is_one_that_was_asked_for(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add([NewUrl(url(str(depth)), depth) for depth in range(4)])
    other = url("x").replace("https:", "http:")
    frontier.add([NewUrl(Url(other), 1)])
    for page in only(frontier).pages:
        if page.url != url("1"):
            settle(frontier, ended(page, Ended.REFUSED if page.depth == 0 else Ended.FAILED))
    assert frontier.nearest("https://a.test") == 2
    assert frontier.nearest("http://a.test") == 1
    assert frontier.nearest("http://unknown.test") is None


def test_clocks_are_told_by_name_page_by_page(world: World) -> None:
    frontier = zoo(world)
    first = frontier.clocks(limit=3)
    assert [host for host, _ in first] == ["full.test", "idle.test", "leased.test"]
    rest = dict(frontier.clocks(after="leased.test"))
    assert list(rest) == ["own.test", "parked.test", "ready.test", "waiting.test"]
    assert rest["parked.test"].delay(pace_for("parked.test", Politeness())).source == (
        "Retry-After, status 503"
    )


def test_the_delay_of_a_host_that_was_only_asked_about_is_told_when_something_came_of_it(
    world: World,
) -> None:
    frontier, ledgers = world.frontier(), StoredHosts(world.store())
    for name in ("asked.test", "failed.test", "linked.test", "paused.test"):
        clock = fetched(HostLedger(name).clock, START)
        ledgers[name] = HostLedger(name, clock=clock)
    assert frontier.hosts() == []
    assert frontier.clocks() == []
    assert frontier.host("asked.test") is not None  # it keeps its rest
    failed, paused = ledgers["failed.test"], ledgers["paused.test"]
    ledgers["failed.test"] = failed._replace(clock=failed.clock._replace(evidence=HostEvidence(1)))
    pause = Pause(START + HOUR, "Retry-After, status 503")
    ledgers["paused.test"] = paused._replace(clock=paused.clock._replace(pause=pause))
    frontier.add([NewUrl(url("1", "linked.test"))])
    met = ["failed.test", "linked.test", "paused.test"]
    assert [host.host for host in frontier.hosts()] == ["linked.test"]
    assert frontier.counts().hosts[HostStage.IDLE] == 0
    assert [host for host, _ in frontier.clocks()] == met
    assert [host for host, _ in frontier.clocks(after="failed.test", limit=1)] == ["linked.test"]


def test_failures_in_a_row_are_told_of_a_host_with_those_that_are_forgiven(world: World) -> None:
    frontier, ledgers = world.frontier(politeness=HURRIED), StoredHosts(world.store())
    pause = Pause(START + HOUR, "back-off after 3 failures in a row")
    clocks = {
        "one.test": HostClock(START, evidence=HostEvidence(0, (7,))),
        "two.test": HostClock(START, evidence=HostEvidence(1, (7, 8, 9)), pause=pause),
        "well.test": HostClock(START),
    }
    for host, clock in clocks.items():
        frontier.add([NewUrl(url("1", host))])
        ledgers[host] = ledgers[host]._replace(clock=clock)
    leased = frontier.lease(9)
    frontier.release({each.token: clocks[each.host] for each in leased})
    told = {each.host: (each.failures, each.why) for each in frontier.hosts()}
    assert told == {
        "one.test": (1, "a failure"),
        "two.test": (3, "1 h (back-off after 3 failures in a row)"),
        "well.test": (0, ""),
    }


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


def test_what_is_left_is_all_that_may_yet_be_fetched() -> None:
    counts = Counts(known=100, pending=10, handed=3, waiting=2, aside=20, beyond=30, full=4)
    assert counts.left == 11


def test_whether_any_seed_was_had_is_told_of_all_and_of_those_asked_for_since(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    assert not frontier.no_seed_had()  # there is none
    frontier.add([NewUrl(url("1"), seed=True), NewUrl(url("2"))])
    assert frontier.no_seed_had()
    for page in handed(frontier):
        how = Ended.FAILED if page.seed else Ended.CONTENT
        settle(frontier, ended(page, how))
    assert frontier.no_seed_had()
    world.later(3600)
    later = world.clock.now
    world.later(3600)
    assert not frontier.no_seed_had(later)  # none was asked for
    frontier.take_over()
    frontier.add([NewUrl(url("3"), seed=True)])
    assert frontier.no_seed_had(later)
    (page,) = handed(frontier)
    settle(frontier, ended(page))
    assert not frontier.no_seed_had(later)
    assert not frontier.no_seed_had()
    world.later(3600)
    frontier.refetch(world.clock.now)
    assert frontier.no_seed_had(world.clock.now)  # until they are had again
    assert frontier.no_seed_had()


def test_the_host_that_takes_longest_by_its_delay_is_known(world: World) -> None:
    politeness = Politeness(delays={"own.test": timedelta(seconds=40)})
    frontier = world.frontier("one", politeness)
    assert frontier.longest_left() == timedelta(0)
    names = ["many.test"] * 30 + ["own.test"] * 2
    frontier.add([NewUrl(url(str(number), name)) for number, name in enumerate(names)])
    assert frontier.longest_left() == timedelta(seconds=80)
    leases = {each.host: each for each in frontier.lease(9, pages=1)}
    lease = leases["many.test"]
    asked = lease.clock._replace(
        crawl_delay=Delay(10.0, "Crawl-delay"), pause=Pause(START + HOUR, "Retry-After")
    )
    frontier.release({lease.token: asked}, lease.pages)
    assert frontier.longest_left() == timedelta(seconds=300)
    lease = leases["own.test"]
    never = lease.clock._replace(crawl_delay=Delay(7200.0, "Crawl-delay"))
    frontier.release({lease.token: never}, lease.pages)  # it is parked, and not waited for
    assert frontier.longest_left() == timedelta(seconds=300)
