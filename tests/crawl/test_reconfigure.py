import asyncio
import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from gossamer.config import Config, Proxy, Scope, Service
from gossamer.crawl.reconfigure import Changes, taken_up, unlike
from gossamer.events import ConfigChanged, ConfigIgnored, Event
from gossamer.frontier.facts import ScopeExpression
from gossamer.settings.sources import read_runtime, settle


class Watched:
    """A file of changes, and what came of it."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.applied: list[Config] = []
        self.told: list[Event] = []
        self.added: list[ScopeExpression] = []
        self._changes = Changes(
            file,
            Config(),
            lambda: settle(runtime=read_runtime(file)),
            self._apply,
            self.told.append,
            self._expressions,
        )

    async def _expressions(self) -> list[ScopeExpression]:
        return self.added

    @property
    def changes(self) -> Changes:
        return self._changes

    async def _apply(self, config: Config) -> None:
        self.applied.append(config)

    def look(self, changes: dict[str, object] | str | None = None) -> None:
        if changes is not None:
            text = changes if isinstance(changes, str) else json.dumps(changes)
            draft = self.file.with_suffix(".draft")
            draft.write_text(text)
            draft.replace(self.file)
        asyncio.run(self._changes.look())


def test_a_file_that_does_not_change_is_left_alone(tmp_path: Path) -> None:
    watched = Watched(tmp_path / "runtime.json")
    watched.look()
    watched.look()
    assert not watched.applied
    assert not watched.told


def test_a_change_is_applied_and_told(tmp_path: Path) -> None:
    watched = Watched(tmp_path / "runtime.json")
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
    watched = Watched(tmp_path / "runtime.json")
    watched.look({"politeness.delay": "2"})
    watched.file.unlink()
    watched.look()
    assert watched.applied[-1] == Config()


def test_a_bad_value_is_reported_and_ignored(tmp_path: Path) -> None:
    watched = Watched(tmp_path / "runtime.json")
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
    watched = Watched(tmp_path / "runtime.json")
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
    watched = Watched(tmp_path / "runtime.json")
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
    watched = Watched(tmp_path / "runtime.json")
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


def test_what_is_taken_up_of_a_configuration_leaves_the_rest_as_it_was() -> None:
    before = Config()
    wanted = replace(
        before,
        politeness=replace(before.politeness, agent="other", delay=timedelta(seconds=9)),
        crawl=replace(before.crawl, workers=7, depth=3),
        archive=replace(before.archive, keep=False),
    )
    now = taken_up(before, wanted)
    assert now.politeness == replace(before.politeness, delay=timedelta(seconds=9))
    assert now.crawl == replace(before.crawl, depth=3)
    assert now.archive == before.archive


def test_a_service_takes_its_own_changes_up_but_for_where_it_is() -> None:
    wanted = replace(Config(), service=Service(query_rows=5, address="127.0.0.1:9"))
    now = taken_up(Config(), wanted)
    assert now.service == Service(query_rows=5)


def test_a_proxy_takes_its_own_changes_up_but_for_what_it_opened_once(tmp_path: Path) -> None:
    wanted = replace(Config(), proxy=Proxy(max_wait=timedelta(seconds=3), cache_size=5))
    assert taken_up(Config(), wanted).proxy == Proxy(max_wait=timedelta(seconds=3))
    watched = Watched(tmp_path / "runtime.json")
    watched.look({"proxy.max_wait": "3", "proxy.max_connections": 7, "proxy.intercept": True})
    assert watched.changes.waits == {"proxy.intercept"}
