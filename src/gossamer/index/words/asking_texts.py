"""How the words process comes by the texts of pages: it asks its owner, who has the crawl's database.

The process may read the graph's snapshots and its own folder, and nothing else. A question goes out as a
frame, and its answer comes back among the jobs; the owner never waits for the process meanwhile.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from queue import Empty, SimpleQueue
from typing import Final, Protocol

from gossamer.frontier.texts import TextStore
from gossamer.index.server.journal import DatabaseCall
from gossamer.processes.wire import Wire

NAMES_AT_ONCE: Final = 2_000
PATIENCE: Final = 120.0  # seconds that the process waits for an answer: the database may be busy


@dataclass(frozen=True, slots=True)
class TextQuestion:
    """Which texts are wanted; or, without names, which pages have one, from a number on."""

    names: tuple[str, ...] = ()
    after: int = 0


@dataclass(frozen=True, slots=True)
class TextAnswer:
    """The texts by page; or the names of pages that have one, and the last one's number."""

    texts: Mapping[str, bytes] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    last: int = 0
    fault: str | None = None


TEXT_QUESTIONS: Final = Wire(TextQuestion)
TEXT_ANSWERS: Final = Wire(TextAnswer)


class TextSource(Protocol):
    """Answers questions for texts, in the process that owns the folder."""

    async def answer(self, question: TextQuestion) -> TextAnswer:
        """The answer, of which a fault may be all."""


@dataclass(frozen=True, slots=True)
class KeptTexts:
    """Answers from the database of the crawl."""

    store: TextStore
    run: DatabaseCall

    async def answer(self, question: TextQuestion) -> TextAnswer:
        """The texts by page, or the next pages that have one."""
        if question.names:
            return TextAnswer(await self.run(partial(self.store.of, question.names)))
        after = partial(self.store.names_after, question.after, NAMES_AT_ONCE)
        found = await self.run(after)
        last = found[-1][0] if found else question.after
        return TextAnswer(names=tuple(name for _, name in found), last=last)


class AskedTexts:
    """The texts of pages, for the thread of the words process that makes documents."""

    def __init__(self, ask: Callable[[bytes], None], patience: float = PATIENCE) -> None:
        self._ask = ask
        self._patience = patience
        self._answers: SimpleQueue[bytes] = SimpleQueue()

    def hear(self, payload: bytes) -> None:
        """Take an answer in, in whatever thread."""
        self._answers.put(payload)

    def of(self, names: Sequence[str]) -> Mapping[str, bytes]:
        """The texts of these pages, of those that have one; raises `OSError` where nobody answers."""
        return self._answer(TextQuestion(tuple(names))).texts if names else {}

    def names(self) -> Iterator[str]:
        """All pages that have a text."""
        after = 0
        while (found := self._answer(TextQuestion(after=after))).names:
            yield from found.names
            after = found.last

    def _answer(self, question: TextQuestion) -> TextAnswer:
        self._ask(TEXT_QUESTIONS.dumps(question))
        try:
            answer = TEXT_ANSWERS.loads(self._answers.get(timeout=self._patience))
        except Empty:
            raise OSError("the texts of pages were not handed over in time") from None
        if answer.fault is not None:
            raise OSError(f"the texts of pages cannot be had: {answer.fault}")
        return answer
