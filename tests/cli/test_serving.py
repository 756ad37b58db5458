"""What serves a folder, within a command."""

import asyncio
import socket
from pathlib import Path

import click
import pytest

from gossamer.cli.options import GIVEN
from gossamer.cli.serving import looks_like_a_place, place_to_serve, serving, settle_for
from gossamer.config import Config, Service
from gossamer.data import DataFolder
from gossamer.errors import ConfigError
from gossamer.owner.opening import answering


@pytest.mark.parametrize(
    ("text", "so"),
    [("127.0.0.1:80", True), ("8717", True), (":0", True), ("example.org", False), ("@f", False)],
)
def test_a_place_is_told_from_a_seed(text: str, so: bool) -> None:
    assert looks_like_a_place(text) is so


def test_nothing_is_served_unless_it_is_asked_for() -> None:
    with place_to_serve(None, Service()) as ours:
        assert ours is None


def test_the_configuration_names_the_usual_place() -> None:
    with place_to_serve("", Service(address="127.0.0.1:0")) as ours:
        assert ours is not None
        assert ours.getsockname()[0] == "127.0.0.1"


def test_a_place_that_others_get_to_needs_a_token() -> None:
    with pytest.raises(ConfigError, match="token"), place_to_serve("0.0.0.0:0", Service()):
        pass


def test_people_are_told_where_and_can_ask_there(tmp_path: Path) -> None:
    said: list[str] = []
    data, config = DataFolder(tmp_path), Config()

    async def run() -> None:
        with place_to_serve(":0", config.service) as ours:
            async with (
                answering("serve", data, config) as answers,
                serving(ours, data, answers, config.service, lambda _: None, said.append),
            ):
                assert isinstance(ours, socket.socket)
                reader, writer = await asyncio.open_connection(*ours.getsockname())
                writer.write(b"GET /health HTTP/1.0\r\nHost: localhost\r\n\r\n")
                assert b"200 OK" in await reader.readline()
                writer.close()

    with click.Context(click.Command("serve")), data.owned():
        asyncio.run(run())
    assert said[0].startswith(f"Serving {tmp_path} at http://127.0.0.1:")


def test_the_command_lines_values_count_in_other_threads_too(tmp_path: Path) -> None:
    with click.Context(click.Command("serve")) as context:
        context.meta[GIVEN] = {"politeness.delay": "7"}
        settle = settle_for(DataFolder(tmp_path))
    found = asyncio.run(asyncio.to_thread(settle, None))
    assert found.config.politeness.delay.total_seconds() == 7
    changed = settle({"politeness.delay": "8"})
    assert changed.config.politeness.delay.total_seconds() == 8
