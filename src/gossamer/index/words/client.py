"""The words as the rest of Gossamer uses them: a process that keeps them, and answers searches."""

import asyncio
import json
import sys
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any, Final, Self

from gossamer.index.words.asked import Search, SearchError
from gossamer.index.words.asking_texts import (
    TEXT_ANSWERS,
    TEXT_QUESTIONS,
    TextAnswer,
    TextSource,
)
from gossamer.index.words.folder import WordsError, WordsFolder
from gossamer.index.words.messages import DONE, JOBS, STATES, Done, Job, State
from gossamer.index.words.process import program
from gossamer.index.words.skipped import STEP_SECONDS, SkippedList, in_hand
from gossamer.processes.channel import Line, LineEndedError, StepLimit, connect, thread_seconds
from gossamer.processes.protocol import Frame, Kind
from gossamer.processes.wire import WireError

START_SECONDS: Final = 60.0  # to load all modules, on a machine that is busy
SEARCH_SECONDS: Final = 30.0
STUCK: Final = 2  # times the limit of one thing, which the process sees to itself if it can
MOST_TOLD: Final = 20  # things that are left out, of one job; all of them are listed

Record = dict[str, Any]


class WordsProcess:
    """The words of a graph, held by a process of its own. Raises `WordsError` when it is gone."""

    def __init__(
        self,
        words: Path,
        graph: Path,
        *,
        tell: Callable[[str], None] = lambda _: None,
        step_seconds: float = STEP_SECONDS,
        is_remote: bool = False,
        texts: TextSource | None = None,
    ) -> None:
        """`is_remote`: the graph is on a server, and its folder has the journal alone.

        `texts` has the visible text of pages; None: no page has any.
        """
        self._texts = texts
        self._telling: set[asyncio.Task[None]] = set()
        path = tuple(sys.path)
        self._program = program(words, graph, path, step_seconds, is_remote=is_remote)
        self._hand = WordsFolder(words).hand
        self._skipped = SkippedList(WordsFolder(words).skipped)
        self._patience = StepLimit(STUCK * step_seconds)
        self._look_seconds = step_seconds / 2
        self._tell = tell
        self._numbers = count(1)
        self._waiting: dict[int, asyncio.Future[Done]] = {}
        self._hearing: dict[int, Callable[[int], None]] = {}
        self._fault: WordsError | None = None
        self.state = State()
        self.ended = asyncio.Event()
        """Set when the process is gone, whether we closed it or not."""

    async def __aenter__(self) -> Self:
        async with AsyncExitStack() as life:
            self._line = await life.enter_async_context(connect(self._program))
            self.state = await _wait_until_ready(self._line)
            group = await life.enter_async_context(asyncio.TaskGroup())
            listening = group.create_task(self._listen(self._line))
            life.callback(listening.cancel)
            watching = group.create_task(self._watch(self._line))
            life.callback(watching.cancel)
            self._life = life.pop_all()
        return self

    async def __aexit__(self, *_: object) -> None:
        # Whatever it is doing: what is not on the disk is in the journal.
        self._break(WordsError("The words were closed."))
        await self._life.aclose()
        self._hand.unlink(missing_ok=True)

    @property
    def pid(self) -> int:
        """The process."""
        return self._line.pid

    async def search(self, search: Search) -> Record:
        """The answer to a search; raises `SearchError` where it is the search's own fault."""
        try:
            async with asyncio.timeout(SEARCH_SECONDS):
                done = await self._ask(Job("search", search=search))
        except TimeoutError:
            # The thing in hand has nothing to do with it: with a fault of its own it gets no blame.
            self._fault = WordsError("The words process was ended, since a search took too long.")
            self._line.kill()  # nothing else stops it
            raise SearchError(
                f"The search took longer than {SEARCH_SECONDS:.0f} s. Ask for less."
            ) from None
        if done.fault is not None:
            raise (SearchError if done.asker else WordsError)(done.fault)
        record: Record = json.loads(done.record)
        return record

    async def catch_up(
        self, segments: Sequence[int], snapshot: str, *, everything: bool = False
    ) -> None:
        """Take up what these files of the journal say, by a snapshot that has it all."""
        job = Job("catch up", snapshot=snapshot, segments=tuple(segments), everything=everything)
        await self._do(job)

    async def make(
        self,
        follower: str,
        segments: Sequence[int],
        snapshot: str,
        tell: Callable[[int], None] | None = None,
    ) -> None:
        """New words of everything in a snapshot, which has what these files say; `tell` hears how many."""
        self._skipped.clear()
        job = Job("make", snapshot=snapshot, segments=tuple(segments), follower=follower)
        await self._do(job, tell)

    async def _do(self, job: Job, tell: Callable[[int], None] | None = None) -> None:
        listed, avoided = self._skipped.names, self._skipped.avoided
        done = await self._ask(replace(job, listed=listed, avoided=avoided), tell)
        self.state = done.state
        self._skipped.note(done.skipped, done.mended)
        for each in [each for each in done.skipped if each.iri not in listed][:MOST_TOLD]:
            self._tell(str(each))
        if done.fault is not None:
            raise WordsError(done.fault)

    async def _ask(self, job: Job, tell: Callable[[int], None] | None = None) -> Done:
        if self._fault is not None:
            raise self._fault
        number = next(self._numbers)
        answer: asyncio.Future[Done] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        if tell is not None:
            self._hearing[number] = tell
        try:
            self._line.say(number, JOBS.dumps(job))
            return await answer
        finally:
            self._waiting.pop(number, None)
            self._hearing.pop(number, None)

    async def _listen(self, line: Line) -> None:
        """Hand on answers until there are no more."""
        try:
            while True:
                frame = await line.receive()
                if frame.kind is Kind.ASKED:
                    telling = asyncio.create_task(self._tell_texts(line, frame))
                    self._telling.add(telling)
                    telling.add_done_callback(self._telling.discard)
                elif frame.kind is Kind.PART:
                    if tell := self._hearing.get(frame.number):
                        tell(int(frame.payload))
                elif (answer := self._waiting.get(frame.number)) and not answer.done():
                    answer.set_result(DONE.loads(frame.payload))
        except (LineEndedError, WireError, ValueError):  # or what is no answer to anything
            hand = in_hand(self._hand)  # before anybody begins anew
            lost = await line.end()
            if hand is not None and self._fault is None:  # it died, and nobody ended it
                self._skipped.note_death(hand.iri, f"the words process ended with it ({lost.loss})")
            self._break(WordsError(f"The words process has ended ({lost.loss}: {lost.last_line})."))
        finally:
            self.ended.set()

    async def _tell_texts(self, line: Line, frame: Frame) -> None:
        """Answer a question of the process for texts of pages."""
        try:
            question = TEXT_QUESTIONS.loads(frame.payload)
            answer = await self._texts.answer(question) if self._texts else TextAnswer()
        except Exception as error:  # it is the process that cannot go on, and says so
            answer = TextAnswer(fault=f"{type(error).__name__}: {error}")
        line.say(frame.number, TEXT_ANSWERS.dumps(answer), Kind.TOLD)

    async def _watch(self, line: Line) -> None:
        """Kill the process where one thing keeps it in native code, which no signal interrupts."""
        while True:
            await asyncio.sleep(self._look_seconds)
            hand = in_hand(self._hand)
            if self._patience.is_over(hand and hand.number, thread_seconds(line.pid)):
                assert hand is not None
                why = "the words process was stuck with it"
                self._tell(str(self._skipped.note_death(hand.iri, why, is_certain=True)))
                self._fault = WordsError(f"The words process was stuck with {hand.iri}.")
                line.kill()

    def _break(self, fault: WordsError) -> None:
        """No more answers: all that wait are told."""
        self._fault = self._fault or fault
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(self._fault)


async def _wait_until_ready(line: Line) -> State:
    try:
        async with asyncio.timeout(START_SECONDS):
            return STATES.loads((await line.receive()).payload)
    except (TimeoutError, LineEndedError, WireError):
        lost = await line.end()
        raise WordsError(f"The words process does not start: {lost.last_line}") from None
