"""Answers about what has changed: from the history of the folder, which a crawl writes."""

import asyncio
from typing import TYPE_CHECKING

from gossamer.folder.data import DataFolder
from gossamer.history.asking import ChangeFilter
from gossamer.history.finding import HistoryReader
from gossamer.moments import iso_moment, now_utc
from gossamer.owner.messages import AnswerError, Record
from gossamer.owner.questions import ListChanges

if TYPE_CHECKING:
    from gossamer.owner.folder_answers import FolderAnswers


async def listed_changes(folder: "FolderAnswers", question: ListChanges) -> Record:
    """Changes, the latest first; where the next ones begin; and since when there is a history."""
    try:
        return await asyncio.to_thread(_find, folder.data, question.asked)
    except ValueError as error:
        raise AnswerError(f"{error}.") from None


def _find(data: DataFolder, asked: ChangeFilter) -> Record:
    if not data.changes_file.exists():
        return {"changes": [], "next": None, "pages": 0, "hosts": 0, "since": None}
    with HistoryReader.open(data.changes_file) as history:
        found = history.find(asked, now_utc())
        began = history.began(asked.hosts)
    return {
        "changes": [each.record() for each in found],
        "next": str(found[-1].place) if len(found) == asked.limit else None,
        "pages": began.pages,
        "hosts": began.hosts,
        "since": None if began.since is None else iso_moment(began.since),
    }


def last_run_record(data: DataFolder) -> Record | None:
    """What the pages of the last crawl were, against the visit before; None before the first."""
    if not data.changes_file.exists():
        return None
    with HistoryReader.open(data.changes_file) as history:
        run = history.last_run()
    if run is None:
        return None
    return {
        "started_at": iso_moment(run.started_at),
        "ended_at": None if run.ended_at is None else iso_moment(run.ended_at),
        **run.counts,
    }
