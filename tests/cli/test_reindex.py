import json

import pytest

from gossamer.data import DataFolder

from .conftest import Gossamer

pytestmark = pytest.mark.timeout(60)


def test_words_are_made_anew(here: Gossamer, small_crawl: DataFolder) -> None:
    done = here("reindex")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Words of 2 subjects, in ")
    assert json.loads(here("search", "three", "--json").stdout)["total"] == 1
    assert json.loads(here("reindex", "--json").stdout)["subjects"] == 2
    assert small_crawl.words_folder.exists()


def test_damaged_words_say_that_this_is_the_way_out(
    here: Gossamer, small_crawl: DataFolder
) -> None:
    assert here("reindex").returncode == 0
    (small_crawl.words_folder / "index" / "meta.json").write_text("{")
    done = here("search", "three")
    assert (done.returncode, "`gossamer reindex`" in done.stderr) == (1, True)
    assert here("reindex").returncode == 0
    assert here("search", "three").returncode == 0


def test_a_folder_without_a_crawl_is_a_sentence(here: Gossamer) -> None:
    done = here("reindex")
    assert done.returncode == 1
    assert "There is no crawl" in done.stderr
