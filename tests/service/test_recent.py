"""One answer for all who ask within a moment."""

import asyncio

import pytest

from gossamer.service.recent import Recent


class Maker:
    def __init__(self) -> None:
        self.made = 0
        self.now = 0.0

    async def make(self) -> int:
        self.made += 1
        await asyncio.sleep(0)
        return self.made

    def clock(self) -> float:
        return self.now


def test_many_who_ask_at_once_get_what_is_made_once() -> None:
    async def run() -> None:
        maker = Maker()
        recent = Recent[int](1.0, maker.clock)
        assert await asyncio.gather(*(recent.get(maker.make) for _ in range(9))) == [1] * 9
        maker.now = 0.9
        assert await recent.get(maker.make) == 1
        maker.now = 1.0
        assert await recent.get(maker.make) == 2

    asyncio.run(run())


def test_what_fails_is_tried_again_by_the_next() -> None:
    async def run() -> None:
        maker = Maker()
        recent = Recent[int](1.0, maker.clock)

        async def fail() -> int:
            raise ValueError("No.")

        with pytest.raises(ValueError, match="No"):
            await recent.get(fail)
        assert await recent.get(maker.make) == 1

    asyncio.run(run())
