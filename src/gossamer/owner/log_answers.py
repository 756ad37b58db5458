"""Answers about the log: of all nodes where they share a database, and else of this one."""

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Final

from gossamer.moments import now_utc, to_microseconds
from gossamer.nodes.log_reading import FolderLog, LogSource
from gossamer.nodes.log_store import LogFilter, NodeLogStore
from gossamer.owner.messages import Record
from gossamer.owner.questions import LogLines

if TYPE_CHECKING:
    from gossamer.owner.folder_answers import FolderAnswers

MOST_LINES: Final = 5_000


async def log_lines(folder: "FolderAnswers", question: LogLines) -> Record:
    """The newest lines that are wanted, the newest first, and where older ones begin."""
    limit = min(question.limit or MOST_LINES, MOST_LINES)
    wanted = LogFilter(
        node=question.node,
        host=question.host,
        events=question.events,
        level=question.level,
        since=None if question.age is None else to_microseconds(now_utc() - question.age),
        before=_place(question.before),
    )
    if folder.place.is_shared:
        store = NodeLogStore(folder.place.store)
        lines = await folder.frontier_thread.do(store.newest, wanted, limit)
        told = [line.record() for line in lines]
        older = f"{lines[-1].at}-{lines[-1].id}" if len(lines) == limit else None
        return {"lines": told, "next": older, "is_shared": True}
    source: LogSource = FolderLog(folder.data.log_folder, folder.place.node.name)
    found = await asyncio.to_thread(partial(source.newest, wanted, limit))
    return {"lines": found, "next": None, "is_shared": False}


def _place(text: str | None) -> tuple[int, int] | None:
    """A place that an earlier answer has named; what is none is as if nothing was said."""
    at, _, number = (text or "").partition("-")
    return (int(at), int(number)) if at.isdecimal() and number.isdecimal() else None
