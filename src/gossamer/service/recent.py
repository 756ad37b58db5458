"""One answer for all who ask within a moment: counting a large crawl takes its time."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(slots=True)
class Recent(Generic[T]):
    """Keeps what was made last, for some seconds; it is made once, however many wait for it."""

    seconds: float
    clock: Callable[[], float] = time.monotonic
    _made: tuple[float, T] | None = None
    _making: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def get(self, make: Callable[[], Awaitable[T]]) -> T:
        """What was made lately, or what is made now."""
        async with self._making:
            if self._made is None or self.clock() >= self._made[0] + self.seconds:
                value = await make()
                self._made = self.clock(), value
            return self._made[1]
