"""`/hosts`: what each host is doing, and why."""

import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
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
MOST_SORTED: Final = 20_000  # hosts that are looked at for another order than that of names
COLUMNS: Final[Mapping[str, str]] = {
    "host": "Host",
    "stage": "Stage",
    "content": "Pages",
    "pending": "To fetch",
    "failures": "Failures",
    "delay": "Delay",
}
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
    columns: Sequence["HostColumn"]
    sort: str | None
    is_cut: bool  # there are more than are shown in this order


@dataclass(frozen=True, slots=True)
class HostColumn:
    """A column of the table, and the address of the page in its order."""

    title: str
    address: str
    order: str | None  # "ascending" or "descending" where the page is in its order
    is_number: bool


async def hosts(call: Call) -> Response:
    """Serve hosts by name, one page at a time; or the first ones in another order."""
    stage, after, limit = call.given["stage"], call.given["after"], call.given["limit"]
    sort = call.given["sort"]
    following, is_cut = None, False
    if sort is None:
        found, following = await find_hosts(call, stage, after, limit)
    else:
        every, more = await find_hosts(call, stage, None, MOST_SORTED)
        found = heapq.nsmallest(limit, every, _order(sort))
        is_cut = more is not None or len(every) > limit
    counts = (await status_of(call))["hosts"]
    usual = None if limit == USUAL else limit
    page = HostsPage(
        hosts=found,
        stage=stage,
        stages={name: count for name, count in counts.items() if count},
        meanings=MEANINGS,
        first=address("/hosts", stage=stage, limit=usual) if after else None,
        next=following and address("/hosts", stage=stage, limit=usual, after=following),
        columns=[*_columns(stage, usual, sort)],
        sort=sort,
        is_cut=is_cut,
    )
    return page_answer(call, "hosts.html", page)


def _order(sort: str) -> Callable[[Mapping[str, Any]], tuple[Any, ...]]:
    """What sorts hosts: the largest first; stages as they are listed."""
    if sort == "stage":
        stages = [*MEANINGS]
        return lambda host: (-stages.index(host["stage"]), host["host"])
    return lambda host: (-host[sort], host["host"])


def _columns(stage: str | None, limit: int | None, sort: str | None) -> Iterator[HostColumn]:
    for name, title in COLUMNS.items():
        is_on = (sort or "host") == name
        order = ("ascending" if name == "host" else "descending") if is_on else None
        by = None if name == "host" else name
        where = address("/hosts", stage=stage, limit=limit, sort=by)
        yield HostColumn(title, where, order, name not in ("host", "stage"))


ROUTES: Final = (
    Route(
        path="/hosts",
        summary="What each host is doing",
        handler=hosts,
        parameters=(
            Parameter(name="stage", doc="Only these.", schema=one_of(*HostStage)),
            Parameter(name="sort", doc="By this first.", schema=one_of(*[*COLUMNS][1:])),
            Parameter(name="after", doc="Only after this.", schema=text(most=MOST_OF_A_HOST)),
            Parameter(name="limit", doc="Most.", schema=whole(1, MOST_ON_A_PAGE), default=USUAL),
        ),
        replies=PAGE_REPLY,
        is_page=True,
    ),
)
