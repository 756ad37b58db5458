from collections.abc import Sequence

import pytest

from gossamer.frontier.adding import Candidates, collect, remember
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import (
    REDIRECTS,
    Assignment,
    Ended,
    Limits,
    NewUrl,
    PageState,
    RefusedLink,
    Settlement,
)
from gossamer.frontier.work import Work
from gossamer.model import MAX_HOPS, Url
from gossamer.politeness.clock import HostClock

from .steps import (
    HURRIED,
    counted,
    ended,
    handed,
    links,
    only,
    real_counts,
    seeds,
    settle,
    tables,
    url,
)
from .worlds import World

LAST = MAX_HOPS + 4
NOFOLLOW = RefusedLink(url("n"), "nofollow")
TRAP = RefusedLink(url("t", "b.test"), "trap-length")
SCOPE = RefusedLink(url("", "c.test"), "scope-host")


def known(frontier: SqlFrontier, address: Url) -> PageState:
    page = frontier.page(address)
    assert page is not None
    return page


@pytest.mark.parametrize("recent", [0, 200_000])
def test_how_many_are_new_is_told_with_and_without_a_memory(world: World, recent: int) -> None:
    frontier = world.frontier(recent=recent)
    assert frontier.add(seeds(url("1"), url("2"), url("1"))) == 2
    assert frontier.add([NewUrl(url("2")), NewUrl(url("3"))]) == 1
    assert frontier.add([]) == 0
    assert frontier.counts().known == 3


@pytest.mark.parametrize("recent", [0, 200_000])
def test_a_known_url_keeps_the_smaller_depth_the_higher_priority_and_the_fewer_hops(
    world: World, recent: int
) -> None:
    frontier = world.frontier(recent=recent)
    frontier.add([NewUrl(url("1"), depth=3, priority=4, hops=2)])
    frontier.add([NewUrl(url("1"), depth=5, priority=9)])
    frontier.add([NewUrl(url("1"), depth=2, priority=1, hops=1)])
    frontier.add([NewUrl(url("1"), depth=2, priority=1, seed=True)])
    page = known(frontier, url("1"))
    assert (page.depth, page.priority, page.hops, page.seed) == (2, 9, 0, True)


def test_what_one_call_says_twice_is_taken_at_its_best(frontier: SqlFrontier) -> None:
    twice = [NewUrl(url("1"), 3, 9, 2), NewUrl(url("1"), 2, 1, 5, seed=True)]
    assert frontier.add(twice) == 1
    page = known(frontier, url("1"))
    assert (page.depth, page.priority, page.hops, page.seed) == (2, 9, 2, True)


def test_what_one_node_knows_another_learns_from_the_store(world: World) -> None:
    one, two = world.frontier("one"), world.frontier("two")
    assert one.add([NewUrl(url("1"), depth=5)]) == 1
    assert two.add([NewUrl(url("1"), depth=3)]) == 0
    assert one.add([NewUrl(url("1"), depth=4)]) == 0
    assert known(one, url("1")).depth == 3
    assert one.counts() == two.counts()


def test_a_memory_tells_the_store_only_news(world: World) -> None:
    frontier = world.frontier()
    frontier.add([NewUrl(url("1"), depth=2, priority=5)])
    memory = frontier._memory

    def news(candidate: NewUrl) -> bool:
        best: Candidates = {}
        assert collect(memory, [candidate], best) == [memory.keys.of(candidate.url)]
        return bool(best)

    assert not news(NewUrl(url("1"), depth=2, priority=5))
    assert not news(NewUrl(url("1"), depth=3, priority=0))
    assert news(NewUrl(url("1"), depth=1, priority=0))
    assert news(NewUrl(url("1"), depth=9, priority=6))
    assert news(NewUrl(url("1"), depth=9, seed=True))
    assert news(NewUrl(url("2"), depth=9))


def test_what_was_not_committed_is_not_remembered(frontier: SqlFrontier) -> None:
    def fail(work: Work) -> None:
        best: Candidates = {}
        collect(work.memory, seeds(url("1")), best)
        assert remember(work, best) == 1
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        frontier._work(fail)
    assert frontier.add([NewUrl(url("1"))]) == 1
    assert handed(frontier)


def test_pages_beyond_the_limit_are_known_and_not_handed_out(world: World) -> None:
    frontier = world.frontier(limits=Limits(depth=2))
    frontier.add([NewUrl(url("in"), depth=2), NewUrl(url("out"), depth=3)])
    assert [page.url for page in handed(frontier)] == [url("in")]
    assert known(frontier, url("out")).state == "beyond"
    assert frontier.counts().beyond == 1
    assert frontier.counts().left == 1
    frontier.add([NewUrl(url("out"), depth=1)])
    assert known(frontier, url("out")).state == "pending"
    assert counted(frontier) == real_counts(world)


def test_a_page_that_comes_nearer_brings_all_nearer_that_follows(world: World) -> None:
    """A chain of pages, settled one after another; then its end turns out to be near a seed."""
    frontier = world.frontier(politeness=HURRIED, limits=Limits(depth=3))
    chain = [url(str(n), f"h{n}.test") for n in range(5)]
    frontier.add(seeds(chain[0]))
    for n in range(4):
        (page,) = handed(frontier)
        settle(frontier, ended(page, Ended.CONTENT, chain[n + 1]))
    assert frontier.page(chain[4]) is None  # beyond: kept as text, with the page that led here
    before = {row[0] for row in tables(world)["claims"]}
    frontier.add([NewUrl(chain[2], depth=0)])
    assert [known(frontier, each).depth for each in chain] == [0, 1, 0, 1, 2]
    (last,) = handed(frontier)
    assert last.url == chain[4]
    assert last.token not in before
    assert counted(frontier) == real_counts(world)


def test_a_redirect_is_no_step(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED, limits=Limits(depth=1))
    frontier.add([NewUrl(url("from"), depth=1)])
    lease = only(frontier)
    settle(frontier, ended(lease.pages[0], Ended.REDIRECTED, url("to")))
    (target,) = frontier.more(lease, 1)
    assert target.depth == 1
    settle(frontier, ended(target, Ended.CONTENT, url("next")))
    assert frontier.page(url("next")) is None
    frontier.add([NewUrl(url("from"), depth=0)])
    assert known(frontier, url("to")).depth == 0
    assert known(frontier, url("next")).depth == 1


def test_pages_that_lead_in_circles_come_to_an_end(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED, limits=Limits(depth=9))
    frontier.add([NewUrl(url("1"), depth=5)])
    one = only(frontier)
    settle(frontier, ended(one.pages[0], Ended.CONTENT, url("2"), url("1")))
    (two,) = frontier.more(one, 1)
    settle(frontier, ended(two, Ended.REDIRECTED, url("1")))
    frontier.add([NewUrl(url("2"), depth=0)])
    assert (known(frontier, url("1")).depth, known(frontier, url("2")).depth) == (0, 0)


def test_a_page_that_comes_nearer_in_somebodys_hands_is_settled_at_its_new_depth(
    world: World,
) -> None:
    frontier = world.frontier(politeness=HURRIED, limits=Limits(depth=5))
    frontier.add([NewUrl(url("1"), depth=4)])
    lease = only(frontier)
    frontier.add([NewUrl(url("1"), depth=1)])
    settle(frontier, ended(lease.pages[0], Ended.CONTENT, url("2")))
    assert known(frontier, url("2")).depth == 2


def test_a_page_that_came_nearer_before_it_was_found_unchanged_passes_that_on(
    world: World,
) -> None:
    """It led somewhere on an earlier visit, and still does: no links are told this time."""
    frontier = world.frontier(politeness=HURRIED, limits=Limits(depth=9))
    frontier.add([NewUrl(url("1"), depth=5)])
    lease = only(frontier)
    settle(frontier, ended(lease.pages[0], Ended.CONTENT, url("2")))
    frontier.release({lease.token: HostClock()})
    world.later(1)
    frontier.refetch(world.clock.now)
    frontier.add([NewUrl(url("1"), depth=0)])
    again = next(page for page in handed(frontier) if page.url == url("1"))
    settle(frontier, ended(again, Ended.CONTENT, keep_content=True))
    assert known(frontier, url("2")).depth == 1


def redirected(page: Assignment, start: Url) -> Settlement:
    """What becomes of /0, /1, … that redirect to the next, and of a page that links to /5."""
    if page.url == start:
        return ended(page, Ended.CONTENT, url("5"))
    number = int(page.url.rpartition("/")[2])
    if number == LAST:
        return ended(page)
    target = url(str(number + 1))
    if page.hops < MAX_HOPS:
        return ended(page, Ended.REDIRECTED, target, why=target)
    refused = (RefusedLink(target, REDIRECTS),)
    return ended(page, Ended.REDIRECTED, why=target, refused=refused)


@pytest.mark.parametrize("depth", [None, 9])
@pytest.mark.parametrize("steps", [0, 1, 5, 6, MAX_HOPS, MAX_HOPS + 1])
@pytest.mark.parametrize("in_hand", [False, True])
def test_how_many_redirects_lead_to_a_page_does_not_depend_on_which_way_was_met_first(
    world: World, steps: int, depth: int | None, in_hand: bool
) -> None:
    frontier = world.frontier(politeness=HURRIED, limits=Limits(depth=depth))
    start = url("", "b.test")
    frontier.add(seeds(url("0")))
    for _ in range(steps):  # as far as it goes before the other way is found
        settle(frontier, *(redirected(page, start) for page in handed(frontier)))
        world.later(130)
    waiting = handed(frontier) if in_hand else []  # one is asked for meanwhile
    frontier.add(seeds(start))
    settle(frontier, *(redirected(page, start) for page in handed(frontier)))
    settle(frontier, *(redirected(page, start) for page in waiting))
    for _ in range(2 * LAST):
        world.later(130)
        settle(frontier, *(redirected(page, start) for page in handed(frontier)))
    found = [frontier.page(url(str(number))) for number in range(LAST + 1)]
    assert [page and page.hops for page in found] == [*range(5), *range(MAX_HOPS)]
    assert all(page and page.state == "settled" for page in found)
    assert counted(frontier) == real_counts(world)


def visit(frontier: SqlFrontier, path: str, refused: Sequence[RefusedLink]) -> None:
    frontier.add(seeds(url(path)))
    lease = only(frontier)
    outside = links(SCOPE.url) if SCOPE in refused else ()
    settle(frontier, ended(lease.pages[0], refused=refused, outside=outside))
    frontier.release({lease.token: lease.clock})


def test_links_that_are_not_followed_are_counted_by_their_rules_each_once(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    assert frontier.refusals() == {}
    visit(frontier, "1", [NOFOLLOW, TRAP, NOFOLLOW, SCOPE])
    visit(frontier, "2", [TRAP, RefusedLink(url("m"), "nofollow")])
    assert frontier.refusals() == {"nofollow": 2, "trap-length": 1, "scope-host": 1}
    assert frontier.refusal(TRAP.url) == "trap-length"
    assert frontier.refusal(url("1")) is None
    assert frontier.refusal(url("", "unknown.test")) is None
    assert frontier.counts().known == 2


def test_a_url_that_became_a_page_is_no_longer_one_of_them(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    visit(frontier, "1", [NOFOLLOW, SCOPE])
    frontier.add([NewUrl(NOFOLLOW.url)])
    assert frontier.refusal(NOFOLLOW.url) is None
    assert frontier.refusals() == {"scope-host": 1}
    frontier.readmit(lambda _: True)
    assert frontier.refusals() == {}


def test_another_node_knows_of_them_and_what_it_adds_counts_once(world: World) -> None:
    one, two = world.frontier("one", HURRIED), world.frontier("two", HURRIED)
    visit(one, "1", [NOFOLLOW])
    visit(two, "2", [NOFOLLOW, TRAP])
    assert one.refusals() == two.refusals() == {"nofollow": 1, "trap-length": 1}


def test_they_are_forgotten_with_their_host_or_alone(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    visit(frontier, "1", [NOFOLLOW, TRAP, RefusedLink(url("u", "b.test"), "nofollow")])
    frontier.forget(url=TRAP.url)
    assert frontier.refusals() == {"nofollow": 2}
    frontier.forget(host="b.test")
    assert frontier.refusals() == {"nofollow": 1}
    visit(frontier, "2", [TRAP])
    assert frontier.refusal(TRAP.url) == "trap-length"


def test_what_a_stale_token_tells_is_not_noted(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED, limits=Limits())
    frontier.add(seeds(url("1")))
    lease = only(frontier)
    world.later(200)
    assert settle(frontier, ended(lease.pages[0], refused=[NOFOLLOW])).stale
    assert tables(world)["refusals"] == []


def test_any_other_rule_says_more_than_a_wish_not_to_be_followed(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    shunned = RefusedLink(SCOPE.url, "nofollow")
    visit(frontier, "1", [shunned])
    visit(frontier, "2", [SCOPE, shunned])
    assert frontier.refusals() == {"scope-host": 1}
    visit(frontier, "3", [shunned])
    world.frontier("two").refuse([shunned], 1)
    assert frontier.refusals() == {"scope-host": 1}


def test_those_of_a_page_at_the_depth_limit_count_when_the_page_is_nearer(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED, limits=Limits(depth=1))
    frontier.add([NewUrl(url("deep"), depth=1)])
    lease = only(frontier)
    settle(frontier, ended(lease.pages[0], refused=[NOFOLLOW, TRAP]))
    frontier.release({lease.token: lease.clock})
    assert frontier.refusals() == {}
    frontier.add(seeds(url("deep")))
    assert frontier.refusals() == {"nofollow": 1, "trap-length": 1}


def test_those_of_a_page_at_the_depth_limit_count_when_the_limit_is_deeper(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED, limits=Limits(depth=0))
    visit(frontier, "1", [NOFOLLOW, SCOPE])
    frontier.readmit(lambda link: link == SCOPE.url)
    assert frontier.refusals() == {}
    frontier.set_limits(Limits(depth=1))
    assert frontier.refusals() == {"nofollow": 1}
    assert frontier.page(SCOPE.url) is not None


def test_links_that_no_page_has_are_noted_within_the_depth_limit(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED, limits=Limits(depth=1))
    frontier.refuse([NOFOLLOW], 2)
    assert frontier.refusals() == {}
    frontier.refuse([NOFOLLOW, TRAP], 1)
    assert frontier.refusals() == {"nofollow": 1, "trap-length": 1}


def test_a_page_beyond_the_depth_limit_is_still_a_link_that_was_refused(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED, limits=Limits(depth=1))
    visit(frontier, "1", [NOFOLLOW])
    frontier.add([NewUrl(NOFOLLOW.url, 2)])
    assert frontier.refusal(NOFOLLOW.url) == "nofollow"
    frontier.set_limits(Limits(depth=2))
    assert frontier.refusal(NOFOLLOW.url) is None
