import pytest
from tests.service.running import TOKEN, Client

from gossamer.service.monitoring import families

WITH_TOKEN = {"Authorization": f"Bearer {TOKEN}"}


def test_an_owner_without_caches_has_none_to_show_or_empty(ask: Client) -> None:
    assert ask("/api/caches").json == {"caches": {}}
    assert ask("/api/caches", "DELETE").status in (401, 403)
    emptied = ask("/api/caches", "DELETE", headers=WITH_TOKEN, cache="pages", host="a.test")
    assert (emptied.status, emptied.json) == (200, {"cleared": {}})


@pytest.mark.parametrize("query", [{"cache": "pictures"}, {"host": "/tmp/x"}])
def test_what_is_no_cache_or_no_host_is_refused(ask: Client, query: dict[str, str]) -> None:
    assert ask("/api/caches", "DELETE", headers=WITH_TOKEN, **query).status in (400, 422)


def test_the_figures_of_each_cache_are_among_the_metrics(ask: Client) -> None:
    status = ask("/api/status").json
    text = "".join(families(status, [], None, {"names": {"hits": 3}, "urls": {"entries": 4}}))
    assert 'gossamer_cache{cache="names",what="hits"} 3' in text
    assert 'gossamer_cache{cache="urls",what="entries"} 4' in text
