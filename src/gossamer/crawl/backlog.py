"""Back-pressure: room for answers, so many and so many bytes, from before the request until settled.

The bytes are those of their bodies, and of what they say once they were read: a packed body of some
KiB may have MiB to say. Where what was read fills the room, no more is read until some is settled.

Whoever is about to send a request waits here while there is no room; nobody who has a slot waits for
another. What is in hand is read, kept and settled by others, who need no slot; what is on its way comes
or fails within the time limits of requests. So room is always given back, and there is no deadlock. An answer
that is larger than all the room goes through like any other: its size is known when it is here, and
then only those who come later wait.

Pages of some sites are enormous, and take the graph many seconds. They must not keep all others from
being asked. So a site that had such a page counts as heavy for a while: of all heavy sites together one
answer is under way at a time. And a quarter of the room is for ordinary pages of sites that are not heavy.
"""

import asyncio
from collections import Counter, deque
from typing import Final

LATELY: Final = 32  # answers, by whose size we judge what those on their way will bring
ENORMOUS: Final = 64  # a page that takes more than this part of the room makes its site heavy
FORGIVING: Final = 0.9  # by an ordinary page: after some thirty, a site is heavy no longer
MOST_HEAVY: Final = 1_000  # sites that are remembered


class Backlog:
    """A bounded backlog: `acquire` a slot, `fill` it, have it `grow`, `empty` it; or `release` it unfilled."""

    def __init__(self, most: int, most_bytes: int) -> None:
        self._free = most
        self._waiting: deque[asyncio.Future[None]] = deque()  # for a slot, first come first served
        self._most_bytes = most_bytes
        self._on_their_way = 0
        self._bytes = 0  # of answers that are here, and of what they say
        self._said_bytes = 0  # of the latter alone
        self._usual_bytes = 0.0  # of an answer
        self._enormous = most_bytes // ENORMOUS
        self._ordinary_bytes = 0  # of answers that are not enormous, with what they say
        self._heavy: dict[
            str, float
        ] = {}  # sites, and what their largest page took, less with time
        self._heavy_held: Counter[str] = Counter()  # slots that heavy sites have
        self._room = asyncio.Event()

    @property
    def bytes_in_hand(self) -> int:
        """How many bytes the answers have that are here, with what they say."""
        return self._bytes

    @property
    def is_crowded(self) -> bool:
        """Whether what was read takes half of the room; whoever has read it waits for no other reading."""
        return self._said_bytes >= self._most_bytes // 2

    @property
    def has_room(self) -> bool:
        """Whether another answer may be asked for, as far as bytes go.

        Those on their way count too, as large as answers are of late: a hundred hosts that were
        asked while there was room for one would otherwise all come at once.
        """
        return self._bytes + self._on_their_way * self._usual_bytes < self._most_bytes

    def has_room_for(self, site: str) -> bool:
        """Whether an answer of a site may be asked for; the empty name stands for no site."""
        if site in self._heavy:
            return not self._heavy_held and self.has_room
        return self.has_room or (bool(site) and self._ordinary_bytes < self._most_bytes // 4)

    async def acquire(self, site: str = "") -> None:
        """Wait for a slot for an answer of a site, and take it."""
        await self._take_slot()
        try:
            while not self.has_room_for(site):
                self._room.clear()
                await self._room.wait()
        except BaseException:
            self._give_slot()
            raise
        self._on_their_way += 1
        if site in self._heavy:
            self._heavy_held[site] += 1

    def release(self, site: str = "") -> None:
        """Give back a slot to which nothing came."""
        self._on_their_way -= 1
        self._leave(site)
        self._give_slot()
        self._room.set()

    def fill(self, size: int, site: str = "") -> None:
        """Put an answer of so many bytes into a slot."""
        self._on_their_way -= 1
        self._bytes += size
        self._usual_bytes += (size - self._usual_bytes) / LATELY
        if size <= self._enormous:
            self._ordinary_bytes += size
        else:
            self._note_heavy(site, size)
        self._room.set()

    def grow(self, said: int, size: int = 0, site: str = "") -> None:
        """Add what an answer of this size says, now that it was read: so many bytes."""
        self._bytes += said
        self._said_bytes += said
        if said > self._enormous:
            self._note_heavy(site, size + said)
        if size <= self._enormous:
            self._ordinary_bytes += said if said <= self._enormous else -size

    def empty(self, size: int, said: int = 0, site: str = "") -> None:
        """Give back the slot and the room of an answer that is settled, or given up."""
        self._bytes -= size + said
        self._said_bytes -= said
        if max(size, said) <= self._enormous:
            self._ordinary_bytes -= size + said
            self._forgive(site)
        self._leave(site)
        self._give_slot()
        self._room.set()

    def _note_heavy(self, site: str, size: int) -> None:
        if not site:
            return
        while len(self._heavy) >= MOST_HEAVY:
            del self._heavy[next(iter(self._heavy))]
        self._heavy[site] = max(size, self._heavy.get(site, 0.0))

    def _forgive(self, site: str) -> None:
        """Count an ordinary page of a site: the site is a little less heavy."""
        if site in self._heavy:
            self._heavy[site] *= FORGIVING
            if self._heavy[site] <= self._enormous:
                del self._heavy[site]

    def _leave(self, site: str) -> None:
        """Note that a heavy site has a slot less."""
        if site in self._heavy_held:
            self._heavy_held[site] -= 1
            if not self._heavy_held[site]:
                del self._heavy_held[site]

    async def _take_slot(self) -> None:
        if self._free and not self._waiting:
            self._free -= 1
            return
        slot: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(slot)
        try:
            await slot
        except BaseException:
            if not slot.cancelled():  # it was ours by then
                self._give_slot()
            raise

    def _give_slot(self) -> None:
        # A semaphore would look through all it has called already, for every slot: hundreds come
        # back at once, when a batch is settled.
        while self._waiting:
            slot = self._waiting.popleft()
            if not slot.done():
                slot.set_result(None)
                return
        self._free += 1
