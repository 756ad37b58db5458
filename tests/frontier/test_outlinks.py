from typing import Any

import pytest

from gossamer.config import Budget
from gossamer.frontier import outlinks
from gossamer.frontier.outlinks import Leading, write_links
from gossamer.frontier.protocol import Ended, Limits, NewUrl, RefusedLink, SiteBudget
from gossamer.frontier.rows import pack_keys, unpack_keys, unpack_links
from gossamer.frontier.store import Row
from gossamer.model import Url
from gossamer.politeness.budget import ELSEWHERE, WAITING, cost_of

from .steps import HURRIED, ended, handed, links, only, seeds, settle, tables, url
from .worlds import World

OWN = [Url(f"http://a.test/{number:03}") for number in range(40)]
OTHERS = [Url(f"http://x{number:03}.test/") for number in range(20)]
EACH = cost_of(len(OWN[0]), 1, own=True)
EACH_OTHER = cost_of(len(OTHERS[0]), 1, own=False)


def kept(world: World) -> list[Row]:
    """Of each page that has any: step, known links, those beyond and those outside."""
    return [
        (
            step,
            len(unpack_keys(packed or b"")),
            [link.url for link in unpack_links(beyond)],
            [link.url for link in unpack_links(outside)],
        )
        for _, step, packed, beyond, outside in tables(world)["outlinks"]
    ]


def test_without_a_depth_limit_keys_are_kept(world: World) -> None:
    frontier = world.frontier()
    frontier.add(seeds(url("1")))
    settle(frontier, ended(handed(frontier)[0], Ended.CONTENT, url("2"), url("", "b.test")))
    assert kept(world) == [(1, 2, [], [])]


@pytest.mark.parametrize("bound", ["LOOKED_THROUGH", "FOUND"])
def test_who_links_to_a_page_is_known_step_by_step(
    world: World, monkeypatch: pytest.MonkeyPatch, bound: str
) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add(seeds(url("1"), url("2"), url("3")))
    lease = only(frontier)
    one, two, three = lease.pages
    settle(
        frontier,
        ended(one, Ended.CONTENT, url("2"), url("", "b.test")),
        ended(two, Ended.REDIRECTED, url("1")),
        ended(three, Ended.CONTENT, url("2"), url("", "b.test")),
    )
    assert frontier.linking(url("2")) == ([url("1"), url("3")], None)
    assert frontier.linking(url("", "b.test")) == ([url("1"), url("3")], None)
    assert frontier.linking(url("1")) == ([url("2")], None)
    assert frontier.linking(url("3")) == ([], None)
    assert frontier.linking(url("", "nobody.test")) == ((), None)
    monkeypatch.setattr(outlinks, bound, 1)
    found: list[Url] = []
    after: int | None = 0
    steps = 0
    while after is not None:
        some, after = frontier.linking(url("2"), after)
        found += some
        steps += 1
    assert found == [url("1"), url("3")]
    assert steps > 1


def test_a_key_that_is_there_by_chance_is_no_link(world: World) -> None:
    frontier = world.frontier()
    frontier.add(seeds(url("1")))
    settle(frontier, ended(handed(frontier)[0], Ended.CONTENT, url("2")))
    store = world.store()
    ((key,),) = store.read(lambda txn: txn.rows("SELECT key FROM pages WHERE url = ?", url("2")))
    elsewhere = pack_keys([(1_000_000, key)])
    store.transact(lambda txn: txn.rows("UPDATE outlinks SET packed = ?", elsewhere))
    store.close()
    assert frontier.linking(url("2")) == ([], None)


def test_below_the_limit_keys_are_kept_and_at_it_whole_urls(world: World) -> None:
    frontier = world.frontier(limits=Limits(depth=1))
    frontier.add(seeds(url("1")))
    lease = only(frontier)
    settle(frontier, ended(lease.pages[0], Ended.CONTENT, url("2"), url("", "b.test")))
    (second,) = frontier.more(lease, 1)
    settle(frontier, ended(second, Ended.CONTENT, url("1"), url("3")))
    assert kept(world) == [(1, 2, [], []), (1, 0, [url("1"), url("3")], [])]
    assert frontier.page(url("3")) is None


def test_links_out_of_scope_are_kept_as_they_are(world: World) -> None:
    frontier = world.frontier()
    frontier.add(seeds(url("1")))
    page = handed(frontier)[0]
    settle(frontier, ended(page, Ended.REDIRECTED, outside=links(url("", "b.test"))))
    assert kept(world) == [(0, 0, [], [url("", "b.test")])]
    assert frontier.counts().known == 1


def test_another_visit_replaces_where_a_page_leads_unless_it_has_not_changed(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED, limits=Limits(depth=0))
    frontier.add(seeds(url("1")))
    visits: list[tuple[list[Url], dict[str, Any]]] = [
        ([url("2")], {"links": links(url("2"))}),
        ([url("2")], {"keep_content": True}),
        ([url("3")], {"links": links(url("3"))}),
        ([], {}),
    ]
    for expected, told in visits:
        lease = only(frontier)
        settle(frontier, ended(lease.pages[0])._replace(**told))
        assert [row[2] for row in kept(world)] == [expected]
        frontier.release({lease.token: lease.clock})
        world.later(1)
        frontier.refetch(world.clock.now)


def test_a_page_that_leads_nowhere_has_no_row(world: World) -> None:
    frontier = world.frontier(limits=Limits(depth=3))
    frontier.add(seeds(url("1")))
    settle(frontier, ended(handed(frontier)[0]))
    assert kept(world) == []


def test_writing_links_tells_how_many_were_new(world: World) -> None:
    frontier = world.frontier()
    frontier.add(seeds(url("1")))
    nowhere = Leading(1, "a.test", 0, 1, 0, False, (), (), 0, (), False)
    somewhere = nowhere._replace(links=links(url("1"), url("2"), url("3"), url("3")))
    assert frontier._work(lambda work: write_links(work, [nowhere, somewhere])) == 2


def test_sites_that_link_to_others_are_counted_once_each(world: World) -> None:
    frontier = world.frontier(politeness=HURRIED)
    frontier.add(seeds(url("1"), url("2"), url("", "www.a.test"), url("", "c.test")))
    pages = handed(frontier)
    to = [url("", "b.test"), url("x", "b.test"), url("", "x.a.test"), url("9")]
    settle(frontier, *(ended(page, Ended.CONTENT, *to) for page in pages))
    assert tables(world)["site_links"] == [
        ("a.test", "c.test"),
        ("b.test", "a.test"),
        ("b.test", "c.test"),
    ]
    linking = {row[0]: row[3] for row in tables(world)["sites"]}
    assert linking["b.test"] == 2
    assert linking["a.test"] == 1


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
