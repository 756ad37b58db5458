import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from gossamer.config import Config, Proxy, Scope, Service
from gossamer.crawl.reconfigure import NEXT_RUN, Changes, is_live, is_live_in_service, unlike
from gossamer.errors import ConfigError
from gossamer.events import ConfigChanged, ConfigIgnored, Event
from gossamer.folder.data import DataFolder
from gossamer.frontier.facts import ScopeExpression
from gossamer.settings.in_force import SettingsFile, take_up
from gossamer.settings.sources import Setting, Settings, keys, read_file, read_runtime, settle


class Watched:
    """A folder whose files are changed, and what came of it."""

    def __init__(self, folder: Path) -> None:
        self.data = DataFolder(folder)
        self.file = self.data.runtime_file
        self._user_file = SettingsFile(self.data)
        self.applied: list[Config] = []
        self.told: list[Event] = []
        self.added: list[ScopeExpression] = []
        self._changes = Changes(
            self.data,
            Config(),
            settle(),
            self._read,
            lambda: self._settled(read_file(self.data.settings_file)),
            self._apply,
            self.told.append,
            self._expressions,
        )

    async def _expressions(self) -> list[ScopeExpression]:
        return self.added

    def _read(self) -> Settings:
        self._user_file.look(self._settled)
        return self._settled(self._user_file.values)

    def _settled(self, values: Mapping[str, object]) -> Settings:
        return settle(runtime=read_runtime(self.file), file=values)

    @property
    def changes(self) -> Changes:
        return self._changes

    async def _apply(self, config: Config) -> None:
        self.applied.append(config)

    def record(self) -> dict[str, Any]:
        told = asyncio.run(self._changes.record())["settings"]
        assert isinstance(told, dict)
        return told

    def look(self, changes: dict[str, object] | str | None = None) -> None:
        if changes is not None:
            text = changes if isinstance(changes, str) else json.dumps(changes)
            draft = self.file.with_suffix(".draft")
            draft.write_text(text)
            draft.replace(self.file)
        asyncio.run(self._changes.look())


def test_a_file_that_does_not_change_is_left_alone(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    watched.look()
    watched.look()
    assert not watched.applied
    assert not watched.told


def test_a_change_is_applied_and_told(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    watched.look({"politeness.delay": "2", "crawl.max_pages": 10})
    (config,) = watched.applied
    assert config.politeness.delay == timedelta(seconds=2)
    assert config.crawl.max_pages == 10
    assert watched.told == [
        ConfigChanged(key="politeness.delay", value="2s"),
        ConfigChanged(key="crawl.max_pages", value="10"),
    ]
    watched.look()
    assert len(watched.applied) == 1


def test_a_change_can_be_taken_back(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    watched.look({"politeness.delay": "2"})
    watched.file.unlink()
    watched.look()
    assert watched.applied[-1] == Config()


def test_a_bad_value_is_reported_and_ignored(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    watched.look({"politeness.delay": "2", "crawl.depth": "deep"})
    assert watched.applied == []
    (told,) = watched.told
    assert isinstance(told, ConfigIgnored)
    assert "crawl.depth: 'deep' is not a whole number" in told.message
    watched.look("no json")
    assert "not readable" in watched.told[-1].sentence()
    watched.look({"politeness.delay": "2"})
    assert len(watched.applied) == 1


def test_what_cannot_be_taken_up_at_once_waits_and_people_are_told_once(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    wanted: dict[str, object] = {"politeness.agent": "other", "fetch.total_timeout": 5}
    watched.look(wanted)
    assert watched.applied == []
    sentences = [event.sentence() for event in watched.told]
    assert sentences == [
        "fetch.total_timeout is changed, and taken up with the next run of this crawl.",
        "politeness.agent is changed, and taken up with the next run of this crawl.",
    ]
    watched.look({**wanted, "crawl.concurrency": 3})
    (config,) = watched.applied
    assert config == replace(Config(), crawl=replace(Config().crawl, concurrency=3))
    assert len(watched.told) == 3


def test_expressions_that_were_added_count_beside_the_others(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    watched.look({"scope.exclude": "/a/"})
    watched.added.append(ScopeExpression("exclude", "/b/"))
    watched.look()
    assert watched.applied[-1].scope == Scope(exclude=("/a/", "/b/"))
    assert watched.told[-1] == ConfigChanged(key="scope.exclude", value='["/a/", "/b/"]')
    watched.look()
    assert len(watched.applied) == 2
    watched.added.clear()
    watched.look()
    assert watched.applied[-1].scope == Scope(exclude=("/a/",))


def test_it_is_known_what_waits_and_what_was_refused(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    watched.look({"politeness.agent": "other", "crawl.depth": "deep"})
    assert "crawl.depth" in (watched.changes.refused or "")
    watched.look({"politeness.agent": "other", "crawl.depth": 2})
    assert watched.changes.refused is None
    assert watched.changes.waits == {"politeness.agent"}


def test_options_that_are_not_in_force_are_named_with_what_is() -> None:
    options: dict[str, object] = {
        "crawl.depth": "none",
        "fetch.connect_to": [],
        "scope.kind": "any",
    }
    assert unlike(Config(), options) == {"scope.kind": "host"}


def wanted(**given: object) -> Settings:
    """Settings with these values, `section__key=value`."""
    each = dict(settle().each)
    for name, value in given.items():
        each[name.replace("__", ".")] = Setting(value, "test")
    return Settings.of(each)


def test_what_is_taken_up_of_a_configuration_leaves_the_rest_as_it_was() -> None:
    asked = wanted(
        politeness__agent="other",
        politeness__delay=timedelta(seconds=9),
        crawl__workers=7,
        crawl__depth=3,
        archive__keep=False,
    )
    now, before = take_up(settle(), asked, is_live).config, Config()
    assert now.politeness == replace(before.politeness, delay=timedelta(seconds=9))
    assert now.crawl == replace(before.crawl, depth=3)
    assert now.archive == before.archive


def test_a_service_takes_its_own_changes_up_but_for_where_it_is() -> None:
    asked = wanted(
        service__query_rows=5, service__address="127.0.0.1:9", service__max_connections=3
    )
    assert take_up(settle(), asked, is_live).config.service == Service(query_rows=5)


def test_a_proxy_takes_its_own_changes_up_but_for_what_it_opened_once(tmp_path: Path) -> None:
    asked = wanted(proxy__max_wait=timedelta(seconds=3), proxy__cache_size=5)
    now = take_up(settle(), asked, is_live).config
    assert now.proxy == Proxy(max_wait=timedelta(seconds=3))
    watched = Watched(tmp_path)
    watched.look({"proxy.max_wait": "3", "proxy.max_connections": 7, "proxy.intercept": True})
    assert watched.changes.waits == {"proxy.intercept"}


def test_whatever_is_said_to_wait_is_a_key() -> None:
    assert keys().keys() >= NEXT_RUN
    waits = {name for name in keys() if not is_live(name)}
    assert waits - {name for name in keys() if not is_live_in_service(name)} == {"crawl.workers"}


def test_a_change_of_one_key_applies_no_edit_of_another(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    watched.look()
    watched.data.settings_file.write_text("[politeness]\ndelay = 9\n")
    watched.look({"crawl.depth": 2})
    (config,) = watched.applied
    assert config == replace(Config(), crawl=replace(Config().crawl, depth=2))


def test_an_edit_of_the_file_waits_beside_the_value_in_force_until_a_reload(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    watched.data.settings_file.write_text("[politeness]\ndelay = 9\nagent = 'other'\n")
    told = watched.record()
    assert told["politeness.delay"] == {
        "value": 1.0,
        "source": "default",
        "waiting": {"value": 9.0, "source": "gossamer.toml", "until": "reload"},
    }
    assert told["politeness.agent"]["waiting"]["until"] == "restart"
    assert told["crawl.depth"]["waiting"] is None
    assert watched.applied == []
    assert asyncio.run(watched.changes.reload()) == ["politeness.delay"]
    assert watched.applied[-1].politeness.delay == timedelta(seconds=9)
    told = watched.record()
    assert told["politeness.delay"] == {
        "value": 9.0,
        "source": "gossamer.toml",
        "waiting": None,
    }
    assert told["politeness.agent"]["value"] == "gossamer"
    assert watched.changes.waits == {"politeness.agent"}


def test_a_bad_file_is_refused_and_the_old_values_stay(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    watched.data.settings_file.write_text("[politeness]\ndelay = 9\n")
    asyncio.run(watched.changes.reload())
    watched.data.settings_file.write_text("[politeness]\ndelay = 'soon'\n")
    with pytest.raises(ConfigError, match=r"politeness\.delay.*The values in force stay\."):
        asyncio.run(watched.changes.reload())
    watched.look({"crawl.depth": 2})
    assert watched.applied[-1].politeness.delay == timedelta(seconds=9)
    assert watched.record()["politeness.delay"]["value"] == 9.0
    refused = asyncio.run(watched.changes.record())["refused"]
    assert "politeness.delay" in str(refused)
    # Somebody else's reload, at the same moment, is of no consequence either.
    watched.data.ask_for_reload()
    watched.look()
    assert watched.changes.config.politeness.delay == timedelta(seconds=9)
