"""Were we polite? Computed from the log, by a rule that shares nothing with the clocks. Pure.

How many requests a host may have in flight is not in the log: it is handed in. Requests of several nodes are
compared by the database's clock, as exactly as their own clocks are known against it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

REQUESTS = frozenset({"requested", "request-failed"})


@dataclass(frozen=True, slots=True)
class Sent:
    """A request as the log has it."""

    host: str
    started_at: datetime
    ended_at: datetime
    delay: timedelta  # that was in force before it
    node: str = ""  # that sent it
    within: timedelta = timedelta(0)  # its moments may be so much earlier or later


@dataclass(frozen=True, slots=True)
class HostAudit:
    """How one host was treated."""

    host: str
    requests: int
    smallest_gap: timedelta | None  # end of a response to the next start; None: one request only.
    # Where several may be in flight, from whatever was last: the end of one, or a start.
    delay: timedelta  # in force before the last request
    violations: int  # requests that came sooner than the delay in force before them

    def record(self) -> Mapping[str, object]:
        """The audit of a host as JSON has it: times in seconds."""
        gap = self.smallest_gap
        return {
            "host": self.host,
            "requests": self.requests,
            "smallest_gap": None if gap is None else gap.total_seconds(),
            "delay": self.delay.total_seconds(),
            "violations": self.violations,
        }


def sent_requests(events: Iterable[Mapping[str, object]]) -> Iterable[Sent]:
    """The requests among the events of a log; what is damaged is passed over."""
    for event in events:
        if event.get("event") not in REQUESTS:
            continue
        try:
            yield Sent(
                str(event["host"]),
                datetime.fromisoformat(str(event["started_at"])),
                datetime.fromisoformat(str(event["ended_at"])),
                timedelta(seconds=float(str(event["delay"]))),
                str(event.get("node", "")),
                timedelta(seconds=float(str(event.get("clock_within", 0)))),
            )
        except (KeyError, ValueError):
            continue


def audited(requests: Iterable[Sent], per_host: int = 1) -> list[HostAudit]:
    """Each host with what it had to bear, the worst first; so many at once are no violation."""
    by_host: dict[str, list[Sent]] = {}
    for request in requests:
        by_host.setdefault(request.host, []).append(request)
    audits = [_audit(host, sent, per_host) for host, sent in by_host.items()]
    return sorted(audits, key=lambda audit: (-audit.violations, audit.host))


def _audit(host: str, sent: list[Sent], per_host: int) -> HostAudit:
    sent.sort(key=lambda request: (request.started_at, request.ended_at))
    gaps, violations = [], 0
    unsure = _unsure(sent)
    rested_from, ends = sent[0].started_at, [sent[0].ended_at]  # of those in flight
    for request in sent[1:]:
        now = request.started_at
        rested_from = max([rested_from, *(end for end in ends if end <= now)])
        ends = [end for end in ends if end > now]
        gaps.append(now - (rested_from if len(ends) < per_host else max(ends)))
        violations += gaps[-1] + unsure < request.delay
        rested_from = now  # with several in flight, the delay lies between their starts too
        ends.append(request.ended_at)
    return HostAudit(host, len(sent), min(gaps, default=None), sent[-1].delay, violations)


def _unsure(sent: list[Sent]) -> timedelta:
    """How much longer a gap between two nodes may be than it looks; none, where one node sent everything."""
    if len({request.node for request in sent}) < 2:
        return timedelta(0)
    return 2 * max(request.within for request in sent)
