"""Handlers of questions: a typed table, by the kind of question that each of them answers.

Whoever can answer something (the folder, a crawl, a proxy) has a table of its own; all of them make
up `Answers`. A question that is in none of them cannot be answered here, and there is no other way
of being unable.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any, Final, Protocol, Self, TypeVar, cast

from gossamer.owner.messages import Record, UnableError
from gossamer.owner.questions import Question, StreamQuestion

NO_BYTES: Final[tuple[bytes, ...]] = ()
Parts = AsyncGenerator[bytes, None]
Asked = TypeVar("Asked", bound=Question)
AskedStream = TypeVar("AskedStream", bound=StreamQuestion)
Asked_co = TypeVar("Asked_co", bound=Question, covariant=True)
Told = TypeVar("Told")
Told_co = TypeVar("Told_co", covariant=True)


class RecordKind(Protocol[Asked_co, Told_co]):
    """A class of questions, and the type of the record that answers them."""

    def __call__(self, *args: Any, **kwargs: Any) -> Asked_co:  # noqa: ANN401
        """A question of this kind."""

    def typed(self, record: Record) -> Told_co:
        """The record of an answer, with its type."""


class LocalAnswer:
    """An answer of our own: bytes, to be iterated once, and then a record."""

    def __init__(self, parts: "Callable[[LocalAnswer], Parts]") -> None:
        self.end: Record = {}
        self._parts = parts

    def __aiter__(self) -> Parts:
        return self._parts(self)


class Handlers:
    """A table of handlers: one at most for each kind of question."""

    def __init__(self, *others: "Handlers") -> None:
        self._streams: dict[type[Question], Callable[[Any, LocalAnswer], Parts]] = {}
        for other in others:
            for kind, handle in other._streams.items():
                self._add(kind, handle)

    def on(self, kind: RecordKind[Asked, Told], handle: Callable[[Asked], Awaitable[Told]]) -> Self:
        """Have questions of this kind answered with the record that this brings."""

        async def parts(question: Asked, answer: LocalAnswer) -> Parts:
            answer.end = cast(Record, await handle(question))
            for part in NO_BYTES:
                yield part

        return self._add(cast(type[Question], kind), parts)

    def on_stream(
        self, kind: type[AskedStream], handle: Callable[[AskedStream, LocalAnswer], Parts]
    ) -> Self:
        """Have questions of this kind answered with these bytes; `handle` sets the record."""
        return self._add(kind, handle)

    def withdraw(self, *kinds: type[Question]) -> None:
        """Answer questions of these kinds no longer."""
        for kind in kinds:
            self._streams.pop(kind, None)

    def parts(self, command: str, question: Question, answer: LocalAnswer) -> Parts:
        """The bytes of an answer; raises `UnableError` where nobody handles the question."""
        handle = self._streams.get(type(question))
        if handle is None:
            raise UnableError(question.unable.format(command=command))
        return handle(question, answer)

    def _add(self, kind: type[Question], handle: Callable[[Any, LocalAnswer], Parts]) -> Self:
        if kind in self._streams:
            raise ValueError(f"{kind.__name__} has a handler already")
        self._streams[kind] = handle
        return self
