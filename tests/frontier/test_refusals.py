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
