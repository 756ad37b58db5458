from datetime import date
from itertools import islice

import pytest
from tests.demo.conftest import MALICE, WORLD
from tests.demo.walker import Client, Found, Walker, host, wishes

from gossamer.config import Traps
from gossamer.demo.malice.traps import NAME as TRAPS
from gossamer.demo.outcomes import Redirected, Refused, Truth
from gossamer.demo.process import DemoServer
from gossamer.demo.robots import RobotsKind
from gossamer.demo.truth import DEFAULT_RULES, Rules, Scope, expected, truth
from gossamer.demo.world import Page, World
from gossamer.model import Url

SMALL = World(pages=137, hosts=12)


def agrees(said: Truth, found: Found) -> None:
    assert {url: page.depth for url, page in said.visited.items()} == found.visited
    assert {url: file.depth for url, file in said.skipped.items()} == found.skipped
    assert {url: moved.depth for url, moved in said.redirected.items()} == found.redirected
    assert {url: failed.depth for url, failed in said.failed.items()} == found.failed
    assert refused(said, "robots") == found.forbidden


def refused(said: Truth, rule: str) -> set[str]:
    return {url for url, outcome in said.refused.items() if outcome.rule == rule}


# Against a crawler that knows only the bytes


@pytest.mark.parametrize("depth", [0, 1, 2, 3, None])
@pytest.mark.parametrize("same_host", [True, False])
def test_the_truth_is_what_a_crawler_of_the_bytes_finds(
    client: Client, depth: int | None, same_host: bool
) -> None:
    seed = WORLD.front(0)
    said = truth(WORLD, [seed], depth, "host" if same_host else "any")
    agrees(said, Walker(client).walk(seed, depth, same_host))


@pytest.mark.parametrize("start", range(12))
def test_it_holds_from_every_kind_of_host(client: Client, start: int) -> None:
    seed = WORLD.front(start)
    agrees(truth(WORLD, [seed]), Walker(client).walk(seed, None, same_host=True))


@pytest.mark.parametrize("agent", ["otherbot", "somebody-else", "stranger"])
def test_it_holds_for_other_agents(client: Client, agent: str) -> None:
    seed = WORLD.front(0)
    said = truth(WORLD, [seed], scope="any", agent=agent)
    agrees(said, Walker(client, agent).walk(seed, None, same_host=False))


def test_it_holds_where_pages_are_moved_missing_and_gone(malice_client: Client) -> None:
    fronts = [MALICE.front(host) for host in (0, 2, 3, 5, 11)]
    for seed in (*fronts, Url("http://redirects.malice.test/")):
        agrees(truth(MALICE, [seed]), Walker(malice_client).walk(seed, None, same_host=True))


def test_it_holds_for_many_seeds_and_sizes(full_size: bool) -> None:
    worlds = [World(seed=seed, pages=10 + 31 * seed, hosts=1 + seed) for seed in range(1, 5)]
    if full_size:
        worlds += [World(seed=seed, pages=3_000, hosts=3 * seed) for seed in range(5, 45)]
    for world in worlds:
        with DemoServer(world) as server:
            client = Client(server.address)
            found = Walker(client).walk(world.front(0), None, same_host=False)
            agrees(truth(world, [world.front(0)], scope="any"), found)
            client.close()


def test_noindex_is_what_the_page_says(client: Client) -> None:
    said = truth(WORLD, [WORLD.front(0)], scope="any")
    asked = {url for url in said.visited if "noindex" in wishes(client.get(url), "gossamer")}
    assert asked == {url for url, page in said.visited.items() if page.noindex}
    assert asked
    assert all(said.stored_quads(Url(url)) == 0 for url in asked)


@pytest.mark.parametrize("depth", [0, 1, 2, None])
def test_it_holds_with_sitemaps(client: Client, depth: int | None) -> None:
    seed = WORLD.front(0)
    said = truth(WORLD, [seed], depth, "any", rules=Rules(sitemaps=True))
    agrees(said, Walker(client, sitemaps=True).walk(seed, depth, same_host=False))


def test_a_crawl_with_sitemaps_finds_what_links_alone_do_not() -> None:
    world = World(pages=2_000, hosts=12)
    seed, rules = world.front(0), Rules(sitemaps=True)
    without, with_them = truth(world, [seed]), truth(world, [seed], rules=rules)
    assert set(without.requested) < set(with_them.requested)
    assert max(page.depth for page in with_them.visited.values()) == 1


def test_sitemap_entries_do_not_go_past_the_depth() -> None:
    said = truth(WORLD, [WORLD.front(0)], depth=0, rules=Rules(sitemaps=True))
    assert list(said.outcomes) == [WORLD.front(0)]


# Scope


@pytest.mark.parametrize("scope", ["page", "host", "site"])
def test_nothing_out_of_scope_is_asked_for(scope: Scope) -> None:
    seed = SMALL.front(1)
    said = truth(SMALL, [seed], scope=scope)
    site = {"www.site0.test", "data.site0.test", "site0.test"}
    allowed = {"page": {host(seed)}, "host": {host(seed)}, "site": site}[scope]
    assert {host(url) for url in said.requested} == allowed
    assert all(host(url) not in allowed or scope == "page" for url in refused(said, "scope"))
    assert (len(said.requested) == 1) == (scope == "page")


def test_with_any_scope_every_host_is_known_and_closed_ones_are_refused() -> None:
    said = truth(SMALL, [SMALL.front(0)], scope="any")
    assert {host(url) for url in said.outcomes} == {host(SMALL.front(h)) for h in range(12)}
    closed = {host(SMALL.front(h)) for h in (4, 10)}
    assert {host(url) for url in said.requested}.isdisjoint(closed)


def test_a_403_opens_the_host_if_the_crawl_says_so() -> None:
    seed = SMALL.front(10)
    assert SMALL.robots(10) is RobotsKind.FORBIDDEN
    assert refused(truth(SMALL, [seed]), "robots") == {seed}
    assert seed in truth(SMALL, [seed], rules=Rules(forbidden_closes=False)).visited


def test_links_marked_nofollow_count_if_the_crawl_says_so() -> None:
    world = World(pages=2_000, hosts=12)
    seed = world.front(0)
    careful = truth(world, [seed], scope="any")
    bold = truth(world, [seed], scope="any", rules=Rules(honour_nofollow=False))
    assert refused(careful, "nofollow") > refused(bold, "nofollow")
    assert careful.requested <= bold.requested


def test_where_a_seed_redirects_becomes_a_seed() -> None:
    seed = Url("http://redirects.malice.test/elsewhere")
    said = truth(MALICE, [seed], scope="host")
    assert next(iter(said.redirected.values())).target == MALICE.front(0)
    assert len(said.visited) > 10
    assert {host(url) for url in said.visited} == {"www.site0.test"}


# Malice


def whole(rules: Rules = DEFAULT_RULES) -> Truth:
    return truth(MALICE, [MALICE.front(0)], scope="any", rules=rules)


def test_ten_redirects_are_followed_and_not_eleven() -> None:
    said = whole()
    chain = [f"http://redirects.malice.test/long/{left}" for left in range(15, 4, -1)]
    assert len(chain) == 11
    assert set(chain) <= set(said.redirected)
    assert refused(said, "redirects") == {"http://redirects.malice.test/long/4"}


def test_every_url_comes_once_and_the_near_ones_first() -> None:
    # A redirect leads to a page of the same depth, which may have been found further away before.
    world = World(pages=5_000, hosts=3, malice=True)
    found = list(expected(world, [world.front(0)], scope="any"))
    assert len({outcome.url for outcome in found}) == len(found)
    depths = [o.depth for o in found if not (isinstance(o, Refused) and o.rule == "nofollow")]
    assert depths == sorted(depths)
    nearer = [o for o in found if isinstance(o, Redirected)]
    by_url = {outcome.url: outcome for outcome in found}
    assert all(by_url[moved.target].depth <= moved.depth for moved in nearer)


def test_redirect_loops_end() -> None:
    said = whole()
    for path in ("loop/a", "loop/b"):
        assert Url(f"http://redirects.malice.test/{path}") in said.redirected
    assert said.failed[Url("http://redirects.malice.test/self")].cause == "bad-redirect"


def test_no_internal_address_is_asked_for() -> None:
    said = whole()
    assert all(host(url).endswith(".test") for url in said.requested)
    assert len(refused(said, "address")) == 7


def test_endless_families_end_at_the_limits() -> None:
    rules = Rules(today=date(2026, 7, 1))
    said = whole(rules)
    count = {rule: len(refused(said, rule)) for rule in TRAP_RULES}
    assert count == {rule: 2 if rule == "trap-parameters" else 1 for rule in TRAP_RULES}
    years = [url for url in said.visited if url.startswith(f"http://{TRAPS}/calendar/")]
    assert len(years) == 11
    tight = whole(Rules(today=date(2026, 5, 1), traps=Traps(calendar_years=3)))
    assert refused(tight, "trap-calendar") == {f"http://{TRAPS}/calendar/2029/06/"}


TRAP_RULES = ("trap-length", "trap-depth", "trap-repeats", "trap-parameters", "trap-calendar")


def test_hosts_without_a_readable_robots_txt_stay_closed() -> None:
    robots = {url for url in refused(whole(), "robots") if host(url).startswith("robots-")}
    assert robots == {f"http://robots-{how}.malice.test/" for how in ("reset", "busy", "failing")}


def test_what_recovers_is_visited_and_what_does_not_is_parked() -> None:
    said = whole()
    assert Url("http://busy.malice.test/limited") in said.visited
    assert Url("http://away.malice.test/closed") in said.visited
    assert said.failed[Url("http://parked.malice.test/never")].cause == "parked"


def test_a_limit_on_links_takes_the_first_ones() -> None:
    seed = Url(f"http://{TRAPS}/many")
    said = truth(MALICE, [seed], depth=1, rules=Rules(max_links=50))
    assert len(said.visited) == 51
    assert Url(f"http://{TRAPS}/many/49") in said.visited


# Cost


def test_a_small_question_about_a_large_world_is_answered_without_walking_it() -> None:
    world = World(pages=1_000_000, hosts=10_000)
    asked: list[int] = []

    class Counting(World):
        def page(self, number: int) -> Page:
            asked.append(number)
            return super().page(number)

    said = truth(Counting(pages=world.pages, hosts=world.hosts), [world.front(0)], depth=1)
    assert 5 <= len(said.visited) <= 12
    assert len(asked) < 500


def test_outcomes_are_streamed() -> None:
    world = World(pages=1_000_000, hosts=100)
    first = list(islice(expected(world, [world.front(0)], scope="any"), 20))
    assert [outcome.depth for outcome in first] == sorted(outcome.depth for outcome in first)
    assert len(first) == 20
