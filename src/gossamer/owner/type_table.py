"""The things of some types, as whoever answers for a folder has gathered them, for a table."""

from collections.abc import Callable, Sequence
from contextlib import aclosing

from gossamer.index.graph.query import TABLE
from gossamer.index.words.asked import Search
from gossamer.index.words.folder import WordsError
from gossamer.owner.messages import AnswerError, Answering, ask
from gossamer.owner.questions import ExportGraph, SearchWords
from gossamer.tables.spool import ThingSpool


async def gather_things(
    owner: Answering,
    types: Sequence[str],
    hosts: Sequence[str],
    limit: int | None,
    spool: ThingSpool,
    tell: Callable[[int], object] = lambda _: None,
) -> bool:
    """Take all things of these types, or as many as there may be; whether there are more."""
    hosts = [host.strip().lower() for host in hosts]
    answer = owner.answer(ExportGraph(TABLE, types=tuple(types), hosts=tuple(hosts)))
    held, has_format = b"", False
    async with aclosing(answer.__aiter__()) as parts:
        async for part in parts:
            *lines, held = (held + part).split(b"\n")
            if lines and not has_format:
                has_format = bool(lines.pop(0))
            for line in lines:
                if spool.coverage.things == limit:
                    return True
                spool.take(line)
            tell(spool.coverage.things)
    return False


async def nothing_of(owner: Answering, types: Sequence[str]) -> str:
    """A sentence that says that there is nothing of these types, and what was probably meant."""
    said = f"Nothing that was crawled is of type {' or '.join(types)}."
    try:
        found = await ask(owner, SearchWords(Search(types=tuple(types), limit=1)))
    except (WordsError, AnswerError):
        return said  # there are no words here
    near = [each for each in found["unknown_types"] if each["near"]]
    return f"{said} Did you mean {near[0]['near']} ({near[0]['count']:,})?" if near else said
