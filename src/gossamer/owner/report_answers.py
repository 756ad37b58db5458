"""Answers about reports: from `report.db` of the folder, which a crawl or `gossamer report` writes."""

import asyncio
from typing import TYPE_CHECKING

from gossamer.owner.messages import Record
from gossamer.owner.questions import ReportOn
from gossamer.site_report.reading import folder_report

if TYPE_CHECKING:
    from gossamer.owner.folder_answers import FolderAnswers


async def report_on(folder: "FolderAnswers", question: ReportOn) -> Record:
    """What was found wrong with the structured data of a host, or of all."""
    return await asyncio.to_thread(folder_report, folder.data.report_file, question.host)
