from collections.abc import Iterable

import pytest
from ada_url import join_url
from tests.demo.conftest import MALICE, WORLD
from tests.demo.walker import Client, links

from gossamer.demo.content import Format
from gossamer.demo.links import HUB, Link, links_of
from gossamer.demo.world import World
from gossamer.model import Url


def reached(world: World, start: Url, within: Iterable[int]) -> set[Url]:
    """What links lead to, whatever robots may say, on pages of these numbers."""
    allowed = {world.url(number) for number in within}
    known, waiting = {start}, [start]
    while waiting:
        number = world.number(waiting.pop())
        assert number is not None
        targets = {link.target for link in links_of(world, world.page(number))}
        new = {target for target in targets if target in allowed} - known
        known |= new
        waiting += new
    return known


def all_links(world: World) -> list[Link]:
    return [link for n in range(world.pages) for link in links_of(world, world.page(n))]


@pytest.mark.parametrize("host", [0, 3, 11])
def test_every_page_of_a_host_is_reached_from_its_front_page(host: int) -> None:
    start, size = WORLD.layout.starts[host], WORLD.layout.size(host)
    numbers = range(start, start + size)
    assert len(reached(WORLD, WORLD.front(host), numbers)) == size


def test_a_page_and_its_parent_link_to_each_other() -> None:
    start = WORLD.layout.starts[0]
    for index in range(1, WORLD.layout.size(0)):
        page, parent = WORLD.page(start + index), WORLD.page(start + (index - 1) // 4)
        assert parent.url in {link.target for link in links_of(WORLD, page)}
        assert page.url in {link.target for link in links_of(WORLD, parent)}


@pytest.mark.parametrize("hosts", [1, 2, 11, 12, 13, 100, 400])
def test_every_host_is_reached_through_the_front_pages_of_open_hosts(hosts: int) -> None:
    world = World(pages=400, hosts=hosts)
    fronts = [world.layout.starts[host] for host in range(hosts) if host % 12 not in (4, 10)]
    known = set()
    for url in reached(world, world.front(0), fronts):
        number = world.number(url)
        assert number is not None
        known |= {link.target for link in links_of(world, world.page(number))}
    assert {world.front(host) for host in range(1, hosts)} <= known


def test_every_link_as_written_leads_to_its_target() -> None:
    for number in range(WORLD.pages):
        page = WORLD.page(number)
        for link in links_of(WORLD, page):
            assert join_url(page.url, link.href).partition("#")[0] == link.target


def test_links_on_the_wire_are_the_links_of_the_world(client: Client) -> None:
    for number in range(WORLD.pages):
        page = WORLD.page(number)
        if not page.nofollow("gossamer"):
            followed = [link.target for link in links_of(WORLD, page) if not link.nofollow]
            assert links(client.get(page.url), "gossamer") == followed, page


def test_links_are_few_whatever_the_size() -> None:
    world = World(pages=1_000_000, hosts=10_000, malice=True)
    for number in range(0, world.pages, 9_973):
        assert 3 <= len(links_of(world, world.page(number))) <= 13


def test_links_are_spelled_in_many_ways() -> None:
    hrefs = [link.href for link in all_links(WORLD)]
    for beginning in ("/", "../", "./", "//", "http://", "HTTP://WWW."):
        assert any(href.startswith(beginning) for href in hrefs), beginning
    assert any(href.endswith("#about") for href in hrefs)
    assert any("é" in href for href in hrefs)
    assert any(href.endswith(".zip") for href in hrefs)
    assert any(href.endswith(".png") for href in hrefs)


def test_some_links_are_nofollow_and_none_outside_html() -> None:
    refused = [link for link in all_links(WORLD) if link.nofollow]
    assert 0.01 < len(refused) / len(all_links(WORLD)) < 0.1
    feeds = [page for n in range(WORLD.pages) if (page := WORLD.page(n)).format is Format.RSS]
    assert not any(link.nofollow for page in feeds for link in links_of(WORLD, page))


def test_malice_is_linked_only_where_it_was_asked_for() -> None:
    assert HUB in {link.target for link in links_of(MALICE, MALICE.page(0))}
    assert not any("malice" in link.href or "/gone/" in link.href for link in all_links(WORLD))
    hrefs = [link.href for link in all_links(MALICE)]
    for folder in ("moved", "missing", "gone"):
        assert any(f".test/{folder}/" in href for href in hrefs)
