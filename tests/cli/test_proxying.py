from datetime import timedelta
from pathlib import Path

import click
import pytest

from gossamer.cli.proxying import certificates_of, most_clients, place_to_proxy, proxy_option
from gossamer.config import Config, Proxy
from gossamer.data import DataFolder
from gossamer.errors import ConfigError
from gossamer.moments import now_utc
from gossamer.proxy.authority import LIFETIME, Authority, AuthorityError


def test_there_is_no_place_where_none_is_wanted() -> None:
    with place_to_proxy(None, Proxy()) as ours:
        assert ours is None


def test_a_place_is_the_usual_one_or_the_one_named() -> None:
    with place_to_proxy("", Proxy(address="127.0.0.1:0")) as ours:
        assert ours is not None
        assert ours.getsockname()[0] == "127.0.0.1"
    with pytest.raises(ConfigError), place_to_proxy("0.0.0.0:0", Proxy()):
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
