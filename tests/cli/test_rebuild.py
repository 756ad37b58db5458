from gossamer.data import DataFolder

from .conftest import Gossamer


def test_a_folder_without_a_crawl_is_a_sentence(here: Gossamer) -> None:
    done = here("rebuild")
    assert done.returncode == 1
    assert "There is no crawl" in done.stderr


def test_a_crawl_without_an_archive_is_left_alone(here: Gossamer, small_crawl: DataFolder) -> None:
    done = here("rebuild")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "0 pages read anew: 0 changed, 0 quads added, 0 removed.\n"
    assert small_crawl.graph_folder.exists()
