"""What the service goes by: its section of the configuration, as it is by now.

Whoever changes it, here or with `gossamer config set`, leaves a file that looks otherwise than
before. That is seen when the next request comes, before anything is decided about it: so a token
that was replaced is void at once, wherever that was done.
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

from gossamer.changing import Settle, look_of
from gossamer.config import Service
from gossamer.data import DataFolder
from gossamer.errors import ConfigError, GossamerError
from gossamer.service.guard import Door
from gossamer.service.guesses import Guesses
from gossamer.service.sessions import Sessions
from gossamer.settings import Settings

AT_START: Final = "service.address"  # where we listen is decided once


@dataclass(slots=True, kw_only=True)
class InForce:
    """The section, replaced as a whole when it changes, and who was let in by it."""

    data: DataFolder
    service: Service
    settle: Settle  # the configuration from all its sources; called in any thread
    is_loopback: bool  # only this machine gets to us
    sessions: Sessions = field(default_factory=Sessions)
    guesses: Guesses = field(default_factory=Guesses)
    waits: tuple[str, ...] = ()  # keys whose change is taken up when the service starts again
    _seen: object = None  # how the file looked when it was read last
    _reading: asyncio.Lock = field(default_factory=asyncio.Lock)

    def __post_init__(self) -> None:
        """Begin with what is there now."""
        self._seen = look_of(self.data.runtime_file)

    async def door(self) -> Door:
        """Whom we let in by now."""
        await self.look()
        return Door(self.service, self.is_loopback, self.sessions, self.guesses)

    async def look(self) -> None:
        """Take up what has changed since the last look."""
        if look_of(self.data.runtime_file) == self._seen:
            return
        async with self._reading:
            seen = look_of(self.data.runtime_file)
            if seen == self._seen:
                return  # somebody else was faster
            with suppress(GossamerError):  # of which whoever changed it was told
                self._take_up((await asyncio.to_thread(self.settle, None)).config.service)
            self._seen = seen

    def checked(self, runtime: Mapping[str, object] | None) -> Settings:
        """What changes come to, where we can go by that; raises `ConfigError`."""
        settings = self.settle(runtime)
        if not self.is_loopback and settings.config.service.token is None:
            raise ConfigError(
                "Others than this machine get to us, so there has to be a token. Set another "
                "one in its place."
            )
        return settings

    def _take_up(self, wanted: Service) -> None:
        self.waits = () if wanted.address == self.service.address else (AT_START,)
        if wanted.token != self.service.token:
            self.sessions.end_all()
        self.service = replace(wanted, address=self.service.address)
