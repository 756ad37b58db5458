from datetime import timedelta

from gossamer.config import Politeness
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.hosts import StoredHosts
from gossamer.frontier.protocol import Counts, Ended, HostStage, Limits, NewUrl
from gossamer.model import Url
from gossamer.politeness.delay import Delay, pace_for
from gossamer.politeness.host_ledger import HostLedger
from gossamer.politeness.outcome import Pause

from .steps import HURRIED, counted, ended, fetched, only, real_counts, seeds, settle, url
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


def test_a_host_that_was_only_asked_about_is_listed_when_something_came_of_it(
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
    ledgers["failed.test"] = failed._replace(clock=failed.clock._replace(failures=1))
    pause = Pause(START + HOUR, "Retry-After, status 503")
    ledgers["paused.test"] = paused._replace(clock=paused.clock._replace(pause=pause))
    frontier.add([NewUrl(url("1", "linked.test"))])
    met = ["failed.test", "linked.test", "paused.test"]
    assert [host.host for host in frontier.hosts()] == met
    assert [host for host, _ in frontier.clocks()] == met
    assert [host for host, _ in frontier.clocks(after="failed.test", limit=1)] == ["linked.test"]
