"""An archived copy read once more, in a process that can be killed: its links, its quads by syntax."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from gossamer.config import Transform
from gossamer.extracted import PageJob
from gossamer.fetch.archive.exchange import Archived
from gossamer.model import Link, Problem
from gossamer.page_pool import TransformPool

TIME: Final = timedelta(seconds=5)
MOST_LINKS: Final = 300
MOST_DECODED: Final = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Reread:
    """What the copy says when it is read now, without any context that would have to be fetched."""

    links: Sequence[Link]
    quads: Mapping[str, int]  # by syntax
    problems: Sequence[Problem]


async def reread(record: Archived) -> Reread:
    """Read a copy again."""
    limits = Transform(time_limit=TIME)
    job = PageJob(
        record.url,
        record.body,
        record.header("content-type"),
        record.content_encoding,
        options=limits,
        max_decoded_bytes=MOST_DECODED,
        max_links=MOST_LINKS,
    )
    async with TransformPool(limits, workers=1) as pool:
        whole = await pool.run(job)
        quads = {}
        for syntax in whole.syntaxes:
            alone = replace(job, options=replace(limits, only=(syntax.value,)), find_links=False)
            quads[syntax.value] = (await pool.run(alone)).count
    return Reread(whole.links, quads, whole.problems)
