from collections.abc import Sequence

from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import Limits, NewUrl, RefusedLink

from .steps import HURRIED, ended, links, only, seeds, settle, tables, url
from .worlds import World

NOFOLLOW = RefusedLink(url("n"), "nofollow")
TRAP = RefusedLink(url("t", "b.test"), "trap-length")
SCOPE = RefusedLink(url("", "c.test"), "scope-host")


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
    frontier.reconsider(lambda _: True)
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
    frontier.reconsider(lambda link: link == SCOPE.url)
    assert frontier.refusals() == {}
    frontier.limit(Limits(depth=1))
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
    frontier.limit(Limits(depth=2))
    assert frontier.refusal(NOFOLLOW.url) is None
