"""Questions for robots.txt that go on when whoever asked does not wait any longer.

A slow host must not hold up those who ask about others; nor is it asked anew each time somebody
gives up.
"""

import asyncio
from datetime import datetime, timedelta
from typing import Final

from gossamer.check import AGAIN, StillAsking
from gossamer.model import Failed, Url
from gossamer.polite import PoliteClient
from gossamer.politeness.host_ledger import Wait
from gossamer.politeness.ledger import Ledger
from gossamer.politeness.robots.rules import Rules
from gossamer.urls import host_of, origin_of

WITHIN: Final = timedelta(seconds=10)  # that somebody waits for an answer, after any line


class Inquiries:
    """`gossamer.check.Manners`, for many who ask. Use it as `async with Inquiries(client)`."""

    def __init__(self, client: PoliteClient, within: timedelta = WITHIN) -> None:
        self._client = client
        self._within = within
        self._asking: dict[str, asyncio.Task[Rules | Wait | Failed]] = {}

    async def __aenter__(self) -> "Inquiries":
        return self

    async def __aexit__(self, *_: object) -> None:
        asking = [*self._asking.values()]
        for task in asking:
            task.cancel()
        await asyncio.gather(*asking, return_exceptions=True)

    @property
    def ledger(self) -> Ledger:
        """The hosts' clocks."""
        return self._client.ledger

    def now(self) -> datetime:
        """The present moment."""
        return self._client.now()

    async def rules(self, url: Url, patience: timedelta) -> Rules | Wait | Failed:
        """The rules of the URL's origin, asked for if there are none that are fresh."""
        origin = origin_of(url)
        task = self._asking.get(origin) or self._ask(origin, url, patience)
        await asyncio.wait([task], timeout=self._within.total_seconds())
        if task.done() and not task.cancelled():  # as it is when we are about to end
            return task.result()
        return StillAsking(self._client.now() + AGAIN, self.ledger.delay(host_of(url)))

    def _ask(
        self, origin: str, url: Url, patience: timedelta
    ) -> "asyncio.Task[Rules | Wait | Failed]":
        task = asyncio.ensure_future(self._client.rules(url, patience))
        self._asking[origin] = task
        task.add_done_callback(lambda _: self._over(origin, task))
        return task

    def _over(self, origin: str, task: "asyncio.Task[Rules | Wait | Failed]") -> None:
        if self._asking.get(origin) is task:
            del self._asking[origin]
        if not task.cancelled():
            task.exception()  # which nobody may be waiting for any more
