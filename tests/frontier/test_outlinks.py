from typing import Any

import pytest

from gossamer.frontier import outlinks
from gossamer.frontier.outlinks import Leading, write_links
from gossamer.frontier.packing import pack_keys, unpack_keys, unpack_links
from gossamer.frontier.protocol import Ended, Limits
from gossamer.frontier.store import Row
from gossamer.model import Url

from .steps import HURRIED, ended, handed, links, only, seeds, settle, tables, url
from .worlds import World


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
        frontier.again(world.clock.now)


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
