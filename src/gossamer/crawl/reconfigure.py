"""What `gossamer config set`, `config add` and `config reload` say to a crawl that is running.

Whoever makes a change says so at the socket, and hears what came of it. The file with the changes,
the mark of a reload and the expressions that other nodes may have added are looked at once a second
besides. What can be taken up at once is; of the rest people are told that it waits for the next run.
A value that is wrong changes nothing.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from gossamer.config import Config
from gossamer.errors import ConfigError
from gossamer.events import ConfigChanged, ConfigIgnored
from gossamer.folder.data import DataFolder
from gossamer.frontier.facts import ScopeExpression, with_expressions
from gossamer.log import Sink
from gossamer.settings.in_force import (
    ask_for_reload,
    in_force_record,
    settings_look,
    take_up,
)
from gossamer.settings.sources import Settings, keys, read_value

LOOK: Final = 1.0  # seconds
# A service and a proxy look for changes of their own by themselves; that they count is told here.
LIVE: Final = frozenset(
    {
        *(
            "politeness",
            "scope",
            "urls",
            "traps",
            "budget",
            "crawl",
            "focus",
            "freshness",
            "sitemaps",
        ),
        *("service", "proxy"),
    }
)
# Robots.txt files were read for our name, workers are started once; the rest is opened once.
NEXT_RUN: Final = frozenset(
    {
        "politeness.agent",
        "politeness.contact",
        "crawl.workers",
        "service.address",
        "service.max_connections",
        "proxy.address",
        "proxy.authority",
        "proxy.cache_max_entry",
        "proxy.cache_size",
        "proxy.intercept",
        "proxy.keep_anyway",
    }
)


def is_live(name: str) -> bool:
    """Whether a crawl takes up a change of this key while it runs."""
    return name.partition(".")[0] in LIVE and name not in NEXT_RUN


def is_live_in_service(name: str) -> bool:
    """Whether a command that serves takes up a change of this key; it has no workers of its own."""
    return is_live(name) or name == "crawl.workers"


async def no_order() -> object:
    """What nobody else says about the crawl."""
    return None


async def no_expressions() -> Sequence[ScopeExpression]:
    """What is added to a scope by nobody."""
    return ()


@dataclass(slots=True)
class Changes:
    """Watches the changes of one data folder, and of the frontier that it may share."""

    data: DataFolder
    config: Config  # as the crawl has it
    settings: Settings  # the same, with sources, and without the expressions that were added
    read: Callable[[], Settings]  # by the file of the user as it was read last
    written: Callable[[], Settings]  # and by that file as it is now
    apply: Callable[[Config], Awaitable[None]]
    tell: Sink
    expressions: Callable[[], Awaitable[Sequence[ScopeExpression]]] = no_expressions
    order: Callable[[], Awaitable[object]] = no_order  # as other nodes have it, if it is shared
    waits: frozenset[str] = frozenset()  # keys whose change people were told to wait for
    refused: str | None = None  # why the last change was not taken up
    _seen: object = None  # how all looked when it was read last
    _looking: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def watch(self) -> None:
        """Take changes up until cancelled."""
        while True:
            await self.look()
            await asyncio.sleep(LOOK)

    async def look(self) -> None:
        """Take up what has changed since the last look."""
        async with self._looking:
            added = tuple(await self.expressions())
            now = (settings_look(self.data), added, await self.order())
            if now != self._seen:
                self._seen = now
                await self._read(added)

    async def reload(self) -> list[str]:
        """Take up the user's file as it is now; the keys that changed. Raises `ConfigError` on a bad one."""
        before = self.config
        ask_for_reload(self.data, self.written)
        await self.look()
        return _differing(before, self.config)

    async def record(self) -> dict[str, object]:
        """Each value in force and its source, and what waits."""
        await self.look()
        return in_force_record(self.settings, self.written, is_live)

    def shown(self, name: str) -> tuple[str, str] | None:
        """The value in force of a key for people, and its source; None where it is no key any more."""
        setting = self.settings.each.get(name)
        return None if setting is None else (keys()[name].shown(setting.value), setting.source)

    async def _read(self, added: Sequence[ScopeExpression]) -> None:
        try:
            wanted = self.read()
        except ConfigError as error:
            self.refused = f"{error} The crawl goes on as before."
            self.tell(ConfigIgnored(message=self.refused))
        else:
            self.refused = None
            self.settings = take_up(self.settings, wanted, is_live)
            await self._take_up(_with(wanted.config, added), _with(self.settings.config, added))

    async def _take_up(self, wanted: Config, now: Config) -> None:
        before, self.config = self.config, now
        if self.config != before:
            await self.apply(self.config)
        for name in _differing(before, self.config):
            shown = keys()[name].shown(_value(self.config, name))
            self.tell(ConfigChanged(key=name, value=shown))
        waits = frozenset(_differing(self.config, wanted))
        for name in sorted(waits - self.waits):
            message = f"{name} is changed, and taken up with the next run of this crawl."
            self.tell(ConfigIgnored(message=message))
        self.waits = waits


def _with(config: Config, added: Sequence[ScopeExpression]) -> Config:
    return replace(config, scope=with_expressions(config.scope, added))


def unlike(config: Config, options: Mapping[str, object]) -> dict[str, str]:
    """The options, by key, that are not in force, and what is instead."""
    found = {}
    for name, raw in options.items():
        value = _value(config, name)
        if read_value(name, raw, "option") != value:
            found[name] = keys()[name].shown(value)
    return found


def _differing(one: Config, other: Config) -> list[str]:
    return [name for name in keys() if _value(one, name) != _value(other, name)]


def _value(config: Config, name: str) -> object:
    section, _, field = name.partition(".")
    return getattr(getattr(config, section), field)
