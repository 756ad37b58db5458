"""Pages that did not go well, with what the graph says of them."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from gossamer.frontier.protocol import Trouble, TroubledPage
from gossamer.index.names import fetch_graph, page_name
from gossamer.owner.fetches import problems_by_page, problems_query
from gossamer.owner.messages import Question, Record
from gossamer.owner.records import trouble_record

if TYPE_CHECKING:
    from gossamer.owner.answers import Answers

PAGES_AT_ONCE: Final = 200
MOST_PROBLEMS: Final = 100  # unless more are asked for


async def problems(answers: "Answers", question: Question) -> Record:
    """A page of them, and where the next one begins, if there is one."""
    limit = question.limit or MOST_PROBLEMS
    found = await answers.clerk.do(
        partial(
            answers.frontier.troubled,
            kinds=[Trouble(kind) for kind in question.kinds],
            host=question.host,
            limit=limit + 1,  # one more, to see whether there is a next page
            after=question.texts[0] if question.texts else None,
        )
    )
    pages = found[:limit]
    told = await _told(answers, pages)
    return {
        "pages": [
            trouble_record(page, told.get(fetch_graph(page_name(page.url)), ())) for page in pages
        ],
        "next": pages[-1].place if len(found) > limit else None,
    }


async def _told(answers: "Answers", pages: Sequence[TroubledPage]) -> dict[str, list[Record]]:
    """What the graph says is wrong in those of the pages that have problems."""
    urls = [page.url for page in pages if page.problems]
    found: dict[str, list[Record]] = {}
    for start in range(0, len(urls), PAGES_AT_ONCE):
        query = problems_query(urls[start : start + PAGES_AT_ONCE])
        found |= problems_by_page(await answers.ask_graph(query))
    return found
