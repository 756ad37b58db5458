from gossamer.config import Budget
from gossamer.frontier.protocol import Ended, Limits, NewUrl, RefusedLink, SiteBudget
from gossamer.model import Url
from gossamer.politeness.purse import ELSEWHERE, WAITING, cost_of

from .steps import HURRIED, ended, handed, seeds, settle, url
from .worlds import World

OWN = [Url(f"http://a.test/{number:03}") for number in range(40)]
OTHERS = [Url(f"http://x{number:03}.test/") for number in range(20)]
EACH = cost_of(len(OWN[0]), 1, own=True)
EACH_OTHER = cost_of(len(OTHERS[0]), 1, own=False)


def known(world: World) -> int:
    ((count,),) = world.store().read(lambda txn: txn.rows("SELECT count(*) FROM pages"))
    return int(count)


def test_urls_that_wait_count_until_they_are_fetched(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add(seeds(OWN[0]))
    settle(frontier, ended(handed(frontier)[0], Ended.CONTENT, *OWN[:10], *OTHERS[:3]))
    # A seed counts for nobody; that it was fetched is taken off all the same.
    assert frontier.site_budget("a.test") == SiteBudget("a.test", 8 * EACH, 0, 3 * EACH_OTHER)
    frontier.take_over()
    page = next(page for page in handed(frontier) if page.host == "a.test")
    settle(frontier, ended(page, Ended.CONTENT, *OWN[:10]))
    assert frontier.site_budget("a.test").waiting == 7 * EACH
    frontier.forget(host="a.test")
    assert frontier.site_budget("a.test").waiting == 0


def test_past_its_budget_nothing_new_of_a_site_is_kept_and_what_is_known_is_followed(
    world: World,
) -> None:
    budget = Budget(waiting_bytes=5 * EACH, elsewhere_bytes=2 * EACH_OTHER)
    frontier = world.frontier(politeness=HURRIED, budget=budget)
    frontier.add(seeds(OWN[0], OWN[39]))
    pages = [*handed(frontier)]
    settle(frontier, ended(pages[0], Ended.CONTENT, *OWN, *OTHERS))
    state = frontier.site_budget("a.test")
    assert state.waiting <= 5 * EACH
    assert state.elsewhere == 2 * EACH_OTHER
    assert set(state.over) == {WAITING, ELSEWHERE}
    assert known(world) == 2 + 5 + 2
    assert state.left_out == 58 - 5 - 2
    assert frontier.sites_over_budget() == [state]
    assert sorted(frontier.newly_over_budget()) == [("a.test", ELSEWHERE), ("a.test", WAITING)]
    assert frontier.newly_over_budget() == []
    host = frontier.host("a.test")
    assert host is not None
    assert "51 links of a.test did not fit into its budget" in host.why
    # Hosts that nobody is to ask are not known either.
    assert frontier.host(f"x{19:03}.test") is None


def test_other_sites_may_name_what_did_not_fit(world: World) -> None:
    budget = Budget(waiting_bytes=EACH, elsewhere_bytes=10 * EACH_OTHER)
    frontier = world.frontier(politeness=HURRIED, budget=budget)
    frontier.add(seeds(OWN[0], url("", "b.test")))
    by_host = {page.host: page for page in handed(frontier)}
    settle(frontier, ended(by_host["a.test"], Ended.CONTENT, *OWN[:5]))
    assert known(world) == 2 + 1
    settle(frontier, ended(by_host["b.test"], Ended.CONTENT, *OWN[:5]))
    assert known(world) == 2 + 1 + 3
    assert frontier.site_budget("b.test").elsewhere == 3 * cost_of(len(OWN[0]), 1, own=False)


def test_what_is_made_known_elsewhere_counts_by_day(world: World) -> None:
    budget = Budget(elsewhere_bytes=2 * EACH_OTHER)
    frontier = world.frontier(politeness=HURRIED, budget=budget)
    frontier.add(seeds(OWN[0], OWN[1]))
    one, two = (page for page in handed(frontier) if page.host == "a.test")
    settle(frontier, ended(one, Ended.CONTENT, *OTHERS[:4]))
    assert known(world) == 4
    world.later(25 * 60 * 60)
    assert frontier.site_budget("a.test").elsewhere == 0
    frontier.take_over()
    two = next(page for page in handed(frontier) if page.host == "a.test")
    settle(frontier, ended(two, Ended.CONTENT, *OTHERS[4:8]))
    assert known(world) == 6


def test_sitemaps_are_held_to_it_and_seeds_are_not(world: World) -> None:
    frontier = world.frontier(budget=Budget(waiting_bytes=5 * EACH, aside_bytes=1_000))
    new = [NewUrl(each) for each in OWN]
    assert frontier.add(new, found_by="a.test") == 5
    assert frontier.add(new, found_by="a.test") == 0
    assert frontier.site_budget("a.test").left_out == 70
    frontier.refuse([RefusedLink(each, "scope-host") for each in OTHERS], 0, found_by="a.test")
    assert frontier.refusals() == {}
    frontier.refuse([RefusedLink(OTHERS[0], "scope-host")], 0, found_by="a.test")
    assert frontier.refusals() == {"scope-host": 1}
    assert frontier.add(new) == 35


def test_what_is_not_followed_is_kept_as_far_as_there_is_room(world: World) -> None:
    budget = Budget(aside_bytes=1_200)
    frontier = world.frontier(politeness=HURRIED, budget=budget)
    frontier.add(seeds(OWN[0], OWN[1]))
    one, two = handed(frontier)
    settlement = ended(one, Ended.CONTENT)
    few = tuple(RefusedLink(each, "scope-host") for each in OTHERS[:5])
    settle(frontier, settlement._replace(refused=few, outside=OTHERS[:5]))
    assert frontier.refusals() == {"scope-host": 5}
    used = frontier.site_budget("a.test").aside
    assert 5 * len(OTHERS[0]) < used <= 1_200
    more = tuple(RefusedLink(each, "scope-host") for each in OTHERS[5:])
    settle(frontier, ended(two, Ended.CONTENT)._replace(refused=more, outside=OTHERS[5:]))
    assert frontier.refusals() == {"scope-host": 5}
    assert frontier.site_budget("a.test").aside == used


def test_a_nearer_page_is_brought_nearer_though_its_site_is_over_its_budget(world: World) -> None:
    budget = Budget(waiting_bytes=3 * EACH)
    frontier = world.frontier(politeness=HURRIED, budget=budget, limits=Limits(depth=3))
    frontier.add(seeds(OWN[0], OWN[1]))
    frontier.add([NewUrl(OWN[5], 3)])
    one = next(page for page in handed(frontier) if page.url == OWN[0])
    settle(frontier, ended(one, Ended.CONTENT, *OWN))
    page = frontier.page(OWN[5])
    assert page is not None
    assert page.depth == 1


def test_it_holds_over_restarts(world: World) -> None:
    budget = Budget(waiting_bytes=5 * EACH)
    assert world.frontier(budget=budget).add([NewUrl(each) for each in OWN], found_by="a.test") == 5
    again = world.frontier("two", budget=budget)
    assert again.add([NewUrl(each) for each in OWN[10:]], found_by="a.test") == 0
