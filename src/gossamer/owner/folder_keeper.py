"""Answers for a folder from whoever owns it now: another process, or us while nobody else does.

A service outlives crawls. While one runs, it is asked; when it has ended, the folder is ours; and
whoever wants the folder asks us to make way. Those who ask meanwhile wait for a moment and are told
nothing of all this.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, aclosing, suppress
from datetime import timedelta
from typing import Final, Protocol

from gossamer.errors import FolderInUseError
from gossamer.folder.data import DataFolder
from gossamer.owner.messages import Answering, LeftError, Record
from gossamer.owner.opening import Answers
from gossamer.owner.questions import Question, ReportRight
from gossamer.owner.unix_socket import NoOwnerError, Owner

LOOK_SECONDS: Final = 0.5  # how soon we see that the owner is gone
AWAY_SECONDS: Final = 2.0  # for whoever asked us to make way to take the folder
WAIT_SECONDS: Final = 10.0  # for an owner that has begun, and does not answer yet
GRACE_SECONDS: Final = 2.0  # for what is being answered when we make way
POLL_SECONDS: Final = 0.05


class FolderKeeper:
    """`run` it beside all who ask."""

    def __init__(
        self,
        data: DataFolder,
        own: Callable[[Callable[[], None]], AbstractAsyncContextManager[Answers]],
    ) -> None:
        """`own` opens what answers in a folder that is ours, and is told how we make way."""
        self._data = data
        self._own = own
        self._present: Answering | None = None
        self._leaving: Answering | None = None  # which gave leases, and wants to hear of them
        self._there = asyncio.Event()  # somebody is present
        self._asked_for = asyncio.Event()  # somebody else wants the folder
        self._idle = asyncio.Event()  # nothing is being answered
        self._idle.set()
        self._under_way = 0

    def answer(self, question: Question) -> "KeeperAnswer":
        """The answer of whoever owns the folder."""
        return KeeperAnswer(self, question)

    async def run(self) -> None:
        """Own the folder whenever nobody else does, until cancelled."""
        while True:
            away = AWAY_SECONDS
            try:
                with self._data.owned(timedelta(0)):
                    await self._answer_ourselves()
            except FolderInUseError:
                away = LOOK_SECONDS
            self._set(Owner(self._data.socket_file))
            await asyncio.sleep(away)

    def make_way(self) -> None:
        """Have somebody else own the folder."""
        self._asked_for.set()

    async def take(self, question: Question, parts: "KeeperAnswer") -> AsyncGenerator[bytes, None]:
        """The parts of an answer, from whoever has it."""
        answer = (await self._whoever(question)).answer(question)
        self._count(1)
        try:
            async with aclosing(answer.__aiter__()) as given:
                async for part in given:
                    yield part
            parts.end = answer.end
        finally:
            self._count(-1)

    async def _answer_ourselves(self) -> None:
        self._asked_for.clear()
        try:
            async with self._own(self.make_way) as answers:
                self._set(answers)
                try:
                    await self._asked_for.wait()
                finally:
                    self._set(None)
                self._leaving = answers
                await within(GRACE_SECONDS, self._idle)
        finally:
            self._leaving = None

    async def _whoever(self, question: Question) -> Answering:
        if isinstance(question, ReportRight) and self._leaving is not None:
            return self._leaving
        await within(WAIT_SECONDS, self._there)
        if self._present is None:
            raise NoOwnerError(str(self._data.path))
        return self._present

    def _count(self, more: int) -> None:
        self._under_way += more
        (self._idle.clear if self._under_way else self._idle.set)()

    def _set(self, present: Answering | None) -> None:
        self._present = present
        (self._there.clear if present is None else self._there.set)()


async def within(seconds: float, event: asyncio.Event) -> None:
    """Wait for something, no longer than so many seconds."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()


class AnswerSource(Protocol):
    """A source of answers, whoever owns the folder."""

    def take(self, question: Question, parts: "KeeperAnswer") -> AsyncGenerator[bytes, None]:
        """The parts of an answer, from whoever has it; `LeftError` where it is worth asking again."""


class KeeperAnswer:
    """An answer of whoever owns the folder when it is taken."""

    def __init__(self, keeper: AnswerSource, question: Question) -> None:
        self._keeper = keeper
        self._question = question
        self.end: Record = {}

    async def __aiter__(self) -> AsyncGenerator[bytes, None]:
        deadline = asyncio.get_running_loop().time() + WAIT_SECONDS
        may_ask_again = not self._question.changes
        while True:
            try:
                async with aclosing(self._keeper.take(self._question, self)) as parts:
                    async for part in parts:
                        may_ask_again = False
                        yield part
                return
            except NoOwnerError:  # before any part: it has just gone, or is about to come
                if asyncio.get_running_loop().time() >= deadline:
                    raise
            except LeftError:  # which closed its door while we stood there
                if not may_ask_again or asyncio.get_running_loop().time() >= deadline:
                    raise
            await asyncio.sleep(POLL_SECONDS)
