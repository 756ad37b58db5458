"""Answers about a folder, from its owner; where there is none, from us, who own it while questions come.

For whoever asks now and then over hours, such as a notebook: a folder that is ours would keep crawls out.
So it is let go a few seconds after the last question, and at once when somebody asks us to make way.

    nobody's ──question──▶ ours ──no question for a while, or somebody wants it──▶ nobody's
    somebody's ──question──▶ asked at the socket
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, aclosing, suppress
from datetime import timedelta
from typing import Final, Self

from gossamer.errors import DataFolderError, FolderInUseError
from gossamer.folder.data import DataFolder
from gossamer.owner.folder_keeper import (
    AWAY_SECONDS,
    GRACE_SECONDS,
    KeeperAnswer,
    within,
)
from gossamer.owner.messages import Answering, LeftError
from gossamer.owner.opening import Answers
from gossamer.owner.questions import Question
from gossamer.owner.unix_socket import Owner

IDLE_SECONDS: Final = 3.0  # after the last question: to open the graph takes a fraction of one
CLOSED: Final = "The data folder has another owner now. Ask again."


class OnDemandOwner:
    """Answers of whoever owns the folder when something is asked. To be entered; then `answer`."""

    def __init__(
        self,
        data: DataFolder,
        own: Callable[[Callable[[], None]], AbstractAsyncContextManager[Answers]],
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        """`own` opens what answers in a folder that is ours, and is told how we make way."""
        self._data = data
        self._own = own
        self._idle_seconds = idle_seconds
        self._ours: Answers | None = None
        self._owning: asyncio.Task[None] | None = None
        self._turn = asyncio.Lock()  # one at a time becomes the owner
        self._asked_for = asyncio.Event()  # somebody else wants the folder
        self._away_until = 0.0  # for whoever it is to take it
        self._idle = asyncio.Event()  # nothing is being answered
        self._idle.set()
        self._under_way = 0
        self._was_asked = False  # since we looked last

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.let_go()

    def answer(self, question: Question) -> KeeperAnswer:
        """The answer of whoever owns the folder; a question that changes something is not for here."""
        return KeeperAnswer(self, question)

    async def let_go(self) -> None:
        """Own the folder no longer, until the next question."""
        if self._owning is not None:
            self._asked_for.set()
            await asyncio.wait([self._owning])

    async def take(self, question: Question, parts: KeeperAnswer) -> AsyncGenerator[bytes, None]:
        """The parts of an answer, from whoever has it."""
        answering = await self._whoever()
        self._count(1)
        try:
            answer = answering.answer(question)
            async with aclosing(answer.__aiter__()) as given:
                async for part in given:
                    yield part
            parts.end = answer.end
        except Exception:
            if answering is self._ours or not isinstance(answering, Answers):
                raise
            raise LeftError(CLOSED) from None  # the graph was closed under it: the next owner can
        finally:
            self._count(-1)

    async def _whoever(self) -> Answering:
        async with self._turn:
            if self._ours is None and asyncio.get_running_loop().time() >= self._away_until:
                await self._become()
            self._was_asked = True
            return self._ours or Owner(self._data.socket_file)

    async def _become(self) -> None:
        """Own the folder, unless somebody else does."""
        if not self._data.path.is_dir():
            raise DataFolderError(f"The data folder {self._data.path} is gone.")
        if self._owning is not None:
            await asyncio.wait([self._owning])  # it is about to let go
        began: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._asked_for.clear()
        self._owning = asyncio.create_task(self._own_while_asked(began))
        with suppress(FolderInUseError):
            await asyncio.shield(began)

    async def _own_while_asked(self, began: asyncio.Future[None]) -> None:
        try:
            async with AsyncExitStack() as life:
                life.enter_context(self._data.owned(timedelta(0)))
                self._ours = await life.enter_async_context(self._own(self._make_way))
                began.set_result(None)
                await self._until_done()
                self._ours = None
                await within(GRACE_SECONDS, self._idle)
        except Exception as error:
            if began.done():
                raise
            began.set_exception(error)
        finally:
            self._ours = None

    def _make_way(self) -> None:
        self._away_until = asyncio.get_running_loop().time() + AWAY_SECONDS
        self._asked_for.set()

    async def _until_done(self) -> None:
        """Wait until nobody has asked for a while, or somebody wants the folder."""
        while not self._asked_for.is_set():
            await within(self._idle_seconds, self._asked_for)
            if self._idle.is_set() and not self._was_asked:
                return
            self._was_asked = False

    def _count(self, more: int) -> None:
        self._was_asked = True
        self._under_way += more
        (self._idle.clear if self._under_way else self._idle.set)()
