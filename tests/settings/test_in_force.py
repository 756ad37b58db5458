from pathlib import Path

import pytest

from gossamer.errors import ConfigError
from gossamer.folder.data import DataFolder
from gossamer.settings.in_force import (
    SettingsFile,
    ask_for_reload,
    in_force_record,
    settings_look,
    take_up,
    waiting,
)
from gossamer.settings.sources import Settings, read_file, settle

BEFORE = settle(file={"politeness.delay": 2})
WANTED = settle(file={"politeness.delay": 3, "fetch.total_timeout": 9})


def is_live(name: str) -> bool:
    return name.startswith("politeness.")


def test_what_can_be_taken_up_is_and_the_rest_keeps_value_and_source() -> None:
    now = take_up(BEFORE, WANTED, is_live)
    assert now.config.politeness == WANTED.config.politeness
    assert now.each["fetch.total_timeout"] == BEFORE.each["fetch.total_timeout"]


def test_the_same_value_from_another_source_is_told_with_that_source() -> None:
    now = take_up(BEFORE, settle(runtime={"fetch.total_timeout": 60}), lambda _: False)
    assert BEFORE.each["fetch.total_timeout"].value == now.each["fetch.total_timeout"].value
    assert now.each["fetch.total_timeout"].source == "runtime change (runtime.json)"


def test_what_waits_is_told_with_what_it_waits_for() -> None:
    found = waiting(BEFORE, WANTED, is_live)
    assert {name: each.until for name, each in found.items()} == {
        "politeness.delay": "reload",
        "fetch.total_timeout": "restart",
    }
    assert found["politeness.delay"].record("politeness.delay") == {
        "value": 3.0,
        "source": "gossamer.toml",
        "until": "reload",
    }
    assert waiting(WANTED, WANTED, is_live) == {}


def test_secrets_that_wait_are_masked() -> None:
    told = in_force_record(BEFORE, lambda: settle(file={"service.token": "hush-hush"}), is_live)
    assert "hush-hush" not in str(told)


def test_the_file_counts_as_it_was_read_until_a_reload(tmp_path: Path) -> None:
    data = DataFolder(tmp_path)
    data.settings_file.write_text("[crawl]\ndepth = 1\n")
    file = SettingsFile(data)
    data.settings_file.write_text("[crawl]\ndepth = 2\n")
    file.look(lambda values: settle(file=values))
    assert file.values == {"crawl.depth": 1}
    before = settings_look(data)
    data.ask_for_reload()
    assert settings_look(data) != before
    file.look(lambda values: settle(file=values))
    assert file.values == {"crawl.depth": 2}


def test_a_wrong_file_is_named_and_no_reload_is_asked_for(tmp_path: Path) -> None:
    data = DataFolder(tmp_path)
    data.settings_file.write_text("[crawl]\ndepth = 'deep'\n")

    def written() -> Settings:
        return settle(file=read_file(data.settings_file))

    before = settings_look(data)
    with pytest.raises(ConfigError, match=r"gossamer\.toml: crawl\.depth.*values in force stay"):
        ask_for_reload(data, written)
    assert settings_look(data) == before


def test_what_all_nodes_go_by_is_told_apart_from_an_earlier_command_line() -> None:
    settings = settle(kept={"crawl.workers": 2}, shared={"crawl.depth": 3})
    assert settings.each["crawl.depth"].source == "all nodes of the crawl"
    assert settings.each["crawl.workers"].source == "command line of an earlier crawl"
