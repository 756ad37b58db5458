from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

import pytest

from gossamer.frontier.endings import Ending, EndKind, ending
from gossamer.frontier.protocol import Counts, Ended, HostStage, Limits, NewUrl

from .steps import HURRIED, crawl, ended, handed, only, seeds, settle, url
from .worlds import START, World

PATIENCE = timedelta(minutes=5)
SOON, LATER = START + timedelta(seconds=3), START + timedelta(hours=1)


def seen(
    counts: Counts, limits: Limits | None = None, *, spent: timedelta | None = None
) -> Ending | None:
    deadline = None if spent is None else START - spent
    return ending(counts, limits or Limits(), START, PATIENCE, deadline=deadline)


def resting(until: object, **stages: int) -> Counts:
    hosts: Mapping[HostStage, int] = {HostStage(name): n for name, n in stages.items()}
    return Counts(known=9, pending=4, hosts=hosts, next_at=until)  # type: ignore[arg-type] # a moment


def test_nothing_left_is_the_end() -> None:
    done = Counts(known=9, aside=3, ended={Ended.CONTENT: 6}, hosts={HostStage.READY: 2})
    assert seen(done) == Ending(EndKind.DONE, "Nothing is left to fetch.")
    deep = replace(done, beyond=2)
    assert seen(deep, Limits(depth=3)) == Ending(
        EndKind.DONE, "Nothing is left to fetch within depth 3."
    )


@pytest.mark.parametrize(
    "counts",
    [
        resting(START, ready=1),
        resting(LATER, leased=1, parked=5),
        replace(resting(LATER, parked=5), handed=1),
        resting(START, waiting=1),
        resting(None),
    ],
)
def test_while_something_may_be_fetched_there_is_no_end(counts: Counts) -> None:
    assert seen(counts) is None


def test_when_all_hosts_rest_we_know_until_when() -> None:
    found = seen(resting(SOON, waiting=2, parked=1))
    assert found == Ending(
        EndKind.WAITING, "All hosts have to rest until 2026-01-02 00:00:03 UTC.", SOON
    )
    assert not found.is_final
    # A long delay is the user's own wish, and a page may wait for another attempt.
    for counts in (resting(LATER, waiting=1), replace(resting(SOON), waiting=1, pending=0)):
        found = seen(counts)
        assert found
        assert found.kind is EndKind.WAITING
    assert found.until == SOON


def test_what_asks_for_more_patience_than_we_have_ends_a_crawl_and_is_named(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add([NewUrl(url("", f"h{n}.test")) for n in range(7)])
    for n in range(7):
        frontier.park(f"h{n}.test", LATER, "asked us to")
    parked = frontier.hosts(stage=HostStage.PARKED, limit=5)
    found = ending(frontier.counts(), Limits(), START, PATIENCE, parked=parked)
    assert found
    assert found.is_final
    assert found.kind is EndKind.PARKED
    assert found.until == LATER
    assert found.why == (
        "All that is left waits longer than our patience of 300 s, at least until "
        "2026-01-02 01:00:00 UTC; 7 pages are left, of h0.test, h1.test, h2.test, h3.test, "
        "h4.test and 2 more."
    )


def test_the_limit_that_ends_a_crawl_is_named() -> None:
    ready = replace(resting(START, ready=1), ended={Ended.FAILED: 9}, with_content=5)
    assert seen(ready, Limits(pages=6)) is None
    found = seen(ready, Limits(pages=5))
    assert found == Ending(
        EndKind.PAGES, "The limit of 5 pages, which counts all runs, is reached; 4 pages are left."
    )
    assert seen(replace(ready, again=True), Limits(pages=5)) is None
    found = seen(ready, spent=timedelta(0))
    assert found == Ending(EndKind.TIME, "The time is up; 4 pages are left.")
    assert seen(ready, spent=timedelta(seconds=-1)) is None
    last = replace(ready, pending=0)
    found = seen(last, Limits(pages=5), spent=timedelta(0))
    assert found
    assert found.kind is EndKind.DONE, "a limit that cuts nothing off has ended nothing"


def test_hosts_and_sites_that_are_full_end_a_crawl() -> None:
    full = replace(resting(None, full=3), full=4)
    found = seen(full, Limits(per_host=1))
    assert found == Ending(
        EndKind.PER_HOST,
        "All that is left, 4 pages, is past the limit of 1 page per host, which counts all runs.",
    )
    found = seen(replace(full, full_by_site=2), Limits(per_host=1, per_site=2000))
    assert found == Ending(
        EndKind.PER_SITE,
        "All that is left, 4 pages, is past the limit of 2,000 pages per site, which counts all runs.",
    )
    assert seen(replace(full, pending=5, next_at=START)) is None


@pytest.mark.parametrize(
    ("limits", "kind"),
    [
        (Limits(), EndKind.DONE),
        (Limits(depth=1), EndKind.DONE),
        (Limits(pages=2), EndKind.PAGES),
        (Limits(per_host=2), EndKind.PER_HOST),
        (Limits(per_site=2), EndKind.PER_SITE),
        (Limits(per_host=2, per_site=9), EndKind.PER_HOST),
        (Limits(per_host=9, per_site=2), EndKind.PER_SITE),
    ],
)
def test_every_crawl_ends_as_its_limits_say(world: World, limits: Limits, kind: EndKind) -> None:
    frontier = world.frontier(politeness=HURRIED, limits=limits)
    frontier.add(seeds(url("1"), url("2"), url("3"), url("4")))
    leads = {url("1"): [url("5")], url("5"): [url("6")]}
    crawl(frontier, leads)
    world.later(2)
    crawl(frontier, leads)
    found = ending(frontier.counts(), limits, world.clock.now, PATIENCE)
    assert found
    assert found.kind is kind


def test_a_page_that_waits_for_another_attempt_keeps_a_crawl_going(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add(seeds(url("1")))
    lease = only(frontier)
    settle(frontier, ended(lease.pages[0], Ended.RETRY, retry_at=SOON))
    frontier.release({lease.token: lease.clock})
    found = ending(frontier.counts(), Limits(), world.clock.now, PATIENCE)
    assert found
    assert (found.kind, found.until) == (EndKind.WAITING, SOON)
    world.later(3)
    assert handed(frontier)
    assert ending(frontier.counts(), Limits(), world.clock.now, PATIENCE) is None
