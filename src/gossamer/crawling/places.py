"""Room for answers: so many, and so many bytes, from before they are asked for until settled.

The bytes are those of their bodies, and of what they say once they were read: a packed body of some
KiB may have MiB to say. Where what was read fills the room, no more is read until some is settled.

Whoever asks waits here while there is no room; nobody who has a place waits for another. What is in
hand is read, kept and settled by others, who ask for no place; what is on its way comes or fails
within the time limits of requests. So room is always given back, and there is no deadlock. An answer
that is larger than all the room goes through like any other: its size is known when it is here, and
then only those who come later wait.
"""

import asyncio
from collections import deque
from typing import Final

LATELY: Final = 32  # answers, by whose size we judge what those on their way will bring


class AnswerPlaces:
    """`acquire` a place, `fill` it, have it `grow`, and `empty` it; or `release` it, if nothing came."""

    def __init__(self, most: int, most_bytes: int) -> None:
        self._free = most
        self._waiting: deque[asyncio.Future[None]] = deque()  # for a place, in turn
        self._most_bytes = most_bytes
        self._on_their_way = 0
        self._bytes = 0  # of answers that are here, and of what they say
        self._said_bytes = 0  # of the latter alone
        self._usual_bytes = 0.0  # of an answer
        self._room = asyncio.Event()

    @property
    def bytes_in_hand(self) -> int:
        """How many bytes the answers have that are here, with what they say."""
        return self._bytes

    @property
    def is_crowded(self) -> bool:
        """Whether what was read is enough; whoever has read it waits for no other reading."""
        return self._said_bytes >= self._most_bytes

    @property
    def has_room(self) -> bool:
        """Whether another answer may be asked for, as far as bytes go.

        Those on their way count too, as large as answers are of late: a hundred hosts that were
        asked while there was room for one would otherwise all come at once.
        """
        return self._bytes + self._on_their_way * self._usual_bytes < self._most_bytes

    async def acquire(self) -> None:
        """Return when there is a place for an answer, which is ours then."""
        await self._take_place()
        try:
            while not self.has_room:
                self._room.clear()
                await self._room.wait()
        except BaseException:
            self._give_place()
            raise
        self._on_their_way += 1

    def release(self) -> None:
        """Give a place back to which nothing came."""
        self._on_their_way -= 1
        self._give_place()
        self._room.set()

    def fill(self, size: int) -> None:
        """An answer of so many bytes is here."""
        self._on_their_way -= 1
        self._bytes += size
        self._usual_bytes += (size - self._usual_bytes) / LATELY
        self._room.set()

    def grow(self, said: int) -> None:
        """It was read, and says so many bytes."""
        self._bytes += said
        self._said_bytes += said

    def empty(self, size: int, said: int = 0) -> None:
        """It is settled."""
        self._bytes -= size + said
        self._said_bytes -= said
        self._give_place()
        self._room.set()

    async def _take_place(self) -> None:
        if self._free and not self._waiting:
            self._free -= 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except BaseException:
            if not turn.cancelled():  # it was ours by then
                self._give_place()
            raise

    def _give_place(self) -> None:
        # A semaphore would look through all it has called already, for every place: hundreds come
        # back at once, when a batch is settled.
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
