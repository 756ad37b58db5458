from pathlib import Path

import pytest

from gossamer.errors import FolderInUseError
from gossamer.proxy.cache.database import CacheInUseError, open_cache_file
from gossamer.proxy.cache.forgetting import forget_stored, without_proxy

from .rules import HOUR
from .world import Origin, World

LARGE = b"private" * 100_000


def path_in(folder: Path) -> Path:
    return folder / "proxy-cache.db"


def everything(_url: str) -> bool:
    return True


def test_what_is_forgotten_leaves_no_bytes_and_the_rest_stays(tmp_path: Path) -> None:
    world = World(tmp_path)
    for number in range(3):
        world.ask(origin=Origin(said=HOUR, body=LARGE), url=f"http://gone.test/{number}")
    world.ask(origin=Origin(said=HOUR), url="http://b.test/")
    world.close()
    path = path_in(tmp_path)
    with without_proxy(path):
        assert forget_stored(path, lambda url: "gone.test" in url) == 3
        assert forget_stored(path, lambda url: "gone.test" in url) == 0
    written = b"".join(each.read_bytes() for each in tmp_path.iterdir())
    assert b"private" not in written
    assert b"gone.test" not in written
    again = World(tmp_path)
    assert again.ask(url="http://b.test/").is_hit
    assert not again.ask(url="http://gone.test/0").is_hit
    again.close()


def test_the_remains_of_a_crash_go_as_well(tmp_path: Path) -> None:
    path = path_in(tmp_path)
    database = open_cache_file(path)
    database.execute("INSERT INTO bodies VALUES (7, 0, ?)", (b"private",))
    database.close()
    assert forget_stored(path, everything) == 0
    assert b"private" not in path.read_bytes()


def test_a_proxy_that_is_running_is_named_and_nothing_is_done(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.ask(origin=Origin(said=HOUR))
    with pytest.raises(FolderInUseError, match="Stop the proxy"), without_proxy(path_in(tmp_path)):
        forget_stored(path_in(tmp_path), everything)
    assert world.ask().is_hit
    world.close()


def test_no_proxy_starts_meanwhile(tmp_path: Path) -> None:
    World(tmp_path).close()
    with without_proxy(path_in(tmp_path)), pytest.raises(CacheInUseError):
        World(tmp_path)


def test_where_there_is_no_cache_none_is_made(tmp_path: Path) -> None:
    with without_proxy(path_in(tmp_path)):
        assert forget_stored(path_in(tmp_path), everything) == 0
    assert not [*tmp_path.iterdir()]
