"""`/problems`: pages that failed, were refused or contain errors, the latest first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from starlette.responses import Response

from gossamer.frontier.protocol import Trouble
from gossamer.service.crawls import (
    MOST_OF_A_HOST,
    MOST_ON_A_PAGE,
    PLACE,
    find_problems,
)
from gossamer.service.routes import Call, Parameter, Route
from gossamer.service.schemas import one_of, text, whole
from gossamer.web.addresses import address
from gossamer.web.rendering import PAGE_REPLY, page_answer

USUAL: Final = 100
TITLES: Final[Mapping[str, str]] = {
    Trouble.FAILED: "Failed",
    Trouble.REFUSED: "Not asked for",
    Trouble.PROBLEMS: "Something wrong inside",
    Trouble.RETRY: "To be tried again",
}


@dataclass(frozen=True, slots=True)
class Choice:
    """A filter for the list."""

    title: str
    address: str
    is_on: bool


@dataclass(frozen=True, slots=True)
class ProblemsPage:
    """The contents of the page: pages and their problems."""

    pages: Sequence[Mapping[str, Any]]
    host: str | None
    choices: Sequence[Choice]
    titles: Mapping[str, str]
    more: str | None


async def problems(call: Call) -> Response:
    """Serve pages with their problems."""
    host, kinds, limit = call.given["host"] or None, call.given["kind"], call.given["limit"]
    found = await find_problems(call)
    given = {"host": host, "kind": kinds or None, "limit": None if limit == USUAL else limit}
    page = ProblemsPage(
        pages=found["pages"],
        host=host,
        choices=[
            Choice("All", address("/problems", host=host), is_on=not kinds),
            *(
                Choice(title, address("/problems", host=host, kind=kind), is_on=kind in kinds)
                for kind, title in TITLES.items()
            ),
        ],
        titles=TITLES,
        more=address("/problems", **given, after=found["next"]) if found["next"] else None,
    )
    return page_answer(call, "problems.html", page)


ROUTES: Final = (
    Route(
        path="/problems",
        summary="Pages that did not go well",
        handler=problems,
        parameters=(
            Parameter(name="host", doc="Only of this host.", schema=text(most=MOST_OF_A_HOST)),
            Parameter(name="kind", doc="Only this kind.", schema=one_of(*Trouble), many=True),
            PLACE,
            Parameter(name="limit", doc="Most.", schema=whole(1, MOST_ON_A_PAGE), default=USUAL),
        ),
        replies=PAGE_REPLY,
        is_page=True,
    ),
)
