"""The past: what pages said on a day, from the archive, as our readers understand it today."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from datetime import datetime
from typing import Final

from gossamer.archive.states import PageAt, PageStates
from gossamer.frontier.protocol import ArchivedPage, Ended
from gossamer.upkeep.archived_pages import ArchivedPages

OK: Final = 200


async def said_as_of(
    states: PageStates, moment: datetime, pages: ArchivedPages
) -> AsyncIterator[tuple[str, bytes]]:
    """Each page that had something to say by a moment, and its N-Quads."""
    for some in states.as_of(moment):
        async with aclosing(
            pages.lots([_page(number, each) for number, each in enumerate(some)])
        ) as lots:
            async for lot in lots:
                for page, verdict in sorted(lot, key=lambda each: each[0].id):
                    if verdict is not None and verdict.nquads:
                        yield page.url, verdict.nquads


def _page(number: int, state: PageAt) -> ArchivedPage:
    assert state.place is not None
    return ArchivedPage(number, state.url, state.place, Ended.CONTENT, OK, None, state.at)
