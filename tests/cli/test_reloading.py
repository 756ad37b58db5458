import asyncio
import os
import signal
from functools import partial
from pathlib import Path

import pytest
from tests.cli.conftest import Gossamer

from gossamer.cli.reloading import Hangups, reload_settings, what_was_reloaded
from gossamer.errors import ConfigError
from gossamer.folder.data import DataFolder
from gossamer.owner.handlers import Handlers, LocalAnswer
from gossamer.owner.messages import AnswerError
from gossamer.owner.questions import Question, ReloadSettings
from gossamer.owner.told import Reloaded


def test_what_came_of_a_reload_is_told() -> None:
    told = {"process": 7, "command": "serve", "changed": {}, "waits": ["fetch.ca"]}
    assert what_was_reloaded(told) == (
        "Nothing changes for `gossamer serve` (process 7) by gossamer.toml as it is now.\n"
        "`gossamer serve` (process 7) takes this up when it starts again: fetch.ca."
    )
    changed = {"crawl.depth": ["3", "gossamer.toml"]}
    told = {"process": 7, "command": "crawl", "changed": changed, "waits": []}
    assert what_was_reloaded(told) == "crawl.depth = 3  (gossamer.toml)"


def test_a_reload_where_nobody_runs_checks_the_file(here: Gossamer, tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    file = tmp_path / "d" / "gossamer.toml"
    file.write_text("[crawl]\ndepth = 2\n")
    done = here("config", "reload", "--data", "d")
    assert (done.returncode, done.stdout[:22]) == (0, "gossamer.toml is right")
    file.write_text("[crawl]\ndepth = 'deep'\n")
    done = here("config", "reload", "--data", "d")
    assert done.returncode == 2
    assert "crawl.depth: 'deep' is not a whole number" in done.stderr


def test_a_file_that_the_owner_refuses_is_bad_usage_too() -> None:
    async def refuse(_: ReloadSettings) -> Reloaded:
        error = AnswerError("crawl.depth is wrong.")
        error.kind = "ConfigError"
        raise error

    handlers = Handlers().on(ReloadSettings, refuse)

    class Refusing:
        def answer(self, question: Question) -> LocalAnswer:
            return LocalAnswer(partial(handlers.parts, "crawl", question))

    with pytest.raises(ConfigError, match=r"crawl\.depth is wrong\."):
        asyncio.run(reload_settings(DataFolder(Path("nowhere")), Refusing()))


def test_without_a_terminal_a_hangup_is_a_reload_and_a_bad_file_is_a_sentence() -> None:
    said: list[str] = []

    async def run() -> None:
        heard = asyncio.Event()

        async def reload() -> None:
            raise ConfigError("crawl.depth is wrong.")

        def say(text: str) -> None:
            said.append(text)
            heard.set()

        end = partial(said.append, "ended")
        Hangups(reload, end, say, has_terminal=lambda: False).heed()
        try:
            os.kill(os.getpid(), signal.SIGHUP)
            await heard.wait()
        finally:
            asyncio.get_running_loop().remove_signal_handler(signal.SIGHUP)

    asyncio.run(run())
    assert said == ["crawl.depth is wrong."]


@pytest.mark.parametrize("is_nohup", [True, False])
def test_the_end_of_the_terminal_ends_a_command_except_under_nohup(is_nohup: bool) -> None:
    told: list[str] = []
    there = iter([True, False])
    end = partial(told.append, "ended")
    hangups = Hangups(_never, end, told.append, has_terminal=lambda: next(there))
    hangups.hang_up(is_nohup=is_nohup)
    assert told == ([] if is_nohup else ["ended"])


async def _never() -> None:
    raise AssertionError
