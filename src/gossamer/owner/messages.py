"""What is asked of the owner of a data folder, and what comes back. No I/O here.

A question is one frame, and so is the end of its answer: a record as JSON, or why there is none.
Bytes of an answer (of a query, of an export) come in frames before that. Every frame carries the
version of what is spoken here, so that two Gossamers that differ say so instead of guessing.
"""

import json
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol

from gossamer.errors import GossamerError
from gossamer.index.dataset import EVERYTHING, Dataset
from gossamer.index.words.asked import Search
from gossamer.politeness.outcome import Reported
from gossamer.processes.protocol import Frame, Kind, header
from gossamer.processes.wire import Wire

VERSION: Final = 1
MOST_QUESTION_BYTES: Final = 1024 * 1024
MOST_FRAME_BYTES: Final = 64 * 1024 * 1024

Record = Mapping[str, Any]
"""Something as JSON has it."""

What = Literal[
    "status",
    "hosts",
    "host",
    "page",
    "linking",
    "nodes",
    "problems",
    "query",
    "export",
    "explain",
    "check",
    "stop",
    "steer",
    "who",
    "health",
    "add",
    "configure",
    "expressions",
    "search",
    "reindex",
    "lease",
    "report",
    "delays",
    "proxy",
    "make way",
]


CHANGES: Final[frozenset[What]] = frozenset(
    ("stop", "steer", "add", "configure", "expressions", "reindex", "lease", "report", "make way")
)
"""What is not to be asked twice: the first time may have counted. The rest only wants to know."""

Steer = Literal["pause", "resume", "stop"]
"""What a crawl that is running may be told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What somebody wants to know; which fields count depends on `what` that is."""

    what: What
    texts: tuple[str, ...] = ()  # a query; URLs; keys; an expression
    formats: tuple[str, ...] = ()
    host: str | None = None  # hosts after this one, for pages of them
    stage: str | None = None
    kinds: tuple[str, ...] = ()
    graph: str | None = None
    limit: int | None = None
    seconds: float | None = None  # that a query may take, a lease is waited for; the age of pages
    change: Literal["add", "remove"] | None = None
    steer: Steer | None = None
    options: str | None = None  # by key, as JSON
    search: Search | None = None
    dataset: Dataset = EVERYTHING  # that a query is asked of
    timed: bool = False  # what it cost is to be told
    client: str | None = None  # for whom a lease is
    purpose: str | None = None  # and what for
    lasting: float | None = None  # seconds that a request under it may take
    lease: str | None = None  # that is reported
    report: Reported | None = None


QUESTIONS: Final = Wire(Question)


class AnswerError(GossamerError):
    """There is no answer; the text says why."""

    kind: str | None = None  # the name of what went wrong, where that was in another process


DEFECT: Final = "defect"
"""The kind of what should not have happened."""


class LeftError(AnswerError):
    """The owner ended before it had answered: what became of the question, nobody knows."""


class UnableError(AnswerError):
    """This owner cannot answer this: another command may, when this one is done."""


class Answer(Protocol):
    """Bytes, to be iterated once, and then a record."""

    end: Record  # when all bytes were taken

    def __aiter__(self) -> AsyncGenerator[bytes, None]:
        """The bytes."""


class Answering(Protocol):
    """Whoever answers questions about a data folder."""

    def answer(self, question: Question) -> Answer:
        """The answer to a question; raises `GossamerError` while it is taken, if at all."""


async def record_of(answer: Answer) -> Record:
    """The record of an answer that has no bytes."""
    async for _ in answer:
        pass
    return answer.end


def question_frame(question: Question) -> bytes:
    """A question as it is sent."""
    payload = QUESTIONS.dumps(question)
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
