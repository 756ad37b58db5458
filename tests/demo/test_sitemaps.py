import gzip

import lxml.etree
from tests.demo.conftest import WORLD
from tests.demo.walker import Client

from gossamer.demo.robots import RobotsKind
from gossamer.demo.sitemaps import ENTRIES, listed, sitemap_at
from gossamer.demo.world import World

LARGE = World(pages=40_000, hosts=12)


def locations(body: bytes) -> list[str]:
    root = lxml.etree.fromstring(body)
    return [location.text or "" for location in root.iterfind(".//{*}loc")]


def test_a_plain_sitemap_lists_the_pages_it_promises(client: Client) -> None:
    for host in (0, 1):
        response = client.get(f"{WORLD.front(host)}sitemap.xml")
        assert response.media_type == "application/xml"
        assert locations(response.body) == [WORLD.url(number) for number in listed(WORLD, host)]


def test_an_index_leads_to_gzipped_sitemaps_that_list_every_page(client: Client) -> None:
    assert WORLD.robots(6) is RobotsKind.SITEMAPS
    files = locations(client.get(f"{WORLD.front(6)}sitemap-index.xml").body)
    found = [url for file in files for url in locations(gzip.decompress(client.get(file).body))]
    start = WORLD.layout.starts[6]
    assert found == [WORLD.url(start + index) for index in range(WORLD.layout.size(6))]


def test_a_large_host_needs_several_files() -> None:
    index = sitemap_at(LARGE, 6, "/sitemap-index.xml")
    assert index is not None
    assert len(locations(index.body)) == -(-LARGE.layout.size(6) // ENTRIES) > 1
    last = sitemap_at(LARGE, 6, "/sitemaps/1.xml.gz")
    assert last is not None
    assert len(listed(LARGE, 0)) == ENTRIES < LARGE.layout.size(0)


def test_other_hosts_and_paths_have_none() -> None:
    assert sitemap_at(WORLD, 2, "/sitemap.xml") is None
    assert sitemap_at(WORLD, 0, "/sitemap-index.xml") is None
    assert sitemap_at(WORLD, 6, "/sitemaps/99.xml.gz") is None
    assert len(listed(WORLD, 2)) == 0
