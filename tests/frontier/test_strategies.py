"""Strategies and rules of priority in both engines: which pages, and which hosts, are handed out first."""

import pytest

from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import REDIRECTS, Ended, Limits, NewUrl, RefusedLink
from gossamer.model import MAX_HOPS, Url
from gossamer.politeness.priority import MOST, UrlFacts, priority
from gossamer.politeness.ranking import PLAIN, Ranking, read_rules

from .steps import HURRIED, ended, handed, only, seeds, settle, url, urls_of
from .worlds import World

TREE = {
    "": ["1", "2", "news/3"],
    "1": ["11", "12"],
    "2": ["21", "news/22"],
    "11": ["111"],
    "21": ["211"],
    "news/3": ["31"],
}
LEADS = {url(page): [*map(url, links)] for page, links in TREE.items()}
NEWS = read_rules({"/news/": 2000})
LATE = read_rules({"/1": -2000})


def crawl(frontier: SqlFrontier, *, most: int = 100) -> list[str]:
    """Fetch page by page as far as there are any; their paths in order."""
    paths = []
    for _ in range(most):
        leases = frontier.lease(1, pages=1)
        if not leases:
            break
        (page,) = leases[0].pages
        points = priority(UrlFacts(depth=page.depth + 1))
        settle(frontier, ended(page, Ended.CONTENT, *LEADS.get(page.url, ()), priority=points))
        frontier.release({leases[0].token: leases[0].clock})
        paths.append(page.url.removeprefix(url("")))
    return paths


def begin(world: World, ranking: Ranking = PLAIN, depth: int | None = None) -> SqlFrontier:
    frontier = world.frontier(politeness=HURRIED, ranking=ranking, limits=Limits(depth=depth))
    frontier.add([NewUrl(url(""), priority=MOST, seed=True)])
    return frontier


def rank_of(frontier: SqlFrontier, address: Url) -> int:
    page = frontier.page(address)
    assert page is not None
    return page.priority


ORDERS = {
    "as ever": (PLAIN, ["1", "2", "news/3", "11", "12", "21", "news/22", "31", "111", "211"]),
    "depth": (
        Ranking("depth"),
        ["1", "11", "111", "12", "2", "21", "211", "news/22", "news/3", "31"],
    ),
    "news first": (
        Ranking("breadth", NEWS),
        ["news/3", "1", "2", "news/22", "31", "11", "12", "21", "111", "211"],
    ),
    "news first, then depth": (
        Ranking("depth", NEWS),
        ["news/3", "31", "1", "11", "111", "12", "2", "news/22", "21", "211"],
    ),
    "the first branch last": (
        Ranking("breadth", LATE),
        ["2", "news/3", "21", "news/22", "31", "211", "1", "11", "12", "111"],
    ),
    "the first branch last, by depth": (
        Ranking("depth", LATE),
        ["2", "21", "211", "news/22", "news/3", "31", "1", "11", "111", "12"],
    ),
}


@pytest.mark.parametrize("name", ORDERS)
def test_a_strategy_orders_the_pages_of_a_host(world: World, name: str) -> None:
    ranking, order = ORDERS[name]
    assert crawl(begin(world, ranking)) == ["", *order]


def test_random_is_another_order_and_the_same_when_asked_again(world: World) -> None:
    frontier = begin(world, Ranking("random"))
    pages = [url(str(n)) for n in range(40)]
    frontier.add([NewUrl(page, depth=1) for page in pages])
    order = urls_of(only(frontier).pages)
    assert sorted(order) == sorted([url(""), *pages])
    assert order != [url(""), *pages]
    by_key = sorted(order, key=lambda page: -(frontier._memory.keys.of(page) % (MOST + 1)))
    assert [rank_of(frontier, page) for page in order] == [
        rank_of(frontier, page) for page in by_key
    ]
    frontier.take_over()
    later = world.frontier(politeness=HURRIED, ranking=Ranking("random"))
    assert urls_of(only(later).pages) == order


@pytest.mark.parametrize("start", [Ranking("depth"), Ranking("random"), Ranking("breadth", LATE)])
@pytest.mark.parametrize("taken", [1, 4])
def test_a_change_of_strategy_ranks_what_waits_anew(
    world: World, start: Ranking, taken: int
) -> None:
    frontier = begin(world, start)
    before = crawl(frontier, most=taken)
    frontier.set_ranking(PLAIN)
    frontier.set_ranking(Ranking("breadth", NEWS))
    frontier.set_ranking(PLAIN)
    found = crawl(frontier)
    assert sorted([*before, *found]) == sorted(["", *ORDERS["as ever"][1]])
    depths = [len(page.removeprefix("news/")) for page in found]
    assert depths == sorted(depths)


def test_pages_that_wait_elsewhere_are_ranked_anew_too(world: World) -> None:
    frontier = begin(world, PLAIN, depth=1)
    frontier.add([NewUrl(url("news/far"), depth=5), NewUrl(url("near"), depth=1)])
    assert urls_of(handed(frontier, pages=1)) == [url("")]
    frontier.set_ranking(Ranking("breadth", NEWS))
    assert rank_of(frontier, url("news/far")) == 2000 + priority(UrlFacts(depth=5))
    assert rank_of(frontier, url("")) == MOST
    assert rank_of(frontier, url("near")) == priority(UrlFacts(depth=1))


def test_hosts_compare_by_the_rank_of_their_next_page(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED, ranking=Ranking("breadth", NEWS))
    frontier.add([NewUrl(url("1", "a.test"), priority=MOST), NewUrl(url("news/1", "b.test"))])
    assert [lease.host for lease in frontier.lease(1)] == ["b.test"]
    frontier.take_over()
    frontier.set_ranking(Ranking("breadth", read_rules({"/news/": -2000})))
    assert [lease.host for lease in frontier.lease(1)] == ["a.test"]


def test_a_host_whose_pages_rank_below_zero_is_leased_and_woken(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED, ranking=Ranking("depth", LATE))
    frontier.add(seeds(url("1")))
    lease = only(frontier)
    assert urls_of(lease.pages) == [url("1")]
    settle(frontier, ended(lease.pages[0]))
    frontier.release({lease.token: lease.clock})
    assert not frontier.lease(1)
    frontier.add([NewUrl(url("12"), depth=1)])
    assert urls_of(only(frontier).pages) == [url("12")]


def test_the_memory_of_recent_urls_knows_ranks_below_zero(world: World) -> None:
    frontier = world.frontier(ranking=Ranking("breadth", LATE))
    page = NewUrl(url("1"), depth=1, priority=5)
    assert frontier.add([page]) == 1
    memory = frontier._memory
    assert not [*memory.recent.news([memory.keys.of(page.url)], [page._replace(priority=-1995)])]
    assert [*memory.recent.news([memory.keys.of(page.url)], [page._replace(priority=-1994)])]


def test_links_beyond_the_depth_and_out_of_scope_are_ranked_when_they_are_taken_up(
    world: World,
) -> None:
    frontier = begin(world, PLAIN, depth=0)
    page = only(frontier).pages[0]
    settle(frontier, ended(page, Ended.CONTENT, url("news/1"), outside=[url("news/2")], priority=7))
    frontier.set_ranking(Ranking("breadth", NEWS))
    frontier.set_limits(Limits(depth=1))
    frontier.readmit(lambda _: True)
    assert rank_of(frontier, url("news/1")) == rank_of(frontier, url("news/2")) == 2007


def test_where_fewer_redirects_lead_is_ranked_by_its_own_url(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED, ranking=Ranking("breadth", NEWS))
    frontier.add([NewUrl(url("moved"), depth=1, priority=5, hops=MAX_HOPS)])
    page = only(frontier).pages[0]
    refused = (RefusedLink(url("news/1"), REDIRECTS),)
    settle(frontier, ended(page, Ended.REDIRECTED, why=url("news/1"), refused=refused))
    frontier.add([NewUrl(url("moved"), depth=1, priority=5)])
    assert rank_of(frontier, url("news/1")) == 2000 + priority(UrlFacts(depth=1))
