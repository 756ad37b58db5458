"""Answers to SPARQL queries as Python values, read as they come."""

from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from typing import Final

import pyoxigraph as ox

from gossamer.api.results import QuadRows, Row, Rows
from gossamer.errors import InputError
from gossamer.owner.messages import Answering
from gossamer.owner.questions import Query
from gossamer.tables.terms import read_row
from gossamer.tables.values import Value

FORMATS: Final = ("tsv", "nquads")  # of rows, and of statements
TRUTHS: Final = {"true": True, "false": False}


async def read_answer(owner: Answering, question: Query) -> Rows | bool:
    """The whole answer, however the query asks."""
    answer = owner.answer(question)
    async with aclosing(answer.__aiter__()) as parts:
        reader = _Lines()
        rows: list[list[Value | None]] = []
        quads = bytearray()
        async for part in parts:
            lines = reader.feed(part)
            if reader.format == "nquads":
                quads += reader.take()
            else:
                rows += map(read_row, lines)
    end = answer.end
    cut, seconds = end["cut"], end["seconds"]
    if reader.format == "nquads":
        found = [*ox.parse(bytes(quads), ox.RdfFormat.N_QUADS)]
        return QuadRows(found, cut=cut, seconds=seconds)
    if reader.head in TRUTHS:
        return TRUTHS[reader.head]
    hints = end.get("hints", ())
    return Rows(_names(reader.head), rows, cut=cut, seconds=seconds, hints=hints)


async def stream_answer(owner: Answering, question: Query) -> AsyncGenerator[list[Row], None]:
    """The rows of an answer as they come, some at a time: each time costs a change of threads."""
    reader = _Lines()
    async with aclosing(owner.answer(question).__aiter__()) as parts:
        async for part in parts:
            lines = [*reader.feed(part)]
            if reader.format == "nquads" or reader.head in TRUTHS:
                raise InputError(
                    "Only the rows of a SELECT query are streamed; use query() instead."
                )
            names = _names(reader.head)
            if lines:
                yield [dict(zip(names, read_row(line), strict=True)) for line in lines]


def _names(head: str) -> tuple[str, ...]:
    return tuple(name.removeprefix("?") for name in head.split("\t")) if head else ()


class _Lines:
    """Takes bytes in any pieces: a line that names the format, one that names the columns, and rows."""

    def __init__(self) -> None:
        self.format = ""
        self.head = ""
        self._has_head = False
        self._held = b""

    def feed(self, part: bytes) -> Iterator[str]:
        """The rows that some more bytes complete."""
        self._held += part
        if not self.format:
            name, newline, rest = self._held.partition(b"\n")
            if not newline:
                return iter(())
            self.format, self._held = name.decode(), rest
        if self.format == "nquads":
            return iter(())
        *lines, self._held = self._held.split(b"\n")
        if lines and not self._has_head:
            self.head, self._has_head = lines.pop(0).decode(), True
        return (line.decode() for line in lines)

    def take(self) -> bytes:
        """The bytes that are held so far."""
        held, self._held = self._held, b""
        return held
