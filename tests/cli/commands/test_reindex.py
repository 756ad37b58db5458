import asyncio
import json

import pytest
from tests.cli.conftest import Gossamer
from tests.cli.terminal import Terminal

from gossamer.cli.commands.reindex import make_words
from gossamer.config import Config
from gossamer.folder.data import DataFolder
from gossamer.owner.messages import Record
from gossamer.owner.opening import answer_folder


def test_words_are_made_anew(here: Gossamer, small_crawl: DataFolder) -> None:
    done = here("reindex")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Words of 2 subjects, in ")
    assert done.stderr == ""
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


@pytest.mark.parametrize(("seconds", "is_told"), [(0.001, True), (50.0, False)])
def test_what_takes_long_says_how_far_it_is_and_what_does_not_is_silent(
    small_crawl: DataFolder, monkeypatch: pytest.MonkeyPatch, seconds: float, is_told: bool
) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)

    async def run() -> Record:
        async with answer_folder("test", small_crawl, Config()) as answers:
            answers.folder.progress_seconds = seconds
            return await make_words(answers)

    assert asyncio.run(run())["subjects"] == 2
    assert ("words of 0 subjects made" in terminal.getvalue()) is is_told
    assert [line for line in terminal.shown if line.strip()] == []


def test_a_folder_without_a_crawl_is_a_sentence(here: Gossamer) -> None:
    done = here("reindex")
    assert done.returncode == 1
    assert "There is no crawl" in done.stderr
