"""What spans the modules: exact depth, diversity, and that nothing is lost whatever happens."""

import heapq
from collections.abc import Mapping
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gossamer.frontier.frontier import SqlFrontier
from gossamer.frontier.protocol import Assignment, Ended, Limits, Settlement
from gossamer.model import Url
from gossamer.politeness.ranking import Ranking, read_rules
from gossamer.urls.keys import SECRET_BYTES

from .steps import HURRIED, counted, ended, real_counts, seeds, settle, url
from .worlds import NewWorld, World

PAGES = 10
RULES = read_rules({"/[1-4]$": 1500, "/[4-7]$": -900, "//h2": 30})
RANKINGS = [
    Ranking(strategy, rules)
    for strategy in ("breadth", "depth", "best", "random")
    for rules in ((), RULES)
]
Graph = Mapping[int, tuple[bool, tuple[int, ...]]]
"""Of each page, whether it redirects, and where it leads."""


def address(page: int) -> Url:
    return url(str(page), f"h{page % 3}.test")


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    pages = st.integers(0, PAGES - 1)
    redirect = st.tuples(st.just(True), pages.map(lambda page: (page,)))
    content = st.tuples(st.just(False), st.lists(pages, max_size=3).map(tuple))
    return dict(enumerate(draw(st.tuples(*[st.one_of(content, content, redirect)] * PAGES))))


def distances(graph: Graph, starts: Mapping[int, int]) -> dict[int, int]:
    """How many links each page is from a seed, by a search that is not ours."""
    found: dict[int, int] = {}
    queue = [(depth, page) for page, depth in starts.items()]
    heapq.heapify(queue)
    while queue:
        depth, page = heapq.heappop(queue)
        if page not in found:
            found[page] = depth
            redirects, leads = graph[page]
            for other in leads:
                heapq.heappush(queue, (depth + (not redirects), other))
    return found


class Crawl:
    """A crawl over a graph, whose pages come and are settled in any order."""

    def __init__(self, frontier: SqlFrontier, graph: Graph, chance: Random) -> None:
        self.frontier, self.graph, self.chance = frontier, graph, chance
        self.visited: list[Url] = []
        self.held: list[Assignment] = []
        self.deepest: int | None = None

    def limit(self, deepest: int | None) -> None:
        self.deepest = deepest
        self.frontier.set_limits(Limits(depth=deepest))

    def take(self) -> bool:
        leases = self.frontier.lease(self.chance.randint(1, 3), pages=self.chance.randint(1, 3))
        pages = [page for lease in leases for page in lease.pages]
        for lease in leases:
            if self.chance.random() < 0.3:
                pages += self.frontier.more(lease, 2)
        # Given back at once: what is in hand does not keep others from the host.
        self.frontier.release({lease.token: lease.clock for lease in leases})
        for page in pages:
            assert self.deepest is None or page.depth <= self.deepest
            assert page.url not in self.visited
            self.visited.append(page.url)
        self.held += pages
        return bool(pages)

    def settle_some(self, least: int = 0) -> None:
        self.chance.shuffle(self.held)
        some = [self.held.pop() for _ in range(self.chance.randint(least, len(self.held)))]
        assert not settle(self.frontier, *map(self.outcome, some)).stale

    def outcome(self, page: Assignment) -> Settlement:
        redirects, leads = self.graph[int(page.url.rpartition("/")[2])]
        how = Ended.REDIRECTED if redirects else Ended.CONTENT
        return ended(page, how, *map(address, leads))

    def finish(self) -> None:
        for _ in range(200):
            # A host whose pages are beyond the limit by now may be looked at in vain.
            if not self.take() and not self.frontier.counts().left:
                return
            self.settle_some(least=min(1, len(self.held)))
        raise AssertionError("there is no end to it")


def examples(new_world: NewWorld, full_size: bool, sqlite: int, postgres: int) -> settings:
    engine = new_world().engine
    return settings(
        max_examples=(sqlite if engine == "sqlite" else postgres) * (20 if full_size else 1),
        suppress_health_check=list(HealthCheck),
    )


def test_a_crawl_of_depth_n_visits_exactly_the_pages_within_n_links_of_a_seed(
    new_world: NewWorld, full_size: bool
) -> None:
    """By any strategy, in any order of arrival and settling, with redirects, and changes meanwhile."""

    @examples(new_world, full_size, 40, 10)
    @given(
        graphs(),
        st.lists(st.integers(0, PAGES - 1), min_size=1, max_size=3, unique=True),
        st.lists(st.none() | st.integers(0, 4), min_size=1, max_size=3),
        st.lists(st.sampled_from(RANKINGS), min_size=1, max_size=2),
        st.randoms(use_true_random=False),
    )
    def check(
        graph: Graph,
        starts: list[int],
        limits: list[int | None],
        rankings: list[Ranking],
        chance: Random,
    ) -> None:
        world = new_world()
        try:
            visit(world, graph, starts, limits, rankings, chance)
        finally:
            world.close()

    check()


def keep_secret(world: World) -> None:
    """Have the keys of pages, by which some strategies order them, be the same whenever an example is run."""
    sql = "INSERT INTO facts (name, value) VALUES ('key secret', ?)"
    world.store().transact(lambda txn: txn.rows(sql, bytes(SECRET_BYTES)))


def visit(
    world: World,
    graph: Graph,
    starts: list[int],
    limits: list[int | None],
    rankings: list[Ranking],
    chance: Random,
) -> None:
    recent = chance.choice([0, 4, 200_000])
    keep_secret(world)
    frontier = world.frontier(politeness=HURRIED, ranking=rankings.pop(), recent=recent)
    crawl = Crawl(frontier, graph, chance)
    arriving = [(start, chance.randint(0, 2)) for start in starts]
    known = dict(arriving)
    for limit in limits:
        crawl.limit(limit)
        for _ in range(chance.randint(0, 8)):
            if arriving and chance.random() < 0.4:
                start, depth = arriving.pop()
                frontier.add([seeds(address(start))[0]._replace(depth=depth)])
            if rankings and chance.random() < 0.3:
                frontier.set_ranking(rankings.pop())
            crawl.take()
            crawl.settle_some()
    deepest = max((limit for limit in limits if limit is not None), default=2)
    frontier.add([seeds(address(start))[0]._replace(depth=depth) for start, depth in arriving])
    crawl.limit(deepest)
    crawl.finish()
    expected = distances(graph, known)
    within = {page: depth for page, depth in expected.items() if depth <= deepest}
    visited = set(crawl.visited)
    assert visited >= set(map(address, within))
    assert visited == set(map(address, within)) or None in limits
    for page, depth in within.items():
        state = frontier.page(address(page))
        assert state
        assert state.depth == depth
    assert counted(frontier) == real_counts(world)
    crawl.limit(None)
    crawl.finish()
    assert set(crawl.visited) == set(map(address, expected))
    assert counted(frontier) == real_counts(world)
