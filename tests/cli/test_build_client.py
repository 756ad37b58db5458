import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from gossamer.cli.build_client import ask
from gossamer.config import Config
from gossamer.folder.data import DataFolder
from gossamer.log import read_events
from gossamer.sending.client import PoliteClient


def endings(folder: Path) -> list[object]:
    return [event.get("ended", event["event"]) for event in read_events(folder / "log")]


def failing(error: BaseException) -> Callable[[PoliteClient], Awaitable[None]]:
    async def work(_: PoliteClient) -> None:
        raise error

    return work


def test_the_log_says_that_the_work_was_done(tmp_path: Path) -> None:
    async def work(client: PoliteClient) -> str:
        return str(client.ledger.delay("a.test"))

    assert ask("check", DataFolder(tmp_path), Config(), work) == "1 s (default)"
    assert endings(tmp_path) == ["started", "done"]


@pytest.mark.parametrize("error", [RuntimeError("a defect"), asyncio.CancelledError()])
def test_the_log_says_that_the_work_broke_off(tmp_path: Path, error: BaseException) -> None:
    with pytest.raises(type(error)):
        ask("check", DataFolder(tmp_path), Config(), failing(error))
    assert endings(tmp_path) == ["started", "broken off"]


def test_the_folder_is_free_again_afterwards(tmp_path: Path) -> None:
    async def work(_: PoliteClient) -> None:
        assert (tmp_path / "lock").read_text()

    for _ in range(2):
        ask("check", DataFolder(tmp_path), Config(), work)
