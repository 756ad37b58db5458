"""What `gossamer config set` and `config add` say to a crawl that is running.

Whoever makes a change says so at the socket, and hears what came of it. The file with the changes,
and the expressions that other nodes may have added, are looked at once a second besides. What can
be taken up at once is; of the rest people are told that it waits for the next run. A value that is
wrong changes nothing.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from gossamer.config import Config
from gossamer.errors import ConfigError
from gossamer.events import ConfigChanged, ConfigIgnored
from gossamer.frontier.facts import ScopeExpression, with_expressions
from gossamer.log import Sink
from gossamer.settings.runtime import look_of
from gossamer.settings.sources import Settings, keys, read_value

LOOK: Final = 1.0  # seconds
# A service and a proxy look for changes of their own by themselves; that they count is told here.
LIVE: Final = frozenset(
    {"politeness", "scope", "traps", "budget", "crawl", "sitemaps", "service", "proxy"}
)
# Robots.txt files were read for our name, workers are started once; the rest is opened once.
NEXT_RUN: Final = frozenset(
    {
        "politeness.agent",
        "politeness.contact",
        "crawl.workers",
        "service.address",
        "proxy.address",
        "proxy.authority",
        "proxy.cache_max_entry",
        "proxy.cache_size",
        "proxy.intercept",
        "proxy.keep_anyway",
    }
)


async def no_order() -> object:
    """What nobody else says about the crawl."""
    return None


async def no_expressions() -> Sequence[ScopeExpression]:
    """What is added to a scope by nobody."""
    return ()


@dataclass(slots=True)
class Changes:
    """Watches the changes of one data folder, and of the frontier that it may share."""

    file: Path
    config: Config  # as the crawl has it
    read: Callable[[], Settings]
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
            now = (look_of(self.file), added, await self.order())
            if now != self._seen:
                self._seen = now
                await self._read(added)

    async def _read(self, added: Sequence[ScopeExpression]) -> None:
        try:
            wanted = self.read().config
        except ConfigError as error:
            self.refused = f"{error} The crawl goes on as before."
            self.tell(ConfigIgnored(message=self.refused))
        else:
            self.refused = None
            await self._take_up(replace(wanted, scope=with_expressions(wanted.scope, added)))

    async def _take_up(self, wanted: Config) -> None:
        before, self.config = self.config, taken_up(self.config, wanted)
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


def taken_up(before: Config, wanted: Config) -> Config:
    """The configuration that a running crawl makes of one that is wanted."""
    later = {name: _value(before, name) for name in NEXT_RUN}
    sections: dict[str, Any] = {}
    for section in LIVE:
        stays = {
            name.partition(".")[2]: value
            for name, value in later.items()
            if name.startswith(f"{section}.")
        }
        sections[section] = replace(getattr(wanted, section), **stays)
    return replace(before, **sections)


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
