"""The things of some types, as whoever answers for a folder has gathered them, for a table."""

import json
from collections.abc import Callable, Sequence
from contextlib import aclosing
from itertools import chain

from gossamer.index.graph.query import TABLE
from gossamer.index.words.asked import Search
from gossamer.index.words.folder import WordsError
from gossamer.owner.messages import AnswerError, Answering, ask
from gossamer.owner.questions import ExportGraph, SearchWords, StandIns
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
            for line in await without_repeats(owner, lines):
                if spool.coverage.things == limit:
                    return True
                spool.take(line)
            tell(spool.coverage.things)
    return False


async def without_repeats(owner: Answering, lines: Sequence[bytes]) -> list[bytes]:
    """The things that do not stand only on pages for which another page stands."""
    pages = [json.loads(line)["pages"] for line in lines]
    urls = tuple(dict.fromkeys(chain.from_iterable(pages)))
    if not urls:
        return list(lines)
    instead = (await ask(owner, StandIns(urls)))["instead"]
    if not instead:
        return list(lines)
    return [
        line
        for line, on in zip(lines, pages, strict=True)
        if not on or not all(page in instead for page in on)
    ]


async def nothing_of(owner: Answering, types: Sequence[str]) -> str:
    """A sentence that says that there is nothing of these types, and what was probably meant."""
    said = f"Nothing that was crawled is of type {' or '.join(types)}."
    try:
        found = await ask(owner, SearchWords(Search(types=tuple(types), limit=1)))
    except (WordsError, AnswerError):
        return said  # there are no words here
    near = [each for each in found["unknown_types"] if each["near"]]
    return f"{said} Did you mean {near[0]['near']} ({near[0]['count']:,})?" if near else said
