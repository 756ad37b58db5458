"""`/crawl`: how the crawl goes, at one glance and then in detail."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from starlette.responses import Response

from gossamer.owner.messages import Question, Record, record_of
from gossamer.service.crawls import status_of
from gossamer.service.processes import Usage, usages
from gossamer.service.routes import Call, Route
from gossamer.service.snapshots import PHASES
from gossamer.service.trace import last_requests
from gossamer.web.rendering import PAGE_REPLY, page_answer
from gossamer.web.slowest import Slow, slowest

LOOKED_AT: Final = 2_000  # requests
SLOWEST: Final = 8


@dataclass(frozen=True, slots=True)
class Phase:
    """One part of the work in this run."""

    name: str
    seconds: float | None  # for a page, lately
    pages: int
    in_hand: int


@dataclass(frozen=True, slots=True)
class CrawlPage:
    """How it goes."""

    status: Record
    run: Mapping[str, Any] | None
    state: str
    phases: Sequence[Phase]
    slowest: Sequence[Slow]
    nodes: Sequence[Mapping[str, Any]]
    processes: Sequence[Usage]
    memory: int
    may_change: bool
    has_token: bool  # else nobody can log in


async def crawl(call: Call) -> Response:
    """The page."""
    status = await status_of(call)
    nodes = await record_of(call.parts.answering.answer(Question(what="nodes")))
    recent = await asyncio.to_thread(last_requests, call.parts.data.log_folder, LOOKED_AT)
    processes = list(usages(status["owner"]["process"]))
    run = status["run"]
    page = CrawlPage(
        status=status,
        run=run,
        state="none" if run is None else run["state"],
        phases=[] if run is None else phases_of(run),
        slowest=slowest(recent, SLOWEST),
        nodes=nodes["nodes"],
        processes=processes,
        memory=sum(each.resident_bytes for each in processes),
        may_change=call.may_change,
        has_token=call.parts.service.token is not None,
    )
    return page_answer(call, "crawl.html", page)


def phases_of(run: Mapping[str, Any]) -> list[Phase]:
    """The phases of a run in the order in which a page goes through them."""
    totals: Mapping[str, Mapping[str, Any]] = run["phase_totals"]
    known = [name for name in PHASES if name in totals]
    return [
        Phase(
            name,
            run["phases"].get(name),
            int(totals[name].get("pages", 0)),
            run["queues"].get(name, 0),
        )
        for name in (*known, *sorted(totals.keys() - set(PHASES)))
    ]


ROUTES: Final = (
    Route(path="/crawl", summary="How it goes", handler=crawl, replies=PAGE_REPLY, is_page=True),
)
