from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.proxy.cache.rules import HOUR
from tests.proxy.cache.world import Origin, World
from tests.slowness import patience

from gossamer.errors import FolderInUseError
from gossamer.proxy.cache.clearing import answer_request, request_clear

URLS = ("http://a.test/x", "http://a.test/y", "http://b.test/x")


def filled(path: Path) -> World:
    world = World(path)
    for url in URLS:
        world.ask(origin=Origin(said=HOUR), url=url)
    return world


@pytest.mark.parametrize(("host", "gone"), [(None, 3), ("a.test", 2), ("c.test", 0)])
def test_a_proxy_beside_the_owner_empties_its_cache_for_whoever_asks(
    tmp_path: Path, host: str | None, gone: int
) -> None:
    world = filled(tmp_path)
    path = tmp_path / "proxy-cache.db"
    assert not answer_request(path, world.cache)
    with ThreadPoolExecutor(1) as elsewhere:
        asked = elsewhere.submit(request_clear, path, host, patience(60))
        while not asked.done():
            answer_request(path, world.cache)
        assert asked.result() == gone
    assert world.cache.counters.cleared == gone
    world.close()
    left = {each.name for each in tmp_path.iterdir()}
    assert not [name for name in left if "clear" in name], left


def test_a_proxy_that_does_not_answer_is_named(tmp_path: Path) -> None:
    path = tmp_path / "proxy-cache.db"
    with pytest.raises(FolderInUseError, match="does not answer"):
        request_clear(path, None, 0)
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("said", [b"", b"[]", b'{"token": "x"}', b"\xff"])
def test_a_file_that_is_no_request_changes_nothing(tmp_path: Path, said: bytes) -> None:
    world = filled(tmp_path)
    (tmp_path / "proxy-cache.clear").write_bytes(said)
    assert not answer_request(tmp_path / "proxy-cache.db", world.cache)
    assert world.cache.counters.cleared == 0
    world.close()
