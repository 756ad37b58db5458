from tests.cli.conftest import Gossamer

from gossamer.folder.data import DataFolder


def test_where_no_crawl_runs_that_is_a_sentence(here: Gossamer, small_crawl: DataFolder) -> None:
    done = here("resume")
    assert done.returncode == 1
    assert done.stderr == f"gossamer: No crawl is running in {small_crawl.path.name}.\n"
