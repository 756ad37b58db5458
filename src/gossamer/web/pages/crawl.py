"""`/crawl`: the progress of the crawl, first at a glance and then in detail."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from starlette.responses import Response

from gossamer.owner.messages import Record, ask
from gossamer.owner.questions import Nodes
from gossamer.processes.usage import Usage
from gossamer.service.crawls import status_of
from gossamer.service.history import PHASES, History, usages
from gossamer.service.routes import Call, Route
from gossamer.service.trace import recent_requests
from gossamer.web.rendering import PAGE_REPLY, page_answer

FEWEST: Final = 2  # requests; one alone says little


@dataclass(frozen=True, slots=True)
class Slow:
    """A host, and its response times."""

    host: str
    requests: int
    mean: float  # seconds
    longest: float


def slowest(requests: Iterable[Mapping[str, Any]], most: int) -> Sequence[Slow]:
    """The hosts with the longest average response time."""
    took: dict[str, list[float]] = {}
    for event in requests:
        seconds = _seconds(event)
        if seconds is not None:
            took.setdefault(str(event.get("host")), []).append(seconds)
    found = [
        Slow(host, len(each), sum(each) / len(each), max(each))
        for host, each in took.items()
        if len(each) >= FEWEST
    ]
    return sorted(found, key=lambda slow: (-slow.mean, slow.host))[:most]


def _seconds(event: Mapping[str, Any]) -> float | None:
    try:
        started = datetime.fromisoformat(event["started_at"])
        return (datetime.fromisoformat(event["ended_at"]) - started).total_seconds()
    except (KeyError, TypeError, ValueError):  # damaged
        return None


LOOKED_AT: Final = 2_000  # requests
SLOWEST: Final = 8


@dataclass(frozen=True, slots=True)
class Phase:
    """One phase of the pipeline in this run: its rate, time and queue."""

    name: str
    seconds: float | None  # for a page, lately
    pages: int
    in_hand: int


@dataclass(frozen=True, slots=True)
class CrawlPage:
    """The contents of the page: the state of the crawl."""

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
    last_run: str | None  # when the run ended that charts show


async def crawl(call: Call) -> Response:
    """Serve the page about the crawl."""
    status = await status_of(call)
    nodes = await ask(call.parts.answering, Nodes())
    recent = await recent_requests(call, LOOKED_AT)
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
        last_run=_ended(call.parts.watch.history if call.parts.watch else None),
    )
    return page_answer(call, "crawl.html", page)


def _ended(history: History | None) -> str | None:
    moments = [] if history is None else history.record()["at"]
    return datetime.fromtimestamp(moments[-1], UTC).isoformat() if moments else None


def phases_of(run: Mapping[str, Any]) -> list[Phase]:
    """The phases of a run in pipeline order."""
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
