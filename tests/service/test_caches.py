from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.proxy.cache.rules import HOUR
from tests.proxy.cache.world import Origin, World
from tests.service.running import TOKEN, Client

from gossamer.folder.data import DataFolder
from gossamer.proxy.cache.clearing import answer_request
from gossamer.service.monitoring import families

WITH_TOKEN = {"Authorization": f"Bearer {TOKEN}"}


def test_an_owner_without_caches_has_none_to_show_or_empty(ask: Client) -> None:
    assert ask("/api/caches").json == {"caches": {}}
    assert ask("/api/caches", "DELETE").status in (401, 403)
    emptied = ask("/api/caches", "DELETE", headers=WITH_TOKEN, cache="pages", host="a.test")
    assert (emptied.status, emptied.json) == (200, {"cleared": {"pages": 0}})


def test_the_pages_of_a_proxy_in_a_process_of_its_own_are_emptied_too(
    ask: Client, crawl: DataFolder
) -> None:
    world = World(crawl.path)
    for url in ("http://a.test/x", "http://b.test/x"):
        world.ask(origin=Origin(said=HOUR), url=url)
    with ThreadPoolExecutor(1) as elsewhere:
        emptied = elsewhere.submit(
            ask, "/api/caches", "DELETE", headers=WITH_TOKEN, cache="pages", host="a.test"
        )
        while not emptied.done():  # as the proxy does once a second
            answer_request(crawl.proxy_cache_file, world.cache)
        assert emptied.result().json == {"cleared": {"pages": 1}}
    assert world.cache.counters.cleared == 1
    world.close()
    again = ask("/api/caches", "DELETE", headers=WITH_TOKEN, cache="pages")  # none runs now
    assert again.json == {"cleared": {"pages": 1}}


@pytest.mark.parametrize("query", [{"cache": "pictures"}, {"host": "/tmp/x"}])
def test_what_is_no_cache_or_no_host_is_refused(ask: Client, query: dict[str, str]) -> None:
    assert ask("/api/caches", "DELETE", headers=WITH_TOKEN, **query).status in (400, 422)


def test_the_figures_of_each_cache_are_among_the_metrics(ask: Client) -> None:
    status = ask("/api/status").json
    text = "".join(families(status, [], None, {"names": {"hits": 3}, "urls": {"entries": 4}}))
    assert 'gossamer_cache{cache="names",what="hits"} 3' in text
    assert 'gossamer_cache{cache="urls",what="entries"} 4' in text
