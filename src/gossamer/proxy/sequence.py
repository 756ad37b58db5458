"""Answers in the order of their requests, for clients that ask for it.

Requests of one client run side by side; an answer begins when those before it have ended, or when it
was held back for as long as may be. What no order is wanted for is in no line.
"""

import asyncio
from collections import deque
from dataclasses import dataclass, field
from typing import Final

MARKER: Final = (b"X-Gossamer-Out-Of-Order", b"1")


@dataclass(eq=False, slots=True)
class Place:
    """One request among those of its client."""

    line: "deque[Place]"
    most_seconds: float  # that its answer is held back
    until: float | None = None  # of the loop's time, once there is an answer
    called: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_first(self) -> bool:
        """Whether all answers before this one have ended."""
        return self.line[0] is self

    @property
    def is_overdue(self) -> bool:
        """Whether its answer was held back for as long as may be."""
        return self.until is not None and asyncio.get_running_loop().time() >= self.until

    def hold(self) -> None:
        """Its answer begins to be there, and is held back from now on."""
        self.until = asyncio.get_running_loop().time() + self.most_seconds

    async def wait(self) -> bool:
        """Wait for those before; whether they have ended, and not our patience."""
        try:
            async with asyncio.timeout_at(self.until):
                while not self.is_first:
                    self.called.clear()
                    await self.called.wait()
        except TimeoutError:
            pass
        return self.is_first


class Sequences:
    """The requests of all clients that want their answers in order."""

    def __init__(self) -> None:
        self._lines: dict[str, deque[Place]] = {}

    def enter(self, client: str, most_seconds: float) -> Place:
        """A place behind all that came before."""
        line = self._lines.setdefault(client, deque())
        place = Place(line, most_seconds)
        line.append(place)
        return place

    def leave(self, client: str, place: Place) -> None:
        """Its answer has ended, or there will be none."""
        line = self._lines[client]
        line.remove(place)
        if line:
            line[0].called.set()
        else:
            del self._lines[client]
