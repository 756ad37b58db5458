"""What is told about a crawl, as JSON has it: moments as ISO 8601, times in seconds. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from enum import StrEnum

from gossamer.archive.folders import archive_bytes
from gossamer.crawl.sitemap_record import SitemapRecord
from gossamer.folder.data import DataFolder, bytes_below
from gossamer.frontier.protocol import (
    Counts,
    Ended,
    HostStage,
    HostState,
    NodeState,
    PageState,
    TroubledPage,
)
from gossamer.index.graph.messages import Timing
from gossamer.index.graph.page_diff import GraphCounts
from gossamer.moments import iso_moment
from gossamer.owner.freshness_answers import look_record
from gossamer.owner.messages import Record
from gossamer.politeness.clock import HostClock
from gossamer.politeness.delay import Pace
from gossamer.politeness.robots.policy import Decision
from gossamer.politeness.robots.record import Meaning, RobotsRecord

MOST_SITEMAPS = 1_000  # of an origin, in one answer
MOST_OF_ROBOTS = 20_000  # bytes, for people to read
FOLDERS = ("frontier", "graph", "words", "archive", "log")


def host_record(host: HostState, clock: HostClock | None, pace: Pace, now: datetime) -> Record:
    """One host, and when it may be asked next; of one in our hands, the clock knows."""
    if host.stage is not HostStage.LEASED:
        at = host.until
    else:
        at = None if clock is None else clock.next_start(now, pace)
    return {**_plain(asdict(host)), "next_at": None if at is None or at <= now else iso_moment(at)}


def node_record(node: NodeState) -> Record:
    """One node of the crawl."""
    return _plain(asdict(node))


def robots_record(record: RobotsRecord, agent: str, now: datetime) -> Record:
    """What we know of an origin's robots.txt, and what it asks of us."""
    delay = record.policy(agent, now).crawl_delay
    body = record.body if record.meaning is Meaning.RULES else None
    return {
        "origin": record.origin,
        "meaning": record.meaning.value,
        "cause": record.cause,
        "answered_at": iso_moment(record.answered_at),
        "ask_at": iso_moment(record.ask_at),
        "crawl_delay": None if delay is None else delay.seconds,
        "body": None if body is None else body[:MOST_OF_ROBOTS].decode(errors="replace"),
    }


def sitemaps_record(origin: str, named: Sequence[str], read: SitemapRecord | None) -> Record:
    """The sitemaps that an origin's robots.txt names, and how far its sitemaps were read."""
    progress = None
    if read is not None:
        progress = {
            "complete": not read.is_owing,
            "left": [url for url, _ in (read.owed or ())[:MOST_SITEMAPS]],
            "again_at": iso_moment(read.again_at),
        }
    return {
        "origin": origin,
        "sitemaps": list(named[:MOST_SITEMAPS]),
        "count": len(named),
        "read": progress,
    }


def decision_record(decision: Decision) -> Record:
    """What a robots.txt says about one URL."""
    group = decision.group
    return {
        "allowed": decision.allowed,
        "group": None if group is None else group.agent,
        "line": decision.line_number,
        "text": decision.line,
        "why": decision.why,
    }


def delay_record(host: str, clock: HostClock, pace: Pace, now: datetime) -> Record:
    """When a host may next be asked, and why not sooner; no moment where it may be asked now."""
    delay, at = clock.delay(pace), clock.next_start(now, pace)
    return {
        "host": host,
        "delay": delay.seconds,
        "source": delay.source,
        "next_at": iso_moment(at) if at > now else None,
        "in_flight": len(clock.in_flight),
        "parked": clock.parked(now, pace) is not None,
    }


def page_record(page: PageState) -> Record:
    """One URL of the frontier; what only the frontier itself needs is left out."""
    hidden = ("url", "digest", "etag", "last_modified", "look_at", "looked")
    known = {name: value for name, value in asdict(page).items() if name not in hidden}
    return {**_plain(known), "look": look_record(page)}


def trouble_record(page: TroubledPage, told: Iterable[Record]) -> Record:
    """A page that did not go well, and what is wrong in it."""
    known = {name: value for name, value in asdict(page).items() if name != "place"}
    return {**_plain(known), "problems": list(told), "problem_count": page.problems}


def cost_record(timing: Timing, counts: GraphCounts) -> Record:
    """What a query cost, and how much it was asked of; the engine tells no plan."""
    return {
        "parsed": round(timing.parsed, 6),
        "first_row": None if timing.first is None else round(timing.first, 6),
        "last_row": round(timing.last, 6),
        "graph": graph_record(counts),
    }


def counts_record(
    counts: Counts,
    causes: Mapping[Ended, Mapping[str, int]],
    not_followed: Mapping[str, int],
) -> dict[str, object]:
    """How much is known, done and left."""
    return {
        "known": counts.known,
        "left": counts.left,
        "pending": counts.pending,
        "handed": counts.handed,
        "waiting": counts.waiting,
        "aside": counts.aside,
        "beyond": counts.beyond,
        "ended": {ended: counts.ended.get(ended, 0) for ended in _LASTING},
        "failures": dict(causes[Ended.FAILED]),
        "refusals": dict(causes[Ended.REFUSED]),
        "not_followed": dict(not_followed),
        "hosts": {stage: counts.hosts.get(stage, 0) for stage in HostStage},
        "visited_hosts": counts.visited_hosts,
        "with_content": counts.with_content,
        "next_at": None if counts.next_at is None else iso_moment(counts.next_at),
    }


_LASTING = (Ended.CONTENT, Ended.REDIRECTED, Ended.SKIPPED, Ended.FAILED, Ended.REFUSED)


def graph_record(counts: GraphCounts | None) -> Record | None:
    """How much the graph holds, where there is one."""
    return None if counts is None else asdict(counts)


def disk_record(data: DataFolder) -> dict[str, int]:
    """How many bytes each part of a data folder takes, wherever it lies."""
    elsewhere = {"graph": data.graph_folder, "words": data.words_folder}
    paths = {name: elsewhere.get(name, data.path / name) for name in FOLDERS}
    taken = {
        name: sum(map(bytes_below, sorted(path.parent.glob(f"{path.name}*"))))
        for name, path in paths.items()
    }
    return {**taken, "archive": taken["archive"] + archive_bytes(data.archive_folder)}


def _plain(values: Mapping[str, object]) -> dict[str, object]:
    return {name: _as_json(value) for name, value in values.items()}


def _as_json(value: object) -> object:
    match value:
        case datetime():
            return iso_moment(value)
        case timedelta():
            return value.total_seconds()
        case StrEnum():
            return value.value
    return value
