import asyncio
import socket
from datetime import timedelta
from pathlib import Path

import click
import pytest

from gossamer.cli.listeners import (
    bind_proxy,
    bind_service,
    certificates_of,
    is_address,
    most_clients,
    serve_http,
    settle_for,
)
from gossamer.cli.options import GIVEN, proxy_option
from gossamer.config import Config, Proxy, Service
from gossamer.errors import ConfigError
from gossamer.folder.data import DataFolder
from gossamer.moments import now_utc
from gossamer.owner.opening import answer_folder
from gossamer.proxy.authority import LIFETIME, Authority, AuthorityError


def test_there_is_no_place_where_none_is_wanted() -> None:
    with bind_proxy(None, Proxy()) as ours:
        assert ours is None


def test_a_place_is_the_usual_one_or_the_one_named() -> None:
    with bind_proxy("", Proxy(address="127.0.0.1:0")) as ours:
        assert ours is not None
        assert ours.getsockname()[0] == "127.0.0.1"
    with pytest.raises(ConfigError), bind_proxy("0.0.0.0:0", Proxy()):
        pass


def test_the_option_may_go_without_an_address() -> None:
    found: list[str | None] = []

    @click.command()
    @click.argument("rest", nargs=-1)
    @proxy_option
    def command(rest: tuple[str, ...], proxy: str | None) -> None:
        found.append(proxy)

    for words in (["--proxy"], ["--proxy", "127.0.0.1:1"], []):
        command.main(words, standalone_mode=False)
    assert found == ["", "127.0.0.1:1", None]


def test_people_hear_of_it_where_fewer_clients_fit_than_they_wish() -> None:
    said: list[str] = []
    room = most_clients(Proxy(max_connections=1), said.append)
    assert said == []
    assert most_clients(Proxy(max_connections=10**9), said.append) == room
    (sentence,) = said
    assert f"{room} clients" in sentence
    assert "ulimit -n" in sentence


def test_people_hear_of_an_authority_that_ends_before_it_does(tmp_path: Path) -> None:
    data, config, said = DataFolder(tmp_path), Config(proxy=Proxy(intercept=True)), list[str]()

    def create(left: timedelta) -> None:
        made_at = now_utc() - LIFETIME + left
        Authority.create(data.authority_folder, made_at, anew=data.authority_folder.exists())

    with click.Context(click.Command("proxy")):  # as each command has one
        create(LIFETIME)
        assert certificates_of(data, config, said.append) is not None
        assert said == []
        create(timedelta(days=20))
        assert certificates_of(data, config, said.append) is not None
        assert "gossamer ca create --anew" in said[0]
        create(timedelta(seconds=-1))
        with pytest.raises(AuthorityError, match="gossamer ca create --anew"):
            certificates_of(data, config, said.append)
        assert certificates_of(data, Config(), said.append) is None


@pytest.mark.parametrize(
    ("text", "so"),
    [("127.0.0.1:80", True), ("8717", True), (":0", True), ("example.org", False), ("@f", False)],
)
def test_a_place_is_told_from_a_seed(text: str, so: bool) -> None:
    assert is_address(text) is so


def test_nothing_is_served_unless_it_is_asked_for() -> None:
    with bind_service(None, Service()) as ours:
        assert ours is None


def test_the_configuration_names_the_usual_place() -> None:
    with bind_service("", Service(address="127.0.0.1:0")) as ours:
        assert ours is not None
        assert ours.getsockname()[0] == "127.0.0.1"


def test_a_place_that_others_get_to_needs_a_token() -> None:
    with pytest.raises(ConfigError, match="token"), bind_service("0.0.0.0:0", Service()):
        pass


def test_people_are_told_where_and_can_ask_there(tmp_path: Path) -> None:
    said: list[str] = []
    data, config = DataFolder(tmp_path), Config()

    async def run() -> None:
        with bind_service(":0", config.service) as ours:
            async with (
                answer_folder("serve", data, config) as answers,
                serve_http(ours, data, answers, config.service, lambda _: None, said.append),
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
