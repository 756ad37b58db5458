"""`/hosts`: what each host is doing, and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from starlette.responses import Response

from gossamer.frontier.protocol import HostStage
from gossamer.service.crawls import MOST_OF_A_HOST, MOST_ON_A_PAGE, find_hosts, status_of
from gossamer.service.routes import Call, Parameter, Route
from gossamer.service.schemas import one_of, text, whole
from gossamer.web.addresses import address
from gossamer.web.rendering import PAGE_REPLY, page_answer

USUAL: Final = 100
MEANINGS: Final[Mapping[str, str]] = {
    HostStage.IDLE: "nothing to fetch there now",
    HostStage.READY: "may be asked at once",
    HostStage.WAITING: "resting for its delay",
    HostStage.PARKED: "asks for more patience than we have",
    HostStage.LEASED: "being asked",
    HostStage.FULL: "a limit on pages is reached",
}


@dataclass(frozen=True, slots=True)
class HostsPage:
    """The contents of the page: some of the hosts."""

    hosts: Sequence[Mapping[str, Any]]
    stage: str | None
    stages: Mapping[str, int]
    meanings: Mapping[str, str]
    first: str | None  # where there are hosts before these
    next: str | None


async def hosts(call: Call) -> Response:
    """Serve hosts by name, one page at a time."""
    stage, after, limit = call.given["stage"], call.given["after"], call.given["limit"]
    found, following = await find_hosts(call, stage, after, limit)
    counts = (await status_of(call))["hosts"]
    usual = None if limit == USUAL else limit
    page = HostsPage(
        hosts=found,
        stage=stage,
        stages={name: count for name, count in counts.items() if count},
        meanings=MEANINGS,
        first=address("/hosts", stage=stage, limit=usual) if after else None,
        next=following and address("/hosts", stage=stage, limit=usual, after=following),
    )
    return page_answer(call, "hosts.html", page)


ROUTES: Final = (
    Route(
        path="/hosts",
        summary="What each host is doing",
        handler=hosts,
        parameters=(
            Parameter(name="stage", doc="Only these.", schema=one_of(*HostStage)),
            Parameter(name="after", doc="Only after this.", schema=text(most=MOST_OF_A_HOST)),
            Parameter(name="limit", doc="Most.", schema=whole(1, MOST_ON_A_PAGE), default=USUAL),
        ),
        replies=PAGE_REPLY,
        is_page=True,
    ),
)
