import json
from pathlib import Path

from click.testing import CliRunner, Result
from tests.proxy.cache.rules import HOUR
from tests.proxy.cache.world import Origin, World

from gossamer.cli import program
from gossamer.folder.data import DataFolder


def cache(data: Path, *words: str) -> Result:
    return CliRunner().invoke(program, ["cache", *words, "--data", str(data)])


def cleared(data: DataFolder, *words: str) -> dict[str, int]:
    done = cache(data.path, "clear", *words, "--json")
    assert done.exit_code == 0, done.output
    told: dict[str, int] = json.loads(done.output)
    return told


def test_figures_are_those_of_a_process_that_runs(small_crawl: DataFolder) -> None:
    done = cache(small_crawl.path)
    assert done.exit_code == 1
    assert "No crawl, service or proxy runs" in str(done.output or done.exception)


def test_a_folder_that_nobody_uses_is_emptied_on_disk(small_crawl: DataFolder) -> None:
    world = World(small_crawl.path)
    for url in ("http://a.test/x", "http://b.test/x"):
        world.ask(origin=Origin(said=HOUR), url=url)
    world.close()
    assert cleared(small_crawl, "pages", "--host", "a.test") == {"pages": 1}
    assert cleared(small_crawl)["pages"] == 1
    assert cleared(small_crawl) == {"robots": 0, "pages": 0}


def test_a_folder_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    done = cache(tmp_path / "none", "clear", "pages")
    assert done.exit_code == 1
    assert "There is no data folder" in str(done.output or done.exception)
