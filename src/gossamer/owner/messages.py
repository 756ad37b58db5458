"""Frames between those who ask and the owner of a data folder. No I/O here.

A question is one frame, and so is the end of its answer: a record as JSON, or why there is none.
Bytes of an answer (of a query, of an export) come in frames before that. Every frame carries the
version of what is spoken here, so that two Gossamers that differ say so instead of guessing.
"""

import json
from collections.abc import AsyncGenerator, Mapping
from typing import Any, Final, Protocol, TypeVar

from gossamer.errors import GossamerError
from gossamer.owner.questions import Question, RecordQuestion, dump_question
from gossamer.processes.protocol import Frame, Kind, header

Told = TypeVar("Told")
VERSION: Final = 5
MOST_QUESTION_BYTES: Final = 1024 * 1024
MOST_FRAME_BYTES: Final = 64 * 1024 * 1024

Record = Mapping[str, Any]
"""Something as JSON has it."""


class AnswerError(GossamerError):
    """A question without an answer; the text says why."""

    kind: str | None = None  # the name of what went wrong, where that was in another process


DEFECT: Final = "defect"
"""The kind of what should not have happened."""


class LeftError(AnswerError):
    """The owner ended before it had answered: what became of the question, nobody knows."""


class UnableError(AnswerError):
    """A question that this owner cannot answer: another command may, when this one is done."""


class OwnerAnswer(Protocol):
    """Bytes, to be iterated once, and then a record."""

    end: Record  # when all bytes were taken

    def __aiter__(self) -> AsyncGenerator[bytes, None]:
        """The bytes."""


class Answering(Protocol):
    """A source of answers about a data folder."""

    def answer(self, question: Question) -> OwnerAnswer:
        """The answer to a question; raises `GossamerError` while it is taken, if at all."""


async def ask(answering: Answering, question: RecordQuestion[Told]) -> Told:
    """Ask a question that is answered with a record alone."""
    return question.typed(await record_of(answering.answer(question)))


async def record_of(answer: OwnerAnswer) -> Record:
    """The record at the end of an answer; its bytes are dropped."""
    async for _ in answer:
        pass
    return answer.end


def question_frame(question: Question) -> bytes:
    """A question as it is sent."""
    payload = dump_question(question)
    return header(Kind.JOB, VERSION, len(payload)) + payload


def part_frame(part: bytes) -> bytes:
    """Some bytes of an answer."""
    return header(Kind.PART, VERSION, len(part)) + part


def end_frame(end: Record) -> bytes:
    """The record at the end of an answer."""
    payload = json.dumps(end).encode()
    return header(Kind.ANSWER, VERSION, len(payload)) + payload


def fault_frame(error: GossamerError) -> bytes:
    """Why there is no answer, or no more of it."""
    kind = getattr(error, "kind", None) or type(error).__name__
    fault = {"error": str(error), "unable": isinstance(error, UnableError), "kind": kind}
    payload = json.dumps(fault).encode()
    return header(Kind.RAISED, VERSION, len(payload)) + payload


def read_end(frame: Frame) -> Record:
    """The record that a frame holds; raises the error, if it holds one."""
    record: dict[str, Any] = json.loads(frame.payload)
    if frame.kind is Kind.RAISED:
        error = (UnableError if record["unable"] else AnswerError)(record["error"])
        error.kind = record["kind"]
        raise error
    return record
