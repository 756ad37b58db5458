import click
import pytest

from gossamer.cli.proxying import most_clients, place_to_proxy, proxy_option
from gossamer.config import Proxy
from gossamer.errors import ConfigError


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
