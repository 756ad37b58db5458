"""Monitoring: `/health`, `/metrics` for Prometheus, and the crawl as it goes on, for those who watch."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from starlette.responses import JSONResponse, Response, StreamingResponse

from gossamer import __version__
from gossamer.owner.messages import AnswerError, Record, ask
from gossamer.owner.questions import Health, NodeReports
from gossamer.owner.unix_socket import NoOwnerError
from gossamer.processes.usage import Usage
from gossamer.service.answers import json_answer
from gossamer.service.caches import figures_of
from gossamer.service.crawls import status_of
from gossamer.service.errors import ProblemError
from gossamer.service.guard import FULL
from gossamer.service.history import PHASES, usages
from gossamer.service.node_metrics import node_families
from gossamer.service.prometheus import Samples, counts_by, family
from gossamer.service.proxy import proxy_of
from gossamer.service.routes import JSON, PLAIN, Call, Reply, Route, json_reply
from gossamer.service.schemas import (
    FLAG,
    NUMBER,
    TEXT,
    WHOLE,
    listed,
    one_of,
    or_null,
    record,
    table_of,
)
from gossamer.service.watching import CrawlWatch

READY_SECONDS: Final = 5.0  # for the owner to say how it is
MEDIA_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
NOTHING: Final = MappingProxyType({"seconds": 0.0, "pages": 0})  # that a phase has done yet
OUT_OF_SCOPE: Final = "out-of-scope"
EVENTS: Final = "text/event-stream"


async def health(call: Call) -> Response:
    """Ask a cheap question. What is degraded mends itself or says how, so the answer is still 200."""
    return JSONResponse(_health(await ask(call.parts.answering, Health())))


async def alive(_: Call) -> Response:
    """Answer: who does is alive, whatever else is wrong. Nobody else is asked."""
    return JSONResponse({"status": "ok", "version": __version__})


async def ready(call: Call) -> Response:
    """Whether questions can be answered now; 503 where they cannot, for those who choose by that."""
    try:
        async with asyncio.timeout(READY_SECONDS):
            told = await ask(call.parts.answering, Health())
    except (TimeoutError, NoOwnerError, AnswerError) as error:
        why = str(error) if isinstance(error, AnswerError) else "Whoever owns the folder is silent."
        raise ProblemError(503, "not-ready", why, {"Retry-After": "5"}) from None
    return JSONResponse(_health(told), status_code=200 if told["ready"] else 503)


def _health(told: Record) -> dict[str, object]:
    status = "degraded" if told["troubles"] else "ok"
    who = {"status": status, "version": __version__, "owner": told["command"]}
    names = ("ready", "troubles", "parts", "progress", "behind")
    return {**who, **{name: told[name] for name in names}}


async def metrics(call: Call) -> Response:
    """Everything that is counted."""
    status = await status_of(call)
    proxy, caches = await proxy_of(call), await figures_of(call)
    nodes = await ask(call.parts.answering, NodeReports())
    text = "".join(families(status, usages(status["owner"]["process"]), proxy, caches, nodes))
    return Response(text, media_type=MEDIA_TYPE)


def families(
    status: Record,
    processes: Iterable[Usage],
    proxy: Record | None = None,
    caches: Mapping[str, Mapping[str, int]] | None = None,
    nodes: Record | None = None,
) -> Iterator[str]:
    """The text, a family of samples each."""
    yield family("info", "gauge", "What this is.", [({"version": __version__}, 1)])
    yield from _frontier(status)
    yield from _links(status)
    yield from _graph_and_disk(status)
    yield from _words(status["words"])
    yield from _freshness(status["fresh"])
    run = status["run"]
    yield family("crawl_running", "gauge", "Whether a crawl runs.", [({}, run is not None)])
    if run is not None:
        yield from _run(run)
    if proxy is not None:
        yield from _proxy(proxy)
    if caches:
        yield _caches(caches)
    if nodes is not None:
        yield from node_families(nodes["nodes"], nodes["total"])
    yield from _processes(list(processes))


async def live(call: Call) -> Response:
    """Stream snapshots until the client closes."""
    watch = _watch(call)
    if watch.is_full:
        raise FULL
    if call.request.method == "HEAD":
        return Response(media_type=EVENTS)
    # A server in front of us must not keep them back to send them together.
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(watch.events(), media_type=EVENTS, headers=headers)


async def history(call: Call) -> Response:
    """The last hour."""
    return json_answer(call.request, _watch(call).history.record())


def _frontier(status: Record) -> Iterator[str]:
    states = ("pending", "handed", "waiting", "aside", "beyond")
    yield family(
        "frontier_urls",
        "gauge",
        "URLs that are left, by state; aside: out of scope, beyond: too deep.",
        counts_by("state", status, states),
    )
    yield family("frontier_known_urls", "gauge", "URLs that are known.", [({}, status["known"])])
    yield family(
        "pages", "gauge", "Pages of all runs, by outcome.", counts_by("outcome", status["ended"])
    )
    yield family(
        "failures", "gauge", "Pages that failed, by cause.", counts_by("cause", status["failures"])
    )
    yield family(
        "refusals",
        "gauge",
        "Pages that were refused when they were to be asked for, by rule.",
        counts_by("rule", status["refusals"]),
    )
    yield family("hosts", "gauge", "Hosts, by stage.", counts_by("stage", status["hosts"]))


def _freshness(fresh: Record) -> Iterator[str]:
    yield family("fresh_pages", "gauge", "Pages that are kept fresh.", [({}, fresh["pages"])])
    if not fresh["pages"]:
        return
    late = {"due": fresh["due"], "overdue": fresh["overdue"]}
    doc = "Looks at pages that are due; overdue: for more than a day. At most 100,000 are counted."
    yield family("fresh_looks_due", "gauge", doc, counts_by("state", late))
    shares = [
        ({"how": how}, fresh[how]) for how in ("expected", "measured") if fresh[how] is not None
    ]
    doc = "The share of time for which pages are fresh, as expected by the plan and as looks have found it."
    yield family("freshness", "gauge", doc, shares)
    doc = "Looks a day that the plan asks for."
    yield family("fresh_looks_asked_per_day", "gauge", doc, [({}, fresh["asked"])])


def _links(status: Record) -> Iterator[str]:
    yield family(
        "links_not_followed",
        "gauge",
        "URLs that were linked to and never to be asked for, by rule. What `gossamer crawl --json` "
        "calls refused is these and pages with the outcome refused.",
        counts_by("rule", {OUT_OF_SCOPE: status["aside"], **status["not_followed"]}),
    )


def _words(words: Record | None) -> Iterator[str]:
    if words is None:
        return
    yield family("words_documents", "gauge", "What can be searched.", [({}, words["documents"])])
    for what in ("files", "bytes"):
        yield family(
            f"words_behind_{what}",
            "gauge",
            "What the graph has noted and words have not taken up.",
            [({}, words[f"behind_{what}"])],
        )


def _graph_and_disk(status: Record) -> Iterator[str]:
    if status["graph"] is not None:
        yield family("graph", "gauge", "What the graph holds.", counts_by("what", status["graph"]))
    yield family("disk_bytes", "gauge", "What the folder takes.", counts_by("part", status["disk"]))
    yield family("disk_free_bytes", "gauge", "Room on its disk.", [({}, status["disk_free"])])
    if folders := status["archive_folders"]:
        yield family(
            "archive_folder_free_bytes",
            "gauge",
            "Room in each folder of the archive; 0 where it is gone.",
            [({"folder": each["folder"]}, each["free"]) for each in folders],
        )


def _run(run: Record) -> Iterator[str]:
    yield family("run_seconds", "counter", "Since this run began.", [({}, run["seconds"])])
    yield family(
        "run_pages_total",
        "counter",
        "Pages of this run, by outcome.",
        counts_by("outcome", run["ended"]),
    )
    yield family(
        "run_idle_seconds",
        "gauge",
        "Since anything was received or settled.",
        [({}, run["progress_seconds"])],
    )
    yield family("run_quads_total", "counter", "Quads of this run.", [({}, run["quads"])])
    yield family("run_problems_total", "counter", "Problems in pages.", [({}, run["problems"])])
    yield family("run_received_bytes_total", "counter", "Received.", [({}, run["bytes"])])
    rates = {"pages": run["pages_per_second"], "quads": run["quads_per_second"]}
    yield family(
        "run_rate", "gauge", "A second, over the last ten seconds.", counts_by("what", rates)
    )
    totals = {phase: run["phase_totals"].get(phase, NOTHING) for phase in PHASES}
    seconds = {name: each["seconds"] for name, each in totals.items()}
    pages = {name: each["pages"] for name, each in totals.items()}
    yield family(
        "phase_seconds_total", "counter", "Time that a phase worked.", counts_by("phase", seconds)
    )
    yield family("phase_pages_total", "counter", "Pages it worked on.", counts_by("phase", pages))
    yield family(
        "phase_queue", "gauge", "Waiting for a phase, or in it.", counts_by("phase", run["queues"])
    )


def _proxy(proxy: Record) -> Iterator[str]:
    total = "proxy_{}_total".format
    yield family(
        total("answers"), "counter", "Answers, by who gave them.", counts_by("by", proxy["answers"])
    )
    yield family(
        total("statuses"), "counter", "Answers, by status.", counts_by("status", proxy["statuses"])
    )
    sums = (
        ("received_bytes", "Bodies from servers."),
        ("sent_bytes", "Bodies to clients."),
        ("waited_seconds", "Time that requests waited for their turn."),
        ("tunnels", "Tunnels: what is asked inside is not paced."),
        ("tunnel_bytes", "Bytes in tunnels."),
    )
    for name, doc in sums:
        yield family(total(name), "counter", doc, [({}, proxy[name])])
    yield family(
        "proxy_connections", "gauge", "Clients that are connected.", [({}, proxy["connections"])]
    )
    yield family(
        "proxy_requests",
        "gauge",
        "Requests in hand, by stage.",
        counts_by("stage", proxy["stages"]),
    )
    yield family("proxy_cache", "gauge", "What its cache did.", counts_by("what", proxy["cache"]))


def _caches(caches: Mapping[str, Mapping[str, int]]) -> str:
    samples = [
        ({"cache": name, "what": what}, count)
        for name, counts in caches.items()
        for what, count in counts.items()
    ]
    doc = "What each cache did and holds: pages of the proxy, robots, names, urls seen of late."
    return family("cache", "gauge", doc, samples)


def _processes(usages: list[Usage]) -> Iterator[str]:
    def each(name: str) -> Samples:
        return [({"process": usage.name}, getattr(usage, name)) for usage in usages]

    yield family("process_cpu_seconds_total", "counter", "Processor time.", each("cpu_seconds"))
    yield family("process_resident_bytes", "gauge", "Memory.", each("resident_bytes"))


def _watch(call: Call) -> CrawlWatch:
    if call.parts.watch is None:
        raise ProblemError(503, "not-now", "Nobody watches here.", {"Retry-After": "5"})
    return call.parts.watch


_HEALTH: Final = record(
    {
        "status": one_of("ok", "degraded"),
        **dict.fromkeys(("version", "owner"), TEXT),
        "ready": FLAG,
        "troubles": listed(TEXT),
        "parts": record(
            {
                name: record({"trouble": or_null(TEXT), **figures})
                for name, figures in {
                    "database": {"where": TEXT, "seconds": NUMBER},
                    "nodes": {},
                    "graph": {"busy_seconds": NUMBER},
                    "words": {},
                    "disk": {"free": WHOLE},
                    "archive": {},
                }.items()
            }
        ),
        "progress": record({"state": or_null(TEXT), "seconds": or_null(NUMBER)}),
        "behind": record(
            {
                **dict.fromkeys(("pages", "files", "bytes", "things"), WHOLE),
                "seconds": NUMBER,
                "in_step": FLAG,
            }
        ),
    }
)
ROUTES: Final = (
    Route(
        path="/metrics",
        summary="What is counted, as Prometheus reads it",
        handler=metrics,
        replies={200: Reply(doc="Text, version 0.0.4.", schemas={PLAIN: TEXT})},
        tag="monitoring",
    ),
    Route(
        path="/health",
        summary="Whether all is well",
        handler=health,
        replies=json_reply(
            "It is (`ok`); or parts of it are stuck or far behind (`degraded`), and `troubles` says "
            "which. `parts` has the database, the nodes, the graph, the words, the disk and the archive, each "
            "with its `trouble`; `progress.seconds` is the time since a crawl last received or settled "
            "anything. `behind` is what is still on its way, which is usual while a crawl runs.",
            _HEALTH,
        ),
        is_open=True,
        tag="monitoring",
    ),
    Route(
        path="/health/live",
        summary="Whether this process answers",
        doc="Nothing else is asked: a service that fails here is to be started again.",
        handler=alive,
        replies=json_reply("It does.", record({"status": one_of("ok"), "version": TEXT})),
        is_open=True,
        tag="monitoring",
    ),
    Route(
        path="/health/ready",
        summary="Whether questions can be answered now",
        handler=ready,
        replies={
            **json_reply("They can; the rest as `/health` tells it.", _HEALTH),
            503: Reply(
                doc="They cannot: the owner is silent, or its database, graph or disk is in "
                "trouble (`ready` is false, `troubles` says why).",
                schemas={JSON: _HEALTH},
            ),
        },
        is_open=True,
        tag="monitoring",
    ),
    Route(
        path="/api/live",
        summary="How the crawl stands, once a second, as server-sent events",
        doc="Each event is a record as `/api/status` has it, with `at`, `state`, `rates` (a second, "
        "by phase), `processes` and the `point` that `/api/history` keeps of it.",
        handler=live,
        replies={200: Reply(doc="Events without end.", schemas={EVENTS: TEXT})},
    ),
    Route(
        path="/api/history",
        summary="The last hour of the crawl, for charts",
        doc="Columns of the same length: moments in seconds since 1970, and a number or null for "
        "each of them. Nothing is kept of times in which no crawl ran.",
        handler=history,
        replies=json_reply(
            "The columns.",
            record(
                {"every": NUMBER, "at": listed(NUMBER), "series": table_of(listed(or_null(NUMBER)))}
            ),
        ),
    ),
)
