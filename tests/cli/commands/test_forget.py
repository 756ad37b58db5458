import json

from tests.cli.conftest import Gossamer
from tests.proxy.cache.rules import HOUR
from tests.proxy.cache.world import Origin, World

from gossamer.folder.data import DataFolder


def test_a_folder_without_a_crawl_is_a_sentence(here: Gossamer) -> None:
    done = here("forget", "a.test")
    assert done.returncode == 1
    assert "There is no crawl" in done.stderr


def test_what_is_no_address_is_refused(here: Gossamer, small_crawl: DataFolder) -> None:
    done = here("forget", "/tmp/x")
    assert done.returncode == 2
    assert "not a path" in done.stderr
    assert small_crawl.frontier_file.exists()


def test_what_was_never_there_is_forgotten_at_once(here: Gossamer, small_crawl: DataFolder) -> None:
    done = here("forget", "nobody.test")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "0 pages and 0 records of the archive are forgotten.\n"
    assert small_crawl.frontier_file.exists()


def test_what_the_proxy_kept_is_forgotten_too(here: Gossamer, small_crawl: DataFolder) -> None:
    world = World(small_crawl.path)
    for url in ("http://a.test/x", "http://b.test/x"):
        world.ask(origin=Origin(said=HOUR), url=url)
    running = here("forget", "a.test")
    assert running.returncode == 1
    assert "A proxy is running" in running.stderr
    world.close()
    done = here("forget", "a.test")
    assert done.returncode == 0, done.stderr
    assert done.stdout == (
        "4 pages and 0 records of the archive are forgotten, and 1 answer that the proxy kept.\n"
    )
    assert json.loads(here("forget", "b.test", "--json").stdout)["answers"] == 1
