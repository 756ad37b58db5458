"""What `gossamer config set` says to a crawl that is running.

The file with the changes is looked at once a second. What can be taken up at once is; of the
rest people are told that it waits for the next run. A value that is wrong changes nothing.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from gossamer.config import Config
from gossamer.errors import ConfigError
from gossamer.events import ConfigChanged, ConfigIgnored
from gossamer.log import Sink
from gossamer.settings import Settings, keys

LOOK: Final = 1.0  # seconds
LIVE: Final = frozenset({"politeness", "scope", "traps", "crawl", "sitemaps"})
# Robots.txt files were read for our name, and workers are started once.
NEXT_RUN: Final = frozenset({"politeness.agent", "politeness.contact", "crawl.workers"})


@dataclass(slots=True)
class Changes:
    """Watches the changes of one data folder."""

    file: Path
    config: Config  # as the crawl has it
    read: Callable[[], Settings]
    apply: Callable[[Config], Awaitable[None]]
    tell: Sink
    _seen: object = None  # how the file looked when it was read last
    _waits: frozenset[str] = frozenset()  # keys whose change people were told to wait for

    async def watch(self) -> None:
        """Take changes up until cancelled."""
        while True:
            await self.look()
            await asyncio.sleep(LOOK)

    async def look(self) -> None:
        """Take up what has changed since the last look."""
        now = _look_of(self.file)
        if now == self._seen:
            return
        self._seen = now
        try:
            settings = self.read()
        except ConfigError as error:
            self.tell(ConfigIgnored(message=f"{error} The crawl goes on as before."))
        else:
            await self._take_up(settings)

    async def _take_up(self, settings: Settings) -> None:
        wanted, before = settings.config, self.config
        self.config = taken_up(before, wanted)
        if self.config != before:
            await self.apply(self.config)
        for name in _differing(before, self.config):
            shown = keys()[name].shown(settings.each[name].value)
            self.tell(ConfigChanged(key=name, value=shown))
        waits = frozenset(_differing(self.config, wanted))
        for name in sorted(waits - self._waits):
            message = f"{name} is changed, and taken up with the next run of this crawl."
            self.tell(ConfigIgnored(message=message))
        self._waits = waits


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


def _differing(one: Config, other: Config) -> list[str]:
    return [name for name in keys() if _value(one, name) != _value(other, name)]


def _value(config: Config, name: str) -> object:
    section, _, field = name.partition(".")
    return getattr(getattr(config, section), field)


def _look_of(file: Path) -> object:
    try:
        seen = file.stat()
    except OSError:
        return "not there"
    return seen.st_ino, seen.st_mtime_ns, seen.st_size
