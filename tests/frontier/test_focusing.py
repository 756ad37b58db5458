"""Wanted things first, in both engines: what is learned, by whom, and that no page is lost by it."""

import random
from collections import deque

import pytest

from gossamer.focus.hints import LinkHint
from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import Ended, Limits, NewUrl, Settlement
from gossamer.model import Url
from gossamer.politeness.priority import MOST

from .steps import HURRIED, handed, only, settle, url
from .worlds import World

MARK = b"things"
LIST, NAV = LinkHint("main>ul>li>a"), LinkHint("nav>a")


def focused(world: World, node: str = "one", depth: int | None = None) -> SqlFrontier:
    frontier = world.frontier(node, politeness=HURRIED, limits=Limits(depth=depth))
    frontier.focus_on(MARK)
    return frontier


def begin(frontier: SqlFrontier) -> None:
    frontier.add([NewUrl(url(""), priority=MOST, seed=True)])


def visit(
    frontier: SqlFrontier,
    leads: dict[Url, list[Url]],
    wanted: set[Url],
    most: int = 10_000,
    hosts: int = 2,
) -> list[Url]:
    """Fetch what there is, as far as asked; the pages in order."""
    visited: list[Url] = []
    while len(visited) < most and (leases := frontier.lease(hosts, pages=2)):
        for lease in leases:
            for page in lease.pages:
                links = leads.get(page.url, [])
                found = [(hash(page.url), 1.0)] if page.url in wanted else []
                settle(
                    frontier,
                    Settlement(
                        page=page,
                        ended=Ended.CONTENT,
                        links=links,
                        hints={each: LIST if "thing" in each else NAV for each in links},
                        wanted=found,
                        spent=1.0,
                    ),
                )
                visited.append(page.url)
        frontier.release({lease.token: lease.clock for lease in leases})
    return visited


SHOP = {
    url(""): [url("things"), url("texts"), url("about")],
    url("things"): [url(f"thing/{n}") for n in range(40)],
    url("texts"): [url(f"text/{n}") for n in range(40)],
}
THINGS = {url(f"thing/{n}") for n in range(40)}


def test_links_like_those_that_brought_something_come_first_and_no_other_is_lost(
    world: World,
) -> None:
    frontier = focused(world)
    begin(frontier)
    visited = visit(frontier, SHOP, THINGS)
    assert sorted(visited) == sorted({*SHOP, *(each for some in SHOP.values() for each in some)})
    places = [place for place, each in enumerate(visited) if each in THINGS]
    assert sum(place < 55 for place in places) > 36
    counts = frontier.wanted_counts()
    assert (counts.things, counts.pages, counts.visited) == (40, 40, len(visited))


def test_what_is_known_already_is_no_reward_and_no_further_thing(world: World) -> None:
    frontier = focused(world)
    frontier.add([NewUrl(url(str(n)), depth=1) for n in range(2)])
    pages = handed(frontier)
    settle(
        frontier,
        *(
            Settlement(page=page, ended=Ended.CONTENT, wanted=[(7, 1.0)], spent=1.0)
            for page in pages
        ),
    )
    assert frontier.wanted_counts().things == 1
    assert frontier.wanted_counts().pages == 2


def test_other_nodes_and_later_runs_know_what_was_learned(world: World) -> None:
    if world.engine == "sqlite":
        one = other = focused(world)
    else:
        one, other = focused(world), focused(world, "two")
    begin(one)
    before = visit(one, SHOP, THINGS, most=30)
    assert len([each for each in before if each in THINGS]) > 5
    if world.engine == "sqlite":
        one.close()
        world.stores.clear()
        other = focused(world)
    found = [page.url for page in only(other, pages=4).pages]
    assert len([each for each in found if each in THINGS]) >= 3


def test_other_wants_forget_what_visits_brought_and_keep_the_rest(world: World) -> None:
    frontier = focused(world)
    begin(frontier)
    before = visit(frontier, SHOP, THINGS, most=30)
    frontier.focus_on(b"texts")
    assert frontier.wanted_counts().visited == 0
    texts = {url(f"text/{n}") for n in range(40)}
    after = visit(frontier, SHOP, texts)
    assert sorted([*before, *after]) == sorted(
        {*SHOP, *(each for some in SHOP.values() for each in some)}
    )


def test_pages_that_waited_before_get_their_arm(world: World) -> None:
    plain = world.frontier(politeness=HURRIED)
    begin(plain)
    plain.add([NewUrl(url(f"thing/{n}"), depth=1) for n in range(5)])
    plain.focus_on(MARK)
    prospect = plain.prospect(url("thing/3"))
    assert prospect is not None
    assert prospect.template == "/thing/#"
    assert len(visit(plain, {}, set())) == 6
    plain.focus_on(None)
    assert not plain.is_focused


def test_why_a_page_is_expected_to_bring_something(world: World) -> None:
    frontier = focused(world)
    begin(frontier)
    visited = visit(frontier, SHOP, THINGS, most=30)
    waiting = next(each for each in sorted(THINGS) if each not in visited)
    thing, text = frontier.prospect(waiting), frontier.prospect(url("text/39"))
    assert thing is not None
    assert text is not None
    assert thing.per_second > 3 * text.per_second
    assert (thing.template, thing.tags, thing.listed_on) == ("/thing/#", "main>ul>li>a", "/things")
    assert frontier.prospect(url("nowhere")) is None


def test_forgetting_reaches_what_was_learned(world: World) -> None:
    frontier = focused(world)
    begin(frontier)
    visit(frontier, SHOP, THINGS, most=30)
    before = frontier.wanted_counts().things
    (gone,) = frontier.forget(url=sorted(THINGS)[0])
    assert gone.url == sorted(THINGS)[0]
    assert before - frontier.wanted_counts().things in (0, 1)
    frontier.forget(host="a.test")
    assert frontier.wanted_counts().things == 0
    store = world.store()
    for table in ("arms", "arm_leads", "wanted_entities"):
        assert store.read(lambda txn, table=table: txn.rows(f"SELECT 1 FROM {table}")) == []  # type: ignore[misc] # bound


def within(leads: dict[Url, list[Url]], start: Url, depth: int | None) -> set[Url]:
    depths, waiting = {start: 0}, deque([start])
    while waiting:
        page = waiting.popleft()
        for each in leads.get(page, []):
            if each not in depths and (depth is None or depths[page] < depth):
                depths[each] = depths[page] + 1
                waiting.append(each)
    return set(depths)


@pytest.mark.parametrize("number", range(6))
def test_a_focused_crawl_visits_exactly_what_is_within_its_depth(world: World, number: int) -> None:
    chance = random.Random(number)
    hosts = ["a.test", "b.test"]
    pages = [url(""), *(url(f"{chance.choice('xy')}/{n}", chance.choice(hosts)) for n in range(60))]
    leads = {page: chance.sample(pages, chance.randint(0, 4)) for page in pages}
    wanted = set(chance.sample(pages, 10))
    depth = chance.choice([None, 2, 3, 4])
    frontier = focused(world, depth=depth)
    begin(frontier)
    visited = visit(frontier, leads, wanted, most=chance.randint(1, 20))
    frontier.focus_on(chance.choice([None, b"others", MARK]))
    visited += visit(frontier, leads, wanted)
    assert len(set(visited)) == len(visited)
    assert set(visited) == within(leads, url(""), depth)


def test_a_page_that_failed_waits_behind_those_of_other_arms(world: World) -> None:
    frontier = focused(world)
    frontier.add([NewUrl(url(f"thing/{n}"), depth=1) for n in range(2)])
    frontier.add([NewUrl(url("texts/on/all"), depth=1)])
    first = only(frontier, pages=1)
    settle(frontier, Settlement(page=first.pages[0], ended=Ended.RETRY, retry_at=world.clock.now))
    frontier.release({first.token: first.clock})
    world.later(1)
    rest = [page.url for page in only(frontier, pages=4).pages]
    assert rest[-1] == first.pages[0].url
    assert len(rest) == 3
